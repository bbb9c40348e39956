package rpc_test

import (
	"slices"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// TestCatalogueComesInPages: pages of every size put together are the whole list, and GetGame gives each of its games.
func TestCatalogueComesInPages(t *testing.T) {
	c := start(t)
	whole, err := c.ListGames(t.Context(), &zermelov1.ListGamesRequest{})
	if err != nil || whole.GetNextPageToken() != "" || len(whole.GetGames()) < 6 {
		t.Fatalf("%v %v", whole, err)
	}
	for size := int32(1); size <= int32(len(whole.GetGames()))+1; size++ {
		var games []*zermelov1.GameInfo
		for token := ""; ; {
			page, err := c.ListGames(t.Context(), &zermelov1.ListGamesRequest{PageSize: size, PageToken: token})
			if err != nil {
				t.Fatal(err)
			}
			if n := len(page.GetGames()); n == 0 || n > int(size) {
				t.Fatalf("a page of %d has %d games", size, n)
			}
			games = append(games, page.GetGames()...)
			if token = page.GetNextPageToken(); token == "" {
				break
			}
		}
		if !proto.Equal(&zermelov1.ListGamesResponse{Games: games}, &zermelov1.ListGamesResponse{Games: whole.GetGames()}) {
			t.Errorf("pages of %d make %v", size, games)
		}
	}
	for _, game := range whole.GetGames() {
		r, err := c.GetGame(t.Context(), &zermelov1.GetGameRequest{Name: game.GetName()})
		if err != nil || !proto.Equal(r.GetGame(), game) {
			t.Errorf("GetGame %s: %v %v", game.GetName(), r, err)
		}
	}
}

func TestCatalogueRefuses(t *testing.T) {
	c := start(t)
	for _, r := range []*zermelov1.ListGamesRequest{{PageSize: -1}, {PageToken: "x"}, {PageToken: "0"}, {PageToken: "-2"}, {PageToken: "1000"}} {
		_, err := c.ListGames(t.Context(), r)
		wantError(t, err, codes.InvalidArgument, zermelov1.ErrorReason_ERROR_REASON_INVALID_FIELD)
	}
	_, err := c.GetGame(t.Context(), &zermelov1.GetGameRequest{})
	wantError(t, err, codes.InvalidArgument, zermelov1.ErrorReason_ERROR_REASON_INVALID_FIELD)
	for _, name := range []string{"chess", "Nim", strings.Repeat("é", 1<<20)} {
		_, err := c.GetGame(t.Context(), &zermelov1.GetGameRequest{Name: name})
		wantError(t, err, codes.NotFound, zermelov1.ErrorReason_ERROR_REASON_GAME_UNKNOWN)
		if len(err.Error()) > 4<<10 {
			t.Errorf("the error has %d bytes", len(err.Error()))
		}
	}
}

// TestCatalogueSaysWhatSolutionsHave: the objective of a game is what a solution of its example has, and the theorems are
// there where the game says that it has one.
func TestCatalogueSaysWhatSolutionsHave(t *testing.T) {
	c := start(t)
	list, err := c.ListGames(t.Context(), &zermelov1.ListGamesRequest{})
	if err != nil {
		t.Fatal(err)
	}
	for _, game := range list.GetGames() {
		s := solve(t, c, game.GetExample())
		objective := zermelov1.Objective_OBJECTIVE_OUTCOME
		switch {
		case s.Margin != nil:
			objective = zermelov1.Objective_OBJECTIVE_MARGIN
		case s.Cost != nil:
			objective = zermelov1.Objective_OBJECTIVE_COST
		}
		if game.GetObjective() != objective {
			t.Errorf("%s: %v, and the solution is %v", game.GetName(), game.GetObjective(), s)
		}
		if says := slices.Contains(game.GetCapabilities(), zermelov1.Capability_CAPABILITY_THEOREM); says != (len(game.GetTheorems()) > 0) {
			t.Errorf("%s: capabilities %v, theorems %v", game.GetName(), game.GetCapabilities(), game.GetTheorems())
		}
		if s.GetMethod() == zermelov1.Method_METHOD_GAME_ALGORITHM &&
			!slices.Contains(game.GetCapabilities(), zermelov1.Capability_CAPABILITY_GAME_ALGORITHM) {
			t.Errorf("%s is solved by an algorithm, and has %v", game.GetName(), game.GetCapabilities())
		}
	}
}
