// Package token knows which bearer tokens are accepted, from a file that may change.
package token

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/zermelo-games/zermelo/client/reload"
)

// MinBytes is how long a token must be: 16 bytes, drawn at random, cannot be guessed.
const MinBytes = 16

// Set is the set of accepted tokens. It is safe for concurrent use.
type Set struct{ file *reload.Value[[]accepted] }

// accepted is a token, as far as it has to be known.
type accepted struct {
	sum  [sha256.Size]byte
	name string
}

// Open reads a file of tokens, one a line; blank lines and those that begin with # do not count. Several tokens are
// accepted at once, so that one can take the place of another without a gap. The file is read again when it changes:
// failed is told when what is in it then cannot be used, and the tokens before stay in force.
func Open(file string, failed func(error)) (*Set, error) {
	value, err := reload.New(parse, failed, file)
	if err != nil {
		return nil, err
	}
	return &Set{value}, nil
}

func parse(contents [][]byte) ([]accepted, error) {
	var tokens []accepted
	for _, line := range reload.Lines(contents[0]) {
		switch {
		case len(line.Text) < MinBytes:
			return nil, fmt.Errorf("line %d: the token has %d bytes; it must have at least %d", line.Number, len(line.Text), MinBytes)
		case strings.ContainsAny(line.Text, " \t"):
			return nil, fmt.Errorf("line %d: a token has no spaces; write one a line", line.Number)
		}
		sum := sha256.Sum256([]byte(line.Text))
		tokens = append(tokens, accepted{sum: sum, name: hex.EncodeToString(sum[:4])})
	}
	if len(tokens) == 0 {
		return nil, errors.New("there is no token; write one a line")
	}
	return tokens, nil
}

// Accepts reports whether a token is one of the set, and a short name by which logs can tell it from others: the first
// digits of its SHA-256. How long it takes depends on the number of tokens, not on what is in them.
func (s *Set) Accepts(token string) (name string, ok bool) {
	sum := sha256.Sum256([]byte(token))
	for _, t := range s.file.Get() {
		if subtle.ConstantTimeCompare(sum[:], t.sum[:]) == 1 {
			name, ok = t.name, true
		}
	}
	return name, ok
}
