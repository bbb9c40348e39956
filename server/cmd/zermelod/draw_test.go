package main_test

import (
	"math"
	"math/rand/v2"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/catalog"
)

// Middling draws a position whose trace has some thousand events, or some hundred thousand.
func (j *Judge) Middling(r *rand.Rand) *zermelov1.Position {
	return j.sized(r, tracing, 1_000, 100_000)
}

// Large draws a position that takes up to a second to solve, and none of those that take no time.
func (j *Judge) Large(r *rand.Rand) *zermelov1.Position {
	return j.sized(r, solving, 500, 2_000_000)
}

// Long draws a position whose trace has millions of events, or no bound.
func (j *Judge) Long(r *rand.Rand) *zermelov1.Position {
	return j.sized(r, tracing, 1_000_000, math.MaxUint64)
}

// solving and tracing are the price of a position, as work; 0 where it is refused.
func solving(i catalog.Instance) uint64 {
	price, err := i.SolvePrice()
	if err != nil {
		return 0
	}
	return price.Positions
}

func tracing(i catalog.Instance) uint64 {
	trace, err := i.Explain(catalog.TraceOptions{
		Detail: zermelov1.Detail_DETAIL_DECISIONS, Policy: zermelov1.MemoPolicy_MEMO_POLICY_ALL,
	})
	if err != nil {
		return 0
	}
	return trace.Price().Positions
}

// mostBytes is how large the positions are at most, so that those after their moves are in answers.
const mostBytes = 64 << 10

// sized draws small positions and has them grow at random, step by step, until one has a price within bounds. Those of
// some games never have.
func (j *Judge) sized(r *rand.Rand, price func(catalog.Instance) uint64, least, most uint64) *zermelov1.Position {
	const steps, rejections = 60, 10 // before another one is tried
	for {
		p := j.Small(r)
		for step, rejected := 0, 0; step < steps && rejected < rejections; step++ {
			larger := proto.CloneOf(p)
			change(r, larger, growth{})
			instance, err := j.catalog.Open(larger, "position")
			if rejected++; err != nil || proto.Size(larger) > mostBytes {
				continue
			}
			switch asked := price(instance); {
			case asked > most:
			case asked >= least:
				return larger
			default:
				p, rejected = larger, 0
			}
		}
	}
}

// Bad draws a position that no server answers: not legal, or too large.
func (j *Judge) Bad(r *rand.Rand) *zermelov1.Position {
	if r.IntN(10) == 0 {
		return []*zermelov1.Position{nil, {}}[r.IntN(2)]
	}
	for {
		p := j.Small(r)
		change(r, p, extremes{})
		if _, err := j.catalog.Open(p, "position"); err != nil {
			return p
		}
	}
}

// changer changes numbers: one of a field, or those that are appended to a list.
type changer interface {
	unsigned(r *rand.Rand, n uint64) uint64
	signed(r *rand.Rand, n int64) int64
	enum(r *rand.Rand, n protoreflect.EnumNumber) protoreflect.EnumNumber
	// more is by how many elements a list with so many becomes longer.
	more(r *rand.Rand, n int) int
}

// growth makes numbers up to twice as large, within reason, and lists up to twice as long.
type growth struct{}

const reason = 1 << 40

func (growth) unsigned(r *rand.Rand, n uint64) uint64 { return n + r.Uint64N(min(n, reason)+2) }

func (growth) signed(r *rand.Rand, n int64) int64 {
	size := min(max(n, -n), reason)
	return n + r.Int64N(2*size+3) - size - 1
}

func (growth) more(r *rand.Rand, n int) int { return 1 + r.IntN(n+1) }
func (growth) enum(_ *rand.Rand, n protoreflect.EnumNumber) protoreflect.EnumNumber {
	return n
}

// extremes makes numbers as small or as large as can be.
type extremes struct{}

func (extremes) unsigned(r *rand.Rand, _ uint64) uint64 {
	return []uint64{0, math.MaxUint32, 1 << 63, math.MaxUint64}[r.IntN(4)]
}
func (extremes) signed(r *rand.Rand, _ int64) int64 {
	return []int64{math.MinInt64, 0, math.MaxInt64}[r.IntN(3)]
}
func (extremes) more(*rand.Rand, int) int { return 1 }
func (extremes) enum(r *rand.Rand, _ protoreflect.EnumNumber) protoreflect.EnumNumber {
	return []protoreflect.EnumNumber{-1, 0, 99}[r.IntN(3)]
}

// change changes one field of a position's game.
func change(r *rand.Rand, p *zermelov1.Position, by changer) {
	game := gameOf(p)
	fields := game.Descriptor().Fields()
	field := fields.Get(r.IntN(fields.Len()))
	if !field.IsList() {
		game.Set(field, changed(r, field, game.Get(field), by))
		return
	}
	list := game.Mutable(field).List()
	for range by.more(r, list.Len()) {
		element := list.NewElement()
		if list.Len() > 0 {
			element = list.Get(r.IntN(list.Len()))
		}
		list.Append(changed(r, field, element, by))
	}
}

// changed is another value of a field.
func changed(r *rand.Rand, field protoreflect.FieldDescriptor, v protoreflect.Value, by changer) protoreflect.Value {
	switch n := v.Interface().(type) {
	case uint32:
		return protoreflect.ValueOfUint32(uint32(min(by.unsigned(r, uint64(n)), math.MaxUint32)))
	case uint64:
		return protoreflect.ValueOfUint64(by.unsigned(r, n))
	case int64:
		return protoreflect.ValueOfInt64(by.signed(r, n))
	case protoreflect.EnumNumber:
		return protoreflect.ValueOfEnum(by.enum(r, n))
	default:
		panic("judge: the type of " + string(field.FullName()) + " is not known here")
	}
}
