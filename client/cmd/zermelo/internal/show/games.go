package show

import (
	"math"
	"strings"

	"github.com/zermelo-games/zermelo/client/words"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// Games writes the catalogue: each game with what is asked and an example to type.
func Games(out *Output, catalogue *zermelov1.ListGamesResponse, program string) {
	for _, game := range catalogue.GetGames() {
		title := game.GetTitle()
		if known, ok := out.Games.Find(game.GetName()); ok {
			title = known.Command() + "   " + title
		}
		out.Line(out.Style.Strong(title))
		out.wrap(tableMargin, plain, game.GetQuestion())
		out.wrap(tableMargin, faint, example(out, game, program))
		out.Line()
	}
	out.wrap("", faint, "Rules, notation and limits of one: "+program+" games GAME. Engine version "+
		catalogue.GetEngineVersion()+".")
}

// example is what to type for the example of a game.
func example(out *Output, game *zermelov1.GameInfo, program string) string {
	known, err := out.Games.Of(game.GetExample())
	if err != nil {
		return "This command line does not know the game."
	}
	return program + " solve " + known.Arguments(game.GetExample())
}

// Game writes all that the catalogue says about one game.
func Game(out *Output, game *zermelov1.GameInfo, program string) {
	out.Line(out.Style.Strong(game.GetTitle()))
	out.Paragraph(game.GetQuestion())
	out.Line()
	out.Paragraph(game.GetRules())
	out.Line()
	policies := make([]string, 0, len(game.GetMemoPolicies()))
	for _, policy := range game.GetMemoPolicies() {
		policies = append(policies, strings.ToLower(strings.TrimPrefix(policy.String(), "MEMO_POLICY_")))
	}
	labelled(out, Column{}, strong, []words.Row{
		{Label: "Position", Text: game.GetPositionNotation()},
		{Label: "Move", Text: game.GetMoveNotation()},
		{Label: "Order of moves", Text: game.GetMoveOrder()},
		{Label: "Memo", Text: strings.Join(policies, ", ")},
		{Label: "Example", Text: example(out, game, program)},
	})
	if len(game.GetLimits()) == 0 {
		return
	}
	out.Line()
	t := newRows(out, len(game.GetLimits()), Column{Head: "Call"}, Column{Head: "Limit of", Wrap: true},
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
		t.add(Text(call), Text(limitOf(game, limit.GetSubject())), Text(most), Text(limit.GetUnit()))
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
