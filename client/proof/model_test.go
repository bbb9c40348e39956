package proof_test

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/catalog"
	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/games"
	"github.com/zermelo-games/zermelo/server/servertest/positions"
)

const (
	normal = positions.Normal
	misere = positions.Misere
)

// Positions of each game.
var (
	nim              = positions.Nim
	canIWin          = positions.CanIWin
	hundredGame      = positions.Hundred
	predictTheWinner = positions.Predict
	stoneGame        = positions.Stones
	guessNumber      = positions.Guess
)

// offered are the games of the server.
var offered = catalog.New(games.All(), catalog.DefaultLimits())

// entryOf is the entry of the game of a position.
func entryOf(p *zermelov1.Position) catalog.Entry {
	all := games.All()
	return all[slices.IndexFunc(all, func(e catalog.Entry) bool { return e.Name == catalog.GameOf(p) })]
}

// model is a root position with all that follows from the server's rules of its game by plain recursion, on positions as
// text. It makes proofs, and judges them by the truth and not, as the checker does, by what was proved before. That its
// values are the truth, the oracles of the games say; see TestProofsOfSamplesAreAccepted.
type model struct {
	asked *zermelov1.Position
	kind  engine.Objective
	root  string
	// theorem is the theorem about the game, if it applies at root.
	theorem zermelov1.Theorem
	lead    int64

	methods map[string]reflect.Value // of the engine's game, whose types are those of its room
	places  map[string]reflect.Value // the engine's positions by their texts
	ends    map[string]end
	options map[string][]option
	values  map[string]int64
	lengths map[string]map[uint32]bool
}

// option is a legal move: what it gains, or costs, and what it leads to.
type option struct {
	move string
	gain int64
	next []string
}

// modelOf is the model of a position that the server offers.
func modelOf(asked *zermelov1.Position) *model {
	instance, err := offered.Open(asked, "position")
	if err != nil {
		panic(err)
	}
	opened := reflect.ValueOf(instance).Elem().FieldByName("Opened")
	m := &model{
		asked:   asked,
		lead:    opened.FieldByName("Lead").Int(),
		methods: make(map[string]reflect.Value),
		places:  make(map[string]reflect.Value),
		ends:    make(map[string]end),
		options: make(map[string][]option),
		values:  make(map[string]int64),
		lengths: make(map[string]map[uint32]bool),
	}
	game := opened.FieldByName("Game").Elem()
	for _, name := range []string{
		"Objective", "Root", "Over", "First", "Next", "After", "AppendPosition", "AppendMove", // engine.Game
		"Gain", "Choices", "Reachable", "Decide", // which not every game has
	} {
		if method := game.MethodByName(name); method.IsValid() {
			m.methods[name] = method
		}
	}
	m.kind = engine.Objective(m.call("Objective")[0].Uint())
	m.root = m.text(m.call("Root")[0])
	if m.has("Decide") && m.call("Decide", reflect.ValueOf(0))[1].Bool() {
		m.theorem = entryOf(asked).Theorem
	}
	return m
}

// has says whether the game has an optional method.
func (m *model) has(method string) bool { return m.methods[method].IsValid() }

// call calls a method of the game.
func (m *model) call(method string, arguments ...reflect.Value) []reflect.Value {
	return m.methods[method].Call(arguments)
}

// noBytes is what notation is appended to.
var noBytes = reflect.ValueOf([]byte(nil))

// text is the notation of a position of the engine, which is remembered.
func (m *model) text(place reflect.Value) string {
	text := string(m.call("AppendPosition", noBytes, place)[0].Bytes())
	m.places[text] = place
	return text
}

// ended is the value of a position, if the game is over there: in win/loss games 1, 0 or -1.
func (m *model) ended(position string) (value int64, over bool) {
	e, known := m.ends[position]
	if !known {
		result := m.call("Over", m.places[position])
		e = end{result[0].Int(), result[1].Bool()}
		m.ends[position] = e
	}
	return e.value, e.over
}

// end is the value of a position at which the game is over, if it is.
type end struct {
	value int64
	over  bool
}

// list lists the legal moves at a position that is not over, in natural order, each text once.
func (m *model) list(position string) []option {
	var options []option
	place := m.places[position]
	gains := m.has("Gain")
	for next := []reflect.Value{m.call("First", place)[0], reflect.ValueOf(true)}; next[1].Bool(); {
		move := next[0]
		o := option{move: string(m.call("AppendMove", noBytes, move)[0].Bytes())}
		if gains {
			o.gain = m.call("Gain", place, move)[0].Int()
		}
		for branch := 0; ; branch++ {
			after := m.call("After", place, move, reflect.ValueOf(branch))
			if !after[1].Bool() {
				break
			}
			o.next = append(o.next, m.text(after[0]))
		}
		if !slices.ContainsFunc(options, func(other option) bool { return other.move == o.move }) {
			options = append(options, o)
		}
		next = m.call("Next", place, move)
	}
	return options
}

// smallModel is the model of a position that is offered and has few enough moves, and positions that can be reached; nil
// for any other.
func smallModel(asked *zermelov1.Position) *model {
	const most = 200
	if _, err := offered.Open(asked, "position"); err != nil {
		return nil
	}
	m := modelOf(asked)
	if m.has("Reachable") && m.call("Choices")[0].Uint() < most &&
		m.call("Reachable", reflect.ValueOf(uint64(most)))[0].Uint() < most {
		return m
	}
	return nil
}

// join writes numbers as notation does.
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

func sum(numbers []int) int {
	total := 0
	for _, number := range numbers {
		total += number
	}
	return total
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

// value is the value of a position for the player to move, without lead.
func (m *model) value(position string) int64 {
	if value, over := m.ended(position); over {
		return value
	}
	value, found := m.values[position]
	if !found {
		for i, o := range m.moves(position) {
			of := m.valueOf(o)
			if i == 0 || m.kind == engine.Cost && of < value || m.kind != engine.Cost && of > value {
				value = of
			}
		}
		m.values[position] = value
	}
	return value
}

// valueOf is the value of a move.
func (m *model) valueOf(o option) int64 {
	if m.kind != engine.Cost {
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

// best are the moves that keep the value of a position.
func (m *model) best(position string) []option {
	worse := func(o option) bool { return m.valueOf(o) != m.value(position) }
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
	if m.kind != engine.Cost {
		event.Outcome = outcomeOf(value)
	}
	if m.kind != engine.WinLoss {
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
func (m *model) decides(position string) bool {
	return m.kind != engine.WinLoss || m.value(position) >= 0
}

// supports are the positions that a decision rests on when it names the move o: all that moves lead to, but for a won
// one. They may be over.
func (m *model) supports(position string, o option) []string {
	if m.kind == engine.WinLoss && m.value(position) == 1 {
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

// hasTheorem says whether a theorem proves root.
func (m *model) hasTheorem() bool {
	return !m.over(m.root) && m.theorem != zermelov1.Theorem_THEOREM_UNSPECIFIED
}

// proveByTheorem makes the proof that is a theorem, if there is one.
func (m *model) proveByTheorem(choose choice) []*zermelov1.Event {
	if !m.hasTheorem() {
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
	case engine.WinLoss:
		solution.Outcome = outcomeOf(value)
	case engine.Margin:
		total := m.lead + value
		solution.Outcome, solution.Margin = outcomeOf(total), &total
	case engine.Cost:
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
