package client_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/protoadapt"

	"github.com/zermelo-games/zermelo/client"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// detailed is a status with details.
func detailed(t *testing.T, code codes.Code, details ...protoadapt.MessageV1) error {
	t.Helper()
	answer, err := status.New(code, "no").WithDetails(details...)
	if err != nil {
		t.Fatal(err)
	}
	return answer.Err()
}

func TestReason(t *testing.T) {
	const (
		unnamed = zermelov1.ErrorReason_ERROR_REASON_UNSPECIFIED
		spent   = zermelov1.ErrorReason_ERROR_REASON_MEMO_BUDGET
	)
	budget := &errdetails.ErrorInfo{
		Domain:   "zermelo",
		Reason:   "MEMO_BUDGET",
		Metadata: map[string]string{"budget_bytes": "1024"},
	}
	foreign := &errdetails.ErrorInfo{Domain: "proxy.example", Reason: "INTERNAL", Metadata: map[string]string{"a": "b"}}
	newer := &errdetails.ErrorInfo{Domain: "zermelo", Reason: "SOMETHING_NEWER"}
	for _, test := range []struct {
		name     string
		err      error
		want     zermelov1.ErrorReason
		metadata map[string]string
	}{
		{"nil", nil, unnamed, nil},
		{"not a status", errors.New("no"), unnamed, nil},
		{"without details", status.Error(codes.Unavailable, "no"), unnamed, nil},
		{"not of a call", &client.ProtocolError{Err: client.ErrTruncated}, unnamed, nil},
		{"another domain", detailed(t, codes.Internal, foreign), unnamed, nil},
		{"newer", detailed(t, codes.Internal, newer), unnamed, nil},
		{"bare", detailed(t, codes.ResourceExhausted, budget), spent, budget.Metadata},
		{
			"beside another", detailed(t, codes.ResourceExhausted, foreign, &errdetails.BadRequest{}, budget),
			spent, budget.Metadata,
		},
		{
			"wrapped", fmt.Errorf("asking: %w", detailed(t, codes.ResourceExhausted, budget)),
			spent, budget.Metadata,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := client.Reason(test.err); got != test.want {
				t.Errorf("reason %v, want %v", got, test.want)
			}
			if got := client.Metadata(test.err); !maps.Equal(got, test.metadata) {
				t.Errorf("metadata %v, want %v", got, test.metadata)
			}
		})
	}
}

// Every reason of the contract is recognised by the name that goes over the wire.
func TestReasonKnowsAll(t *testing.T) {
	for number, name := range zermelov1.ErrorReason_name {
		const prefix = len("ERROR_REASON_")
		err := detailed(t, codes.Unknown, &errdetails.ErrorInfo{Domain: "zermelo", Reason: name[prefix:]})
		if got := client.Reason(err); got != zermelov1.ErrorReason(number) {
			t.Errorf("reason %v, want %s", got, name)
		}
	}
}

func TestViolations(t *testing.T) {
	bad := &errdetails.BadRequest{FieldViolations: []*errdetails.BadRequest_FieldViolation{
		{Field: "position.nim.convention", Description: "say which"},
		{Field: "max_moves", Description: "too many"},
	}}
	refused := detailed(t, codes.InvalidArgument, &errdetails.ErrorInfo{Domain: "zermelo", Reason: "INVALID_FIELD"}, bad)
	// Through a real call, on a unary method and on a stream.
	f := explains(refused)
	f.solve = func(context.Context, int64) (*zermelov1.SolveResponse, error) { return nil, refused }
	c := serve(t, f)
	_, solving := c.Solve(within(t), &zermelov1.SolveRequest{})
	_, explaining := drain(t, c.Explain(within(t), &zermelov1.ExplainRequest{}).Events())
	want := []client.Violation{
		{Field: "position.nim.convention", Description: "say which"},
		{Field: "max_moves", Description: "too many"},
	}
	for _, err := range []error{refused, fmt.Errorf("asking: %w", refused), solving, explaining} {
		if got := client.Violations(err); !slices.Equal(got, want) {
			t.Errorf("violations %v, want %v", got, want)
		}
		if got := client.Reason(err); got != zermelov1.ErrorReason_ERROR_REASON_INVALID_FIELD {
			t.Errorf("reason %v, want INVALID_FIELD", got)
		}
	}
	for _, err := range []error{nil, errors.New("no"), status.Error(codes.InvalidArgument, "no")} {
		if got := client.Violations(err); got != nil {
			t.Errorf("violations of %v: %v", err, got)
		}
	}
}

// What the results of a batch say is found as it is in the error of a call.
func TestBatchError(t *testing.T) {
	if err := client.BatchError(nil); err != nil {
		t.Errorf("a position that was solved has the error %v", err)
	}
	err := client.BatchError(&zermelov1.PositionError{
		Code:     int32(codes.InvalidArgument),
		Reason:   "SIZE_LIMIT",
		Message:  "positions[1].nim.piles: too many",
		Metadata: map[string]string{"limit": "100000"},
		FieldViolations: []*zermelov1.FieldViolation{
			{Field: "positions[1].nim.piles", Description: "too many"},
		},
	})
	if status.Code(err) != codes.InvalidArgument || status.Convert(err).Message() != "positions[1].nim.piles: too many" {
		t.Errorf("error %v", err)
	}
	if got := client.Reason(err); got != zermelov1.ErrorReason_ERROR_REASON_SIZE_LIMIT {
		t.Errorf("reason %v", got)
	}
	if got := client.Metadata(err); !maps.Equal(got, map[string]string{"limit": "100000"}) {
		t.Errorf("metadata %v", got)
	}
	want := []client.Violation{{Field: "positions[1].nim.piles", Description: "too many"}}
	if got := client.Violations(err); !slices.Equal(got, want) {
		t.Errorf("violations %v", got)
	}

	bare := client.BatchError(&zermelov1.PositionError{})
	if status.Code(bare) != codes.Unknown || client.Violations(bare) != nil {
		t.Errorf("an error that says nothing is %v", bare)
	}
}
