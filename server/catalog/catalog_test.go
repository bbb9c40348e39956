package catalog_test

import (
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/catalog"
	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/games"
)

// TestEveryGameOfTheContractIsOffered, in the order of the contract, with a description and an example that can be
// solved, explained and enumerated.
func TestEveryGameOfTheContractIsOffered(t *testing.T) {
	limits := catalog.DefaultLimits()
	list := catalog.New(games.All(), limits).List()
	if list.GetEngineVersion() != engine.Version {
		t.Errorf("engine version %q", list.GetEngineVersion())
	}
	fields := (*zermelov1.Position)(nil).ProtoReflect().Descriptor().Oneofs().ByName("game").Fields()
	if fields.Len() != len(list.GetGames()) {
		t.Fatalf("%d games in the contract, %d in the catalogue", fields.Len(), len(list.GetGames()))
	}
	for i, game := range list.GetGames() {
		if want := string(fields.Get(i).Name()); game.GetName() != want {
			t.Errorf("game %d is %s, want %s", i, game.GetName(), want)
		}
		for name, text := range map[string]string{
			"title": game.GetTitle(), "question": game.GetQuestion(), "rules": game.GetRules(),
			"position_notation": game.GetPositionNotation(), "move_notation": game.GetMoveNotation(),
			"move_order": game.GetMoveOrder(),
		} {
			if text == "" {
				t.Errorf("%s has no %s", game.GetName(), name)
			}
		}
		for _, limit := range game.GetLimits() {
			if limit.GetSubject() == "" || limit.GetMaximum() <= 0 || limit.GetUnit() == "" {
				t.Errorf("%s: %v", game.GetName(), limit)
			}
		}
		checkExample(t, game, limits)
	}
}

func checkExample(t *testing.T, game *zermelov1.GameInfo, limits catalog.Limits) {
	t.Helper()
	instance, err := catalog.New(games.All(), limits).Open(game.GetExample(), "position")
	if err != nil {
		t.Fatalf("%s: %v", game.GetName(), err)
	}
	solution, err := instance.Solve(t.Context(), 1, nil)
	if err != nil || len(solution.GetBestMoves()) != 1 {
		t.Fatalf("%s: %v, %v", game.GetName(), solution, err)
	}
	for _, policy := range game.GetMemoPolicies() {
		trace, err := instance.Explain(catalog.TraceOptions{Detail: zermelov1.Detail_DETAIL_SEARCH, Policy: policy})
		if err != nil {
			t.Fatalf("%s: %v", game.GetName(), err)
		}
		if policy != zermelov1.MemoPolicy_MEMO_POLICY_ALL {
			continue // without a memo, some of the examples take for ever
		}
		for _, err := range trace.Events(t.Context()) {
			if err != nil {
				t.Fatalf("%s: %v", game.GetName(), err)
			}
		}
		if trace.Solution().GetOutcome() != solution.GetOutcome() {
			t.Errorf("%s: %v, solved %v", game.GetName(), trace.Solution(), solution)
		}
	}
	if _, err := instance.Enumerate(zermelov1.Outcome_OUTCOME_UNSPECIFIED, 0, false); err != nil {
		t.Errorf("%s: %v", game.GetName(), err)
	}
}

// TestListIsACopy: what a caller does with the catalogue does not change it.
func TestListIsACopy(t *testing.T) {
	first := catalog.New(games.All(), catalog.DefaultLimits()).List()
	want := proto.CloneOf(first)
	first.Games[0].Limits[0].Maximum = 0
	first.Games[0].Example.GetNim().Piles[0] = 99
	if got := catalog.New(games.All(), catalog.DefaultLimits()).List(); !proto.Equal(got, want) {
		t.Errorf("the catalogue has changed to %v", got)
	}
}

// TestLimitsFollowTheBudget: with less memory, less is accepted, and the refusal says what would fit.
func TestLimitsFollowTheBudget(t *testing.T) {
	wide := &zermelov1.Position{Game: &zermelov1.Position_GuessNumber{GuessNumber: &zermelov1.GuessNumber{Low: 1, High: 200_000}}}
	for budget, fits := range map[int64]bool{catalog.DefaultMemoBudget: true, 1 << 20: false} {
		instance, err := catalog.New(games.All(), catalog.Limits{MemoBudget: budget}).Open(wide, "position")
		if err != nil {
			t.Fatal(err)
		}
		_, err = instance.Solve(t.Context(), 1, nil)
		if (err == nil) != fits {
			t.Errorf("with %d bytes: %v", budget, err)
		}
		if !fits && !strings.Contains(err.Error(), "at most") {
			t.Errorf("with %d bytes: %v", budget, err)
		}
	}
}
