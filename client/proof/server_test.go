package proof_test

import (
	"errors"
	"io"
	"iter"
	"math/rand/v2"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/zermelo-games/zermelo/client/proof"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/games"
	"github.com/zermelo-games/zermelo/server/servertest"
)

// received is the events of an explanation, as they come, and its summary in the end.
type received struct {
	stream  zermelov1.SolverService_ExplainClient
	summary *zermelov1.Summary
}

func (r *received) events() iter.Seq2[*zermelov1.Event, error] {
	return func(yield func(*zermelov1.Event, error) bool) {
		for {
			message, err := r.stream.Recv()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if message.GetSummary() != nil {
				r.summary = message.GetSummary()
			}
			for _, event := range message.GetEvents().GetEvents() {
				if !yield(event, nil) {
					return
				}
			}
		}
	}
}

// prove asks the server for a proof and checks it as it comes. The verdict has to agree with the solutions of both
// calls.
func prove(
	t *testing.T, c zermelov1.SolverServiceClient, asked *zermelov1.Position, form zermelov1.ProofForm,
) (*proof.Verdict, error) {
	t.Helper()
	stream, err := c.Explain(t.Context(), &zermelov1.ExplainRequest{
		Position: asked, Detail: zermelov1.Detail_DETAIL_PROOF, ProofForm: form,
	})
	if err != nil {
		return nil, err
	}
	r := &received{stream: stream}
	verdict, err := proof.Check(asked, r.events())
	if err != nil {
		return nil, err
	}
	if err := verdict.Agrees(r.summary.GetSolution()); err != nil {
		t.Errorf("%v: the summary has %v: %v", asked, r.summary.GetSolution(), err)
	}
	solved, err := c.Solve(t.Context(), &zermelov1.SolveRequest{Position: asked})
	if err != nil {
		t.Fatal(err)
	}
	if err := verdict.Agrees(solved.GetSolution()); err != nil {
		t.Errorf("%v: Solve says %v: %v", asked, solved.GetSolution(), err)
	}
	return verdict, nil
}

// The proofs that come over the wire are accepted and agree with what the server solves: of the example of each game, and
// of positions at random.
func TestProofsOfTheServerAreAccepted(t *testing.T) {
	c := zermelov1.NewSolverServiceClient(servertest.Start(t).Conn(t))
	r := rand.New(rand.NewPCG(13, 14))
	for _, game := range games.All() {
		roots := []*zermelov1.Position{game.Example}
		for range 10 {
			roots = append(roots, game.Draw(r))
		}
		for _, root := range roots {
			if _, err := prove(t, c, root, zermelov1.ProofForm_PROOF_FORM_CERTIFICATE); err != nil {
				t.Errorf("%v: %v", root, err)
			}
		}
	}
}

// Larger proofs of the server, and ones that are theorems of themselves, because no certificate would fit.
func TestLargerProofsOfTheServerAreAccepted(t *testing.T) {
	c := zermelov1.NewSolverServiceClient(servertest.Start(t).Conn(t))
	for _, test := range []struct {
		asked         *zermelov1.Position
		mostDecisions int64 // 0: any number
		theorem       zermelov1.Theorem
	}{
		{asked: nim(misere, 7, 5, 3)},
		{asked: nim(normal, 9, 8, 7)},
		{asked: nim(normal, 1<<62, 1<<61, 5), theorem: zermelov1.Theorem_THEOREM_BOUTON},
		{asked: canIWin(20, 100), mostDecisions: 20_000},
		{asked: canIWin(12, 78)},
		{asked: canIWin(64, 3000), theorem: zermelov1.Theorem_THEOREM_OUT_OF_REACH},
		{asked: hundredGame(10, 1000, 0)},
		{asked: hundredGame(10, 1<<60, 0), theorem: zermelov1.Theorem_THEOREM_MODULO},
		{asked: predictTheWinner(0, 0, 0, 7, 6, 5, 6, 1)},
		{asked: predictTheWinner(5, zigzag(80)...)},
		{asked: stoneGame(1, 5, 3, 4, 5, 9, 2, 6)},
		{asked: guessNumber(1, 80)},
		{asked: guessNumber(1<<31-40, 1<<31)},
	} {
		verdict, err := prove(t, c, test.asked, zermelov1.ProofForm_PROOF_FORM_UNSPECIFIED)
		if err != nil {
			t.Errorf("%v: %v", test.asked, err)
			continue
		}
		t.Logf("%.60v: %s", test.asked, show(verdict))
		if verdict.Theorem != test.theorem || test.mostDecisions > 0 && verdict.Decisions > test.mostDecisions {
			t.Errorf("%v is proved by %v in %d decisions", test.asked, verdict.Theorem, verdict.Decisions)
		}
	}
}

// The server's proofs of one request are no proofs of another.
func TestProofsOfTheServerForAnotherRequest(t *testing.T) {
	c := zermelov1.NewSolverServiceClient(servertest.Start(t).Conn(t))
	for _, test := range []struct{ asked, other *zermelov1.Position }{
		{nim(misere, 7, 5, 3), nim(normal, 7, 5, 3)},
		{nim(misere, 7, 5, 3), nim(misere, 7, 5, 4)},
		{canIWin(10, 40), canIWin(10, 39)},
		{canIWin(10, 40), canIWin(11, 40)},
		{hundredGame(10, 100, 0), hundredGame(10, 101, 0)},
		{hundredGame(10, 100, 0), hundredGame(9, 100, 0)},
		{predictTheWinner(0, 1, 5, 233, 7), predictTheWinner(0, 1, 5, 233, 8)},
		{stoneGame(0, 5, 3, 4, 5), stoneGame(0, 5, 3, 4, 5, 1)},
		{guessNumber(1, 10), guessNumber(1, 11)},
	} {
		stream, err := c.Explain(t.Context(), &zermelov1.ExplainRequest{
			Position: proto.CloneOf(test.asked), Detail: zermelov1.Detail_DETAIL_PROOF,
		})
		if err != nil {
			t.Fatal(err)
		}
		_, err = proof.Check(test.other, (&received{stream: stream}).events())
		if !errors.As(err, new(*proof.WrongError)) && !errors.Is(err, proof.ErrIncomplete) {
			t.Errorf("the proof of %v is taken for one of %v: %v", test.asked, test.other, err)
		}
	}
}
