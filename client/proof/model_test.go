package proof_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// model is a position asked about, with the rules of its game once more: slow, obvious, on positions as text. It knows
// what every position is worth by plain recursion, makes proofs, and judges them by the truth and not, as the checker
// does, by what was proved before.
type model struct {
	asked *zermelov1.Position
	kind  kind
	root  string
	// ended is what a position is worth, if the game is over there: in win/loss games 1, 0 or -1.
	ended func(position string) (value int64, over bool)
	// list lists the legal moves at a position that is not over, in natural order; moves remembers them.
	list func(position string) []option
	// theorem is the theorem about the game, if it applies at root.
	theorem zermelov1.Theorem
	lead    int64

	options map[string][]option
	values  map[string]int64
	lengths map[string]map[uint32]bool
}

type kind int

const (
	winLoss kind = iota
	margin
	cost
)

// option is a legal move: what it gains, or costs, and what it leads to.
type option struct {
	move string
	gain int64
	next []string
}

func modelOf(asked *zermelov1.Position) *model {
	m := &model{
		asked:   asked,
		options: make(map[string][]option),
		values:  make(map[string]int64),
		lengths: make(map[string]map[uint32]bool),
	}
	switch game := asked.GetGame().(type) {
	case *zermelov1.Position_Nim:
		m.nim(game.Nim)
	case *zermelov1.Position_CanIWin:
		m.canIWin(game.CanIWin)
	case *zermelov1.Position_HundredGame:
		m.hundred(game.HundredGame)
	case *zermelov1.Position_PredictTheWinner:
		m.ends(game.PredictTheWinner.GetScores(), game.PredictTheWinner.GetLead())
	case *zermelov1.Position_StoneGame:
		var scores []int64
		for _, pile := range game.StoneGame.GetPiles() {
			scores = append(scores, int64(pile))
		}
		m.ends(scores, game.StoneGame.GetLead())
	case *zermelov1.Position_GuessNumber:
		m.guess(game.GuessNumber)
	default:
		panic(fmt.Sprint("no game in ", asked))
	}
	return m
}

func join(numbers []int, by string) string {
	if len(numbers) == 0 {
		return "-"
	}
	var texts []string
	for _, number := range numbers {
		texts = append(texts, strconv.Itoa(number))
	}
	return strings.Join(texts, by)
}

func split(text, by string) []int {
	if text == "-" {
		return nil
	}
	var numbers []int
	for part := range strings.SplitSeq(text, by) {
		number, err := strconv.Atoi(part)
		if err != nil {
			panic(err)
		}
		numbers = append(numbers, number)
	}
	return numbers
}

func sum(numbers []int) int {
	total := 0
	for _, number := range numbers {
		total += number
	}
	return total
}

func (m *model) nim(asked *zermelov1.Nim) {
	canonical := func(piles []int) string {
		slices.Sort(piles)
		slices.Reverse(piles)
		return join(piles, "-")
	}
	var piles []int
	for _, pile := range asked.GetPiles() {
		piles = append(piles, int(pile))
	}
	m.root = canonical(piles)
	m.theorem = zermelov1.Theorem_THEOREM_BOUTON
	m.ended = func(position string) (int64, bool) {
		if sum(split(position, "-")) > 0 {
			return 0, false
		}
		if asked.GetConvention() == zermelov1.PlayConvention_PLAY_CONVENTION_MISERE {
			return 1, true
		}
		return -1, true
	}
	m.list = func(position string) []option {
		var options []option
		piles := split(position, "-")
		for i, pile := range piles {
			if i > 0 && piles[i-1] == pile {
				continue
			}
			for after := range pile {
				next := slices.Clone(piles)
				next[i] = after
				options = append(options, option{move: fmt.Sprintf("%d>%d", pile, after), next: []string{canonical(next)}})
			}
		}
		return options
	}
}

func (m *model) canIWin(asked *zermelov1.CanIWin) {
	n, total := int(asked.GetMaxChoosableInteger()), int(asked.GetDesiredTotal())
	var chosen []int
	for _, integer := range asked.GetChosen() {
		chosen = append(chosen, int(integer))
	}
	slices.Sort(chosen)
	m.root = join(chosen, ",")
	if n*(n+1)/2 < total {
		m.theorem = zermelov1.Theorem_THEOREM_OUT_OF_REACH
	}
	m.ended = func(position string) (int64, bool) {
		chosen := split(position, ",")
		switch {
		case total == 0 && len(chosen) == 0:
			return 1, true
		case sum(chosen) >= total:
			return -1, true
		default:
			return 0, len(chosen) == n
		}
	}
	m.list = func(position string) []option {
		var options []option
		chosen := split(position, ",")
		for integer := 1; integer <= n; integer++ {
			if slices.Contains(chosen, integer) {
				continue
			}
			next := append(slices.Clone(chosen), integer)
			slices.Sort(next)
			options = append(options, option{move: strconv.Itoa(integer), next: []string{join(next, ",")}})
		}
		return options
	}
}

func (m *model) hundred(asked *zermelov1.HundredGame) {
	n, total := int(asked.GetMaxChoosableInteger()), int(asked.GetDesiredTotal())
	m.root = strconv.Itoa(min(int(asked.GetCurrentTotal()), total))
	m.theorem = zermelov1.Theorem_THEOREM_MODULO
	m.ended = func(position string) (int64, bool) { return -1, position == strconv.Itoa(total) }
	m.list = func(position string) []option {
		current, err := strconv.Atoi(position)
		if err != nil {
			panic(err)
		}
		var options []option
		for integer := 1; integer <= n; integer++ {
			next := strconv.Itoa(min(current+integer, total))
			options = append(options, option{move: strconv.Itoa(integer), next: []string{next}})
		}
		return options
	}
}

func (m *model) ends(scores []int64, lead int64) {
	m.kind, m.lead = margin, lead
	m.root = fmt.Sprintf("0..%d", len(scores))
	m.ended = func(position string) (int64, bool) {
		ends := split(position, "..")
		return 0, ends[0] == ends[1]
	}
	m.list = func(position string) []option {
		ends := split(position, "..")
		from, to := ends[0], ends[1]
		return []option{
			{move: "L", gain: scores[from], next: []string{fmt.Sprintf("%d..%d", from+1, to)}},
			{move: "R", gain: scores[to-1], next: []string{fmt.Sprintf("%d..%d", from, to-1)}},
		}
	}
}

func (m *model) guess(asked *zermelov1.GuessNumber) {
	m.kind = cost
	m.root = fmt.Sprintf("%d..%d", asked.GetLow(), asked.GetHigh())
	m.ended = func(position string) (int64, bool) {
		ends := split(position, "..")
		return 0, ends[0] == ends[1]
	}
	m.list = func(position string) []option {
		ends := split(position, "..")
		var options []option
		for number := ends[0]; number <= ends[1]; number++ {
			o := option{move: strconv.Itoa(number), gain: int64(number)}
			if number > ends[0] {
				o.next = append(o.next, fmt.Sprintf("%d..%d", ends[0], number-1))
			}
			if number < ends[1] {
				o.next = append(o.next, fmt.Sprintf("%d..%d", number+1, ends[1]))
			}
			options = append(options, o)
		}
		return options
	}
}

// moves are the legal moves at a position that is not over, in natural order. They are not to be changed.
func (m *model) moves(position string) []option {
	options, found := m.options[position]
	if !found {
		options = m.list(position)
		m.options[position] = options
	}
	return options
}

// value is what a position is worth to the player to move, without lead.
func (m *model) value(position string) int64 {
	if value, over := m.ended(position); over {
		return value
	}
	value, found := m.values[position]
	if !found {
		for i, o := range m.moves(position) {
			worth := m.worth(o)
			if i == 0 || m.kind == cost && worth < value || m.kind != cost && worth > value {
				value = worth
			}
		}
		m.values[position] = value
	}
	return value
}

// worth is what a move is worth.
func (m *model) worth(o option) int64 {
	if m.kind != cost {
		return o.gain - m.value(o.next[0])
	}
	return o.gain + m.value(m.branch(o))
}

// branch is where a move leads to: the costlier branch, the lower one of two that cost the same.
func (m *model) branch(o option) string {
	if len(o.next) == 2 && m.value(o.next[1]) > m.value(o.next[0]) {
		return o.next[1]
	}
	return o.next[0]
}

// best are the moves that keep what a position is worth.
func (m *model) best(position string) []option {
	worse := func(o option) bool { return m.worth(o) != m.value(position) }
	return slices.DeleteFunc(slices.Clone(m.moves(position)), worse)
}

func (m *model) over(position string) bool {
	_, over := m.ended(position)
	return over
}

// event is the decision about a position, but for its number and what it is because of.
func (m *model) event(position string, depth int) *zermelov1.Event {
	event := &zermelov1.Event{
		Kind: zermelov1.EventKind_EVENT_KIND_DECIDED, Depth: uint32(depth), Position: position,
	}
	value := m.value(position)
	if m.kind != cost {
		event.Outcome = outcomeOf(value)
	}
	if m.kind != winLoss {
		event.Value = &value
	}
	return event
}

func outcomeOf(value int64) zermelov1.Outcome {
	switch {
	case value > 0:
		return zermelov1.Outcome_OUTCOME_WIN
	case value < 0:
		return zermelov1.Outcome_OUTCOME_LOSS
	default:
		return zermelov1.Outcome_OUTCOME_DRAW
	}
}

// decides says whether a position, which is not over, has a deciding move.
func (m *model) decides(position string) bool { return m.kind != winLoss || m.value(position) >= 0 }

// supports are the positions that a decision rests on when it names the move o: all that moves lead to, but for a won
// one. They may be over.
func (m *model) supports(position string, o option) []string {
	if m.kind == winLoss && m.value(position) == 1 {
		return slices.Clone(o.next)
	}
	var all []string
	for _, o := range m.moves(position) {
		all = append(all, o.next...)
	}
	return all
}

// choice picks one of so many.
type choice func(count int) int

func firstChoice(int) int { return 0 }

// prove makes a proof. Where there is a choice, of a best move or of what to prove first, choose makes it.
func (m *model) prove(choose choice) []*zermelov1.Event {
	var events []*zermelov1.Event
	numbers := make(map[string]int64)
	var visit func(position string, depth int)
	visit = func(position string, depth int) {
		if m.over(position) || numbers[position] > 0 {
			return
		}
		var deciding option
		event := m.event(position, depth)
		if m.decides(position) {
			best := m.best(position)
			deciding = best[choose(len(best))]
			event.Move = deciding.move
		}
		for supports := m.supports(position, deciding); len(supports) > 0; {
			i := choose(len(supports))
			visit(supports[i], depth+1)
			supports = slices.Delete(supports, i, i+1)
		}
		if event.GetMove() != "" {
			event.Because = numbers[m.branch(deciding)]
		}
		events = append(events, event)
		event.Sequence = int64(len(events))
		numbers[position] = event.GetSequence()
	}
	visit(m.root, 0)
	return events
}

// plays is how many moves lead from root to each position that is not over: all numbers for which there is a play.
func (m *model) plays() map[string]map[uint32]bool {
	if len(m.lengths) > 0 || m.over(m.root) {
		return m.lengths
	}
	layer := []string{m.root}
	for depth := uint32(0); len(layer) > 0; depth++ {
		var further []string
		for _, position := range layer {
			if m.over(position) || m.lengths[position][depth] {
				continue
			}
			if m.lengths[position] == nil {
				m.lengths[position] = make(map[uint32]bool)
			}
			m.lengths[position][depth] = true
			for _, o := range m.moves(position) {
				further = append(further, o.next...)
			}
		}
		layer = further
	}
	return m.lengths
}

// accepts says whether a proof is right.
func (m *model) accepts(events []*zermelov1.Event) bool {
	if m.over(m.root) || len(events) == 0 {
		return m.over(m.root) && len(events) == 0
	}
	if events[0].GetKind() == zermelov1.EventKind_EVENT_KIND_THEOREM {
		return len(events) == 1 && m.acceptsTheorem(events[0])
	}
	numbers := make(map[string]int64)
	for i, event := range events {
		position := event.GetPosition()
		right := event.GetSequence() == int64(i+1) &&
			event.GetKind() == zermelov1.EventKind_EVENT_KIND_DECIDED &&
			event.GetTheorem() == zermelov1.Theorem_THEOREM_UNSPECIFIED &&
			m.plays()[position][event.GetDepth()] &&
			numbers[position] == 0 &&
			(position == m.root) == (i == len(events)-1) &&
			m.acceptsDecision(event, numbers)
		if !right {
			return false
		}
		numbers[position] = event.GetSequence()
	}
	return true
}

func (m *model) acceptsDecision(event *zermelov1.Event, numbers map[string]int64) bool {
	position := event.GetPosition()
	if !m.saysTheTruth(event) {
		return false
	}
	var deciding option
	if m.decides(position) {
		found := slices.IndexFunc(m.best(position), func(o option) bool { return o.move == event.GetMove() })
		if found < 0 {
			return false
		}
		deciding = m.best(position)[found]
		if event.GetBecause() != numbers[m.branch(deciding)] {
			return false
		}
	} else if event.GetMove() != "" || event.GetBecause() != 0 {
		return false
	}
	for _, support := range m.supports(position, deciding) {
		if !m.over(support) && numbers[support] == 0 {
			return false
		}
	}
	return true
}

// saysTheTruth is about the outcome and the value.
func (m *model) saysTheTruth(event *zermelov1.Event) bool {
	right := m.event(event.GetPosition(), 0)
	return event.GetOutcome() == right.GetOutcome() &&
		(event.Value == nil) == (right.Value == nil) && event.GetValue() == right.GetValue()
}

func (m *model) acceptsTheorem(event *zermelov1.Event) bool {
	if m.theorem == zermelov1.Theorem_THEOREM_UNSPECIFIED || event.GetTheorem() != m.theorem ||
		event.GetSequence() != 1 || event.GetDepth() != 0 || event.GetPosition() != m.root ||
		event.GetBecause() != 0 || !m.saysTheTruth(event) {
		return false
	}
	if !m.decides(m.root) {
		return event.GetMove() == ""
	}
	return slices.ContainsFunc(m.best(m.root), func(o option) bool { return o.move == event.GetMove() })
}

// proveByTheorem makes the proof that is a theorem, if there is one.
func (m *model) proveByTheorem(choose choice) []*zermelov1.Event {
	if m.over(m.root) || m.theorem == zermelov1.Theorem_THEOREM_UNSPECIFIED {
		return nil
	}
	event := m.event(m.root, 0)
	event.Sequence = 1
	event.Kind = zermelov1.EventKind_EVENT_KIND_THEOREM
	event.Theorem = m.theorem
	if m.decides(m.root) {
		best := m.best(m.root)
		event.Move = best[choose(len(best))].move
	}
	return []*zermelov1.Event{event}
}

// solution is what a server would say.
func (m *model) solution() *zermelov1.Solution {
	value := m.value(m.root)
	solution := &zermelov1.Solution{}
	switch m.kind {
	case winLoss:
		solution.Outcome = outcomeOf(value)
	case margin:
		total := m.lead + value
		solution.Outcome, solution.Margin = outcomeOf(total), &total
	case cost:
		solution.Cost = &value
	}
	if !m.over(m.root) {
		for _, o := range m.best(m.root) {
			solution.BestMoves = append(solution.BestMoves, &zermelov1.Move{Notation: o.move})
		}
	}
	count := int64(len(solution.GetBestMoves()))
	solution.BestMoveCount = &count
	return solution
}
