package proof_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/zermelo-games/zermelo/client/proof"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/games"
)

// mutation changes a proof, or the request that it is given for. It works on copies.
type mutation struct {
	name   string
	mutate func(r *rand.Rand, c *mutated)
}

// mutated is what a mutation changes.
type mutated struct {
	m      *model
	events []*zermelov1.Event
	// of is the request that the proof was made for, and before the proof as it was.
	of     *model
	before []*zermelov1.Event
}

// changed says whether anything is.
func (c *mutated) changed() bool { return c.m != c.of || !same(c.before, c.events) }

func (c *mutated) any(r *rand.Rand) *zermelov1.Event { return c.events[r.IntN(len(c.events))] }

// renumber gives the events the numbers of their places, and has `because` follow.
func (c *mutated) renumber() {
	renamed := make(map[int64]int64)
	for i, event := range c.events {
		renamed[event.GetSequence()] = int64(i + 1)
		event.Sequence = int64(i + 1)
	}
	for _, event := range c.events {
		event.Because = renamed[event.GetBecause()]
	}
}

// pick is any of some values.
func pick[T any](r *rand.Rand, values ...T) T { return values[r.IntN(len(values))] }

// mutationsOfEvents leave the request alone.
var mutationsOfEvents = []mutation{
	{"outcome replaced", func(r *rand.Rand, c *mutated) {
		c.any(r).Outcome = zermelov1.Outcome(r.IntN(5))
	}},
	{"outcome flipped all the way", func(_ *rand.Rand, c *mutated) {
		for _, event := range c.events {
			event.Outcome = map[zermelov1.Outcome]zermelov1.Outcome{win: loss, loss: win, draw: draw}[event.GetOutcome()]
		}
	}},
	{"said to be lost", func(r *rand.Rand, c *mutated) {
		event := c.any(r)
		event.Outcome, event.Move, event.Because = loss, "", 0
	}},
	{"event dropped", func(r *rand.Rand, c *mutated) {
		i := r.IntN(len(c.events))
		c.events = slices.Delete(c.events, i, i+1)
	}},
	{"event dropped, renumbered", func(r *rand.Rand, c *mutated) {
		i := r.IntN(len(c.events))
		c.events = slices.Delete(c.events, i, i+1)
		c.renumber()
	}},
	{"last event missing", func(_ *rand.Rand, c *mutated) {
		c.events = c.events[:len(c.events)-1]
	}},
	{"cut", func(r *rand.Rand, c *mutated) {
		c.events = c.events[:r.IntN(len(c.events))]
	}},
	{"two swapped", func(r *rand.Rand, c *mutated) {
		i, j := r.IntN(len(c.events)), r.IntN(len(c.events))
		c.events[i], c.events[j] = c.events[j], c.events[i]
	}},
	{"two swapped, renumbered", func(r *rand.Rand, c *mutated) {
		i, j := r.IntN(len(c.events)), r.IntN(len(c.events))
		c.events[i], c.events[j] = c.events[j], c.events[i]
		c.renumber()
	}},
	{"neighbours swapped, renumbered", func(r *rand.Rand, c *mutated) {
		if i := r.IntN(len(c.events)); i+1 < len(c.events) {
			c.events[i], c.events[i+1] = c.events[i+1], c.events[i]
		}
		c.renumber()
	}},
	{"event repeated", func(r *rand.Rand, c *mutated) {
		again := proto.CloneOf(c.any(r))
		c.events = slices.Insert(c.events, r.IntN(len(c.events)+1), again)
	}},
	{"event repeated, numbered on", func(r *rand.Rand, c *mutated) {
		again := proto.CloneOf(c.any(r))
		again.Sequence = -1
		c.events = slices.Insert(c.events, r.IntN(len(c.events)+1), again)
		c.renumber()
	}},
	{"move replaced by another", func(r *rand.Rand, c *mutated) {
		event := c.any(r)
		if _, known := c.m.plays()[event.GetPosition()]; known {
			event.Move = pick(r, c.m.moves(event.GetPosition())...).move
		}
	}},
	{"move replaced by another, with its because", func(r *rand.Rand, c *mutated) {
		event := c.any(r)
		if _, known := c.m.plays()[event.GetPosition()]; !known {
			return
		}
		o := pick(r, c.m.moves(event.GetPosition())...)
		event.Move, event.Because = o.move, 0
		for _, other := range c.events {
			if other.GetPosition() == c.m.branch(o) {
				event.Because = other.GetSequence()
			}
		}
	}},
	{"move replaced by an illegal one", func(r *rand.Rand, c *mutated) {
		c.any(r).Move = pick(r, "", "-", "0", "1", "2", "7", "99", "-1", "01", "+1", " 1", "1 ", "L", "R", "l", "LR", "M",
			"3>3", "3>4", "9>0", "1>0", "1>", ">0", "1>-1", "18446744073709551617", "9223372036854775808", "١")
	}},
	{"value off by one", func(r *rand.Rand, c *mutated) {
		event := c.any(r)
		event.Value = proto.Int64(event.GetValue() + pick(r, int64(-1), 1))
	}},
	{"value off by one, outcome along", func(r *rand.Rand, c *mutated) {
		event := c.any(r)
		event.Value = proto.Int64(event.GetValue() + pick(r, int64(-1), 1))
		event.Outcome = outcomeOf(event.GetValue())
	}},
	{"value added or left out", func(r *rand.Rand, c *mutated) {
		event := c.any(r)
		if event.Value != nil {
			event.Value = nil
		} else {
			event.Value = proto.Int64(r.Int64N(3) - 1)
		}
	}},
	{"foreign position", func(r *rand.Rand, c *mutated) {
		c.any(r).Position = pick(r, "", "-", "0", "1", "1,2", "7", "99", "0..1", "0..2", "1..2", "2..3", "3..3", "5..2", "1..99",
			"0-0-0", "1-1-0", "1-1", "9-1-1", "1-2-3", "3-2-1", "3-2-1-0", "0..0", "18446744073709551616..18446744073709551617")
	}},
	{"position written otherwise", func(r *rand.Rand, c *mutated) {
		event := c.any(r)
		text := event.GetPosition()
		event.Position = pick(r, "0"+text, text+" ", " "+text, "+"+text, text+",", text+"-0", "0-"+text, text+"..",
			strings.Replace(text, "..", ".. ", 1), strings.Replace(text, ",", ", ", 1), text[:len(text)-1],
			strings.ToUpper(text), text+"\x00", reversed(text))
	}},
	{"position exchanged for another's", func(r *rand.Rand, c *mutated) {
		c.any(r).Position = c.any(r).GetPosition()
	}},
	{"because off", func(r *rand.Rand, c *mutated) {
		c.any(r).Because += pick(r, int64(-1), 1, 2, 1<<32, -1<<63)
	}},
	{"because of another", func(r *rand.Rand, c *mutated) {
		c.any(r).Because = r.Int64N(int64(len(c.events) + 1))
	}},
	{"depth replaced", func(r *rand.Rand, c *mutated) {
		c.any(r).Depth = pick(r, uint32(0), 1, 2, 3, 5, 8, 1<<32-1)
	}},
	{"kind replaced", func(r *rand.Rand, c *mutated) {
		c.any(r).Kind = zermelov1.EventKind(r.IntN(8))
	}},
	{"theorem named", func(r *rand.Rand, c *mutated) {
		c.any(r).Theorem = zermelov1.Theorem(r.IntN(5))
	}},
	{"number replaced", func(r *rand.Rand, c *mutated) {
		c.any(r).Sequence = r.Int64N(int64(len(c.events)+2)) - 1
	}},
	{"numbered from another one", func(_ *rand.Rand, c *mutated) {
		for _, event := range c.events {
			event.Sequence++
		}
	}},
	{"decision more", func(r *rand.Rand, c *mutated) {
		// A right decision about some position, proved or not: harmless, when what it rests on is there.
		position := pick(r, slices.Sorted(maps.Keys(c.m.plays()))...)
		event := c.m.event(position, 0)
		event.Depth = pick(r, slices.Sorted(maps.Keys(c.m.plays()[position]))...)
		event.Sequence = -1
		i := r.IntN(len(c.events))
		if c.m.decides(position) {
			o := pick(r, c.m.best(position)...)
			event.Move = o.move
			for _, other := range c.events[:i] {
				if other.GetPosition() == c.m.branch(o) {
					event.Because = other.GetSequence()
				}
			}
		}
		c.events = slices.Insert(c.events, i, event)
		c.renumber()
	}},
}

var mutations = append(slices.Clone(mutationsOfEvents), []mutation{
	{"the same proof under another request", func(r *rand.Rand, c *mutated) {
		c.m = another(r, c.of.asked)
	}},
	{"the theorem under another request", func(r *rand.Rand, c *mutated) {
		if theorem := c.of.proveByTheorem(r.IntN); theorem != nil {
			c.events = theorem
		}
		c.m = another(r, c.of.asked)
	}},
	{"the theorem, mutated", func(r *rand.Rand, c *mutated) {
		theorem := c.m.proveByTheorem(r.IntN)
		if theorem == nil {
			return
		}
		c.events, c.before = theorem, clone(theorem)
		pick(r, mutationsOfEvents...).mutate(r, c)
	}},
	{"the theorem among decisions", func(r *rand.Rand, c *mutated) {
		c.events = slices.Insert(c.events, r.IntN(len(c.events)+1), c.m.proveByTheorem(r.IntN)...)
		if r.IntN(2) == 0 {
			c.renumber()
		}
	}},
}...)

func reversed(text string) string {
	bytes := []byte(text)
	slices.Reverse(bytes)
	return string(bytes)
}

// another is the model of a small position like asked, with one field changed a little.
func another(r *rand.Rand, asked *zermelov1.Position) *model {
	for {
		changed := proto.CloneOf(asked)
		m := changed.ProtoReflect()
		change(r, m.Mutable(m.WhichOneof(m.Descriptor().Oneofs().ByName("game"))).Message())
		if m := smallModel(changed); m != nil {
			return m
		}
	}
}

// change changes one field of a message: an enum to any value, a number by one, a list at its end or in one element.
func change(r *rand.Rand, m protoreflect.Message) {
	fields := m.Descriptor().Fields()
	field := fields.Get(r.IntN(fields.Len()))
	switch {
	case field.IsList():
		list := m.Mutable(field).List()
		switch i := r.IntN(list.Len() + 2); {
		case i < list.Len():
			list.Set(i, byOne(r, list.Get(i)))
		case i == list.Len() || list.Len() == 0:
			list.Append(byOne(r, list.NewElement()))
		default:
			list.Truncate(list.Len() - 1)
		}
	case field.Enum() != nil:
		m.Set(field, protoreflect.ValueOfEnum(protoreflect.EnumNumber(r.IntN(field.Enum().Values().Len()))))
	default:
		m.Set(field, byOne(r, m.Get(field)))
	}
}

// byOne is one more or one less than a number; more than 0.
func byOne(r *rand.Rand, number protoreflect.Value) protoreflect.Value {
	switch n := number.Interface().(type) {
	case uint32:
		return protoreflect.ValueOfUint32(n + pick(r, min(n, 1)*(1<<32-1), 1))
	case uint64:
		return protoreflect.ValueOfUint64(n + pick(r, -min(n, 1), 1))
	default:
		return protoreflect.ValueOfInt64(number.Int() + pick(r, int64(-1), 1))
	}
}

// mutatedModels are those whose proofs are mutated: small positions of every game at random, over which the game is not,
// and some with theorems.
func mutatedModels() []*model {
	const most = 100 // positions, or a mutation would seldom be wrong
	r := rand.New(rand.NewPCG(5, 6))
	models := []*model{modelOf(nim(misere, 4, 2, 1)), modelOf(canIWin(4, 11)), modelOf(hundredGame(4, 12, 2))}
	for _, game := range games.All() {
		for drawn := 0; drawn < 3; {
			if m := smallModel(game.Draw(r)); m != nil && len(m.plays()) > 3 && len(m.plays()) < most {
				models = append(models, m)
				drawn++
			}
		}
	}
	return models
}

// Of many random mutations of proofs, exactly those are accepted that are proofs still, with the right verdict; which
// these are, the model says, which knows the truth. Mutations that change nothing are not counted.
func TestMutations(t *testing.T) {
	const each = 400
	models := mutatedModels()
	var rejected, accepted int
	for number, mutation := range mutations {
		t.Run(mutation.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(5, uint64(number)))
			var wrong, right int
			for wrong+right < each {
				of := pick(r, models...)
				c := &mutated{m: of, of: of, events: of.prove(r.IntN)}
				c.before = clone(c.events)
				if mutation.mutate(r, c); !c.changed() {
					continue
				}
				verdict, err := proof.Check(c.m.asked, stream(c.events))
				if c.m.accepts(c.events) {
					right++
					if err != nil {
						t.Fatalf("%v: a right proof is rejected: %v\n%s", c.m.asked, err, list(c.events))
					}
					checkVerdict(t, c.m, c.events, verdict)
					continue
				}
				wrong++
				if err == nil {
					t.Fatalf("%v: a wrong proof is accepted:\n%s", c.m.asked, list(c.events))
				}
				if !errors.As(err, new(*proof.WrongError)) && !errors.Is(err, proof.ErrIncomplete) {
					t.Fatal(err)
				}
			}
			t.Logf("%d wrong ones rejected, %d right ones accepted", wrong, right)
			if wrong == 0 {
				t.Error("nothing was wrong")
			}
			rejected += wrong
			accepted += right
		})
	}
	t.Logf("%d wrong ones rejected, %d right ones accepted", rejected, accepted)
	if rejected < 10_000 {
		t.Error("too few")
	}
}

func clone(events []*zermelov1.Event) []*zermelov1.Event {
	copies := make([]*zermelov1.Event, 0, len(events))
	for _, event := range events {
		copies = append(copies, proto.CloneOf(event))
	}
	return copies
}

func same(a, b []*zermelov1.Event) bool {
	return slices.EqualFunc(a, b, func(a, b *zermelov1.Event) bool { return proto.Equal(a, b) })
}

// The first wrong event is the one that is named: of the single faults that are wrong by themselves, at their place.
func TestTheFirstWrongEventIsNamed(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, m := range mutatedModels() {
		asked := m.asked
		for range 50 {
			events := m.prove(r.IntN)
			at := r.IntN(len(events))
			for i := at; i < len(events); i++ { // whatever comes after the first fault
				switch event := events[i]; r.IntN(5) {
				case 0:
					event.Depth = 1 << 30
				case 1:
					event.Position += "?"
				case 2:
					event.Because = -1
				case 3:
					event.Sequence = 0
				default:
					event.Outcome = 9
				}
			}
			_, err := proof.Check(asked, stream(events))
			var wrong *proof.WrongError
			if !errors.As(err, &wrong) {
				t.Fatalf("%v: %v\n%s", asked, err, list(events))
			}
			if wrong.Sequence != int64(at+1) || wrong.Position != events[at].GetPosition() || wrong.Why == "" {
				t.Fatalf("%v: event %d is wrong; named is %d, %q: %s", asked, at+1, wrong.Sequence, wrong.Position, wrong.Why)
			}
			if text := fmt.Sprint(wrong); !strings.Contains(text, wrong.Why) {
				t.Errorf("%q does not say %q", text, wrong.Why)
			}
		}
	}
}
