package main_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/zermelo-games/zermelo/client"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/servertest"
)

// lying answers each Solve with the same error, or with an outcome and no moves.
type lying struct {
	zermelov1.UnimplementedSolverServiceServer
	err error
}

func (l lying) Solve(context.Context, *zermelov1.SolveRequest) (*zermelov1.SolveResponse, error) {
	return &zermelov1.SolveResponse{Solution: &zermelov1.Solution{Outcome: zermelov1.Outcome_OUTCOME_DRAW}}, l.err
}

// TestTheBookHasFaults: wrong answers and errors that are not to come are noted, whatever the server.
func TestTheBookHasFaults(t *testing.T) {
	for name, test := range map[string]struct {
		service lying
		kind    Kind
		says    string
	}{
		"wrong answers":         {lying{}, SolveSmall, "wrong: "},
		"answers to bad input":  {lying{}, AskBadly, "is answered"},
		"errors":                {lying{err: status.Error(codes.InvalidArgument, "no")}, SolveSmall, "no"},
		"errors without reason": {lying{err: status.Error(codes.InvalidArgument, "no")}, AskBadly, "no"},
		"internal errors":       {lying{err: status.Error(codes.DataLoss, "lost")}, AskBadly, "lost"},
	} {
		t.Run(name, func(t *testing.T) {
			server := servertest.Start(t, servertest.WithService(test.service))
			c, err := client.New(server.Target(), client.WithDialOptions(server.DialOptions()...))
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = c.Close() }()
			book := NewBook()
			var made atomic.Int64
			(&Load{Client: c, Book: book, Mix: Mix{{Of: 1, Kind: test.kind}}, Callers: 2}).
				Run(t.Context(), func() bool { return made.Add(1) <= 50 })
			if faults := book.Faults(); len(faults) == 0 || !strings.Contains(faults[0], test.says) || book.Write(t.Output()) {
				t.Errorf("faults: %q", faults)
			}
		})
	}
}
