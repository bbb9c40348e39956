package client

import (
	"maps"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/status"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

const (
	// errorDomain is the domain of every reason that the service gives.
	errorDomain = "zermelo"
	// reasonPrefix is what a reason on the wire leaves out of its name in the enum.
	reasonPrefix = "ERROR_REASON_"
)

// Reason is why a call failed, as the service says. ERROR_REASON_UNSPECIFIED when err is nil, was not returned by the
// service (a lost connection, a deadline that passed on this side: see its code), or has a reason that this version
// does not know. Errors that wrap one of a call are looked through.
func Reason(err error) zermelov1.ErrorReason {
	info := errorInfo(err)
	if info == nil {
		return zermelov1.ErrorReason_ERROR_REASON_UNSPECIFIED
	}
	return zermelov1.ErrorReason(zermelov1.ErrorReason_value[reasonPrefix+info.GetReason()])
}

// Metadata holds the variables of an error's message, such as `request_id` or `budget_bytes`; which they are is said
// at each [zermelov1.ErrorReason]. The caller may change it; nil when there are none.
func Metadata(err error) map[string]string {
	return maps.Clone(errorInfo(err).GetMetadata())
}

// Violation is a field of the request that was wrong.
type Violation struct {
	// Field is the path of the field in the request: `position.can_i_win.chosen[2]`.
	Field string
	// Description says, in a sentence for people, what was wrong with it.
	Description string
}

// Violations are the fields of the request that were wrong, in the order given by the service; nil when err does not
// speak of any. Errors that wrap one of a call are looked through.
func Violations(err error) []Violation {
	var violations []Violation
	for _, request := range details[*errdetails.BadRequest](err) {
		for _, field := range request.GetFieldViolations() {
			violations = append(violations, Violation{Field: field.GetField(), Description: field.GetDescription()})
		}
	}
	return violations
}

// errorInfo is what the service says about an error, nil when it says nothing. Proxies may add an ErrorInfo of their
// own: the domain tells them apart.
func errorInfo(err error) *errdetails.ErrorInfo {
	for _, info := range details[*errdetails.ErrorInfo](err) {
		if info.GetDomain() == errorDomain {
			return info
		}
	}
	return nil
}

// details are the details of one kind that a status carries.
func details[T any](err error) []T {
	answer, ok := status.FromError(err)
	if !ok {
		return nil
	}
	var found []T
	for _, detail := range answer.Details() {
		if detail, ok := detail.(T); ok {
			found = append(found, detail)
		}
	}
	return found
}
