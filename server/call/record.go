package call

import (
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/admission"
)

// GameBatch is the game in the record of a call about many positions.
const GameBatch = "batch"

// Result is the answer about a position, in one word.
type Result uint8

// The results of a solved position.
const (
	// ResultNone says that there is no answer about one position.
	ResultNone Result = iota
	// ResultWin, ResultLoss and ResultDraw are outcomes for the player to move.
	ResultWin
	ResultLoss
	ResultDraw
	// ResultCost is that of a game with one player, whose solution is a cost and has no outcome.
	ResultCost
	// ResultCount is the number of results.
	ResultCount
)

// String is how a result is written in logs, labels and spans; empty for none.
func (r Result) String() string {
	return [ResultCount]string{ResultWin: "win", ResultLoss: "loss", ResultDraw: "draw", ResultCost: "cost"}[r]
}

// resultOf is the result of a solution.
func resultOf(s *zermelov1.Solution) Result {
	switch s.GetOutcome() {
	case zermelov1.Outcome_OUTCOME_WIN:
		return ResultWin
	case zermelov1.Outcome_OUTCOME_LOSS:
		return ResultLoss
	case zermelov1.Outcome_OUTCOME_DRAW:
		return ResultDraw
	default:
		return ResultCost
	}
}

// Record is what is known of a call for its log line, its metrics and its span. Every text in it but the client's name is
// from a closed set, so that it can be a label.
type Record struct {
	// Client is who calls, by its certificate or token; empty without either.
	Client string
	// Game is the name of the game's field in Position, GameBatch for many positions, and empty without a position.
	Game string
	// Price is the estimate that the call was admitted with; zero where there was none.
	Price admission.Price
	// Method is how the answer was found; unspecified without an answer.
	Method zermelov1.Method
	// Result is the answer about the position.
	Result Result
	// Value is the margin or the cost of the position, if HasValue.
	Value    int64
	HasValue bool
	// Positions is how many positions were expanded for the call so far.
	Positions int64
	// Events is how many events or positions were sent so far, Frames how many messages of a stream.
	Events, Frames int64
	// Cached says that the answer was known from an earlier call.
	Cached bool
}

// Observer is told what happens in calls while it happens. Its methods are called from several goroutines.
type Observer interface {
	// Solved is told of each solution that was given.
	Solved(game string, method zermelov1.Method, result Result)
	// Worked is told of positions expanded, and by how many memo entries a search has grown or, when it is over, shrunk.
	Worked(game string, positions, entries int64)
	// Sent is told of events or positions that were sent in one message.
	Sent(game string, events int64)
	// Looked is told of a look for an answer of an earlier call, and whether there was one.
	Looked(known bool)
	// Failed is told of an error inside of an answer, as one position of a batch has it. The error of a whole call is its
	// status, and is not told here.
	Failed(reason zermelov1.ErrorReason)
}
