package main

import (
	"context"
	"runtime"
	"slices"
	"time"
)

const (
	// sampleTime is how long a sample takes at least: what is faster is repeated.
	sampleTime = 2 * time.Millisecond
	// The ways are sampled in turn leastRounds times at least, then until roundsTime is over or mostRounds are done.
	leastRounds = 7
	mostRounds  = 51
	roundsTime  = 4 * time.Second
)

// inTurn samples all ways in turn, round by round: the nanoseconds of each.
func inTurn(ctx context.Context, ways ...way) (rounds [][]float64, err error) {
	repeats := make([]int, len(ways))
	for i, w := range ways {
		for repeats[i] = 1; ; {
			took, err := w.sample(ctx, repeats[i])
			if err != nil {
				return nil, err
			}
			if took*float64(repeats[i]) >= float64(sampleTime) {
				break
			}
			repeats[i] = max(2*repeats[i], int(float64(sampleTime)/max(took, 1)))
		}
	}
	for start := time.Now(); len(rounds) < leastRounds || len(rounds) < mostRounds && time.Since(start) < roundsTime; {
		round := make([]float64, len(ways))
		for i, w := range ways {
			if round[i], err = w.sample(ctx, repeats[i]); err != nil {
				return nil, err
			}
		}
		rounds = append(rounds, round)
	}
	return rounds, nil
}

// sample is how many nanoseconds a solve takes.
func (w way) sample(ctx context.Context, repeats int) (float64, error) {
	runtime.GC() // what others left is not to be paid for here
	start := time.Now()
	for range repeats {
		if _, err := w.solve(ctx); err != nil {
			return 0, err
		}
	}
	return float64(time.Since(start)) / float64(repeats), nil
}

// spread is a median and both ends.
type spread struct{ least, median, most float64 }

// spreadOf is the spread of what there is in each round.
func spreadOf(rounds [][]float64, of func(round []float64) float64) spread {
	values := make([]float64, 0, len(rounds))
	for _, round := range rounds {
		values = append(values, of(round))
	}
	slices.Sort(values)
	n := len(values)
	return spread{values[0], (values[(n-1)/2] + values[n/2]) / 2, values[n-1]}
}
