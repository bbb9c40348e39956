package main

import (
	"context"
	"strings"

	"github.com/zermelo-games/zermelo/client/cmd/zermelo/internal/show"
)

type gamesCommand struct {
	Game string `arg:"" optional:"" name:"game" help:"All that there is to know about this one."`
}

func (c *gamesCommand) run(ctx context.Context, s *session) error {
	if c.Game != "" {
		game, err := s.client.GetGame(ctx, strings.ReplaceAll(c.Game, "-", "_"))
		switch {
		case err != nil:
			return err
		case s.settings.json():
			return show.JSON(s.out, game)
		}
		show.Game(s.out, game, program)
		return nil
	}
	catalogue, err := s.client.ListGames(ctx)
	switch {
	case err != nil:
		return err
	case s.settings.json():
		return show.JSON(s.out, catalogue)
	}
	show.Games(s.out, catalogue, program)
	return nil
}
