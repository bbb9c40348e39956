package main_test

import (
	"sync/atomic"
	"testing"

	"github.com/zermelo-games/zermelo/client"
	"github.com/zermelo-games/zermelo/server/engine/gametest"
	"github.com/zermelo-games/zermelo/server/servertest"
)

// TestAMillionRequests sends requests of every RPC, good ones, bad ones, and good ones with some bytes changed, through
// the whole chain. What the oracles can look at is answered rightly; what is refused has a status with one reason; nothing
// panics. There are a million with ZERMELO_LONG=1, and some thousand otherwise.
func TestAMillionRequests(t *testing.T) {
	all := int64(4_000)
	if gametest.Long() {
		all = 1_000_000
	}
	const budget = 4 << 20 // enough for small positions, and soon spent by what changed bytes ask for
	server := servertest.Start(t, servertest.WithMemoBudget(budget))
	c, err := client.New(server.Target(), client.WithDialOptions(append(server.DialOptions(), ChangeBytes()...)...))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	book := NewBook()
	var made atomic.Int64
	(&Load{
		Client: c, Book: book, Callers: 8, Seed: 1913, Changed: 5,
		Mix: Mix{
			{Of: 30, Kind: SolveSmall}, {Of: 15, Kind: AnalyzeSmall}, {Of: 5, Kind: Batch},
			{Of: 20, Kind: Trace}, {Of: 10, Kind: Enumerate}, {Of: 20, Kind: AskBadly},
		},
	}).Run(t.Context(), func() bool { return made.Add(1) <= all && len(book.Faults()) == 0 })
	if !book.Write(t.Output()) {
		t.Error("wrong answers, or errors that were not to come")
	}
}
