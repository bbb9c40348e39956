package interceptor_test

import (
	"context"
	"strings"
	"testing"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/call"
)

func TestSeriesExistFromTheStart(t *testing.T) {
	h := start(t, &service{})
	want := func(name string, labels map[string]string) {
		t.Helper()
		if got := h.metric(t, name, labels); got != 0 {
			t.Errorf("%s%v is %v at the start, want 0", name, labels, got)
		}
	}
	for _, method := range []string{"Check", "Watch", "Solve", "Explain", "EnumeratePositions", "ListGames"} {
		want("grpc_server_started_total", map[string]string{"grpc_method": method})
		want("grpc_server_handled_total", map[string]string{"grpc_method": method, "grpc_code": "ResourceExhausted"})
		want("grpc_server_handling_seconds", map[string]string{"grpc_method": method})
		want("grpc_server_msg_sent_total", map[string]string{"grpc_method": method})
		want("grpc_server_msg_received_total", map[string]string{"grpc_method": method})
	}
	for _, game := range gameNames() {
		for _, method := range []string{"search", "closed_form", "game_algorithm"} {
			for _, result := range []string{"win", "loss", "draw", "cost"} {
				want("zermelo_solves_total", map[string]string{"game": game, "method": method, "result": result})
			}
		}
	}
	for _, game := range append(gameNames(), "batch") {
		want("zermelo_solve_seconds", map[string]string{"game": game})
		want("zermelo_positions_expanded_total", map[string]string{"game": game})
		want("zermelo_events_sent_total", map[string]string{"game": game})
	}
	for _, name := range zermelov1.ErrorReason_name {
		reason := strings.TrimPrefix(name, "ERROR_REASON_")
		if reason == "UNSPECIFIED" {
			reason = "OTHER"
		}
		want("zermelo_errors_total", map[string]string{"reason": reason})
	}
	for _, method := range []string{"Explain", "EnumeratePositions"} {
		want("zermelo_streams_open", map[string]string{"rpc": method})
	}
	for _, name := range []string{"memo_entries", "cache_hits_total", "cache_misses_total", "panics_total", "stalls_total"} {
		want("zermelo_"+name, nil)
	}
}

func TestCallsAreCountedAndTimed(t *testing.T) {
	fine := func(context.Context) error { return nil }
	h := start(t, &service{solve: fine, explain: fine, frames: 4})
	if _, err := h.Solve(h.ctx, &zermelov1.SolveRequest{}); err != nil {
		t.Fatal(err)
	}
	_ = h.explainError()
	for method, kind := range map[string]string{"Solve": "unary", "Explain": "server_stream"} {
		for name, labels := range map[string]map[string]string{
			"grpc_server_started_total":      {"grpc_method": method, "grpc_type": kind},
			"grpc_server_handled_total":      {"grpc_method": method, "grpc_type": kind, "grpc_code": "OK"},
			"grpc_server_handling_seconds":   {"grpc_method": method, "grpc_type": kind},
			"grpc_server_msg_received_total": {"grpc_method": method, "grpc_type": kind},
		} {
			if got := h.metric(t, name, labels); got != 1 {
				t.Errorf("%s%v is %v after one call, want 1", name, labels, got)
			}
		}
	}
	for method, want := range map[string]float64{"Solve": 1, "Explain": 4} {
		if got := h.metric(t, "grpc_server_msg_sent_total", map[string]string{"grpc_method": method}); got != want {
			t.Errorf("%s has sent %v messages, want %v", method, got, want)
		}
	}
}

// TestWhatIsDoneInACallIsCounted while it is done, not when the call has ended.
func TestWhatIsDoneInACallIsCounted(t *testing.T) {
	win := &zermelov1.Solution{Method: zermelov1.Method_METHOD_SEARCH, Outcome: zermelov1.Outcome_OUTCOME_WIN}
	cost := &zermelov1.Solution{Method: zermelov1.Method_METHOD_GAME_ALGORITHM, Cost: new(int64(16))}
	var h *harness
	expect := func(name string, labels map[string]string, want float64) {
		t.Helper()
		if got := h.metric(t, name, labels); got != want {
			t.Errorf("%s%v is %v, want %v", name, labels, got, want)
		}
	}
	h = start(t, &service{
		solve: func(ctx context.Context) error {
			c := call.Of(ctx)
			c.SetGame(call.GameBatch)
			c.Looked(true)
			c.Looked(false)
			c.Looked(false)
			c.SolvedOne("nim", win)
			c.SolvedOne("guess_number", cost)
			c.SolvedOne("guess_number", cost)
			c.FailedOne(zermelov1.ErrorReason_ERROR_REASON_SIZE_LIMIT)
			return nil
		},
		explain: func(ctx context.Context) error {
			c := call.Of(ctx)
			c.SetGame("can_i_win")
			c.Worked("can_i_win", 100, 40)
			c.SentEvents(25)
			c.SentEvents(5)
			expect("zermelo_streams_open", map[string]string{"rpc": "Explain"}, 1)
			expect("zermelo_memo_entries", nil, 40)
			c.Worked("can_i_win", 0, -40)
			c.Solved(win)
			return nil
		},
	})
	if _, err := h.Solve(h.ctx, &zermelov1.SolveRequest{}); err != nil {
		t.Fatal(err)
	}
	_ = h.explainError()
	solves := func(game, method, result string) map[string]string {
		return map[string]string{"game": game, "method": method, "result": result}
	}
	expect("zermelo_cache_hits_total", nil, 1)
	expect("zermelo_cache_misses_total", nil, 2)
	expect("zermelo_solves_total", solves("nim", "search", "win"), 1)
	expect("zermelo_solves_total", solves("guess_number", "game_algorithm", "cost"), 2)
	expect("zermelo_solves_total", solves("can_i_win", "search", "win"), 1)
	expect("zermelo_errors_total", map[string]string{"reason": "SIZE_LIMIT"}, 1)
	expect("zermelo_solve_seconds", map[string]string{"game": "batch"}, 1)
	expect("zermelo_solve_seconds", map[string]string{"game": "can_i_win"}, 0)
	expect("zermelo_positions_expanded_total", map[string]string{"game": "can_i_win"}, 100)
	expect("zermelo_events_sent_total", map[string]string{"game": "can_i_win"}, 30)
	expect("zermelo_streams_open", map[string]string{"rpc": "Explain"}, 0)
	expect("zermelo_memo_entries", nil, 0)
}

// TestLabelsAreNotOfTheCallersMaking: what is not known beforehand gets no series.
func TestLabelsAreNotOfTheCallersMaking(t *testing.T) {
	h := start(t, &service{solve: func(ctx context.Context) error {
		c := call.Of(ctx)
		c.SetGame("chess")
		c.Worked("chess", 1, 0)
		c.SentEvents(1)
		c.SolvedOne("chess", &zermelov1.Solution{Method: zermelov1.Method_METHOD_UNSPECIFIED})
		c.SolvedOne("nim", &zermelov1.Solution{Method: 1000})
		c.FailedOne(1000)
		return nil
	}})
	before := h.series(t)
	if _, err := h.Solve(h.ctx, &zermelov1.SolveRequest{}); err != nil {
		t.Fatal(err)
	}
	if err := h.conn.Invoke(h.ctx, "/zermelo.v1.SolverService/Nothing", &zermelov1.SolveRequest{}, &zermelov1.SolveResponse{}); err == nil {
		t.Error("an unknown method is answered")
	}
	if after := h.series(t); after != before {
		t.Errorf("%d series, %d before", after, before)
	}
}
