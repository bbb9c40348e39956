package interceptor

import (
	"container/list"
	"strconv"
	"testing"
)

func newClients(limits ClientLimits, most int) *clients {
	return &clients{limits: limits, most: most, byName: make(map[string]*list.Element)}
}

func TestStreamsOfAClient(t *testing.T) {
	c := newClients(ClientLimits{Streams: 2}, 10)
	first, err := c.open("a")
	if err != nil {
		t.Fatal(err)
	}
	if _, err = c.open("a"); err != nil {
		t.Fatal(err)
	}
	if _, err = c.open("a"); err == nil {
		t.Error("a third stream is opened")
	}
	if _, err = c.open("b"); err != nil {
		t.Errorf("another client: %v", err)
	}
	first()
	if _, err = c.open("a"); err != nil {
		t.Errorf("after one was closed: %v", err)
	}
	for range 100 {
		if err := c.call("a"); err != nil {
			t.Fatalf("calls are not limited, and yet: %v", err)
		}
	}
}

// TestClientsAreForgotten: there are never more than so many of them, but for those with streams, whatever they call
// themselves.
func TestClientsAreForgotten(t *testing.T) {
	const most = 5
	c := newClients(ClientLimits{Streams: 1, Rate: 1}, most)
	closeFirst, err := c.open("first")
	if err != nil {
		t.Fatal(err)
	}
	for n := range 1000 {
		if err := c.call(strconv.Itoa(n)); err != nil {
			t.Fatal(err)
		}
		if len(c.byName) > most || c.recent.Len() != len(c.byName) {
			t.Fatalf("%d clients are remembered", len(c.byName))
		}
	}
	if _, err := c.open("first"); err == nil {
		t.Error("a client with a stream was forgotten")
	}
	closeFirst()
	// With a stream each, they cannot be forgotten; and those that come then still are let in.
	var done []func()
	for n := range 2 * most {
		d, err := c.open("s" + strconv.Itoa(n))
		if err != nil {
			t.Fatal(err)
		}
		done = append(done, d)
	}
	for _, d := range done {
		d()
	}
	for n := range 2 * most {
		_ = c.call("t" + strconv.Itoa(n))
	}
	if len(c.byName) > 2*most {
		t.Errorf("%d clients are remembered", len(c.byName))
	}
}
