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
)

// TestADeadlineEndsWithItsStatus also for a client that has no timer of its own and relies on what the server says: to
// such a client a reset of the stream, which is what the transport does at the deadline, is a cancellation.
func TestADeadlineEndsWithItsStatus(t *testing.T) {
	o := observe(t)
	var protocols http.Protocols
	protocols.SetUnencryptedHTTP2(true)
	transport := &http.Transport{Protocols: &protocols}
	defer transport.CloseIdleConnections()
	long, none := canIWinPosition(32, 470), zermelov1.MemoPolicy_MEMO_POLICY_NONE
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
			url := "http://" + o.conn.Target() + "/" + rpc.ServiceName + "/" + test.method
			call, err := http.NewRequestWithContext(o.ctx, http.MethodPost, url, bytes.NewReader(message))
			if err != nil {
				t.Fatal(err)
			}
			call.Header = http.Header{"Content-Type": {"application/grpc"}, "Te": {"trailers"}, "Grpc-Timeout": {test.timeout}}
			response, err := transport.RoundTrip(call)
			if err != nil {
				t.Fatal(err)
			}
			_, err = io.Copy(io.Discard, response.Body)
			_ = response.Body.Close()
			if status := response.Trailer.Get("Grpc-Status"); err != nil || status != "4" {
				t.Errorf("the stream ended with the status %q and %v; want 4, DEADLINE_EXCEEDED", status, err)
			}
		})
	}
}
