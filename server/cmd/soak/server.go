package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"sync/atomic"
	"syscall"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// server is a running zermelod.
type server struct {
	process *exec.Cmd
	// address is that of the gRPC port, admin that of the admin port.
	address, admin string
	ended          chan error
	// faults counts the errors that it logged.
	faults atomic.Int64
}

// sample is what the server holds at one moment.
type sample struct {
	goroutines int
	// resident and heap are in bytes.
	resident, heap uint64
}

func startServer(ctx context.Context, out io.Writer, program string, args ...string) (*server, error) {
	args = append([]string{
		"--listen=127.0.0.1:0", "--admin-listen=127.0.0.1:0", "--log-format=json", "--log-level=info", "--drain-delay=0s",
	}, args...)
	// An interrupt ends the calls first, and then the server as at any other time.
	s := &server{process: exec.CommandContext(context.WithoutCancel(ctx), program, args...), ended: make(chan error, 1)}
	stderr, err := s.process.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := s.process.Start(); err != nil {
		return nil, err
	}
	listening := make(chan struct{})
	go func() {
		// The log is a line a call: it is read to its end, and but for its beginning forgotten.
		lines := bufio.NewScanner(stderr)
		for lines.Scan() {
			var line struct{ Msg, Address, Admin, Level string }
			if json.Unmarshal(lines.Bytes(), &line) != nil {
				_, _ = fmt.Fprintln(out, lines.Text())
				continue
			}
			switch {
			case line.Msg == "listening" && s.address == "":
				s.address, s.admin = line.Address, line.Admin
				close(listening)
			case line.Level == "ERROR":
				s.faults.Add(1)
				_, _ = fmt.Fprintln(out, "the server logs", lines.Text())
			}
		}
		s.ended <- s.process.Wait()
	}()
	select {
	case <-listening:
		return s, nil
	case err := <-s.ended:
		return nil, fmt.Errorf("%s ended at once: %w", program, errors.Join(err, errors.New("see above")))
	case <-ctx.Done():
		s.kill()
		return nil, context.Cause(ctx)
	}
}

// sample reads the metrics of the server.
func (s *server) sample(ctx context.Context) (sample, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.admin+"/metrics", http.NoBody)
	if err != nil {
		return sample{}, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return sample{}, err
	}
	defer func() { _ = response.Body.Close() }()
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(response.Body)
	if err != nil {
		return sample{}, err
	}
	return sample{
		goroutines: int(gauge(families, "go_goroutines")),
		resident:   uint64(gauge(families, "process_resident_memory_bytes")),
		heap:       uint64(gauge(families, "go_memstats_heap_alloc_bytes")),
	}, nil
}

func gauge(families map[string]*dto.MetricFamily, name string) float64 {
	for _, m := range families[name].GetMetric() {
		return m.GetGauge().GetValue()
	}
	return 0
}

// settle samples the server until it has no more goroutines than wanted, for some time at most; with 0, until it has not
// changed for a second.
func (s *server) settle(ctx context.Context, most time.Duration, wanted int) (sample, error) {
	var last sample
	for deadline := time.Now().Add(most); ; {
		now, err := s.sample(ctx)
		if err != nil || time.Now().After(deadline) ||
			wanted > 0 && now.goroutines <= wanted || wanted == 0 && now.goroutines == last.goroutines {
			return now, err
		}
		last = now
		time.Sleep(time.Second)
	}
}

// stop ends the server as an operator does.
func (s *server) stop() error {
	const most = 30 * time.Second
	if err := s.process.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	select {
	case err := <-s.ended:
		return err
	case <-time.After(most):
		return fmt.Errorf("it still runs %v after SIGTERM", most)
	}
}

// kill ends the server if it still runs.
func (s *server) kill() { _ = s.process.Process.Kill() }
