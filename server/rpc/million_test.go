package rpc_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/engine/gametest"
	"github.com/zermelo-games/zermelo/server/rpc"
	"github.com/zermelo-games/zermelo/server/servertest"
	"github.com/zermelo-games/zermelo/server/servertest/judge"
)

// TestAMillionRequests sends requests of every RPC, good ones, bad ones, and good ones with some bytes changed, through
// the whole chain. What the oracles can look at is answered rightly; what is refused has a status with one reason; nothing
// panics. There are a million with ZERMELO_LONG=1, and some thousand otherwise.
func TestAMillionRequests(t *testing.T) {
	all := int64(4_000)
	if gametest.Long() {
		all = 1_000_000
	}
	conn := servertest.Start(t, servertest.WithMemoBudget(fuzzBudget)).Conn(t)
	var made, checked, refused, changed atomic.Int64
	var callers sync.WaitGroup
	for n := range uint64(8) {
		callers.Go(func() {
			m := &mutant{conn: conn, random: rand.New(rand.NewPCG(n, 1913)), checked: &checked, refused: &refused, changed: &changed}
			for made.Add(1) <= all && !t.Failed() {
				m.request(t)
			}
		})
	}
	callers.Wait()
	t.Logf("%d requests, %d of them changed bytes; %d answers checked, %d refused", all, changed.Load(), checked.Load(), refused.Load())
	if checked.Load() == 0 || refused.Load() == 0 || changed.Load() == 0 {
		t.Error("some kind is missing")
	}
}

// mutant makes requests.
type mutant struct {
	conn                      *grpc.ClientConn
	random                    *rand.Rand
	judge                     judge.Judge
	checked, refused, changed *atomic.Int64
}

// request makes one request.
func (m *mutant) request(t *testing.T) {
	t.Helper()
	p := judge.Small(m.random)
	if m.random.IntN(4) == 0 {
		p = judge.Bad(m.random)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*guard)
	defer cancel()
	switch kind := m.random.IntN(10); {
	case kind < 4:
		r := &zermelov1.SolveResponse{}
		if m.call(ctx, t, "Solve", &zermelov1.SolveRequest{Position: p}, r) {
			m.check(t, p, r.GetSolution())
		}
	case kind < 6:
		r := &zermelov1.AnalyzeResponse{}
		if m.call(ctx, t, "Analyze", &zermelov1.AnalyzeRequest{Position: p, SkipDistance: m.random.IntN(2) == 0}, r) {
			m.check(t, p, r.GetSolution())
		}
	case kind < 7:
		q, r := judge.Small(m.random), &zermelov1.BatchSolveResponse{}
		if m.call(ctx, t, "BatchSolve", &zermelov1.BatchSolveRequest{Positions: []*zermelov1.Position{p, q}, MaxMoves: 100}, r) {
			m.check(t, q, r.GetResults()[1].GetSolution())
		}
	case kind < 9:
		m.stream(ctx, t, "Explain", &zermelov1.ExplainRequest{
			Position: p, Detail: zermelov1.Detail(m.random.IntN(4)), MemoPolicy: zermelov1.MemoPolicy(m.random.IntN(3)),
			MaxEvents: 1 + m.random.Int64N(200),
		})
	default:
		m.stream(ctx, t, "EnumeratePositions", &zermelov1.EnumeratePositionsRequest{
			Position: p, Outcome: zermelov1.Outcome(m.random.IntN(4)), MaxPositions: 1 + m.random.Int64N(200),
			SkipDistance: m.random.IntN(2) == 0,
		})
	}
}

func (m *mutant) check(t *testing.T, p *zermelov1.Position, s *zermelov1.Solution) {
	t.Helper()
	m.checked.Add(1)
	if !m.judge.Agrees(p, s) {
		t.Errorf("wrong: %v: %v", p, s)
	}
}

// bytes encodes a request. Of one in five, some bytes are others, or missing.
func (m *mutant) bytes(t *testing.T, r proto.Message) (data []byte, changed bool) {
	t.Helper()
	data, err := proto.Marshal(r)
	if err != nil {
		t.Error(err)
	}
	if len(data) == 0 || m.random.IntN(5) > 0 {
		return data, false
	}
	m.changed.Add(1)
	for range 1 + m.random.IntN(3) {
		data[m.random.IntN(len(data))] = byte(m.random.Uint32())
	}
	return data[:len(data)-m.random.IntN(2)], true
}

// call makes a unary call, and reports whether it was answered as it was meant.
func (m *mutant) call(ctx context.Context, t *testing.T, method string, request, response proto.Message) bool {
	t.Helper()
	data, changed := m.bytes(t, request)
	ctx, cancel := m.patience(ctx, changed)
	defer cancel()
	var answer []byte
	err := m.conn.Invoke(ctx, "/"+rpc.ServiceName+"/"+method, data, &answer, grpc.ForceCodec(rawCodec{}))
	if err == nil {
		err = proto.Unmarshal(answer, response)
	}
	m.mapped(t, request, err)
	return err == nil && !changed
}

// stream reads a stream to its end.
func (m *mutant) stream(ctx context.Context, t *testing.T, method string, request proto.Message) {
	t.Helper()
	data, changed := m.bytes(t, request)
	ctx, cancel := m.patience(ctx, changed)
	defer cancel()
	stream, err := m.conn.NewStream(ctx, &grpc.StreamDesc{ServerStreams: true}, "/"+rpc.ServiceName+"/"+method, grpc.ForceCodec(rawCodec{}))
	if err == nil {
		err = stream.SendMsg(data)
	}
	if err == nil {
		err = stream.CloseSend()
	}
	for err == nil {
		var frame []byte
		err = stream.RecvMsg(&frame)
	}
	if err.Error() == "EOF" {
		err = nil
	}
	m.mapped(t, request, err)
}

// patience is short for requests whose bytes were changed: they may ask for anything, a trace without end among it.
func (m *mutant) patience(ctx context.Context, changed bool) (context.Context, context.CancelFunc) {
	if changed {
		return context.WithTimeout(ctx, 200*time.Millisecond)
	}
	return context.WithCancel(ctx)
}

// mapped checks that an error is one that the contract knows, with its reason.
func (m *mutant) mapped(t *testing.T, request proto.Message, err error) {
	t.Helper()
	if err == nil {
		return
	}
	m.refused.Add(1)
	st := status.Convert(err)
	var reasons []string
	for _, d := range st.Details() {
		if info, ok := d.(*errdetails.ErrorInfo); ok {
			reasons = append(reasons, info.GetReason())
		}
	}
	switch st.Code() {
	case codes.InvalidArgument, codes.ResourceExhausted, codes.FailedPrecondition:
		if len(reasons) == 1 && zermelov1.ErrorReason_value["ERROR_REASON_"+reasons[0]] > 0 {
			return
		}
	case codes.DeadlineExceeded:
		return // the client's own, perhaps
	default:
	}
	text := request.(interface{ String() string }).String()
	t.Errorf("%v (reasons %s): %s", err, strings.Join(reasons, ", "), text)
}
