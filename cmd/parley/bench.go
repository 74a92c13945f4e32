package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"parley/internal/flow/pipeline"
	"parley/internal/lab/bench"
	"parley/internal/operation/config"
	"parley/internal/operation/server"
	"parley/internal/speech/asr/line"
	"parley/internal/speech/audio"
)

// benchCommand measures the performance of this machine.
type benchCommand struct {
	Callbacks benchCallbacks `cmd:"" help:"Measure deliveries per second, one per generated call, to receivers that accept at once."`
	Calls     benchCalls     `cmd:"" help:"Measure servers under a constant load of calls with given words, all analyses and a callback each."`
	Explore   benchExplore   `cmd:"" help:"Measure explorations of many calls: rows, facets and histograms, words and distributions."`
	Fairness  benchFairness  `cmd:"" help:"Measure how much expensive statements and categories of one account slow down small ones of another."`
	Index     benchIndex     `cmd:"" help:"Measure the index of calls of several servers that share PostgreSQL and S3: building, first answers, memory, merges and deletions."`
	Ingest    benchIngest    `cmd:"" help:"Measure the uploads per second that a server acknowledges, next to the limit of the disk."`
	Queue     benchQueue     `cmd:"" help:"Measure claims and completions of the job queue while many jobs wait."`
	Query     benchQuery     `cmd:"" help:"Measure queries on many calls in the analytic database."`
	Recognize benchRecognize `cmd:"" help:"Measure each step of a transcription, and the speed-up of more recogniser processes."`
	Search    benchSearch    `cmd:"" help:"Measure the full-text search of many calls, and their indexing."`
	Stalled   benchStalled   `cmd:"" help:"Measure the server memory of many stalled uploads of one account, and the delay of other accounts."`
	Upload    benchUpload    `cmd:"" help:"Measure the server memory of one huge upload."`
}

type benchIngest struct {
	URL      string        `help:"Server to measure; default: a temporary one, with --role api on loopback." placeholder:"URL" name:"url"`
	Token    string        `help:"Access token for --url." env:"PARLEY_TOKEN" placeholder:"TOKEN"`
	Data     string        `help:"Folder on the disk to measure, for temporary data." default:"." placeholder:"DIR" type:"existingdir"`
	Size     string        `help:"Size of each upload." default:"20kB"`
	Clients  int           `help:"Concurrent uploads." default:"64"`
	Duration time.Duration `help:"Duration of the measurement." default:"10s"`
}

// Run puts load on a server with uploads and prints the results.
func (c *benchIngest) Run(ctx context.Context) error {
	size, err := config.ParseSize(c.Size)
	if err != nil {
		return misuse(err)
	}
	if c.Clients < 1 || c.Duration <= 0 {
		return usagef("--clients and --duration must be positive")
	}
	load := bench.Ingest{Base: c.URL, Token: c.Token, Size: int(size), Clients: c.Clients, Duration: c.Duration}
	if c.URL == "" {
		s, err := ownServer(ctx, c.Data)
		if err != nil {
			return err
		}
		defer s.Close()
		load.Base, load.Token = s.Base, s.Token
	} else if c.Token == "" {
		return usagef("--url needs a --token")
	}
	found, err := load.Run(ctx)
	if err != nil {
		return err
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	rows := [][]any{
		{"uploads acknowledged", fmt.Sprintf("%d of %s in %s, %d at once", found.Acknowledged, c.Size, c.Duration,
			c.Clients)},
		{"per second", fmt.Sprintf("%.0f", found.Rate)},
		{"median, 99 %", fmt.Sprintf("%s, %s", milliseconds(found.Median), milliseconds(found.P99))},
		{"refused", found.Refused},
	}
	if c.URL == "" {
		if rows, err = c.addDiskLimit(rows, int(size), found.Rate); err != nil {
			return err
		}
	}
	if err := table(rows); err != nil {
		return err
	}
	if found.Refused > 0 {
		fmt.Fprintln(os.Stderr, "first refusal:", found.FirstRefusal)
		return errFailed
	}
	return nil
}

// addDiskLimit adds the limit of the disk to the rows: with one writer, and with as many as there were clients.
func (c *benchIngest) addDiskLimit(rows [][]any, size int, rate float64) ([][]any, error) {
	const each = 2 * time.Second
	for _, writers := range []int{1, c.Clients} {
		syncs, err := bench.Fsyncs(c.Data, size, writers, each)
		if err != nil {
			return nil, err
		}
		rows = append(rows, []any{
			fmt.Sprintf("disk, %d at once", writers),
			fmt.Sprintf("%.0f files of %s made durable a second; uploads: %.2f of that", syncs, c.Size, rate/syncs),
		})
	}
	return rows, nil
}

// ownServer starts this program as a server without workers, on a folder of its own.
func ownServer(ctx context.Context, dir string) (*bench.Server, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find the file of this program: %w", err)
	}
	return bench.StartServer(ctx, self, dir, "--role", "api", "--max-upload", "1TiB")
}

type benchRecognize struct {
	Processes []int  `help:"Numbers of recogniser processes to try." default:"1,2" placeholder:"N"`
	Media     string `help:"Recording to transcribe, with its channels mixed; longer ones give more precise figures. Default: the sample call." placeholder:"FILE" type:"existingfile"`
}

// Run transcribes a recording with each number of processes.
func (c *benchRecognize) Run(ctx context.Context) error {
	command, err := engineCommandLine()
	if err != nil {
		return err
	}
	rows := [][]any{{"PROCESSES", "CALL", "WORDS", "DECODE", "DETECT SPEECH", "RECOGNISE", "ASSEMBLE", "TOTAL",
		"REAL TIME", "ALL BUT RECOGNITION", "AT WORK", "PROCESSORS", "SPEED-UP"}}
	var first bench.RecognizeResult
	shared := false
	for i, n := range c.Processes {
		pool := server.NewPool(command, n, nil)
		found, err := timeCall(ctx, pool, c.Media)
		pool.Close()
		if err != nil {
			return err
		}
		if i == 0 {
			first = found
		}
		shared = shared || found.Processors() < 0.9*found.AtWork()
		rows = append(rows, recognizeRow(n, found, first))
	}
	if shared {
		fmt.Fprintln(os.Stderr, "other programs used the processors, too: without them, more processes would be faster "+
			"(PROCESSORS would equal AT WORK)")
	}
	return table(rows)
}

// timeCall measures the second run, since the first one loads the models.
func timeCall(ctx context.Context, pool *line.Pool, path string) (found bench.RecognizeResult, err error) {
	info, err := pool.Info(ctx)
	if err != nil {
		return found, err
	}
	r := bench.Recognize{Engine: pipeline.Engine{Recognizer: pool, Info: info}, Decoder: &audio.Decoder{}, Media: path}
	for range 2 {
		if found, err = r.Run(ctx); err != nil {
			return found, err
		}
	}
	return found, nil
}

func recognizeRow(n int, f, first bench.RecognizeResult) []any {
	total := f.Decode + f.Detect + f.Listen + f.Assemble
	return []any{
		n, f.Length.Round(100 * time.Millisecond), f.Words, milliseconds(f.Decode), milliseconds(f.Detect),
		milliseconds(f.Listen), milliseconds(f.Assemble),
		milliseconds(total), fmt.Sprintf("%.3f", total.Seconds()/f.Length.Seconds()),
		fmt.Sprintf("%.1f %% of recognition", 100*f.Overhead(n).Seconds()/f.Busy.Seconds()),
		fmt.Sprintf("%.2f", f.AtWork()), fmt.Sprintf("%.2f", f.Processors()),
		fmt.Sprintf("%.2f", first.Listen.Seconds()/f.Listen.Seconds()),
	}
}

// benchMemory has the flags of benchmarks that measure the memory that uploads need, on a server of their own.
type benchMemory struct {
	Size string `help:"Size of the upload, or of the transcript in each upload; default: ${default}." default:"${size}" placeholder:"SIZE"`
	Data string `help:"Folder on the disk to use, for temporary data." default:"." placeholder:"DIR" type:"existingdir"`
}

// measure runs a benchmark and prints its rows.
func (b benchMemory) measure(ctx context.Context, run func(s *bench.Server, size int64) ([][]any, error)) error {
	size, err := config.ParseSize(b.Size)
	if err != nil {
		return misuse(err)
	}
	s, err := ownServer(ctx, b.Data)
	if err != nil {
		return err
	}
	defer s.Close()
	rows, err := run(s, size)
	if err != nil {
		return err
	}
	return table(rows)
}

// memoryRows shows the server's memory before the benchmark and at its peak.
func memoryRows(before, peak int64) [][]any {
	return [][]any{
		{"server's memory before", bytesText(before)},
		{"peak during the uploads", bytesText(peak)},
		{"added", bytesText(max(peak-before, 0))},
	}
}

type benchUpload struct {
	benchMemory `set:"size=1GiB"`
}

// Run uploads generated bytes to a server of its own and prints the memory needed.
func (c *benchUpload) Run(ctx context.Context) error {
	return c.measure(ctx, func(s *bench.Server, size int64) ([][]any, error) {
		found, err := bench.Upload{Server: s, Size: size}.Run(ctx)
		rate := bytesText(int64(float64(size) / found.Took.Seconds()))
		rows := [][]any{{"upload", fmt.Sprintf("%s in %.1f s, %s a second", c.Size, found.Took.Seconds(), rate)}}
		return append(rows, memoryRows(found.Before, found.Peak)...), err
	})
}

type benchStalled struct {
	Uploads     int `help:"Number of stalled uploads; default: ${default}." default:"1000" placeholder:"N"`
	benchMemory `set:"size=31MB"`
}

// Run stalls uploads to a server of its own and prints the memory needed.
func (c *benchStalled) Run(ctx context.Context) error {
	if err := positive("--uploads", c.Uploads); err != nil {
		return err
	}
	return c.measure(ctx, func(s *bench.Server, size int64) ([][]any, error) {
		other, err := s.Account(ctx, "other")
		if err != nil {
			return nil, err
		}
		found, err := bench.Stalled{Server: s, Other: other, Uploads: c.Uploads, Size: size}.Run(ctx)
		rows := [][]any{{"uploads", fmt.Sprintf("%d of %s each, of one account: %d refused, %d stalled, %d lost",
			c.Uploads, c.Size, found.Refused, found.Waiting, found.Lost)}}
		return append(append(rows, memoryRows(found.Before, found.Peak)...),
			[]any{"after the uploads", bytesText(found.After)},
			[]any{"another account's uploads",
				fmt.Sprintf("the slowest of %d in %s; in %s while the others were being sent",
					found.Others, milliseconds(found.Slowest), milliseconds(found.Busiest))},
		), err
	})
}

func milliseconds(d time.Duration) string {
	return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond))
}
