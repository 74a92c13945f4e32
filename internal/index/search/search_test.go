package search

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"parley/internal/call/codec"
	"parley/internal/call/result"
	"parley/internal/index/search/fulltext"
	"parley/internal/index/tokenfile"
	"parley/internal/storage/store"
	"parley/internal/testkit/pgtest"
	"parley/internal/testkit/storetest"
	"parley/internal/testkit/verify"
	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/media"
	"parley/internal/words/phrase"
	"parley/internal/words/transcript"
)

// each runs f with an index on each database.
func each(t *testing.T, f func(t *testing.T, x *Index)) {
	t.Run("sqlite", func(t *testing.T) { f(t, opened(t, storetest.SQLiteURL(t))) })
	t.Run("postgres", func(t *testing.T) { f(t, opened(t, pgtest.URL(t))) })
}

func opened(t testing.TB, url string) *Index {
	t.Helper()
	codec, err := codec.New()
	if err != nil {
		t.Fatal(err)
	}
	x, err := Open(t.Context(), Config{Store: storetest.Open(t, url), Codec: codec, URL: url,
		Log: slog.New(slog.NewTextHandler(noFallback{t}, nil))})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	return x
}

// noFallback fails a test if a query could not use the index: the answer would be right nevertheless.
type noFallback struct{ t testing.TB }

func (n noFallback) Write(line []byte) (int, error) {
	if strings.Contains(string(line), "runs without") {
		n.t.Errorf("%s", line)
	}
	return len(line), nil
}

// indexing is an indexer that the test runs step by step.
func indexing(t testing.TB, x *Index) *indexer {
	t.Helper()
	lease, err := x.engine.lock(t.Context())
	if err != nil || lease == nil {
		t.Fatalf("no lease: %v", err)
	}
	t.Cleanup(lease.end)
	i := &indexer{Index: x, with: lease.writer}
	if err := i.begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	return i
}

// finish runs all pending work.
func finish(t fataler, i *indexer) {
	t.Helper()
	for more := true; more; {
		var err error
		if more, err = i.step(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
}

type fataler interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// item is a published recording as known by the tests.
type item struct {
	id    media.ID
	words *transcript.Transcript
	meta  *media.Metadata
	shown bool // whether it is searchable
}

// said returns a transcript with the given texts as turns.
func said(turns ...string) *transcript.Transcript {
	t := &transcript.Transcript{Speakers: []transcript.Speaker{{Name: "Agent"}, {Name: "Caller", Channel: 1}}}
	for i, turn := range turns {
		for j, w := range strings.Fields(turn) {
			at := time.Duration(i)*time.Minute + time.Duration(j)*time.Second/2
			t.Words = append(t.Words, transcript.Word{Text: w, Start: at, End: at + time.Second/2, Speaker: i % 2})
		}
	}
	return t
}

func metadata(t fataler, text string) *media.Metadata {
	t.Helper()
	m, err := media.ParseMetadata([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// searchFields are the metadata fields that recordings of these tests can be found by.
var searchFields = []string{"extended.a"}

// publish stores an item as the pipeline does.
func publish(t fataler, x *Index, a account.ID, i item) item {
	t.Helper()
	return publishAll(t, x, a, i)[0]
}

// publishAll stores items in one transaction.
func publishAll(t fataler, x *Index, a account.ID, all ...item) []item {
	t.Helper()
	change(t, x, func(tx *store.Tx) error {
		for n, i := range all {
			m, err := tx.InsertMedia(media.Media{ID: i.id, Account: a, Status: media.Finished, Metadata: i.meta}, nil,
				nil)
			if err != nil {
				return err
			}
			all[n].id = m.ID
			if err := tx.PutResult(m.ID, store.Result{Version: 1,
				Result: x.Codec.EncodeResult(&result.Open{Transcript: i.words})}); err != nil {
				return err
			}
			if err := tx.SetSearchFields(m.ID, searchFields); err != nil {
				return err
			}
			if err := tx.SetSearchable(m.ID, i.shown); err != nil {
				return err
			}
		}
		return nil
	})
	return all
}

func change(t fataler, x *Index, f func(tx *store.Tx) error) {
	t.Helper()
	if err := x.Store.Update(context.Background(), f); err != nil {
		t.Fatal(err)
	}
}

func found(t fataler, x *Index, a account.ID, query string, f store.MediaFilter) (ids []media.ID) {
	t.Helper()
	q, err := fulltext.Parse(query)
	if err != nil {
		t.Fatal(err)
	}
	items, err := x.Search(context.Background(), a, q, f)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range items {
		ids = append(ids, m.ID)
	}
	return ids
}

// brute is the reference implementation of a search: it evaluates every item.
func brute(t fataler, all []item, query string, f store.MediaFilter) (ids []media.ID) {
	t.Helper()
	q, err := fulltext.Parse(query)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range all {
		g := phrase.Glossary{}
		var file tokenfile.File
		if err := file.Decode(tokenfile.Encode(tokenfile.Of(i.words, i.meta.Title(), i.meta.Description()),
			g.Number)); err != nil {
			t.Fatal(err)
		}
		p, err := q.Compile(g)
		if err != nil {
			t.Fatal(err)
		}
		if i.shown && p.Match(&file) && (f.ExternalID == "" || i.meta.ExternalID() == f.ExternalID) &&
			(f.Status == "" || f.Status == media.Finished) &&
			!slices.ContainsFunc(f.Fields, func(v media.FieldValue) bool {
				return !slices.Contains(i.meta.FieldValues(searchFields), v)
			}) &&
			(f.After == "" || i.id > f.After) && (f.Before == "" || i.id < f.Before) &&
			!i.id.Created().Before(f.From) && (f.Until.IsZero() || !i.id.Created().After(f.Until)) {
			ids = append(ids, i.id)
		}
	}
	slices.Sort(ids)
	if !f.Ascending {
		slices.Reverse(ids)
	}
	return ids[:min(len(ids), f.Limit)]
}

const firstMoment = 1_790_000_000_000 // milliseconds

// idAt generates an id within a few milliseconds; many ids share all the bits that a call's number uses.
func idAt(t *rapid.T) media.ID {
	var u uuid.UUID
	ms := firstMoment + rapid.Int64Range(0, 4).Draw(t, "ms")
	for i := range 6 {
		u[i] = byte(ms >> (40 - 8*i))
	}
	random := uuid.New()
	copy(u[8:], random[8:])
	u[6] = 0x70
	u[7] = byte(rapid.IntRange(0, 1).Draw(t, "slot"))
	u[8] = u[8]&0x07 | 0x80
	return media.ID(u.String())
}

var vocabulary = []string{"refund", "refunds", "order", "Thank", "you", "the", "don't", "U.S.", "49.99", "über", "a",
	"4711", "47"}

func someText(t *rapid.T, label string, most int) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(vocabulary), 0, most).Draw(t, label), " ")
}

func someItem(t *rapid.T) item {
	meta := fmt.Sprintf(`{"title":%q,"description":%q,"externalId":%q,"extended":{"a":%d}}`, someText(t, "title", 3),
		someText(t, "description", 3),
		rapid.SampledFrom([]string{"x", "y"}).Draw(t, "externalId"), rapid.IntRange(0, 1).Draw(t, "field"))
	return item{idAt(t), said(someText(t, "turn", 6), someText(t, "turn", 6)), metadata(t, meta),
		rapid.IntRange(0, 5).Draw(t, "shown") > 0}
}

func someQuery(t *rapid.T) string {
	terms := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string {
		text := someText(t, "term", 3)
		if text == "" {
			text = "refu*"
		}
		form := rapid.SampledFrom([]string{"%s", `"%s"`, `"%s*"`, "(title:%s)", `description:"%s"`, "transcript:%s",
			`-"%s"`, "-(%s)", "(%s) OR order", "zebra OR %s*", "*"}).Draw(t, "form")
		return strings.Replace(form, "%s", text, 1)
	}), 1, 3).Draw(t, "terms")
	return strings.Join(terms, " ")
}

func someFilter(t *rapid.T) store.MediaFilter {
	at := func(label string) time.Time {
		if rapid.IntRange(0, 3).Draw(t, label) > 0 {
			return time.Time{}
		}
		return time.UnixMilli(firstMoment + rapid.Int64Range(0, 4).Draw(t, label+" ms")).UTC()
	}
	return store.MediaFilter{
		Ascending: rapid.Bool().Draw(t, "ascending"), Limit: rapid.IntRange(1, 5).Draw(t, "limit"), From: at("from"),
		Until:      at("until"),
		ExternalID: rapid.SampledFrom([]string{"", "", "", "x"}).Draw(t, "filter externalId"),
		Status: rapid.SampledFrom([]media.Status{"", "", "", media.Finished, media.Running}).Draw(t,
			"filter status"),
		Fields: rapid.SampledFrom([][]media.FieldValue{nil, nil, nil, {{Field: "extended.a", Text: "1"}}}).Draw(t,
			"filter fields"),
	}
}

// TestTheIndexAnswersAsIfEveryRecordingWereLookedAt publishes, changes, deletes and indexes in random order, and pages
// through query results meanwhile.
func TestTheIndexAnswersAsIfEveryRecordingWereLookedAt(t *testing.T) {
	verify.Long(t)
	each(t, func(t *testing.T, x *Index) {
		i := indexing(t, x)
		other := storetest.Account(t, x.Store, "another")
		accounts := 0
		rapid.Check(t, func(t *rapid.T) {
			accounts++
			x.listedFirst = rapid.SampledFrom([]int{1, 1000}).Draw(t, "listed first")
			var a account.Account
			change(t, x, func(tx *store.Tx) (err error) {
				a, err = tx.CreateAccount(fmt.Sprint("account ", accounts))
				return err
			})
			publish(t, x, other.ID, someItem(t))
			var all []item
			query, f := someQuery(t), someFilter(t)
			act := func() {
				at := 0
				if len(all) > 0 {
					at = rapid.IntRange(0, len(all)-1).Draw(t, "at")
				}
				switch what := rapid.IntRange(0, 9).Draw(t, "what"); {
				case what < 5 || len(all) == 0:
					all = append(all, publish(t, x, a.ID, someItem(t)))
				case what == 5:
					change(t, x, func(tx *store.Tx) error { _, err := tx.DeleteMedia(a.ID, all[at].id); return err })
					all = slices.Delete(all, at, at+1)
				case what == 6:
					all[at].meta = someItem(t).meta
					change(t, x, func(tx *store.Tx) error {
						_, err := tx.SetMetadata(a.ID, all[at].id, all[at].meta, 0)
						return err
					})
				case what == 7: // reprocessed
					all[at].words, all[at].shown = said(someText(t, "turn", 6)), rapid.Bool().Draw(t, "shown")
					change(t, x, func(tx *store.Tx) error {
						if err := tx.PutResult(all[at].id,
							store.Result{Version: 1, Result: x.Codec.EncodeResult(
								&result.Open{Transcript: all[at].words})}); err != nil {
							return err
						}
						return tx.SetSearchable(all[at].id, all[at].shown)
					})
				case what == 8:
					if _, err := i.step(context.Background()); err != nil {
						t.Fatal(err)
					}
				default:
					finish(t, i)
				}
			}
			for range rapid.IntRange(5, 25).Draw(t, "acts") {
				act()
			}
			for {
				got, want := found(t, x, a.ID, query, f), brute(t, all, query, f)
				if !slices.Equal(got, want) {
					t.Fatalf("%s, %+v, of %d:\ngot  %v\nwant %v", query, f, len(all), got, want)
				}
				if len(got) == 0 {
					return
				}
				f = behind(f, got[len(got)-1])
				for range rapid.IntRange(0, 2).Draw(t, "meanwhile") {
					act()
				}
			}
		})
	})
}

func TestANewGenerationIsBuiltWhileTheOldOneAnswers(t *testing.T) {
	verify.Long(t)
	each(t, func(t *testing.T, x *Index) {
		a := storetest.Account(t, x.Store, "a")
		var all []item
		for n := range 2*batchSize + 10 {
			all = append(all, item{words: said(fmt.Sprint("word ", n%7)), shown: true})
		}
		publishAll(t, x, a.ID, all...)
		check := func(when string) {
			t.Helper()
			for _, f := range []store.MediaFilter{{Limit: 20}, {Limit: 20, Ascending: true}, {Limit: 600}} {
				if got, want := found(t, x, a.ID, "word 3", f), brute(t, all, "word 3", f); !slices.Equal(got, want) {
					t.Fatalf("%s: %d found, %d are there", when, len(got), len(want))
				}
			}
		}
		check("without an index")
		i := indexing(t, x)
		check("with an empty one")
		finish(t, i)
		check("with a whole one")
		old := i.state.Current
		change(t, x, func(tx *store.Tx) error { return tx.SetSetting(requestSetting, []byte("again")) })
		for more := true; more; {
			var err error
			if more, err = i.step(t.Context()); err != nil {
				t.Fatal(err)
			}
			if more && i.state.Next != "" && i.state.Current != old {
				t.Fatal("the old one was given up before the new one was whole")
			}
			all = append(all, publish(t, x, a.ID, item{words: said("word 3"), shown: true}))
			change(t, x, func(tx *store.Tx) error { _, err := tx.DeleteMedia(a.ID, all[3].id); return err })
			all = slices.Delete(all, 3, 4)
			check("while it is built")
			if len(all) > 4*batchSize {
				t.Fatal("it is never done")
			}
		}
		if i.state.Current == old || i.state.Next != "" {
			t.Errorf("no new generation: %+v", i.state)
		}
		check("with the new one")
		if _, err := x.engine.connect(t.Context(), old); err != errAbsent {
			t.Errorf("the old one is still there: %v", err)
		}
	})
}

func TestAnIndexThatIsGoneOrOfAnotherDatabaseIsBuiltAgain(t *testing.T) {
	each(t, func(t *testing.T, x *Index) {
		a := storetest.Account(t, x.Store, "a")
		one := publish(t, x, a.ID, item{words: said("hello"), shown: true})
		i := indexing(t, x)
		finish(t, i)
		harm := map[string]func(){
			"gone": func() {
				if err := x.discard(t.Context()); err != nil {
					t.Fatal(err)
				}
			},
			"less than the database": func() {
				if err := i.put(t.Context(), i.state.Current, []entry{{media: one.id}}); err != nil {
					t.Fatal(err)
				}
			},
			"of another format": func() {
				change(t, x, func(tx *store.Tx) error {
					return tx.SetSetting(stateSetting, []byte(`{"format":999,"current":"abc"}`))
				})
			},
		}
		for name, f := range harm {
			f()
			again := &indexer{Index: x, with: i.with}
			if err := again.begin(t.Context()); err != nil {
				t.Fatal(err)
			}
			finish(t, again)
			if got := found(t, x, a.ID, "hello", store.MediaFilter{}); !slices.Equal(got, []media.ID{one.id}) {
				t.Errorf("%s: found %v", name, got)
			}
			if again.state.Current == i.state.Current || again.state.Current == "" {
				t.Errorf("%s: no new generation", name)
			}
			i = again
		}
	})
}

// TestWordsOfDeletedCallsLeaveTheIndex also searches the bytes of SQLite's files, including the write-ahead log.
func TestWordsOfDeletedCallsLeaveTheIndex(t *testing.T) {
	each(t, func(t *testing.T, x *Index) {
		a := storetest.Account(t, x.Store, "a")
		i := indexing(t, x)
		var keep []media.ID
		for n := range 3 * mergeAt { // some are merged before, some are not
			one := publish(t, x, a.ID, item{words: said("common"), shown: true})
			keep = append([]media.ID{one.id}, keep...)
			if n%2 == 0 {
				finish(t, i)
			}
		}
		gone := publish(t, x, a.ID, item{words: said("common zebra 4111111111111111 12345"),
			meta: metadata(t, `{"title":"giraffe"}`), shown: true})
		changed := publish(t, x, a.ID, item{words: said("common"), meta: metadata(t, `{"title":"okapi"}`), shown: true})
		keep = append([]media.ID{changed.id}, keep...)
		finish(t, i)
		secrets := []string{"zebra", "4111111111111111", "w12345", "giraffe", "okapi", string(key(gone.id)),
			string(encodeNumbers([]int64{number(gone.id)}))}
		for _, secret := range secrets {
			if !kept(t, x, i.state.Current, secret) {
				t.Fatalf("%q is not there before", secret)
			}
		}
		change(t, x, func(tx *store.Tx) error {
			if _, err := tx.SetMetadata(a.ID, changed.id, metadata(t, `{"title":"common"}`), 0); err != nil {
				return err
			}
			_, err := tx.DeleteMedia(a.ID, gone.id)
			return err
		})
		if got := found(t, x, a.ID, "common", store.MediaFilter{}); !slices.Equal(got, keep) {
			t.Errorf("found at once: %v", got)
		}
		i.rests = time.Time{}
		finish(t, i)
		for _, secret := range secrets {
			if kept(t, x, i.state.Current, secret) {
				t.Errorf("%q is there after", secret)
			}
		}
		if got := found(t, x, a.ID, "common", store.MediaFilter{}); !slices.Equal(got, keep) {
			t.Errorf("found after: %v", got)
		}
		g, err := x.generation(t.Context(), i.state.Current)
		if err != nil {
			t.Fatal(err)
		}
		if n, err := g.count(t.Context()); n != int64(len(keep)) || err != nil {
			t.Errorf("%d calls, %v", n, err)
		}
	})
}

// kept reports whether a generation contains some bytes: on SQLite in its files, on PostgreSQL in its rows.
func kept(t *testing.T, x *Index, name, secret string) bool {
	t.Helper()
	if e, ok := x.engine.(*sqliteEngine); ok {
		files, err := filepath.Glob(e.path(name) + "*")
		if err != nil || len(files) == 0 {
			t.Fatalf("%v, %v", files, err)
		}
		return slices.ContainsFunc(files, func(file string) bool {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			return bytes.Contains(data, []byte(secret))
		})
	}
	g, err := x.generation(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	for _, column := range []string{"term.text::bytea", "call.media", "segment.calls", "posting.first",
		"posting.data"} {
		table, _, _ := strings.Cut(column, ".")
		var n int
		err := g.read.Row(t.Context(), `SELECT COUNT(*) FROM `+g.table(table)+` AS `+table+` WHERE position($1 IN `+
			column+`) > 0`, []any{[]byte(secret)}, &n)
		if err != nil {
			t.Fatal(err)
		}
		if n > 0 {
			return true
		}
	}
	return false
}

func TestIndexingEndsWithItsContext(t *testing.T) {
	each(t, func(t *testing.T, x *Index) {
		a := storetest.Account(t, x.Store, "a")
		i := indexing(t, x)
		finish(t, i)
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		entries := make([]entry, 10)
		for n := range entries {
			id, err := media.NewID()
			if err != nil {
				t.Fatal(err)
			}
			entries[n] = entry{id, a.ID, func() *tokenfile.Source {
				stop() // when the first are prepared
				return tokenfile.Of(said("hello"), "", "")
			}}
		}
		if err := i.put(ctx, i.state.Current, entries); !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
	})
}

func TestOneProcessWritesAtATime(t *testing.T) {
	each(t, func(t *testing.T, x *Index) {
		first, err := x.engine.lock(t.Context())
		if err != nil || first == nil {
			t.Fatal(err)
		}
		if second, err := x.engine.lock(t.Context()); err != nil || second != nil {
			t.Fatalf("two have the lease: %v", err)
		}
		first.end()
		second, err := x.engine.lock(t.Context())
		if err != nil || second == nil {
			t.Fatalf("nobody has the lease: %v", err)
		}
		second.end()
	})
}

func TestWithoutTheIndexAQueryEndsInTime(t *testing.T) {
	each(t, func(t *testing.T, x *Index) {
		a := storetest.Account(t, x.Store, "a")
		publish(t, x, a.ID, item{words: said("hello"), shown: true})
		x.patience = 0
		q, err := fulltext.Parse("hello")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := x.Search(t.Context(), a.ID, q, store.MediaFilter{}); !fault.Is(err, fault.Unavailable) {
			t.Errorf("%v", err)
		}
		finish(t, indexing(t, x))
		if items, err := x.Search(t.Context(), a.ID, q, store.MediaFilter{}); len(items) != 1 || err != nil {
			t.Errorf("%d found, %v", len(items), err)
		}
	})
}

func TestARebuildIsDoneByWhoeverIndexes(t *testing.T) {
	each(t, func(t *testing.T, x *Index) {
		a := storetest.Account(t, x.Store, "a")
		one := publish(t, x, a.ID, item{words: said("hello"), shown: true})
		running, stop := context.WithCancel(t.Context())
		var work sync.WaitGroup
		for range 2 { // one of the two holds the lease
			work.Go(func() { x.Run(running) })
		}
		if err := x.CaughtUp(t.Context(), func(Status) {}); err != nil {
			t.Fatal(err)
		}
		before, err := x.Status(t.Context())
		if err != nil || before.Waiting != 0 || before.Recordings != 1 || before.Current == "" {
			t.Fatalf("%+v, %v", before, err)
		}
		if err := x.Rebuild(t.Context(), func(Status) {}); err != nil {
			t.Fatal(err)
		}
		stop()
		work.Wait()
		after, err := x.Status(t.Context())
		if err != nil || after.Current == before.Current || after.Current == "" {
			t.Fatalf("%+v, %v", after, err)
		}
		if got := found(t, x, a.ID, "hello", store.MediaFilter{}); !slices.Equal(got, []media.ID{one.id}) {
			t.Errorf("found %v", got)
		}
	})
}

func TestTheLargestQueriesAreAnsweredByTheIndex(t *testing.T) {
	each(t, func(t *testing.T, x *Index) {
		a := storetest.Account(t, x.Store, "a")
		one := publish(t, x, a.ID, item{words: said("alpha beta gamma"), shown: true})
		finish(t, indexing(t, x))
		deep := "alpha"
		for range 24 {
			deep = "(beta (zebra OR " + deep + "))"
		}
		for _, query := range []string{
			deep, strings.Repeat("alpha ", fulltext.MaxTerms),
			strings.Repeat("zebra OR ", fulltext.MaxTerms-1) + "alpha",
			`"` + strings.Repeat("x", 1900) + `" OR alpha`, "-(" + deep + ") OR gamma",
			`"alpha` + strings.Repeat(" *", 900) + `" OR a*`,
		} {
			if got := found(t, x, a.ID, query, store.MediaFilter{}); !slices.Equal(got, []media.ID{one.id}) {
				t.Errorf("%.50s…: %v", query, got)
			}
		}
	})
}
