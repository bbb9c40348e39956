package rpc

import (
	"context"
	"strconv"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/admission"
	"github.com/zermelo-games/zermelo/server/catalog"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/types/known/durationpb"
)

// admit asks for a call of this price to run. Without an error, the ticket must be released when it has ended.
func (s *Service) admit(ctx context.Context, kind admission.Kind, price catalog.Price) (*admission.Ticket, error) {
	return s.gate.Admit(ctx, kind, admission.Price{Bytes: price.Bytes, Positions: price.Positions})
}

// admissible reports whether a solve of this price can ever be admitted.
func (s *Service) admissible(price catalog.Price) bool {
	return price.Bytes <= s.gate.Limits().MemoryBytes
}

// busyStatus is the status of a call that would be admitted later: the only one with a RetryInfo.
func busyStatus(err *admission.BusyError) error {
	return newStatus(codes.ResourceExhausted, zermelov1.ErrorReason_ERROR_REASON_SERVER_BUSY, err, err.Error(),
		map[string]string{"full": err.Full.String()},
		&errdetails.RetryInfo{RetryDelay: durationpb.New(err.RetryAfter)})
}

// tooLargeStatus is the status of a call that needs more memory than any call may have on this server.
func tooLargeStatus(err *admission.TooLargeError) error {
	const field = "position"
	return newStatus(codes.InvalidArgument, zermelov1.ErrorReason_ERROR_REASON_SIZE_LIMIT, err, field+": "+err.Error(),
		map[string]string{
			"field":       field,
			"asked_bytes": strconv.FormatUint(err.Asked, 10),
			"limit_bytes": strconv.FormatUint(err.Limit, 10),
		},
		&errdetails.BadRequest{FieldViolations: []*errdetails.BadRequest_FieldViolation{{
			Field: field, Description: err.Error(), Reason: ReasonName(zermelov1.ErrorReason_ERROR_REASON_SIZE_LIMIT),
		}}})
}
