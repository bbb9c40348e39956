package rpc_test

import (
	"slices"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"

	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
)

// messages are all messages of the service's requests and responses, and what is in them.
func messages() map[protoreflect.FullName]protoreflect.MessageDescriptor {
	found := make(map[protoreflect.FullName]protoreflect.MessageDescriptor)
	var add func(protoreflect.MessageDescriptor)
	add = func(m protoreflect.MessageDescriptor) {
		if _, known := found[m.FullName()]; known || m.ParentFile().Package() != "zermelo.v1" {
			return
		}
		found[m.FullName()] = m
		for i := range m.Fields().Len() {
			if inner := m.Fields().Get(i).Message(); inner != nil {
				add(inner)
			}
		}
	}
	methods := zermelov1.File_zermelo_v1_solver_proto.Services().Get(0).Methods()
	for i := range methods.Len() {
		add(methods.Get(i).Input())
		add(methods.Get(i).Output())
	}
	return found
}

// TestNoMessageContainsItself: decoders stop at some depth, and clients in other languages at a smaller one.
func TestNoMessageContainsItself(t *testing.T) {
	var walk func(m protoreflect.MessageDescriptor, above []protoreflect.FullName)
	walk = func(m protoreflect.MessageDescriptor, above []protoreflect.FullName) {
		if slices.Contains(above, m.FullName()) {
			t.Errorf("%s contains itself: %v", m.FullName(), above)
			return
		}
		for i := range m.Fields().Len() {
			if inner := m.Fields().Get(i).Message(); inner != nil {
				walk(inner, append(slices.Clone(above), m.FullName()))
			}
		}
	}
	for _, m := range messages() {
		walk(m, nil)
	}
}

// TestAnswersThatCanBeZeroAreSeen: JSON leaves out what has no presence and is 0, which looks like "not known".
func TestAnswersThatCanBeZeroAreSeen(t *testing.T) {
	all := messages()
	for message, fields := range map[protoreflect.FullName][]protoreflect.Name{
		"zermelo.v1.Solution":           {"margin", "cost", "best_move_count"},
		"zermelo.v1.RankedMove":         {"margin", "cost", "moves_to_end"},
		"zermelo.v1.AnalyzeResponse":    {"main_line_length", "moves_to_end"},
		"zermelo.v1.EnumeratedPosition": {"margin", "cost", "moves_to_end"},
		"zermelo.v1.Event":              {"value"},
	} {
		for _, field := range fields {
			if f := all[message].Fields().ByName(field); f == nil || !f.HasOptionalKeyword() {
				t.Errorf("%s.%s is not optional", message, field)
			}
		}
	}
}

// TestNumbersAreStringsOnlyWhereTheyMust: JSON writes numbers of 64 bits as strings, so that those whose domain fits have
// 32. These are all that need more.
func TestNumbersAreStringsOnlyWhereTheyMust(t *testing.T) {
	wide := map[protoreflect.FullName]bool{}
	for _, name := range []protoreflect.FullName{
		"Nim.piles", "HundredGame.max_choosable_integer", "HundredGame.desired_total", "HundredGame.current_total",
		"PredictTheWinner.scores", "PredictTheWinner.lead", "StoneGame.piles", "StoneGame.lead",
		"Solution.margin", "Solution.cost", "Solution.best_move_count",
		"RankedMove.margin", "RankedMove.cost", "RankedMove.moves_to_end",
		"AnalyzeResponse.main_line_length", "AnalyzeResponse.moves_to_end",
		"EnumeratedPosition.margin", "EnumeratedPosition.cost", "EnumeratedPosition.moves_to_end",
		"Statistics.positions_expanded", "Statistics.memo_hits", "Statistics.memo_entries", "Statistics.terminals",
		"Statistics.cutoffs", "Statistics.max_depth",
		"EnumeratePositionsRequest.max_positions", "EnumeratePositionsRequest.resume_after_sequence",
		"EnumerationSummary.last_sequence", "EstimateCostResponse.memory_bytes", "EstimateCostResponse.positions", "EnumerationSummary.position_count", "EnumerationSummary.wins",
		"EnumerationSummary.losses", "EnumerationSummary.draws",
		"ExplainRequest.max_events", "ExplainRequest.resume_after_sequence", "ExplainRequest.sample_every",
		"Event.sequence", "Event.value", "Event.because", "Summary.event_count", "Summary.last_sequence",
		"Limit.maximum",
	} {
		wide["zermelo.v1."+name] = true
	}
	for _, m := range messages() {
		for i := range m.Fields().Len() {
			f := m.Fields().Get(i)
			switch f.Kind() {
			case protoreflect.Int64Kind, protoreflect.Uint64Kind, protoreflect.Sint64Kind:
				if !wide[f.FullName()] {
					t.Errorf("%s has 64 bits", f.FullName())
				}
				delete(wide, f.FullName())
			default:
			}
		}
	}
	for name := range wide {
		t.Errorf("%s has not 64 bits, or is gone", name)
	}
}
