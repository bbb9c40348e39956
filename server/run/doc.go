// Package run puts the server together and carries it from its first call to its last: the gRPC server with its chain,
// health and reflection, the admin port, and the shutdown in numbered steps.
//
// It knows neither flags nor signals, which are cmd/zermelod's, nor games, which are rpc's: it is given settings, a
// context that ends when the server shall, and listeners, be they TCP or in memory.
package run
