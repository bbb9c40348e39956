package main

import (
	"context"

	"github.com/zermelo-games/zermelo/client/cmd/zermelo/internal/show"
)

type gamesCommand struct {
	Game string `arg:"" optional:"" name:"game" help:"All that there is to know about this one."`
}

func (c *gamesCommand) run(ctx context.Context, s *session) error {
	catalogue, err := s.client.ListGames(ctx)
	if err != nil {
		return err
	}
	if c.Game == "" {
		if s.settings.json() {
			return show.JSON(s.out, catalogue)
		}
		show.Games(s.out, catalogue, program)
		return nil
	}
	field := c.Game
	if game, known := s.games.Find(c.Game); known {
		field = game.Field
	}
	for _, game := range catalogue.GetGames() {
		if game.GetName() != field {
			continue
		}
		if s.settings.json() {
			return show.JSON(s.out, game)
		}
		show.Game(s.out, game, program)
		return nil
	}
	return usagef(s.typed, "%q is not a game that is known here; the games are %s", c.Game, s.games.Names())
}
