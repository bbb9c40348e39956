package main

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"google.golang.org/grpc/stats"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// errNoServer is the cause of a call's end when no server has taken it in time.
var errNoServer = errors.New("no server answers")

// patience limits how long a call waits for a server. The client itself waits for ever: a service wants that while
// another one restarts, but a person may have mistyped an address. A call that a server has taken is not limited.
//
// gRPC reports what happens to a call: an attempt begins, and its headers are sent once there is a connection to a server
// that is ready. A name that does not resolve, a port at which nothing listens and a server of another protocol all keep
// the headers from being sent.
type patience struct {
	limit time.Duration // 0: no limit
	spent func()

	mu      sync.Mutex
	timer   *time.Timer
	waiting bool
}

// stillWaiting reports whether the last attempt found no server.
func (p *patience) stillWaiting() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.waiting
}

// callKey marks the context of a call to the service; the watch on its health is another one.
type callKey struct{}

// TagRPC is called for each call.
func (p *patience) TagRPC(ctx context.Context, info *stats.RPCTagInfo) context.Context {
	if strings.HasPrefix(info.FullMethodName, "/"+zermelov1.SolverService_ServiceDesc.ServiceName+"/") {
		return context.WithValue(ctx, callKey{}, true)
	}
	return ctx
}

// HandleRPC is called for each event in a call's life.
func (p *patience) HandleRPC(ctx context.Context, event stats.RPCStats) {
	if ctx.Value(callKey{}) == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	switch event.(type) {
	case *stats.Begin:
		p.waiting = true
		if p.timer == nil && p.limit > 0 {
			p.timer = time.AfterFunc(p.limit, p.spent)
		}
	case *stats.OutHeader:
		p.waiting = false
		p.stop()
	case *stats.End:
		p.stop()
	}
}

func (p *patience) stop() {
	if p.timer != nil {
		p.timer.Stop()
		p.timer = nil
	}
}

// TagConn is called for each connection.
func (p *patience) TagConn(ctx context.Context, _ *stats.ConnTagInfo) context.Context { return ctx }

// HandleConn is called for each event in a connection's life.
func (p *patience) HandleConn(context.Context, stats.ConnStats) {}
