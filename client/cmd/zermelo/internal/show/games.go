package show

import (
	"math"
	"strings"

	"github.com/zermelo-games/zermelo/client/games"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// Games writes the catalogue: each game with what is asked and an example to type.
func Games(out *Output, catalogue *zermelov1.ListGamesResponse, program string) {
	for i, game := range catalogue.GetGames() {
		if i > 0 {
			out.Line()
		}
		title := out.Style.Strong(game.GetTitle())
		if known, ok := games.All().Find(game.GetName()); ok {
			title = out.Style.Strong(known.Command()) + "   " + game.GetTitle()
		}
		out.Line(title)
		out.wrap(tableMargin, plain, game.GetQuestion())
		out.Line(tableMargin, out.Style.Faint(example(game, program)))
	}
	out.Line()
	out.wrap("", faint, "Rules, notation and limits of one: "+program+" games GAME. Engine version "+
		catalogue.GetEngineVersion()+".")
}

// example is what to type for the example of a game.
func example(game *zermelov1.GameInfo, program string) string {
	known, err := games.All().Of(game.GetExample())
	if err != nil {
		return "This command line does not know the game."
	}
	return program + " solve " + known.Arguments(game.GetExample())
}

// Game writes all that the catalogue says about one game.
func Game(out *Output, game *zermelov1.GameInfo, program string) {
	out.Line(out.Style.Strong(game.GetTitle()))
	out.wrap("", plain, game.GetQuestion())
	out.Line()
	out.wrap("", plain, game.GetRules())
	out.Line()
	policies := make([]string, 0, len(game.GetMemoPolicies()))
	for _, policy := range game.GetMemoPolicies() {
		policies = append(policies, strings.ToLower(strings.TrimPrefix(policy.String(), "MEMO_POLICY_")))
	}
	for _, line := range [][2]string{
		{"Position", game.GetPositionNotation()},
		{"Move", game.GetMoveNotation()},
		{"Order of moves", game.GetMoveOrder()},
		{"Memo", strings.Join(policies, ", ")},
		{"Example", example(game, program)},
	} {
		definition(out, line[0], line[1])
	}
	if len(game.GetLimits()) == 0 {
		return
	}
	out.Line()
	t := newTable(out, len(game.GetLimits()), Column{Head: "Call"}, Column{Head: "Limit of", cut: true},
		Column{Head: "At most", Right: true}, Column{Head: "Unit"})
	for _, limit := range game.GetLimits() {
		call := limit.GetRpc()
		if call == "" {
			call = "any"
		}
		most := Count(limit.GetMaximum())
		if limit.GetMaximum() == math.MaxInt64 {
			most = "2^63-1"
		}
		t.row(Cell{call, plain}, Cell{limitOf(game, limit.GetSubject()), plain}, Cell{most, plain}, Cell{limit.GetUnit(), plain})
	}
	t.end()
}

// limitOf says what is limited, without the path that all have in common.
func limitOf(game *zermelov1.GameInfo, subject string) string {
	name, of := strings.CutPrefix(subject, "position."+game.GetName()+".")
	if list, each := strings.CutSuffix(name, "[]"); of && each {
		return "each of " + list
	}
	return name
}

// definition writes a term and what it means, wrapped.
func definition(out *Output, term, meaning string) {
	const indent = 16
	left := out.Style.Strong(term) + strings.Repeat(" ", max(indent-width(term), 1))
	for _, line := range wrapped(meaning, out.Style.width()-indent) {
		out.Line(left, line)
		left = strings.Repeat(" ", indent)
	}
}
