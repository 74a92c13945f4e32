package soak

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"parley/internal/speech/asr"
	"parley/internal/speech/asr/line"
	"parley/internal/testkit/verify"
	"parley/internal/words/sound"
)

// engineFlags returns flags that start this test binary as the server's recogniser, well behaved or faulty.
func engineFlags(how ...string) []string {
	flags := []string{"--engine-program", strings.Join(append([]string{os.Args[0], "engine"}, how...), " "),
		"--engines", strconv.Itoa(engineProcesses)}
	if len(how) > 1 {
		flags = append(flags, "--trust-engine-programs") // it records its actions in a folder
	}
	return flags
}

// engine runs as that recogniser. It is fast, so that hours of audio take seconds.
func engine(how []string) {
	info := asr.Info{Engine: "quick", Model: "words", Version: "1", Languages: []string{"en-US"},
		MaxChunk: 15 * time.Second}
	var recognizer asr.Recognizer = quick{}
	if len(how) > 1 {
		recognizer = unruly{kind: how[0], dir: how[1]}
		info.MaxChunk = 4 * time.Second // the timeout of a hanging chunk depends on its length
	}
	if err := line.Serve(context.Background(), os.Stdin, os.Stdout, info, recognizer); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// quick returns a word every 400 ms, at the rate of speech; the word depends on the audio.
type quick struct{}

// Recognize implements asr.Recognizer.
func (quick) Recognize(_ context.Context, r asr.Request) (*asr.Recognition, error) {
	const step, samples = 400 * time.Millisecond, 6400
	found := &asr.Recognition{}
	for i := 0; (i+1)*samples <= len(r.PCM.Samples); i++ {
		at := time.Duration(i) * step
		text := fmt.Sprintf("w%03d", sumOf(r.PCM.Samples[i*samples:(i+1)*samples])%1000)
		found.Words = append(found.Words, asr.Word{Text: text, Start: at, End: at + step, Confidence: 0.9})
	}
	return found, nil
}

func sumOf(samples []int16) uint32 {
	h := fnv.New32a()
	binary.Write(h, binary.LittleEndian, samples)
	return h.Sum32()
}

// unruly fails in one way on each chunk the first time, and then behaves as quick. It keeps the list of its chunks in a
// folder.
type unruly struct{ kind, dir string }

// Recognize implements asr.Recognizer.
func (u unruly) Recognize(ctx context.Context, r asr.Request) (*asr.Recognition, error) {
	if u.kind == "well" || os.Mkdir(u.mark(r.PCM), 0o700) != nil {
		return quick{}.Recognize(ctx, r)
	}
	switch u.kind {
	case "killed":
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
	case "garbage":
		fmt.Print("segmentation fault, but we carry on\n")
	case "half":
		fmt.Print(`{"id":1,"words":[{"te`)
		os.Exit(0)
	case "times":
		fmt.Print(`{"id":1,"words":[{"text":"before","start":-3,"end":9}]}` + "\n")
	}
	_, err := io.Copy(io.Discard, os.Stdin) // hangs until it is killed
	return nil, err
}

// mark returns the name of a chunk. A hang costs a minute, so all chunks share one name then and only one hangs.
func (u unruly) mark(pcm *sound.PCM) string {
	name := "any"
	if u.kind != "hang" {
		name = fmt.Sprintf("%08x", sumOf(pcm.Samples))
	}
	return filepath.Join(u.dir, name)
}

// TestAChildThatDiesHangsOrAnswersGarbageCostsARetryAndNotTheCall processes whole calls with recogniser processes that
// fail once per chunk.
func TestAChildThatDiesHangsOrAnswersGarbageCostsARetryAndNotTheCall(t *testing.T) {
	verify.Long(t)
	kinds := []string{"killed", "garbage"}
	if soaking() {
		kinds = append(kinds, "half", "times", "hang")
	}
	want := ""
	for _, kind := range append([]string{"well"}, kinds...) {
		dir, marks := filepath.Join(t.TempDir(), "data"), t.TempDir()
		token := firstToken(t, "--data", dir)
		e := newEvents()
		n := start(t, e, append(engineFlags(kind, marks), "--data", dir)...)
		item, err := n.client(token).Submit(t.Context(), brief(t))
		if err != nil {
			t.Fatal(err)
		}
		text := await(t, n.client(token), item.MediaID, e)
		if item, err = n.client(token).Item(t.Context(), item.MediaID); err != nil || len(item.Warnings) > 0 {
			t.Errorf("%s: %v, %v", kind, item.Warnings, err)
		}
		n.kill()
		if want == "" {
			want = text
		}
		failed, _ := filepath.Glob(filepath.Join(marks, "*"))
		t.Logf("%s: %d chunks failed once", kind, len(failed))
		if (len(failed) == 0) != (kind == "well") {
			t.Errorf("%s: %d chunks failed", kind, len(failed))
		}
		if text != want {
			t.Errorf("%s: another transcript:\n%s\nwant:\n%s", kind, text, want)
		}
	}
}

// TestPocketSphinxProcessesMayBeKilledOrStopped kills or stops processes of the real recogniser; each chunk is
// recognised nevertheless.
func TestPocketSphinxProcessesMayBeKilledOrStopped(t *testing.T) {
	verify.Long(t)
	signals := []syscall.Signal{syscall.SIGKILL}
	if soaking() {
		signals = append(signals, syscall.SIGSTOP) // takes minutes, because the process might still answer
	}
	dir := filepath.Join(t.TempDir(), "data")
	token := firstToken(t, "--data", dir)
	e := newEvents()
	n := start(t, e, "--data", dir, "--engines", strconv.Itoa(engineProcesses))
	c := n.client(token)
	for _, signal := range signals {
		item, err := c.Submit(t.Context(), brief(t))
		if err != nil {
			t.Fatal(err)
		}
		if !eventually(t.Context(), func() bool {
			return e.count(item.MediaID) > 0 || finished(t.Context(), c, item.MediaID)
		}) {
			t.Fatalf("nothing is recognised\n%s", e.tail())
		}
		hit := 0
		for _, process := range processes(t) {
			if pid, _ := strconv.Atoi(process); pid != n.command.Process.Pid && syscall.Kill(pid, signal) == nil {
				hit++
			}
		}
		await(t, c, item.MediaID, e)
		if item, err = c.Item(t.Context(), item.MediaID); err != nil || len(item.Warnings) > 0 {
			t.Errorf("%v: %v, %v", signal, item.Warnings, err)
		}
		if hit == 0 {
			t.Errorf("%v: there was no process to be hit", signal)
		}
		t.Logf("%v: %d processes", signal, hit)
	}
}
