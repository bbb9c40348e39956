// Package catalog turns a position of the contract into a game of the engine, with what is wrong about it and what it
// would cost, and gives back answers of the contract. The games are handed in: each is an [Entry]. The package knows
// nothing of calls, streams and status codes.
package catalog

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/engine"
	"github.com/zermelo-games/zermelo/server/engine/oracle"
)

// Entry is one game of a catalogue: all that is to be known of it in one value.
type Entry struct {
	// Name is that of the game's field in Position.
	Name string
	// Title, Question and Rules are for people.
	Title, Question, Rules string
	// PositionNotation, MoveNotation and MoveOrder say how positions and moves are written, with an example, and in which
	// order moves are tried and listed.
	PositionNotation, MoveNotation, MoveOrder string
	// Objective is what values of the game mean. The memo policies follow from it: without lost positions there are none
	// to remember alone.
	Objective engine.Objective
	// Theorem is what the game's closed form rests on; unspecified where it has none.
	Theorem zermelov1.Theorem
	// Example is a position to try first.
	Example *zermelov1.Position
	// Limits lists those that concern only this game.
	Limits func(Limits) []*zermelov1.Limit
	// Open turns a position of this game into an instance, or notes in r what is wrong with it and returns nil. It takes
	// no longer than reading the position.
	Open func(r *Request, p *zermelov1.Position) Instance
	// Oracle returns an oracle, which answers small positions by the rules as they are spoken, apart from the engine and
	// without a lead, and remembers what it answered. It is for one goroutine.
	Oracle func() func(p *zermelov1.Position) oracle.Answer
	// Samples yields small positions, whole domains of them where that can be: those on which the fast ways and the
	// oracle are compared, and proofs made and checked.
	Samples iter.Seq[*zermelov1.Position]
	// Draw draws a small position, which an oracle answers in no time.
	Draw func(r *rand.Rand) *zermelov1.Position
}

// Catalog holds the games that a server offers, and the limits within which it does. It is immutable.
type Catalog struct {
	entries []Entry
	limits  Limits
}

// New returns the catalogue of these games. It panics when a name is not that of a field of Position, or comes twice.
func New(entries []Entry, limits Limits) *Catalog {
	seen := make(map[string]bool)
	for i := range entries {
		name := entries[i].Name
		if gameField.Fields().ByName(protoreflect.Name(name)) == nil || seen[name] {
			panic(fmt.Sprintf("catalog: the game %q has no field in Position, or comes twice", name))
		}
		seen[name] = true
	}
	return &Catalog{entries: slices.Clone(entries), limits: limits}
}

var gameField = (*zermelov1.Position)(nil).ProtoReflect().Descriptor().Oneofs().ByName("game")

// Limits are those in force.
func (c *Catalog) Limits() Limits { return c.limits }

// Open returns the game of a position. path is where the position stands in the request; it begins the field paths of
// the error, which is a *RequestError. It takes no longer than reading the position.
func (c *Catalog) Open(p *zermelov1.Position, path string) (Instance, error) {
	r := &Request{Limits: c.limits, violations: violations{path: path}}
	name := GameOf(p)
	if name == "" {
		r.Invalidf("", "no game is set; set one of %s", c.names())
		return nil, r.err()
	}
	for i := range c.entries {
		if e := &c.entries[i]; e.Name == name {
			r.path += "." + name
			r.entry = e
			instance := e.Open(r, p)
			if err := r.err(); err != nil {
				return nil, err
			}
			return instance, nil
		}
	}
	r.Invalidf("", "%s is not offered; set one of %s", name, c.names())
	return nil, r.err()
}

// GameOf is the name of a position's game, that of its field; empty when no game is set.
func GameOf(p *zermelov1.Position) string {
	if p == nil {
		return ""
	}
	field := p.ProtoReflect().WhichOneof(gameField)
	if field == nil {
		return ""
	}
	return string(field.Name())
}

// Games lists the names of the games.
func (c *Catalog) Games() []string {
	names := make([]string, len(c.entries))
	for i := range c.entries {
		names[i] = c.entries[i].Name
	}
	return names
}

func (c *Catalog) names() string { return strings.Join(c.Games(), ", ") }

// List describes the games, with the limits in force.
func (c *Catalog) List() *zermelov1.ListGamesResponse {
	response := &zermelov1.ListGamesResponse{EngineVersion: engine.Version}
	for i := range c.entries {
		response.Games = append(response.Games, c.info(&c.entries[i]))
	}
	return response
}

// info describes a game.
func (c *Catalog) info(e *Entry) *zermelov1.GameInfo {
	var theorems []zermelov1.Theorem
	if e.Theorem != zermelov1.Theorem_THEOREM_UNSPECIFIED {
		theorems = []zermelov1.Theorem{e.Theorem}
	}
	return &zermelov1.GameInfo{
		Name:             e.Name,
		Title:            e.Title,
		Question:         e.Question,
		Rules:            e.Rules,
		PositionNotation: e.PositionNotation,
		MoveNotation:     e.MoveNotation,
		MoveOrder:        e.MoveOrder,
		Objective:        objectives[e.Objective],
		Capabilities:     c.capabilities(e),
		Theorems:         theorems,
		MemoPolicies:     memoPolicies(e.Objective),
		Example:          proto.CloneOf(e.Example),
		Limits: append(e.Limits(c.limits),
			&zermelov1.Limit{Rpc: "Solve", Subject: "max_moves", Maximum: MaxMaxMoves, Unit: "moves"},
			&zermelov1.Limit{Rpc: "BatchSolve", Subject: "positions", Maximum: MaxBatch, Unit: "positions"},
			&zermelov1.Limit{Subject: "memo and stack of a search", Maximum: c.limits.MemoBudget, Unit: "bytes"},
			&zermelov1.Limit{Rpc: "Solve", Subject: "table of an algorithm", Maximum: int64(c.limits.TableBudget()), Unit: "bytes"},
		),
	}
}

// objectives are those of the contract, by those of the engine.
var objectives = [...]zermelov1.Objective{
	engine.WinLoss: zermelov1.Objective_OBJECTIVE_OUTCOME,
	engine.Margin:  zermelov1.Objective_OBJECTIVE_MARGIN,
	engine.Cost:    zermelov1.Objective_OBJECTIVE_COST,
}

// capabilities are what the game of the example can do beyond the rules.
func (c *Catalog) capabilities(e *Entry) []zermelov1.Capability {
	r := &Request{Limits: c.limits, entry: e}
	if able, ok := e.Open(r, e.Example).(interface{ capabilities() []zermelov1.Capability }); ok {
		return able.capabilities()
	}
	return nil
}

// memoPolicies are those of a game: one without lost positions only has values to remember.
func memoPolicies(objective engine.Objective) []zermelov1.MemoPolicy {
	if objective == engine.WinLoss {
		return []zermelov1.MemoPolicy{
			zermelov1.MemoPolicy_MEMO_POLICY_ALL, zermelov1.MemoPolicy_MEMO_POLICY_LOSSES,
			zermelov1.MemoPolicy_MEMO_POLICY_NONE,
		}
	}
	return []zermelov1.MemoPolicy{zermelov1.MemoPolicy_MEMO_POLICY_ALL, zermelov1.MemoPolicy_MEMO_POLICY_NONE}
}
