package run

import (
	"bytes"
	"encoding/binary"
	"io"
	"net/http"
	"testing"

	"google.golang.org/protobuf/proto"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/rpc"
	"github.com/zermelo-games/zermelo/server/servertest/positions"
)

// TestADeadlineEndsWithItsStatus also for a client that has no timer of its own and relies on what the server says: to
// such a client a reset of the stream, which is what the transport does at the deadline, is a cancellation.
func TestADeadlineEndsWithItsStatus(t *testing.T) {
	o := observe(t)
	var protocols http.Protocols
	protocols.SetUnencryptedHTTP2(true)
	transport := &http.Transport{Protocols: &protocols}
	defer transport.CloseIdleConnections()
	long, none := positions.CanIWin(32, 470), zermelov1.MemoPolicy_MEMO_POLICY_NONE
	for _, test := range []struct {
		name, method, timeout string
		request               proto.Message
	}{
		{"a table that takes longer", "Solve", "300m", &zermelov1.SolveRequest{Position: long}},
		{"a trace that sends all the time", "Explain", "1S", &zermelov1.ExplainRequest{Position: long, MemoPolicy: none}},
		{"a trace with nothing to send", "Explain", "1S", &zermelov1.ExplainRequest{
			Position: long, MemoPolicy: none, SampleEvery: 1 << 60,
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			encoded, err := proto.Marshal(test.request)
			if err != nil {
				t.Fatal(err)
			}
			message := append(binary.BigEndian.AppendUint32([]byte{0}, uint32(len(encoded))), encoded...)
			for tries := 1; ; tries++ {
				code, err := callRaw(t, o, transport, test.method, test.timeout, message)
				if err == nil && code == "4" {
					return
				}
				// On a machine that is busy with other things the server may be late. Without the guard it always is.
				if t.Logf("try %d: the stream ended with the status %q and %v", tries, code, err); tries == 5 {
					t.Fatal("no try ended with the status 4, DEADLINE_EXCEEDED")
				}
			}
		})
	}
}

// callRaw makes a call that the client never ends, and returns its status.
func callRaw(
	t *testing.T, o *observed, transport http.RoundTripper, method, timeout string, message []byte,
) (status string, err error) {
	t.Helper()
	url := "http://" + o.conn.Target() + "/" + rpc.ServiceName + "/" + method
	call, err := http.NewRequestWithContext(o.ctx, http.MethodPost, url, bytes.NewReader(message))
	if err != nil {
		return "", err
	}
	call.Header = http.Header{"Content-Type": {"application/grpc"}, "Te": {"trailers"}, "Grpc-Timeout": {timeout}}
	response, err := transport.RoundTrip(call)
	if err != nil {
		return "", err
	}
	defer func() { _ = response.Body.Close() }()
	_, err = io.Copy(io.Discard, response.Body)
	return response.Trailer.Get("Grpc-Status"), err
}
