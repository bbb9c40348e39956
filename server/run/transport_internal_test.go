package run

import (
	"testing"
	"time"
)

// TestKeepaliveOfClients is about lesson 10: clients of this service ping every 30 s, also between calls, and the
// server must not take it for an attack.
func TestKeepaliveOfClients(t *testing.T) {
	const clientInterval = 30 * time.Second
	if clientPings.MinTime > clientInterval/2 {
		t.Errorf("pings less than %v apart are an attack: too near to the %v of the clients", clientPings.MinTime, clientInterval)
	}
	if !clientPings.PermitWithoutStream {
		t.Error("pings between calls are an attack")
	}
}

// TestStreamsAreNotCutByAge is about lesson 5.
func TestStreamsAreNotCutByAge(t *testing.T) {
	if serverPings.MaxConnectionAge != 0 || serverPings.MaxConnectionIdle != 0 {
		t.Errorf("connections end by themselves: %+v", serverPings)
	}
}
