package tracefile_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"github.com/zermelo-games/zermelo/client"
	"github.com/zermelo-games/zermelo/client/tracefile"
	zermelov1 "github.com/zermelo-games/zermelo/gen/zermelo/v1"
	"github.com/zermelo-games/zermelo/server/servertest"
)

func Example() {
	server, stop, err := servertest.Run()
	if err != nil {
		log.Fatal(err)
	}
	defer stop()
	// Elsewhere: client.New("localhost:50051").
	c, err := client.New(server.Target(), client.WithDialOptions(server.DialOptions()...))
	if err != nil {
		log.Print(err)
		return
	}
	defer func() { _ = c.Close() }()
	dir, err := os.MkdirTemp("", "traces")
	if err != nil {
		log.Print(err)
		return
	}
	defer func() { _ = os.RemoveAll(dir) }()
	path := filepath.Join(dir, "hundred.jsonl")

	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	request := &zermelov1.ExplainRequest{Position: &zermelov1.Position{Game: &zermelov1.Position_HundredGame{
		HundredGame: &zermelov1.HundredGame{MaxChoosableInteger: 2, DesiredTotal: 10, CurrentTotal: 6},
	}}}
	if err := tracefile.Save(path, request, c.Explain(ctx, request)); err != nil {
		log.Print(err)
		return
	}

	reader, err := tracefile.Open(path)
	if err != nil {
		log.Print(err)
		return
	}
	defer func() { _ = reader.Close() }()
	for event, err := range reader.Events() {
		if err != nil {
			log.Print(err)
			return
		}
		fmt.Printf("%d: %s: %v %q\n", event.GetSequence(), event.GetPosition(), event.GetOutcome(), event.GetMove())
	}
	fmt.Println(reader.Summary().GetEventCount(), "events,", reader.Summary().GetSolution().GetOutcome())
	// Output:
	// 1: 9: OUTCOME_WIN "1"
	// 2: 8: OUTCOME_WIN "2"
	// 3: 7: OUTCOME_LOSS ""
	// 4: 6: OUTCOME_WIN "1"
	// 4 events, OUTCOME_WIN
}
