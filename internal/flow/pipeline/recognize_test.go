package pipeline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"parley/internal/speech/asr"
	"parley/internal/storage/job"
	"parley/internal/testkit/asrtest"
	"parley/internal/words/fault"
	"parley/internal/words/media"
	"parley/internal/words/sound"
)

// engine returns a scripted engine that processes one chunk at a time.
func engine(steps ...asrtest.Step) (Engine, *asrtest.Fake) {
	fake := asrtest.NewFake(steps...)
	return Engine{Recognizer: fake, Info: asr.Info{Engine: "fake", Version: "1", Parallel: 1}}, fake
}

// seconds returns n chunks of one second each on channel 0.
func seconds(n int) speech {
	s := speech{
		read: func(g sound.Segment, _ int) (*sound.PCM, error) {
			// each chunk has a different length
			return &sound.PCM{Rate: 16000, Samples: make([]int16, 16000+int(g.Start/time.Second))}, nil
		},
		ask: func(asr.Chunk) asr.Request { return asr.Request{Language: "en-US"} },
	}
	for i := range n {
		start := time.Duration(i) * time.Second
		s.chunks = append(s.chunks, asr.Chunk{Segment: sound.Segment{Start: start, End: start + time.Second}})
	}
	return s
}

func said(text string) asrtest.Step {
	return asrtest.Step{Words: []asr.Word{{Text: text, Start: 100 * time.Millisecond, End: 300 * time.Millisecond,
		Confidence: 1}}}
}

// shelf is an Artifacts in memory.
type shelf struct {
	mu   sync.Mutex
	kept map[string][]byte
}

func (s *shelf) Get(_ context.Context, step media.Step, key string) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.kept[string(step)+key], nil
}

func (s *shelf) Put(_ context.Context, step media.Step, key string, data []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept == nil {
		s.kept = map[string][]byte{}
	}
	s.kept[string(step)+key] = data
	return nil
}

func quiet(int) {}

func texts(h *hearing) []string {
	var all []string
	for _, w := range h.words[0] {
		all = append(all, fmt.Sprintf("%s@%v", w.Text, w.Start))
	}
	return all
}

func TestWordsAreGivenTimesOfTheRecording(t *testing.T) {
	e, _ := engine(said("one"), said("two"), said("three"))
	var percents []int
	h, err := recognize(t.Context(), e, seconds(3), 1, NoArtifacts{}, func(p int) { percents = append(percents, p) })
	if err != nil {
		t.Fatal(err)
	}
	if got, want := texts(h), []string{"one@100ms", "two@1.1s", "three@2.1s"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if want := []int{33, 66, 100}; !slices.Equal(percents, want) {
		t.Errorf("progress %v, want %v", percents, want)
	}
}

func TestAPoisonedChunkIsAGapAndAWarning(t *testing.T) {
	e, _ := engine(said("one"), asrtest.Step{Err: &asr.Poisoned{Cause: errors.New("crash")}}, said("three"))
	h, err := recognize(t.Context(), e, seconds(3), 1, NoArtifacts{}, quiet)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := texts(h), []string{"one@100ms", "three@2.1s"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if len(h.warnings) != 1 || h.warnings[0].Code != fault.CodeGap {
		t.Errorf("warnings: %v", h.warnings)
	}
}

// unwilling fails to store any artifact.
type unwilling struct{ NoArtifacts }

var errUnkept = errors.New("it cannot be kept")

func (unwilling) Put(context.Context, media.Step, string, []byte) error { return errUnkept }

func TestWhatCannotBeKeptOrReadIsNoGap(t *testing.T) {
	e, _ := engine(said("one"), said("two"))
	if _, err := recognize(t.Context(), e, seconds(2), 1, unwilling{}, quiet); !errors.Is(err, errUnkept) ||
		final(err) {
		t.Errorf("kept: %v", err)
	}
	e, _ = engine(said("one"), said("two"))
	s := seconds(2)
	s.read = func(sound.Segment, int) (*sound.PCM, error) { return nil, errUnkept }
	if _, err := recognize(t.Context(), e, s, 1, NoArtifacts{}, quiet); !errors.Is(err, errUnkept) || final(err) {
		t.Errorf("read: %v", err)
	}
}

func TestWhatWasKeptAndCannotBeReadIsHeardAgain(t *testing.T) {
	kept := &shelf{}
	e, _ := engine(said("one"), said("two"))
	if _, err := recognize(t.Context(), e, seconds(2), 1, kept, quiet); err != nil {
		t.Fatal(err)
	}
	for key := range kept.kept {
		kept.kept[key] = []byte(`{"format":99}`)
	}
	e, fake := engine(said("three"), said("four"))
	h, err := recognize(t.Context(), e, seconds(2), 1, kept, quiet)
	if err != nil || len(h.warnings) != 0 || !slices.Equal(texts(h), []string{"three@100ms", "four@1.1s"}) ||
		len(fake.Requests()) != 2 {
		t.Fatalf("%v, %v", h, err)
	}
}

func TestARecordingOfWhichNothingCouldBeRecognisedFails(t *testing.T) {
	poison := asrtest.Step{Err: &asr.Poisoned{Cause: errors.New("crash")}}
	e, _ := engine(poison, poison)
	_, err := recognize(t.Context(), e, seconds(2), 1, NoArtifacts{}, quiet)
	if !final(err) || fault.ProblemsOf(err)[0].Code != fault.CodeEngineFailed {
		t.Errorf("got %v", err)
	}
}

func TestAnEngineThatIsAwayIsNoGap(t *testing.T) {
	e, _ := engine(said("one"), asrtest.Step{Err: fault.New(fault.Unavailable, fault.CodeEngineFailed, "away")})
	if _, err := recognize(t.Context(), e, seconds(3), 1, NoArtifacts{}, quiet); !fault.Is(err, fault.Unavailable) {
		t.Errorf("got %v", err)
	}
}

func TestKeptChunksAreNotRecognisedAgain(t *testing.T) {
	kept := &shelf{}
	e, _ := engine(said("one"), asrtest.Step{Err: fault.New(fault.Unavailable, fault.CodeEngineFailed, "away")})
	if _, err := recognize(t.Context(), e, seconds(2), 1, kept, quiet); err == nil {
		t.Fatal("the engine was away and nothing failed")
	}
	e, fake := engine(said("two"))
	h, err := recognize(t.Context(), e, seconds(2), 1, kept, quiet)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := texts(h), []string{"one@100ms", "two@1.1s"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if n := len(fake.Requests()); n != 1 {
		t.Errorf("%d chunks were recognised again", n)
	}
	e.Info.Version = "2"
	if _, err := recognize(t.Context(), e, seconds(2), 1, kept, quiet); err != nil || len(fake.Requests()) != 3 {
		t.Errorf("another engine version took kept results: %d requests, %v", len(fake.Requests()), err)
	}
}

func TestDrainingEndsWithTheChunkUnderWay(t *testing.T) {
	kept := &shelf{}
	release := make(chan struct{})
	first := said("one")
	first.Wait = release
	e, fake := engine(first, said("two"))
	queue := make(chan struct{})
	ctx := job.WithDraining(t.Context(), queue)
	done := make(chan error)
	go func() {
		_, err := recognize(ctx, e, seconds(5), 1, kept, quiet)
		done <- err
	}()
	for len(fake.Requests()) == 0 {
		select {
		case err := <-done:
			t.Fatalf("ended early: %v", err)
		default:
		}
	}
	close(queue)
	close(release)
	if err := <-done; !errors.Is(err, job.ErrDrained) {
		t.Errorf("got %v", err)
	}
	// The goroutine of the second chunk may have started before draining began; no third one has.
	if n := len(kept.kept); n < 1 || n > 2 {
		t.Errorf("%d chunks kept", n)
	}
}

func TestWarningsOfTheEngineAreToldOnce(t *testing.T) {
	warned := said("one")
	warned.Warnings = []string{"term \"xyzzy\" cannot be pronounced"}
	e, _ := engine(warned, warned)
	h, err := recognize(t.Context(), e, seconds(2), 1, NoArtifacts{}, quiet)
	if err != nil || len(h.warnings) != 1 {
		t.Errorf("%v, %v", h, err)
	}
}

func TestFinalErrorsAreThoseOfTheRecording(t *testing.T) {
	for err, want := range map[error]bool{
		fault.New(fault.Invalid, fault.CodeDecode, "x"):          true,
		fault.New(fault.TooLarge, fault.CodeTooLarge, "x"):       true,
		fault.New(fault.Unavailable, fault.CodeUnavailable, "x"): false,
		fault.New(fault.Internal, fault.CodeInternal, "x"):       false,
		errors.New("x"):  false,
		job.ErrLost:      false,
		job.ErrDrained:   false,
		context.Canceled: false,
	} {
		if final(err) != want {
			t.Errorf("final(%v) = %v", err, !want)
		}
	}
}
