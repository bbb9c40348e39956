package search

// decision is what is remembered of a decided position: its value and one figure.
type decision struct {
	value  int64
	figure figure
}

// figure is what a search remembers besides a value. It is one of four, by what the search is for:
//   - a sequence, in a trace;
//   - a remoteness, in a search for distances;
//   - the size of the position's proof, while a proof is planned;
//   - the place of the decision in the proof, once it is there.
type figure int64

// sequence is the Number of the event that decided the position; 0 when no event did.
func (f figure) sequence() int64 { return int64(f) }

// remoteness is the number of moves to the end of the game.
func (f figure) remoteness() int64 { return int64(f) }

// The last bit of a size and of a place says whether the decision is in the proof. Sizes are therefore counted in twos.
const (
	inProof     figure = 1
	oneDecision figure = 2
	// mostDecisions is where a size stops being counted.
	mostDecisions = (1<<61 - 1) * oneDecision
)

// addSizes adds two sizes of proofs as if these had no decision in common.
func addSizes(a, b figure) figure { return min(a+b, mostDecisions) }

// atPlace is the figure of the decision with that number in the proof.
func atPlace(number int64) figure { return figure(number)*oneDecision | inProof }

// place is the decision's number in the proof, where it is.
func (f figure) place() int64 { return int64(f / oneDecision) }

// word is a decision in few bits. The last two are the value of a WinLoss game plus 2, which is never 0, and the figure
// stands before them. When the last two are 0, 1 more than the number of an entry of a list stands before them; the word
// 0 is no decision.
type word uint64

// pack makes a word of a decision, if it fits so many bits.
func pack(d decision, bits int) (word, bool) {
	return word(d.figure)<<2 | word(d.value+2), uint64(d.value+1) <= 2 && uint64(d.figure)>>(bits-2) == 0
}

func (w word) unpack() decision { return decision{int64(w&3) - 2, figure(w >> 2)} }

// listed is the word for the entry i of a list.
func listed(i uint64) word { return word(i+1) << 2 }

func (w word) inList() bool { return w&3 == 0 && w != 0 }

func (w word) entry() uint64 { return uint64(w>>2) - 1 }

// without takes bits out of the figure of a word that is not in the list.
func (w word) without(bits figure) word { return w &^ (word(bits) << 2) }
