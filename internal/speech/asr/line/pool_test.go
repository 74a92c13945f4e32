package line_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"parley/internal/host/fair"
	"parley/internal/host/sandbox"
	"parley/internal/speech/asr"
	"parley/internal/speech/asr/line"
	"parley/internal/testkit/asrtest"
	"parley/internal/testkit/sandboxtest"
	"parley/internal/testkit/verify"
	"parley/internal/words/fault"
	"parley/internal/words/sound"
)

// The test binary is also the engine; its first argument then selects the behaviour.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "engine" {
		behave(os.Args[2], os.Args[3:])
		os.Exit(0)
	}
	sandboxtest.Main(m)
}

var info = asr.Info{Engine: "test", Model: "m", Version: "1", Languages: []string{"en-US"}, MaxChunk: 20 * time.Second,
	Aligns: true, Adapts: true}

// behave runs an engine. Behaviours that fail once leave a file, so that the next process succeeds.
func behave(how string, rest []string) {
	once := len(rest) > 0 && os.Mkdir(rest[0], 0o700) == nil
	const greeting = `{"protocol":1,"engine":"test","languages":["en-US"],"maxChunk":20}` + "\n"
	switch {
	case how == "refuse":
		line.Refuse(os.Stdout, fault.New(fault.Unavailable, fault.CodeEngineFailed, "install the package foo"))
	case how == "mute":
		io.Copy(io.Discard, os.Stdin)
	case how == "babble":
		fmt.Fprintln(os.Stderr, "no GPU found")
		fmt.Println("Loading model...")
	case how == "starved":
		starve()
		line.Serve(context.Background(), os.Stdin, os.Stdout, info, echo{})
	case how == "die":
		os.Exit(3)
	case how == "good", len(rest) > 0 && !once:
		line.Serve(context.Background(), os.Stdin, os.Stdout, info, echo{})
	case how == "crash":
		fmt.Print(greeting)
		bufio.NewReader(os.Stdin).ReadString('\n')
	case how == "hang":
		fmt.Print(greeting)
		io.Copy(io.Discard, os.Stdin)
	case how == "deaf":
		fmt.Print(greeting)
		syscall.Pause()
	case how == "flood":
		fmt.Print(greeting)
		bufio.NewReader(os.Stdin).ReadString('\n')
		fmt.Print(strings.Repeat("x", 9<<20))
	default: // sends these bytes as each answer and keeps running
		fmt.Print(greeting)
		bufio.NewReader(os.Stdin).ReadString('\n')
		fmt.Print(how)
		io.Copy(io.Discard, os.Stdin)
	}
}

// starve works for a moment at idle priority on a processor used by another process.
func starve() {
	runtime.LockOSThread()
	const idle = 5 // SCHED_IDLE
	onFirstProcessor(0)
	unix.SchedSetAttr(0, &unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: idle}, 0)
	var before, now unix.Rusage
	for unix.Getrusage(unix.RUSAGE_THREAD,
		&before); now.Utime.Nano()-before.Utime.Nano() < int64(work); unix.Getrusage(unix.RUSAGE_THREAD, &now) {
	}
	unix.SchedSetAttr(0, &unix.SchedAttr{Size: unix.SizeofSchedAttr}, 0)
}

// work is the processor time a starved engine uses before its greeting; on a busy processor it takes a hundred times
// as long.
const work = 4 * time.Millisecond

// onFirstProcessor pins a process to the first processor available to it.
func onFirstProcessor(pid int) error {
	var allowed, one unix.CPUSet
	if err := unix.SchedGetaffinity(pid, &allowed); err != nil {
		return err
	}
	for i := 0; one.Count() == 0; i++ {
		if allowed.IsSet(i) {
			one.Set(i)
		}
	}
	return unix.SchedSetaffinity(pid, &one)
}

func TestABusyMachineEndsNoEngineAtItsGreeting(t *testing.T) {
	verify.Long(t)
	hog := exec.CommandContext(t.Context(), "sh", "-c", "while :; do :; done")
	if err := hog.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { hog.Process.Kill(); hog.Wait() })
	if err := onFirstProcessor(hog.Process.Pid); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	const limit = 500 * time.Millisecond
	p := pool(t, line.Config{Children: 1, StartTime: limit}, "starved", "")
	if _, err := p.Info(t.Context()); err != nil {
		t.Errorf("after %v: %v", time.Since(began), err)
	}
	if took := time.Since(began); took < limit {
		t.Skipf("it was not kept waiting: %v", took)
	}
}

// echo returns one word that describes the request.
type echo struct{}

func (echo) Recognize(_ context.Context, r asr.Request) (*asr.Recognition, error) {
	if len(r.PCM.Samples) > 0 && r.PCM.Samples[0] == 13 {
		return nil, fault.New(fault.Invalid, fault.CodeEngineFailed, "unlucky audio")
	}
	text := fmt.Sprintf("%d/%s/%s/%d/%v/%v/%v/%v/%s", len(r.PCM.Samples), r.Language, r.Model, r.Source.Rate,
		r.Source.Call, r.Vocabulary, r.Expected, r.Learn, r.Voices)
	return &asr.Recognition{Words: []asr.Word{{Text: text, End: r.PCM.Duration(), Confidence: 0.25,
		Punctuated: "Echo,"}}, Warnings: []string{"w"}, Voice: []byte{0, 255}}, nil
}

var trusted = sandbox.Access{Trusted: true}

func pool(t *testing.T, c line.Config, args ...string) *line.Pool {
	t.Helper()
	c.Limits.Access = trusted // the pool is under test, and some engines write files
	c.Command = append([]string{os.Args[0], "engine"}, args...)
	p := line.NewPool(c)
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

func second() asr.Request {
	return asr.Request{PCM: &sound.PCM{Rate: 16000, Samples: make([]int16, 16000)}, Language: "en-US"}
}

func TestPoolHoldsTheRecognizerContract(t *testing.T) {
	asrtest.Run(t, pool(t, line.Config{Children: 2}, "good"), info.MaxChunk, second().PCM)
}

func TestRequestReachesTheEngineWhole(t *testing.T) {
	p := pool(t, line.Config{Children: 1}, "good")
	r := second()
	r.Model, r.Source = "big", asr.Source{Rate: 8000, Call: true}
	r.Expected = []asr.Phrase{{Forms: [][]string{{"six", "fifty"}, {"650"}}}}
	r.Learn, r.Voices = true, [][]byte{[]byte("mine"), []byte("too")}
	got, err := p.Recognize(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	want := asr.Word{Text: "16000/en-US/big/8000/true/[]/[{[[six fifty] [650]]}]/true/[mine too]", End: time.Second,
		Confidence: 0.25, Punctuated: "Echo,"}
	if len(got.Words) != 1 || got.Words[0] != want || len(got.Warnings) != 1 || string(got.Voice) != "\x00\xff" {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestInfoComesFromTheGreeting(t *testing.T) {
	got, err := pool(t, line.Config{Children: 3}, "good").Info(context.Background())
	if err != nil || got.Engine != "test" || got.MaxChunk != info.MaxChunk || got.Parallel != 3 || !got.Aligns ||
		!got.Adapts {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestFailureOfOneChildIsHealedByAnother(t *testing.T) {
	for _, how := range []string{"crash", "hang", "deaf", "garbage\n", `{"id":1,"wor`, `{"id":7,"words":[]}` + "\n",
		`{"id":1,"error":{"kind":"failed","message":"x"}}` + "\n"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			marker := filepath.Join(t.TempDir(), "failed")
			p := pool(t, line.Config{Children: 1, ChunkTime: func(time.Duration) time.Duration {
				return 2 * time.Second
			}}, how, marker)
			got, err := p.Recognize(context.Background(), second())
			if err != nil || len(got.Words) != 1 {
				t.Fatalf("got %v, %v", got, err)
			}
			if _, err := os.Stat(marker); err != nil {
				t.Error("the first child never ran")
			}
		})
	}
}

func TestChunkThatFailsTwiceIsPoisonedAndThePoolLives(t *testing.T) {
	for _, how := range []string{"crash", `{"id":1,"words":[{"text":"a","start":2,"end":1}]}` + "\n",
		`{"id":1,"words":[{"text":"a","start":-1,"end":1}]}` + "\n", "flood"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			p := pool(t, line.Config{Children: 1}, how)
			for range 2 {
				_, err := p.Recognize(context.Background(), second())
				if _, ok := errors.AsType[*asr.Poisoned](err); !ok || fault.Is(err, fault.Unavailable) {
					t.Fatalf("error %v, want Poisoned", err)
				}
			}
		})
	}
}

func TestEngineThatCannotStartIsUnavailableWithTheRemedy(t *testing.T) {
	for how, want := range map[string]string{
		"refuse": "install the package foo",
		"babble": "no GPU found",
		"die":    "does not start",
		"mute":   "did not answer in time",
	} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			p := pool(t, line.Config{Children: 1, StartTime: 2 * time.Second}, how)
			_, err := p.Recognize(context.Background(), second())
			if !fault.Is(err, fault.Unavailable) || !strings.Contains(err.Error(), want) {
				t.Errorf("error %v, want Unavailable with %q", err, want)
			}
		})
	}
	p := line.NewPool(line.Config{Command: []string{"/nonexistent/engine"}})
	defer p.Close()
	if _, err := p.Info(context.Background()); !fault.Is(err, fault.Unavailable) {
		t.Errorf("error %v, want Unavailable", err)
	}
}

func TestRefusedRequestIsNotRepeatedAndTheChildStays(t *testing.T) {
	p := pool(t, line.Config{Children: 1}, "good")
	r := second()
	r.PCM.Samples[0] = 13
	if _, err := p.Recognize(context.Background(), r); !fault.Is(err, fault.Invalid) ||
		!strings.Contains(err.Error(), "unlucky") {
		t.Errorf("error %v, want Invalid", err)
	}
	if _, err := p.Recognize(context.Background(), second()); err != nil {
		t.Error(err)
	}
}

func TestChunkLongerThanTheEngineTakesIsInvalid(t *testing.T) {
	r := asr.Request{PCM: &sound.PCM{Rate: 16000, Samples: make([]int16, 16000*21)}}
	if _, err := pool(t, line.Config{Children: 1}, "good").Recognize(context.Background(), r); !fault.Is(err,
		fault.Invalid) {
		t.Errorf("error %v, want Invalid", err)
	}
}

func TestCancelKillsTheChildAtWork(t *testing.T) {
	p := pool(t, line.Config{Children: 1}, "hang")
	if _, err := p.Info(context.Background()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	if _, err := p.Recognize(ctx, second()); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want DeadlineExceeded", err)
	}
}

func TestCloseEndsRunningAndLaterRequests(t *testing.T) {
	p := pool(t, line.Config{Children: 1}, "hang")
	if _, err := p.Info(context.Background()); err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	for range 2 {
		go func() {
			_, err := p.Recognize(context.Background(), second())
			done <- err
		}()
	}
	p.Close()
	for range 2 {
		if err := <-done; !fault.Is(err, fault.Unavailable) {
			t.Errorf("error %v, want Unavailable", err)
		}
	}
	if _, err := p.Recognize(context.Background(), second()); !fault.Is(err, fault.Unavailable) {
		t.Errorf("error %v after Close, want Unavailable", err)
	}
}

func TestChildOverItsMemoryLimitHarmsNobody(t *testing.T) {
	p := pool(t, line.Config{Children: 1, Limits: sandbox.Limits{Memory: 1 << 20}}, "good")
	_, err := p.Recognize(context.Background(), second())
	if err == nil {
		t.Error("a child without memory answered")
	}
}

// The example in the documentation works as an engine.
func TestDocumentedEngineWorks(t *testing.T) {
	text, err := os.ReadFile("../../../../docs/engines.md")
	if err != nil {
		t.Fatal(err)
	}
	_, code, _ := strings.Cut(string(text), "```python\n")
	code, _, _ = strings.Cut(code, "```")
	p := line.NewPool(line.Config{Command: []string{"/usr/bin/python3", "-c", code}, Children: 2})
	t.Cleanup(func() { p.Close() })
	if _, err := p.Info(context.Background()); err != nil {
		t.Fatalf("%v (needs the package python3)", err)
	}
	asrtest.Run(t, p, 30*time.Second, nil)
}

// The first process hangs. Whichever account uses it, the other account gets an answer.
func TestAnotherAccountFindsAProcessFree(t *testing.T) {
	p := pool(t, line.Config{Children: 1}, "hang", filepath.Join(t.TempDir(), "once"))
	if _, err := p.Info(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	for _, account := range []string{"a", "b"} {
		go func() {
			_, err := p.Recognize(fair.With(ctx, nil, account), second())
			done <- err
		}()
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
