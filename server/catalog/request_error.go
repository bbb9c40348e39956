package catalog

import (
	"fmt"
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

// RequestError says that a request cannot be answered as it stands: ERROR_REASON_INVALID_FIELD or
// ERROR_REASON_SIZE_LIMIT.
type RequestError struct {
	Reason     zermelov1.ErrorReason
	Violations []Violation
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
		return &RequestError{Reason: e.Reason, Violations: e.Violations[:most], Unlisted: e.Unlisted + more}
	}
	return e
}

// maxViolations keeps an error far below the 8 KiB that a status may take on the wire.
const maxViolations = 8

// checker collects the violations of one message.
type checker struct {
	path     string
	invalid  []Violation
	tooLarge []Violation
	unlisted int
}

// invalidf notes that a field, named by its path below the checker's message, is not legal.
func (c *checker) invalidf(field, format string, args ...any) {
	c.invalid = c.add(c.invalid, field, format, args)
}

// tooLargef notes that a field is legal but more than is accepted.
func (c *checker) tooLargef(field, format string, args ...any) {
	c.tooLarge = c.add(c.tooLarge, field, format, args)
}

func (c *checker) add(list []Violation, field, format string, args []any) []Violation {
	if len(list) == maxViolations {
		c.unlisted++
		return list
	}
	if field != "" && c.path != "" {
		field = c.path + "." + field
	} else {
		field = c.path + field
	}
	return append(list, Violation{Field: field, Description: fmt.Sprintf(format, args...)})
}

// err is nil when nothing was noted. What is not legal comes before what is too large.
func (c *checker) err() error {
	switch {
	case c.invalid != nil:
		return &RequestError{Reason: zermelov1.ErrorReason_ERROR_REASON_INVALID_FIELD, Violations: c.invalid, Unlisted: c.unlisted}
	case c.tooLarge != nil:
		return &RequestError{Reason: zermelov1.ErrorReason_ERROR_REASON_SIZE_LIMIT, Violations: c.tooLarge, Unlisted: c.unlisted}
	default:
		return nil
	}
}

// InvalidField is the error for one field that is not legal.
func InvalidField(field, format string, args ...any) error {
	c := checker{}
	c.invalidf(field, format, args...)
	return c.err()
}
