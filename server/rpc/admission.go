package rpc

import (
	"context"
	"errors"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/types/known/durationpb"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/admission"
	"github.com/zermelo-games/zermelo/server/catalog"
)

// admit asks for a call of this price to run. Without an error, the ticket must be released when it has ended. A price
// that no call may have is a *catalog.RequestError about the position.
func (s *Service) admit(ctx context.Context, kind admission.Kind, price admission.Price) (*admission.Ticket, error) {
	ticket, err := s.gate.Admit(ctx, kind, price)
	var tooLarge *admission.TooLargeError
	if errors.As(err, &tooLarge) {
		return nil, neverAdmitted("position", tooLarge)
	}
	return ticket, err
}

// admissible returns a price that some call may have, and for any other the error of the position at path. An error of
// the price stays.
func (s *Service) admissible(path string, price admission.Price, err error) (admission.Price, error) {
	if err != nil {
		return price, err
	}
	if limit := s.gate.Limits().MemoryBytes; price.Bytes > limit {
		return price, neverAdmitted(path, &admission.TooLargeError{Kind: admission.KindSolve, Asked: price.Bytes, Limit: limit})
	}
	return price, nil
}

// neverAdmitted is the error of a position, by its path in the request, that needs more memory than any may have here.
func neverAdmitted(path string, err *admission.TooLargeError) error {
	return catalog.OverBudget(path, catalog.Budget{Asked: err.Asked, Limit: err.Limit, Setting: "--memory"}, err.Error())
}

// busyStatus is the status of a call that would be admitted later: the only one with a RetryInfo.
func busyStatus(err *admission.BusyError) error {
	return newStatus(codes.ResourceExhausted, zermelov1.ErrorReason_ERROR_REASON_SERVER_BUSY, err, err.Error(),
		map[string]string{"full": err.Full.String()},
		&errdetails.RetryInfo{RetryDelay: durationpb.New(err.RetryAfter)})
}
