package search

// decision is what is remembered of a decided position: its value, and one figure besides.
type decision struct {
	value  int64
	figure figure
}

// figure is what a search needs to know of a decision besides the value. Which of four it is depends on what the search
// is for: a sequence number in a trace, a remoteness in a search for distances, the size of a proof while one is
// planned, and the decision's place in the proof once it has one.
type figure int64

// sequence is the Number of the event that decided the position; 0 when no event did.
func (f figure) sequence() int64 { return int64(f) }

// remoteness is the number of moves to the end of the game.
func (f figure) remoteness() int64 { return int64(f) }

// While a proof is planned, the last bit of a figure says that the proof has the decision: what is before it is then the
// place, otherwise the size of the position's own proof.
const (
	laid        figure = 1
	oneDecision figure = 1 << 1
	// mostDecisions is where the size of a proof stops being counted.
	mostDecisions = (1<<61 - 1) * oneDecision
)

func addSizes(a, b figure) figure { return min(a+b, mostDecisions) }

// place is the decision's number in the proof that has it.
func (f figure) place() int64 { return int64(f >> 1) }

func placed(number int64) figure { return figure(number)<<1 | laid }

// word is a decision in few bits: the value plus 2, which is not 0 for the values of WinLoss games, in the last two, and
// the figure before them. When the last two are 0, what is before them is 1 more than a place in a list; 0 is no
// decision.
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
