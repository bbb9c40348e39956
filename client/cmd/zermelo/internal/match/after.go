package match

import (
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/zermelo-games/zermelo/client"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// after makes the positions after a legal move, as the service sends them with a move unless they are too large: one, or
// in guess_number one for each side of the guess on which the number may be, the low side first. Errors are those of
// [client.ParseMove].
func after(p *zermelov1.Position, notation string) ([]*zermelov1.Position, error) {
	parsed, err := client.ParseMove(p, notation)
	if err != nil {
		return nil, err
	}
	left := proto.CloneOf(p)
	switch move := parsed.(type) {
	case client.NimMove:
		piles := left.GetNim().GetPiles()
		if at := slices.Index(piles, move.Before); at >= 0 {
			piles[at] = move.After
		}
	case client.IntegerMove:
		if game := left.GetCanIWin(); game != nil {
			game.Chosen = slices.Sorted(slices.Values(append(game.GetChosen(), uint32(move))))
		} else {
			game := left.GetHundredGame()
			missing := game.GetDesiredTotal() - min(game.GetCurrentTotal(), game.GetDesiredTotal())
			game.CurrentTotal = game.GetDesiredTotal() - missing + min(missing, uint64(move))
		}
	case client.EndMove:
		if game := left.GetStoneGame(); game != nil {
			var taken uint64
			taken, game.Piles = takeEnd(game.GetPiles(), move)
			game.Lead = -(game.GetLead() + int64(taken))
		} else {
			game := left.GetPredictTheWinner()
			var taken int64
			taken, game.Scores = takeEnd(game.GetScores(), move)
			game.Lead = -(game.GetLead() + taken)
		}
	case client.GuessMove:
		return afterGuess(p.GetGuessNumber(), uint32(move)), nil
	}
	return []*zermelov1.Position{left}, nil
}

// takeEnd takes what is at one end of a row that is not empty, and returns what is left too.
func takeEnd[T int64 | uint64](row []T, move client.EndMove) (taken T, left []T) {
	if move == client.Left {
		return row[0], row[1:]
	}
	return row[len(row)-1], row[:len(row)-1]
}

// afterGuess has the ranges below and above a wrong guess.
func afterGuess(asked *zermelov1.GuessNumber, guess uint32) []*zermelov1.Position {
	var after []*zermelov1.Position
	add := func(low, high uint32) {
		after = append(after, &zermelov1.Position{Game: &zermelov1.Position_GuessNumber{
			GuessNumber: &zermelov1.GuessNumber{Low: low, High: high},
		}})
	}
	if guess > asked.GetLow() {
		add(asked.GetLow(), guess-1)
	}
	if guess < asked.GetHigh() {
		add(guess+1, asked.GetHigh())
	}
	return after
}
