package gametest

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
)

//go:embed known.json
var knownJSON []byte

// Known returns the known answers, a copy of their own for each caller.
func Known() *KnownAnswers {
	decoder := json.NewDecoder(bytes.NewReader(knownJSON))
	decoder.DisallowUnknownFields()
	var known KnownAnswers
	if err := decoder.Decode(&known); err != nil {
		panic(fmt.Sprintf("gametest: known.json: %v", err))
	}
	return &known
}

// KnownAnswers are answers that are known from elsewhere: from the articles that the games come from, from LeetCode's
// examples and the discussions about them, from OEIS and Project Euler, and from brute force apart from this code. They
// are given in the terms of the service.
type KnownAnswers struct {
	// About says what the file holds.
	About string `json:"about"`
	// CanIWinLosingTotals holds, for Can I Win with the integers 1..n from the beginning, all lost totals from 1 to the
	// sum of the integers.
	CanIWinLosingTotals map[int][]int64 `json:"can_i_win_losing_totals"`
	// CanIWin are single cases of Can I Win.
	CanIWin []KnownCanIWin `json:"can_i_win_cases"`
	// Ends are rows for predict_the_winner; without a lead.
	Ends []KnownEnds `json:"ends_cases"`
	// Guess is what is known about guess_number.
	Guess KnownGuess `json:"guess_number"`
	// Nim753 is what is known about the three piles 7, 5, 3.
	Nim753 KnownNim753 `json:"nim_7_5_3"`
	// NimMovesToEnd is how long some games of Nim last when the winner hurries and the loser delays.
	NimMovesToEnd []KnownNimMovesToEnd `json:"nim_moves_to_end"`
	// Expanded counts the work of searches.
	Expanded KnownExpanded `json:"positions_expanded"`
	// Nim are single cases of Nim.
	Nim []KnownNim `json:"nim_cases"`
	// Hundred are single cases of the 100 game.
	Hundred []KnownHundred `json:"hundred_game_cases"`
}

// KnownOutcome is an outcome for the player to move, by its name in the service's contract, such as OUTCOME_WIN.
type KnownOutcome string

// Value is 1, 0 or −1.
func (o KnownOutcome) Value() int64 {
	switch o {
	case "OUTCOME_WIN":
		return 1
	case "OUTCOME_DRAW":
		return 0
	case "OUTCOME_LOSS":
		return -1
	default:
		panic(fmt.Sprintf("gametest: the outcome %q", string(o)))
	}
}

// KnownMoves are the texts of all best moves in natural order, each once; nil where they are not known.
type KnownMoves []string

// UnmarshalJSON reads texts, or integers that are their own text.
func (m *KnownMoves) UnmarshalJSON(data []byte) error {
	var elements []json.RawMessage
	if err := json.Unmarshal(data, &elements); err != nil {
		return err
	}
	*m = make(KnownMoves, len(elements))
	for i, element := range elements {
		(*m)[i] = string(element)
		if element[0] == '"' {
			if err := json.Unmarshal(element, &(*m)[i]); err != nil {
				return err
			}
		} else if _, err := strconv.Atoi(string(element)); err != nil {
			return err
		}
	}
	return nil
}

// KnownScores is a row of scores.
type KnownScores []int64

// UnmarshalJSON reads a list, or one score and how many times it comes.
func (s *KnownScores) UnmarshalJSON(data []byte) error {
	if data[0] == '[' {
		return json.Unmarshal(data, (*[]int64)(s))
	}
	var equal struct {
		Repeat int64 `json:"repeat"`
		Times  int   `json:"times"`
	}
	if err := json.Unmarshal(data, &equal); err != nil {
		return err
	}
	*s = slices.Repeat(KnownScores{equal.Repeat}, equal.Times)
	return nil
}

// KnownCanIWin is a case of Can I Win.
type KnownCanIWin struct {
	N         int          `json:"n"`
	Total     int64        `json:"total"`
	Chosen    []int        `json:"chosen"`
	Outcome   KnownOutcome `json:"outcome"`
	BestMoves KnownMoves   `json:"best_moves"`
	Source    string       `json:"source"`
}

// KnownEnds is a row and by how much the first player outscores the second; the outcome is the sign of that.
type KnownEnds struct {
	Scores    KnownScores  `json:"scores"`
	Margin    int64        `json:"margin"`
	Outcome   KnownOutcome `json:"outcome"`
	BestMoves KnownMoves   `json:"best_moves"`
	Source    string       `json:"source"`
}

// KnownGuess is what is known about guess_number.
type KnownGuess struct {
	// CostOneTo holds the cost of 1..n at the index n-1.
	CostOneTo []int64 `json:"cost_1_to_n"`
	// More holds the cost of 1..n for some larger n.
	More   map[int]int64 `json:"more"`
	Source string        `json:"source"`
	// SumOneTo100 is the sum of the costs of 1..n for n from 1 to 100, SumOneTo200000 that to 200,000.
	SumOneTo100    int64  `json:"sum_1_to_100"`
	SumOneTo200000 int64  `json:"sum_1_to_200000"`
	SumSource      string `json:"sum_source"`
	// FirstGuesses holds all best first guesses of 1..n for some n.
	FirstGuesses map[int]KnownMoves `json:"first_guesses"`
}

// ByConvention holds one thing for each convention of Nim.
type ByConvention[T any] struct {
	Misere T `json:"misere"`
	Normal T `json:"normal"`
}

// ByPolicy holds the positions expanded under each memo policy.
type ByPolicy struct {
	None   int64 `json:"none"`
	Losses int64 `json:"losses"`
	All    int64 `json:"all"`
}

// KnownNim753 is what is known about the three piles 7, 5, 3. Positions are given by their notation.
type KnownNim753 struct {
	Source string `json:"source"`
	// WinningMoves are the same in both conventions.
	WinningMoves KnownMoves `json:"winning_moves"`
	// LosingMisere and LosingNormal hold all lost positions that can be reached.
	LosingMisere []string `json:"losing_positions_misere"`
	LosingNormal []string `json:"losing_positions_normal"`
	// Expanded counts the positions entered until the first winning move.
	Expanded ByConvention[ByPolicy] `json:"positions_expanded"`
	// FoundLostMisere and FoundLostNormal hold the lost positions, not over, that such a search decides.
	FoundLostMisere []string `json:"found_lost_by_search_misere"`
	FoundLostNormal []string `json:"found_lost_by_search_normal"`
	// MovesToEnd is how long the game lasts when the winner hurries and the loser delays.
	MovesToEnd ByConvention[int64] `json:"moves_to_end"`
}

// KnownNimMovesToEnd holds some piles and how long play from there lasts.
type KnownNimMovesToEnd struct {
	Piles []uint64 `json:"piles"`
	ByConvention[int64]
}

// KnownExpanded counts the work of searches that try moves in natural order up to the first that wins.
type KnownExpanded struct {
	Source  string                 `json:"source"`
	Nim     []KnownExpandedNim     `json:"nim"`
	CanIWin []KnownExpandedCanIWin `json:"can_i_win"`
}

// KnownExpandedNim counts the positions expanded from some piles.
type KnownExpandedNim struct {
	Piles []uint64 `json:"piles"`
	ByConvention[ByPolicy]
}

// KnownExpandedCanIWin counts the positions expanded, and those answered from the memo, with all remembered.
type KnownExpandedCanIWin struct {
	N        int   `json:"n"`
	Total    int64 `json:"total"`
	All      int64 `json:"all"`
	MemoHits int64 `json:"memo_hits"`
}

// KnownNim is a case of Nim.
type KnownNim struct {
	Piles []uint64 `json:"piles"`
	// Convention is NORMAL or MISERE.
	Convention string       `json:"convention"`
	Outcome    KnownOutcome `json:"outcome"`
	BestMoves  KnownMoves   `json:"best_moves"`
}

// KnownHundred is a case of the 100 game.
type KnownHundred struct {
	N       uint64       `json:"n"`
	Total   uint64       `json:"total"`
	Current uint64       `json:"current"`
	Outcome KnownOutcome `json:"outcome"`
}
