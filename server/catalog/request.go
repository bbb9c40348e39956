package catalog

import (
	"fmt"
	"strconv"
	"strings"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// Violation is what is wrong with one field.
type Violation struct {
	// Field is its path in the request: position.can_i_win.chosen[2].
	Field string
	// Description says what is wrong, what the limit is, and what would do.
	Description string
}

// Budget is memory that a request asks for and does not get, in bytes.
type Budget struct {
	// Asked is what would do, or less where that was not counted to its end. Limit is what there is.
	Asked, Limit uint64
	// Setting is the flag that sets the limit.
	Setting string
}

// RequestError says that a request cannot be answered as it stands: ERROR_REASON_INVALID_FIELD, ERROR_REASON_SIZE_LIMIT
// or ERROR_REASON_BUDGET_LIMIT.
type RequestError struct {
	Reason     zermelov1.ErrorReason
	Violations []Violation
	// Budget is there for ERROR_REASON_BUDGET_LIMIT alone.
	Budget *Budget
	// Unlisted is how many violations there are beyond those listed.
	Unlisted int
}

// Error lists the violations.
func (e *RequestError) Error() string {
	var b strings.Builder
	for i, v := range e.Violations {
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(v.Field + ": " + v.Description)
	}
	if e.Unlisted > 0 {
		fmt.Fprintf(&b, "; and %d more", e.Unlisted)
	}
	return b.String()
}

// Shortened is the error with most violations listed at most.
func (e *RequestError) Shortened(most int) *RequestError {
	if more := len(e.Violations) - most; more > 0 {
		return &RequestError{Reason: e.Reason, Violations: e.Violations[:most], Budget: e.Budget, Unlisted: e.Unlisted + more}
	}
	return e
}

// maxViolations keeps an error far below the 8 KiB that a status may take on the wire.
const maxViolations = 8

// Request is a position that a game is asked to open: under which limits, and what is wrong with it.
type Request struct {
	// Limits are those in force.
	Limits Limits
	entry  *Entry
	violations
}

// violations collects what is wrong with one message.
type violations struct {
	path     string
	invalid  []Violation
	tooLarge []Violation
	unlisted int
}

// Failed reports whether anything is wrong.
func (v *violations) Failed() bool { return v.invalid != nil || v.tooLarge != nil }

// Invalidf notes that a field, named by its path below the message, is not legal.
func (v *violations) Invalidf(field, format string, args ...any) {
	v.invalid = v.add(v.invalid, field, format, args)
}

// TooLargef notes that a field is legal but more than is accepted.
func (v *violations) TooLargef(field, format string, args ...any) {
	v.tooLarge = v.add(v.tooLarge, field, format, args)
}

func (v *violations) add(list []Violation, field, format string, args []any) []Violation {
	if len(list) == maxViolations {
		v.unlisted++
		return list
	}
	if field != "" && v.path != "" {
		field = v.path + "." + field
	} else {
		field = v.path + field
	}
	return append(list, Violation{Field: field, Description: fmt.Sprintf(format, args...)})
}

// err is nil when nothing was noted. What is not legal comes before what is too large.
func (v *violations) err() error {
	switch {
	case v.invalid != nil:
		return &RequestError{Reason: zermelov1.ErrorReason_ERROR_REASON_INVALID_FIELD, Violations: v.invalid, Unlisted: v.unlisted}
	case v.tooLarge != nil:
		return &RequestError{Reason: zermelov1.ErrorReason_ERROR_REASON_SIZE_LIMIT, Violations: v.tooLarge, Unlisted: v.unlisted}
	default:
		return nil
	}
}

// InvalidField is the error for one field that is not legal.
func InvalidField(field, format string, args ...any) error {
	v := violations{}
	v.Invalidf(field, format, args...)
	return v.err()
}

// OverBudget is the error for a field, by its path in the request, that asks for more memory than a budget has.
func OverBudget(field string, budget Budget, description string) error {
	return &RequestError{
		Reason:     zermelov1.ErrorReason_ERROR_REASON_BUDGET_LIMIT,
		Violations: []Violation{{Field: field, Description: description}},
		Budget:     &budget,
	}
}

// Element is the path of an element of a repeated field.
func Element(field string, i int) string { return field + "[" + strconv.Itoa(i) + "]" }
