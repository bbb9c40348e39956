package gametest

import (
	"context"
	"errors"
)

// ErrEnough is how the contexts of [Patience] end, and those that tests cancel.
var ErrEnough = errors.New("enough")

// Patience is a context that ends with [ErrEnough] when it has been looked at so many times. It is for one goroutine,
// and only Err ends: what waits for Done waits for ctx.
func Patience(ctx context.Context, looks int) context.Context { return &patience{ctx, looks} }

type patience struct {
	context.Context

	looks int
}

func (c *patience) Err() error {
	if c.looks == 0 {
		return ErrEnough
	}
	c.looks--
	return nil
}
