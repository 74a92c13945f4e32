package columnar_test

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"parley/internal/call/result"
	"parley/internal/host/memory"
	"parley/internal/index/columnar"
	"parley/internal/index/tokenfile"
	"parley/internal/query"
	"parley/internal/query/fulltext"
	"parley/internal/storage/store"
	"parley/internal/testkit/storetest"
	"parley/internal/testkit/verify"
	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/media"
	"parley/internal/words/phrase"
	"parley/internal/words/transcript"
)

// item is a recording as the tests of the media list know it.
type item struct {
	id     media.ID
	words  *transcript.Transcript // nil: it has failed
	meta   *media.Metadata
	hidden bool // the media list's query does not find it
	posted bool // for the analytic database
}

// spoken returns a transcript with the given texts as turns.
func spoken(turns ...string) *transcript.Transcript {
	t := &transcript.Transcript{Speakers: []transcript.Speaker{{Name: "Agent"}, {Name: "Caller", Channel: 1}}}
	for i, turn := range turns {
		for j, w := range strings.Fields(turn) {
			at := time.Duration(i)*time.Minute + time.Duration(j)*time.Second/2
			t.Words = append(t.Words, transcript.Word{Text: w, Start: at, End: at + time.Second/2, Speaker: i % 2})
		}
	}
	return t
}

type fataler interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
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

// put stores items as the pipeline does, in one transaction; it gives ids to those that have none.
func (s *shop) put(t fataler, a account.ID, all ...item) []item {
	t.Helper()
	s.change(t, func(tx *store.Tx) error {
		for n, i := range all {
			status := media.Finished
			if i.words == nil {
				status = media.Failed
			}
			m, err := tx.InsertMedia(media.Media{ID: i.id, Account: a, Status: status, Metadata: i.meta}, nil, nil)
			if err != nil {
				return err
			}
			all[n].id = m.ID
			if err := cmp.Or(tx.SetSearchFields(m.ID, searchFields), s.end(tx, a, all[n])); err != nil {
				return err
			}
		}
		return nil
	})
	return all
}

// end stores the outcome of an item.
func (s *shop) end(tx *store.Tx, a account.ID, i item) error {
	if i.words == nil {
		return tx.ShowFailed(a, i.id, !i.hidden)
	}
	r := store.Result{Version: 1, Result: s.codec.EncodeResult(&result.Open{Transcript: i.words})}
	return cmp.Or(tx.PutResult(i.id, r), tx.SetSearchable(i.id, !i.hidden), tx.PutAnalytic(a, i.id, i.posted))
}

func (s *shop) change(t fataler, f func(tx *store.Tx) error) {
	t.Helper()
	if err := s.db.Update(context.Background(), f); err != nil {
		t.Fatal(err)
	}
}

// list returns the ids of the recordings that a query finds.
func (s *shop) list(t fataler, a account.ID, text string, f store.MediaFilter) (ids []media.ID) {
	t.Helper()
	q, err := fulltext.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	items, err := s.index.List(context.Background(), a, q, f)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range items {
		ids = append(ids, m.ID)
	}
	return ids
}

// meets reports whether an item meets a query of the media list.
func meets(t fataler, i item, text string) bool {
	t.Helper()
	q, err := fulltext.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	words := i.words
	if words == nil {
		words = &transcript.Transcript{}
	}
	said, g, call := tokenfile.Of(words, i.meta.Title(), i.meta.Description()), phrase.Glossary{}, query.Subject{}
	for _, w := range said.Words {
		call.Words = append(call.Words, g.Number(w))
	}
	for _, p := range said.Parts {
		call.Parts = append(call.Parts, query.Part{Field: p.Field, From: p.From, To: p.To})
	}
	m, err := query.Compile(q).Over(g)
	if err != nil {
		t.Fatal(err)
	}
	return !i.hidden && m.Match(&call)
}

// brute returns what a query finds, by looking at every item.
func brute(t fataler, all []item, text string, f store.MediaFilter) (ids []media.ID) {
	t.Helper()
	for _, i := range all {
		failed := i.words == nil
		if meets(t, i, text) && (f.ExternalID == "" || i.meta.ExternalID() == f.ExternalID) &&
			(f.Status == "" || (f.Status == media.Failed) == failed && f.Status != media.Running) &&
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

// idAt returns an id within a few milliseconds.
func idAt(r *rand.Rand) media.ID {
	u := uuid.New()
	ms := firstMoment + r.Int64N(5)
	for i := range 6 {
		u[i] = byte(ms >> (40 - 8*i))
	}
	u[6] = 0x70 | u[6]&0x0f
	return media.ID(u.String())
}

var someWords = []string{"refund", "refunds", "order", "Thank", "you", "the", "don't", "U.S.", "49.99", "über", "a",
	"4711", "47"}

func someText(r *rand.Rand, most int) string {
	words := make([]string, r.IntN(most+1))
	for i := range words {
		words[i] = someWords[r.IntN(len(someWords))]
	}
	return strings.Join(words, " ")
}

func someItem(t fataler, r *rand.Rand) item {
	i := item{id: idAt(r), hidden: r.IntN(6) == 0, posted: r.IntN(2) == 0, meta: metadata(t, fmt.Sprintf(
		`{"title":%q,"description":%q,"externalId":%q,"extended":{"a":%d}}`,
		someText(r, 3), someText(r, 3), []string{"x", "y"}[r.IntN(2)], r.IntN(2)))}
	if r.IntN(8) > 0 {
		i.words = spoken(someText(r, 6), someText(r, 6))
	}
	return i
}

func someQuery(t *rapid.T, r *rand.Rand) string {
	terms := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string {
		form := rapid.SampledFrom([]string{"%s", `"%s"`, `"%s*"`, "(title:%s)", `description:"%s"`, "transcript:%s",
			`-"%s"`, "-(%s)", "(%s) OR order", "zebra OR %s*", "*", "-title:(%s)"}).Draw(t, "form")
		return strings.Replace(form, "%s", cmp.Or(someText(r, 3), "refu*"), 1)
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
		Ascending: rapid.Bool().Draw(t, "ascending"), Limit: rapid.IntRange(1, 9).Draw(t, "limit"), From: at("from"),
		Until:      at("until"),
		ExternalID: rapid.SampledFrom([]string{"", "", "", "x"}).Draw(t, "filter externalId"),
		Status: rapid.SampledFrom([]media.Status{"", "", "", media.Finished, media.Failed, media.Running}).Draw(t,
			"filter status"),
		Fields: rapid.SampledFrom([][]media.FieldValue{nil, nil, nil, {{Field: "extended.a", Text: "1"}}}).Draw(t,
			"filter fields"),
	}
}

// library is an account of the law below, with the items that it should have.
type library struct {
	*shop
	a   account.ID
	all []item
	r   *rand.Rand
}

// act does one of the things that change what queries find, or how the index has it.
func (l *library) act(t fataler, what int) {
	at := 0
	if len(l.all) > 0 {
		at = l.r.IntN(len(l.all))
	}
	switch {
	case what < 3 || len(l.all) == 0:
		l.all = append(l.all, l.put(t, l.a, someItem(t, l.r))...)
	case what == 3 && len(l.all) < 200: // enough for a segment
		some := make([]item, 64)
		for i := range some {
			some[i] = someItem(t, l.r)
		}
		l.all = append(l.all, l.put(t, l.a, some...)...)
	case what == 4:
		l.change(t, func(tx *store.Tx) error { _, err := tx.DeleteMedia(l.a, l.all[at].id); return err })
		l.all = slices.Delete(l.all, at, at+1)
	case what == 5:
		l.all[at].meta = someItem(t, l.r).meta
		l.change(t, func(tx *store.Tx) error {
			_, err := tx.SetMetadata(l.a, l.all[at].id, l.all[at].meta, 0)
			return err
		})
	case what == 6: // processed again
		i := &l.all[at]
		failed := i.words == nil
		i.words, i.hidden, i.posted = spoken(someText(l.r, 6)), l.r.IntN(2) == 0, l.r.IntN(2) == 0
		l.change(t, func(tx *store.Tx) error {
			if failed {
				if err := tx.SetStatus(i.id, media.Finished, media.Failed); err != nil {
					return err
				}
			}
			return l.end(tx, l.a, *i)
		})
	case what == 7:
		if err := l.index.Calls.CaughtUp(context.Background(), func(int64) {}); err != nil {
			t.Fatal(err)
		}
	}
}

// TestTheMediaListAnswersAsIfEveryRecordingWereLookedAt publishes, changes, deletes and indexes in random order, and pages
// through the answers to queries meanwhile.
func TestTheMediaListAnswersAsIfEveryRecordingWereLookedAt(t *testing.T) {
	verify.Long(t)
	for name, encrypted := range map[string]bool{"plain": false, "encrypted": true} {
		t.Run(name, func(t *testing.T) {
			storetest.Each(t, func(t *testing.T, db *store.Store) { mediaLists(t, openShop(t, db, encrypted)) })
		})
	}
}

func mediaLists(t *testing.T, s *shop) {
	other := storetest.Account(t, s.db, "another").ID
	accounts := 0
	rapid.Check(t, func(t *rapid.T) {
		accounts++
		s.index.ListFirst(rapid.SampledFrom([]int{1, 1000}).Draw(t, "listed first"))
		l := &library{shop: s, r: rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))}
		s.change(t, func(tx *store.Tx) error {
			a, err := tx.CreateAccount(fmt.Sprint("account ", accounts))
			l.a = a.ID
			return err
		})
		s.put(t, other, someItem(t, l.r))
		text, f := someQuery(t, l.r), someFilter(t)
		what := rapid.IntRange(0, 7)
		for range rapid.IntRange(5, 25).Draw(t, "acts") {
			l.act(t, what.Draw(t, "what"))
		}
		for len(l.all) < 250 { // more can come than the pages show
			got, want := s.list(t, l.a, text, f), brute(t, l.all, text, f)
			if !slices.Equal(got, want) {
				t.Fatalf("%s, %+v, of %d:\ngot  %v\nwant %v", text, f, len(l.all), got, want)
			}
			if len(got) == 0 {
				return
			}
			if f.Ascending {
				f.After = got[len(got)-1]
			} else {
				f.Before = got[len(got)-1]
			}
			for range rapid.IntRange(0, 2).Draw(t, "meanwhile") {
				l.act(t, what.Draw(t, "what"))
			}
		}
	})
}

func TestWhatAFilterLeavesIsFoundWhileTheIndexIsBuilt(t *testing.T) {
	s := open(t, storetest.SQLite(t))
	a := storetest.Account(t, s.db, "a").ID
	some := make([]item, 2100) // more than a question reads from the database
	for n := range some {
		some[n] = item{words: spoken("word"), meta: metadata(t, fmt.Sprintf(`{"externalId":"%d"}`, n%3000))}
	}
	some = s.put(t, a, some...)
	if got := s.list(t, a, "word", store.MediaFilter{ExternalID: "7"}); !slices.Equal(got, []media.ID{some[7].id}) {
		t.Errorf("by externalId: %v", got)
	}
	if got := s.list(t, a, "word", store.MediaFilter{Limit: 3}); len(got) != 3 || got[0] != some[len(some)-1].id {
		t.Errorf("the newest: %v", got)
	}
	q, err := fulltext.Parse("nothing")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.index.List(t.Context(), a, q, store.MediaFilter{}); !fault.Is(err, fault.Unavailable) {
		t.Errorf("what would need all recordings: %v", err)
	}
	s.catchUp()
	if got := s.list(t, a, "word nothing", store.MediaFilter{}); len(got) > 0 {
		t.Errorf("with the index: %v", got)
	}
}

func TestTheLargestQueriesAreAnswered(t *testing.T) {
	s := open(t, storetest.SQLite(t))
	a := storetest.Account(t, s.db, "a").ID
	one := s.put(t, a, item{words: spoken("alpha beta gamma")})[0]
	s.catchUp()
	deep := "alpha"
	for range 24 {
		deep = "(beta (zebra OR " + deep + "))"
	}
	for _, text := range []string{
		deep, strings.Repeat("alpha ", fulltext.MaxTerms),
		strings.Repeat("zebra OR ", fulltext.MaxTerms-1) + "alpha",
		`"` + strings.Repeat("x", 1900) + `" OR alpha`, "-(" + deep + ") OR gamma",
		`"alpha` + strings.Repeat(" *", 900) + `" OR a*`,
	} {
		if got := s.list(t, a, text, store.MediaFilter{}); !slices.Equal(got, []media.ID{one.id}) {
			t.Errorf("%.50s…: %v", text, got)
		}
	}
}

func TestAQueryOfTheMediaListEndsWithItsClient(t *testing.T) {
	s := open(t, storetest.SQLite(t))
	q, err := fulltext.Parse("word")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.index.List(ctx, storetest.Account(t, s.db, "a").ID, q, store.MediaFilter{}); err != context.Canceled {
		t.Error(err)
	}
}

func TestAQueryOfTheMediaListIsStoppedAtItsLimit(t *testing.T) {
	s := open(t, storetest.SQLite(t))
	a := storetest.Account(t, s.db, "a").ID
	s.put(t, a, item{words: spoken("word")})
	x := columnar.New(columnar.Config{Store: s.db, Codec: s.codec, Calls: s.index.Calls, Timeout: time.Nanosecond})
	q, err := fulltext.Parse("word")
	if err != nil {
		t.Fatal(err)
	}
	_, err = x.List(t.Context(), a, q, store.MediaFilter{})
	if !fault.Is(err, fault.Invalid) || fault.ProblemsOf(err)[0].Code != fault.CodeQueryLimit {
		t.Error(err)
	}
}

// Results that a query reads because no segment has them yet are not held until its answer is sent.
func TestAQueryOfTheMediaListGivesBackWhatItHasRead(t *testing.T) {
	s := open(t, storetest.SQLite(t))
	a := storetest.Account(t, s.db, "a").ID
	some := make([]item, 2100) // more than a question reads from the database without a filter
	for n := range some {
		some[n] = item{words: spoken("word"), meta: metadata(t, `{"externalId":"x"}`)}
	}
	s.put(t, a, some...)
	q, err := fulltext.Parse("nothing")
	if err != nil {
		t.Fatal(err)
	}
	free := &limit{free: 1 << 30}
	_, err = s.index.List(memory.With(t.Context(), free), a, q, store.MediaFilter{ExternalID: "x"})
	if !fault.Is(err, fault.Unavailable) || free.held != 0 {
		t.Errorf("%d bytes are held: %v", free.held, err)
	}
}
