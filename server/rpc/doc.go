// Package rpc serves zermelo.v1: thin handlers over the catalog, the send loop of the streams, and the one place where
// errors become status codes. What is true of a game is not decided here.
package rpc
