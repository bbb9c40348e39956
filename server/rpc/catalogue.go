package rpc

import (
	"context"
	"fmt"
	"strconv"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/catalog"
)

const (
	// gamesPage is how many games a page of the catalogue has when the request does not say, gamesMost the most.
	gamesPage, gamesMost = 100, 1_000
)

// ListGames answers with a page of the catalogue. Its token is the number of the first game of the next page: the
// catalogue of a server does not change.
func (s *Service) ListGames(
	ctx context.Context, r *zermelov1.ListGamesRequest,
) (*zermelov1.ListGamesResponse, error) {
	page, err := s.listGames(r)
	if err != nil {
		return nil, toStatus(ctx, err)
	}
	return page, nil
}

func (s *Service) listGames(r *zermelov1.ListGamesRequest) (*zermelov1.ListGamesResponse, error) {
	response := s.catalog.List()
	size := int(r.GetPageSize())
	switch {
	case size < 0:
		return nil, catalog.InvalidField("page_size", "is %d; it must be 0, which stands for %d, or more", size, gamesPage)
	case size == 0:
		size = gamesPage
	}
	size = min(size, gamesMost)
	first := 0
	if token := r.GetPageToken(); token != "" {
		var err error
		if first, err = strconv.Atoi(token); err != nil || first <= 0 || first >= len(response.GetGames()) {
			return nil, catalog.InvalidField("page_token", "is not the next_page_token of a page")
		}
	}
	last := min(first+size, len(response.GetGames()))
	if last < len(response.GetGames()) {
		response.NextPageToken = strconv.Itoa(last)
	}
	response.Games = response.GetGames()[first:last]
	return response, nil
}

// unknownGameError says that no game of the catalogue has this name.
type unknownGameError struct{ name string }

// quotedNameBytes is how much of a name an error quotes.
const quotedNameBytes = 64

// quoted is the name, cut where it is longer than any name of a game.
func (e *unknownGameError) quoted() string { return e.name[:min(len(e.name), quotedNameBytes)] }

func (e *unknownGameError) Error() string {
	return fmt.Sprintf("no game has the name %q; ListGames has the names", e.quoted())
}

// GetGame answers with one game of the catalogue.
func (s *Service) GetGame(ctx context.Context, r *zermelov1.GetGameRequest) (*zermelov1.GetGameResponse, error) {
	if r.GetName() == "" {
		return nil, toStatus(ctx, catalog.InvalidField("name", "is not set; it is the name of a game, as ListGames gives it"))
	}
	for _, game := range s.catalog.List().GetGames() {
		if game.GetName() == r.GetName() {
			return &zermelov1.GetGameResponse{Game: game}, nil
		}
	}
	return nil, toStatus(ctx, &unknownGameError{name: r.GetName()})
}
