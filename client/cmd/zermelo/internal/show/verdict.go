package show

import (
	"fmt"
	"strings"
	"time"

	"github.com/zermelo-games/zermelo/client/proof"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// Verdict is a proof that was checked and is right.
type Verdict struct {
	*proof.Verdict
	// Position is what it is about.
	Position *zermelov1.Position
	// Checking is the time that the checker took, Took the time from asking to the end.
	Checking, Took time.Duration
	// Agree are those that say the same: "Solve".
	Agree []string
	// File is where the proof was read; empty when it came from a server.
	File string
}

// Solution is what is proved, as a solution says it.
func (v *Verdict) Solution() *zermelov1.Solution {
	solution := &zermelov1.Solution{Outcome: v.Outcome, Margin: v.Margin}
	if v.Outcome == zermelov1.Outcome_OUTCOME_UNSPECIFIED {
		solution.Cost = v.Value
	}
	return solution
}

// rateLeast is how many decisions there are at least where their rate is said.
const rateLeast = 1000

// Verified says what was proved, and how it was checked.
func Verified(out *Output, v *Verdict) error {
	root, err := out.Games.Describe(v.Position)
	if err != nil {
		return err
	}
	solution := v.Solution()
	out.heading(root.Title(), ": ", out.Style.verdict(solution))
	switch {
	case v.Theorem != zermelov1.Theorem_THEOREM_UNSPECIFIED:
		name, premises := root.Theorem(v.Theorem)
		out.Paragraph(fmt.Sprintf("Proved by %s: %s.", name, premises))
	case v.Decisions == 0:
		out.Paragraph(root.Over() + " That needs no proof.")
	default:
		out.Paragraph("Proved by " + Counted(v.Decisions, "decision") + ", each from the rules and those before it.")
		out.Paragraph(v.speed())
	}
	if v.Move != "" {
		out.Paragraph(fmt.Sprintf("A best move: %s, %s.", v.Move, root.Move(v.Move)))
	}
	trusted := "it did not trust the server."
	if v.File != "" {
		trusted = "it trusted neither the file nor the server that made it."
	}
	out.wrap("", strong, "This program checked every step itself; "+trusted)
	if len(v.Agree) > 0 {
		who, says := Listed(v.Agree), " says the same."
		if len(v.Agree) > 1 {
			says = " say the same."
		}
		out.wrap("", faint, strings.ToUpper(who[:1])+who[1:]+says)
	}
	return nil
}

// speed says how long checking took.
func (v *Verdict) speed() string {
	text := "Checked in " + took(v.Checking)
	if v.Decisions >= rateLeast {
		text += ", " + Count(v.PerSecond()) + " a second"
	}
	source := "with the search and the stream"
	if v.File != "" {
		source = "with reading"
	}
	return text + "; " + source + " " + took(v.Took) + "."
}

// PerSecond is how many decisions the checker has checked in a second, of three digits that matter.
func (v *Verdict) PerSecond() int64 {
	if v.Checking <= 0 {
		return 0
	}
	rate := int64(float64(v.Decisions) / v.Checking.Seconds())
	round := int64(1)
	for rate/round >= 1000 {
		round *= 10
	}
	return rate / round * round
}
