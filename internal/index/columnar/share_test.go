package columnar_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"parley/internal/host/fair"
	"parley/internal/index/columnar"
	"parley/internal/lab/corpus"
	"parley/internal/query"
	"parley/internal/testkit/storetest"
	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/transcript"
)

// expensive is a condition that takes minutes on the call of longCall, and matches no call.
var expensive = `* SAYS (` + strings.TrimSuffix(strings.Repeat(`"b `+strings.Repeat("* ", 47)+`b"||`, 90), "||") + `)`

// longCall returns a call of so many words.
func longCall(c *corpus.Corpus, words int) corpus.Call {
	one := c.Call(0)
	at := func(n int) time.Duration { return time.Duration(n) * 100 * time.Millisecond }
	one.Transcript = &transcript.Transcript{Length: at(words),
		Speakers: []transcript.Speaker{{Name: "Agent"}, {Name: "Caller"}}}
	for n := range words {
		one.Transcript.Words = append(one.Transcript.Words, transcript.Word{Text: "a", Start: at(n), End: at(n + 1)})
	}
	one.Transcript.Words = append(one.Transcript.Words,
		transcript.Word{Text: "b", Start: at(words), End: at(words), Speaker: 1})
	return one
}

// busyShop is a shop with one processor, of which one account requests as much as possible, and a small account with
// two calls.
func busyShop(
	t *testing.T, ask func(ctx context.Context, x *columnar.Index, a account.ID) error,
) (s *shop, flood, small account.ID, refused error) {
	s = open(t, storetest.SQLite(t))
	s.index.Calls.Processors, s.index.Timeout = fair.NewProcessors(1), time.Hour
	flood, small = storetest.Account(t, s.db, "flood").ID, storetest.Account(t, s.db, "small").ID
	calls := corpus.New(corpus.Config{Words: 50, Every: time.Minute})
	s.publish(flood, longCall(calls, 300_000), true, 1)
	s.publish(small, calls.Call(1), true, 1)
	s.publish(small, calls.Call(2), true, -1)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	const many = 200
	for range many {
		go func() { ended <- ask(ctx, s.index, flood) }()
	}
	t.Cleanup(func() {
		cancel()
		for range many - 1 {
			<-ended
		}
	})
	return s, flood, small, <-ended // refused requests end first
}

func askExpensive(ctx context.Context, x *columnar.Index, a account.ID) error {
	s, err := query.Parse("SELECT count(*) FROM media WHERE "+expensive, nil)
	if err == nil {
		_, err = x.Ask(ctx, a, s.Select, columnar.Page{})
	}
	return err
}

func TestExpensiveStatementsOfOneAccountHoldUpNoOther(t *testing.T) {
	s, _, small, refused := busyShop(t, askExpensive)
	if !fault.Is(refused, fault.Exhausted) || fault.ProblemsOf(refused)[0].Code != fault.CodeConcurrent {
		t.Errorf("what is too much ends with %v", refused)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for _, text := range []string{"SELECT count(*) FROM media",
		"SELECT mediaId, hits() FROM media WHERE NOT * SAYS \"zebra\" ORDER BY length", "SELECT * FROM media"} {
		answer, err := s.index.Ask(ctx, small, parse(t, text), columnar.Page{})
		if err != nil || answer.Total == 0 {
			t.Fatalf("%s: %+v, %v", text, answer, err)
		}
	}
	if trial, err := s.index.Try(ctx, small,
		columnar.Try{Condition: parse(t, `SELECT * FROM media`).Where, Samples: 1}); err != nil || trial.Calls != 2 {
		t.Errorf("%+v, %v", trial, err)
	}
	if fields, err := s.index.Fields(ctx, small); err != nil || len(fields) == 0 {
		t.Error(err)
	}
	if err := s.index.Export(ctx, small, columnar.Export{Table: "words", Format: "csv"}, io.Discard); err != nil {
		t.Error(err)
	}
}

// stalled is a client that reads nothing until its context ends.
type stalled struct{ ctx context.Context }

func (s stalled) Write([]byte) (int, error) {
	<-s.ctx.Done()
	return 0, context.Cause(s.ctx)
}

func TestExportsWhoseClientsStallHoldUpNobody(t *testing.T) {
	s, flood, small, refused := busyShop(t, func(ctx context.Context, x *columnar.Index, a account.ID) error {
		return x.Export(ctx, a, columnar.Export{Table: "words", Format: "csv"}, stalled{ctx})
	})
	if !fault.Is(refused, fault.Exhausted) {
		t.Errorf("what is too much ends with %v", refused)
	}
	for _, a := range []account.ID{flood, small} {
		if answer := s.ask(a, "SELECT count(*) FROM media"); answer.Total != 1 {
			t.Errorf("%+v", answer)
		}
	}
	if err := s.index.Export(t.Context(), small, columnar.Export{Table: "calls", Format: "parquet"},
		io.Discard); err != nil {
		t.Error(err)
	}
}

// A statement whose time limit expires while other accounts use the processors ends with that reason.
func TestTheTimeOfAStatementEndsItWhileItWaitsForAProcessor(t *testing.T) {
	s := open(t, storetest.SQLite(t))
	a := storetest.Account(t, s.db, "a").ID
	s.index.Calls.Processors, s.index.Timeout = fair.NewProcessors(1), time.Millisecond
	place, err := s.index.Calls.Processors.Take(t.Context(), "somebody")
	if err != nil {
		t.Fatal(err)
	}
	defer place.Give()
	_, err = s.index.Ask(t.Context(), a, parse(t, "SELECT count(*) FROM media"), columnar.Page{})
	if !fault.Is(err, fault.Invalid) || fault.ProblemsOf(err)[0].Code != fault.CodeQueryLimit ||
		errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
}

// observed is a client that checks the processors each time a part of the response arrives.
type observed struct {
	*testing.T
	processors *fair.Processors
	parts      int
	most       int // bytes at once
}

func (o *observed) Write(p []byte) (int, error) {
	o.parts++
	o.most = max(o.most, len(p))
	ended, cancel := context.WithCancel(o.Context())
	cancel()
	place, err := o.processors.Take(ended, "somebody")
	if err != nil {
		o.Errorf("an export holds a processor while its client reads: %v", err)
		return len(p), nil
	}
	place.Give()
	return len(p), nil
}

// A huge call is exported in pieces, each in its own place, so that it does not delay other accounts.
func TestAHugeCallIsExportedInSlices(t *testing.T) {
	s := open(t, storetest.SQLite(t))
	a := storetest.Account(t, s.db, "a").ID
	calls := corpus.New(corpus.Config{Words: 50, Every: time.Minute})
	const words = 60_000 // more than a row group of Parquet
	s.publish(a, longCall(calls, words), true, 1)
	s.index.Calls.Processors = fair.NewProcessors(1)
	for _, format := range columnar.ExportFormats {
		to := &observed{T: t, processors: s.index.Calls.Processors}
		if err := s.index.Export(t.Context(), a, columnar.Export{Table: "words", Format: format}, to); err != nil {
			t.Fatal(err)
		}
		if format == "csv" && (to.parts < words/2500 || to.most > 200_000) || to.parts == 0 {
			t.Errorf("%s arrives in %d parts of up to %d bytes", format, to.parts, to.most)
		}
	}
}
