package interceptor

import (
	"container/list"
	"context"
	"fmt"
	"net"
	"sync"

	"golang.org/x/time/rate"
	"google.golang.org/grpc"
	"google.golang.org/grpc/peer"

	"github.com/zermelo-games/zermelo/server/call"
	"github.com/zermelo-games/zermelo/server/rpc"
)

// ClientLimits are what one client may have. 0: as much as it likes.
//
// A client is who its certificate or its token says, or else the address from which it connects. They are off unless the
// operator sets them: without certificates and tokens, all back ends behind one proxy look like one client.
type ClientLimits struct {
	// Streams is how many streams it may have open at once.
	Streams int
	// Rate is how many calls a second it may make, and how many at once after a pause.
	Rate int
}

// maxClients is how many clients are remembered at a time. Beyond it, the one that called longest ago and has no stream
// open is forgotten, and with it how often it has called: with so many clients, a single one is not the danger.
const maxClients = 10_000

// limited holds every client to the limits. Health and reflection do not count.
func limited(limits ClientLimits) Stage {
	clients := &clients{limits: limits, most: maxClients, byName: make(map[string]*list.Element)}
	return Stage{
		Name: StageClientLimit,
		Unary: func(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
			if isOwn(info.FullMethod) {
				if err := clients.call(clientOf(ctx)); err != nil {
					return nil, err
				}
			}
			return handler(ctx, req)
		},
		Stream: func(srv any, stream grpc.ServerStream, info *grpc.StreamServerInfo, handler grpc.StreamHandler) error {
			if !isOwn(info.FullMethod) {
				return handler(srv, stream)
			}
			done, err := clients.open(clientOf(stream.Context()))
			if err != nil {
				return err
			}
			defer done()
			return handler(srv, stream)
		},
	}
}

// clientOf names who makes a call.
func clientOf(ctx context.Context) string {
	if name := call.Of(ctx).Record().Client; name != "" {
		return name
	}
	p, ok := peer.FromContext(ctx)
	if !ok || p.Addr == nil {
		return "unknown"
	}
	host, _, err := net.SplitHostPort(p.Addr.String())
	if err != nil {
		return p.Addr.String()
	}
	return host
}

// clients are those that have called, the latest first.
type clients struct {
	limits ClientLimits
	most   int

	mu     sync.Mutex
	byName map[string]*list.Element
	recent list.List
}

type client struct {
	name    string
	calls   *rate.Limiter
	streams int
}

// call counts a call.
func (c *clients) call(name string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.admit(c.find(name))
}

// open counts a call that opens a stream. Without an error, done must be called when that has ended.
func (c *clients) open(name string) (done func(), err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	one := c.find(name)
	if most := c.limits.Streams; most > 0 && one.streams >= most {
		return nil, rpc.ClientLimit("client-streams", most,
			fmt.Sprintf("this client has %d streams open, as many as the server lets one have; close one first", most))
	}
	if err := c.admit(one); err != nil {
		return nil, err
	}
	one.streams++
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		one.streams--
	}, nil
}

func (c *clients) admit(one *client) error {
	if most := c.limits.Rate; most > 0 && !one.calls.Allow() {
		return rpc.ClientLimit("client-rate", most,
			fmt.Sprintf("this client makes more than %d calls a second, which is what the server lets one make; call less often", most))
	}
	return nil
}

// find finds a client, or adds it.
func (c *clients) find(name string) *client {
	if e, ok := c.byName[name]; ok {
		c.recent.MoveToFront(e)
		return e.Value.(*client)
	}
	if c.recent.Len() >= c.most {
		c.forget()
	}
	one := &client{name: name, calls: rate.NewLimiter(rate.Limit(c.limits.Rate), c.limits.Rate)}
	c.byName[name] = c.recent.PushFront(one)
	return one
}

// forget forgets the client that called longest ago, of those without a stream. There may be none.
func (c *clients) forget() {
	for e := c.recent.Back(); e != nil; e = e.Prev() {
		if one := e.Value.(*client); one.streams == 0 {
			c.recent.Remove(e)
			delete(c.byName, one.name)
			return
		}
	}
}
