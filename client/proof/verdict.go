package proof

import (
	"errors"
	"fmt"

	"github.com/zermelo-games/zermelo/client/rules"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// Verdict is what a proof proves about the root position, from the point of view of the player to move. It is for one
// goroutine at a time.
type Verdict struct {
	// Outcome is who wins, as a solution says it: in ends games `lead` is in it. Unset for `guess_number` only.
	Outcome zermelov1.Outcome
	// Value is what is still to come: in ends games the margin without `lead`, as in the last event; in `guess_number`
	// the cost. nil in win/loss games.
	Value *int64
	// Margin is the margin with `lead`, as a solution says it. nil but in ends games.
	Margin *int64
	// Move is the deciding move; empty when the game is over or when every move loses.
	Move string
	// Decisions is how many positions were decided; none when the game is over or when a theorem was applied.
	Decisions int64
	// Theorem is the theorem that the proof rests on, if it does.
	Theorem zermelov1.Theorem

	// game knows the moves at the root position, and what follows them, where that is proved.
	game rules.Game
}

// Agrees compares a solution of the root position with what was proved. The error wraps [ErrDisagrees] and says how
// they differ. nil means:
//
//   - Outcome, margin and cost are those that were proved, and what does not belong to the game is left out.
//   - Each best move that is listed is legal and listed once. None leads to where, by the rules or by the proof, its
//     value is less than that of the position. Of moves that the proof did not need, nothing more can be said.
//   - When `best_move_count` says that the list is complete, the deciding move is in it; an over position has none.
//
// What the solution says of the positions after its moves, of its work and of its method is not looked at.
func (v *Verdict) Agrees(solution *zermelov1.Solution) error {
	if err := v.compare(solution); err != nil {
		return fmt.Errorf("%w: %w", ErrDisagrees, err)
	}
	return nil
}

func (v *Verdict) compare(solution *zermelov1.Solution) error {
	if solution == nil {
		return errors.New("there is none")
	}
	if solution.GetOutcome() != v.Outcome {
		return fmt.Errorf("it says %v; proved is %v", solution.GetOutcome(), v.Outcome)
	}
	var cost *int64
	if v.Margin == nil {
		cost = v.Value
	}
	if err := compareNumbers("margin", solution.Margin, v.Margin); err != nil {
		return err
	}
	if err := compareNumbers("cost", solution.Cost, cost); err != nil {
		return err
	}
	return v.compareMoves(solution)
}

// compareNumbers compares what a solution says, if it does, with what was proved, if anything was.
func compareNumbers(name string, said, proved *int64) error {
	switch {
	case said == nil && proved == nil:
		return nil
	case said == nil:
		return fmt.Errorf("it has no %s; proved is %d", name, *proved)
	case proved == nil:
		return fmt.Errorf("it has a %s, %d, in a game that has none", name, *said)
	case *said != *proved:
		return fmt.Errorf("it has the %s %d; proved is %d", name, *said, *proved)
	default:
		return nil
	}
}

func (v *Verdict) compareMoves(solution *zermelov1.Solution) error {
	listed := int64(len(solution.GetBestMoves()))
	if v.game.Over() {
		if listed > 0 || solution.GetBestMoveCount() != 0 {
			return errors.New("it has best moves; the game is over")
		}
		return nil
	}
	if solution.BestMoveCount != nil && solution.GetBestMoveCount() < max(listed, 1) {
		return fmt.Errorf("it counts %d best moves and lists %d; there is at least one", solution.GetBestMoveCount(), listed)
	}
	seen := make(map[string]bool, listed)
	for _, move := range solution.GetBestMoves() {
		text := move.GetNotation()
		if seen[text] {
			return fmt.Errorf("its best move %s is listed twice", rules.Quote(text))
		}
		seen[text] = true
		kept, known, err := v.game.Keeps(text)
		switch {
		case err != nil:
			return fmt.Errorf("its best move %w", err)
		case known && !kept:
			return fmt.Errorf("its best move %s is not: what it leads to is proved", rules.Quote(text))
		}
	}
	complete := solution.BestMoveCount != nil && solution.GetBestMoveCount() == listed
	if complete && v.Move != "" && !seen[v.Move] {
		return fmt.Errorf("its best moves are said to be all, and lack %s, which is one", rules.Quote(v.Move))
	}
	return nil
}
