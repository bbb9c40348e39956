package interceptor_test

import (
	"context"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/call"
	"github.com/zermelo-games/zermelo/server/interceptor"
)

func TestRequestID(t *testing.T) {
	var seen string // By the handler; written before the call returns.
	see := func(ctx context.Context) error {
		seen = call.RequestID(ctx)
		return nil
	}
	h := start(t, &service{solve: see, explain: see})

	calls := map[string]func(context.Context, *metadata.MD){
		"unary": func(ctx context.Context, header *metadata.MD) {
			if _, err := h.Solve(ctx, &zermelov1.SolveRequest{}, grpc.Header(header)); err != nil {
				t.Fatal(err)
			}
		},
		"stream": func(ctx context.Context, header *metadata.MD) {
			stream, err := h.Explain(ctx, &zermelov1.ExplainRequest{}, grpc.Header(header))
			if err != nil {
				t.Fatal(err)
			}
			_, _ = stream.Recv()
		},
	}
	longest := strings.Repeat("x", interceptor.MaxRequestIDBytes)
	for _, test := range []struct {
		name string
		sent []string
		kept bool
	}{
		{"one", []string{"a1b2-C3/D4"}, true},
		{"the longest", []string{longest}, true},
		{"none", nil, false},
		{"an empty one", []string{""}, false},
		{"one too long", []string{longest + "x"}, false},
		{"one with a space", []string{"a b"}, false},
		{"two", []string{"a", "b"}, false},
	} {
		for kind, call := range calls {
			t.Run(test.name+"/"+kind, func(t *testing.T) {
				ctx := h.ctx
				for _, id := range test.sent {
					ctx = metadata.AppendToOutgoingContext(ctx, interceptor.RequestIDHeader, id)
				}
				var header metadata.MD
				call(ctx, &header)
				got := header.Get(interceptor.RequestIDHeader)
				if len(got) != 1 || got[0] != seen {
					t.Fatalf("the header has the ids %q and the handler saw %q", got, seen)
				}
				if test.kept && seen != test.sent[0] {
					t.Errorf("the id is %q, want the caller's %q", seen, test.sent[0])
				}
				if !test.kept && len(seen) != 26 {
					t.Errorf("the id is %q, want a fresh one", seen)
				}
			})
		}
	}
}
