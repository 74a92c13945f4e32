package columnar_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/internal/analysis/category"
	"parley/internal/analysis/talk"
	"parley/internal/call/codec"
	"parley/internal/call/fact"
	"parley/internal/call/result"
	"parley/internal/index/callindex"
	"parley/internal/index/columnar"
	"parley/internal/lab/corpus"
	"parley/internal/query"
	"parley/internal/storage/blob"
	"parley/internal/storage/blob/disk"
	"parley/internal/storage/store"
	"parley/internal/testkit/indextest"
	"parley/internal/testkit/pgtest"
	"parley/internal/testkit/storetest"
	"parley/internal/testkit/verify"
	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/media"
	"parley/internal/words/transcript"
)

// shop is a database with calls, and the expected state of them.
type shop struct {
	t     testing.TB
	db    *store.Store
	codec *codec.Codec
	blobs *disk.Store
	index *columnar.Index
	// whether segments are encrypted, as where several servers share them
	encrypted bool
	calls     map[account.ID]map[media.ID]*call
}

type call struct {
	media   media.Media
	open    *result.Open
	indexed bool
	subject *query.Conversation
}

func open(t testing.TB, db *store.Store) *shop { return openShop(t, db, false) }

func openShop(t testing.TB, db *store.Store, encrypted bool) *shop {
	t.Helper()
	codec, err := codec.New()
	if err != nil {
		t.Fatal(err)
	}
	s := &shop{t: t, db: db, codec: codec, blobs: indextest.Blobs(t), calls: map[account.ID]map[media.ID]*call{},
		encrypted: encrypted}
	s.reopen()
	return s
}

// reopen opens the index like another process.
func (s *shop) reopen() {
	s.t.Helper()
	calls := indextest.Plain(s.t, s.db, s.blobs)
	if s.encrypted {
		calls = indextest.Encrypted(s.t, s.db, s.blobs)
	}
	s.index = columnar.New(columnar.Config{Store: s.db, Codec: s.codec, Calls: calls, Count: time.Minute})
}

// catchUp builds the segments of all calls that are worth one.
func (s *shop) catchUp() {
	s.t.Helper()
	indextest.CatchUp(s.t, s.index.Calls)
}

// segments returns the files of segments, also of replaced ones.
func (s *shop) segments() (paths []string) {
	s.t.Helper()
	err := s.blobs.List(s.t.Context(), callindex.Family+"/", func(b blob.Info) error {
		paths = append(paths, s.blobs.Path(b.Key))
		return nil
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return paths
}

// publish stores call n of a corpus, or stores it again with other results.
func (s *shop) publish(a account.ID, c corpus.Call, indexed bool, score float64) media.ID {
	s.t.Helper()
	metadata, err := media.ParseMetadata(c.Metadata)
	if err != nil {
		s.t.Fatal(err)
	}
	k := &call{indexed: indexed, open: &result.Open{Transcript: c.Transcript, Findings: scored(score)}}
	storetest.Update(s.t, s.db, func(tx *store.Tx) (err error) {
		k.media, err = tx.Media(a, c.ID)
		if fault.Is(err, fault.NotFound) {
			k.media, err = tx.InsertMedia(media.Media{ID: c.ID, Account: a, Status: media.Finished, Metadata: metadata,
				Length: c.Transcript.Length}, nil, nil)
		}
		if err != nil {
			return err
		}
		if err := tx.PutResult(c.ID, store.Result{Version: 1, Result: s.codec.EncodeResult(k.open)}); err != nil {
			return err
		}
		return tx.PutAnalytic(a, c.ID, indexed)
	})
	k.look()
	if s.calls[a] == nil {
		s.calls[a] = map[media.ID]*call{}
	}
	s.calls[a][c.ID] = k
	return c.ID
}

// scored returns the findings of a call with a score.
func scored(score float64) result.Findings {
	return result.Findings{
		Metrics:    []talk.Group{{Name: "sentiment", Metrics: []talk.Metric{{Name: "call-sentiment", Value: score}}}},
		Categories: []category.Result{{Name: "good", Matched: score > 0}},
	}
}

// look makes the subject of a call.
func (k *call) look() {
	values := fact.Of(&fact.Call{Media: &k.media, Transcript: k.open.Transcript, Findings: k.open.Findings})
	k.subject = query.Of(k.open.Transcript, values.Value)
}

// rescore changes the score of a call and its metadata, and leaves its words as they are.
func (s *shop) rescore(a account.ID, id media.ID, score float64) {
	s.t.Helper()
	k := *s.calls[a][id]
	open := *k.open
	open.Findings = scored(score)
	k.open = &open
	title, err := json.Marshal(k.media.Metadata.Title())
	if err != nil {
		s.t.Fatal(err)
	}
	k.media.Metadata = media.StoredMetadata(fmt.Appendf(nil, `{"title":%s,"extended":{"team":"team %v"}}`, title, score))
	storetest.Update(s.t, s.db, func(tx *store.Tx) error {
		changes, err := tx.Revisions(a, []media.ID{id})
		if err != nil {
			return err
		}
		same, err := tx.ReplaceResult(a, store.AnalyticItem{Media: id, Change: changes[id]}, s.codec.EncodeResult(k.open))
		if err == nil && !same {
			err = errors.New("the result is another one")
		}
		if err == nil {
			_, err = tx.SetMetadata(a, id, k.media.Metadata, 0)
		}
		return err
	})
	k.look()
	s.calls[a][id] = &k
}

func (s *shop) delete(a account.ID, id media.ID) {
	s.t.Helper()
	storetest.Update(s.t, s.db, func(tx *store.Tx) error { _, err := tx.DeleteMedia(a, id); return err })
	delete(s.calls[a], id)
}

func parse(t testing.TB, text string) *query.Select {
	t.Helper()
	s, err := query.Parse(text, nil)
	if err != nil {
		t.Fatal(text, err)
	}
	return s.Select
}

func (s *shop) ask(a account.ID, text string) *columnar.Answer {
	s.t.Helper()
	answer, err := s.index.Ask(s.t.Context(), a, parse(s.t, text), columnar.Page{})
	if err != nil {
		s.t.Fatal(text, err)
	}
	return answer
}

// naive returns the ids of the calls that match a condition, newest first, by evaluating every call.
func (s *shop) naive(a account.ID, c query.Condition, all bool) (ids []any) {
	p := query.Compile(c)
	for id, k := range s.calls[a] {
		if matched, _ := p.Find(k.subject); matched && (all || k.indexed) {
			ids = append(ids, string(id))
		}
	}
	slices.SortFunc(ids, func(x, y any) int { return cmp.Compare(y.(string), x.(string)) })
	return ids
}

// conditions are examples of every kind.
func conditions(c *corpus.Corpus) []string {
	w := c.Word
	return []string{
		`*`, `NOT *`, `"Agent" SAYS "thank you for calling"`, `* SAYS "` + w(300) + `"`,
		`* SAYS "` + w(40) + ` ` + w(3) + `"`,
		`caller SAYS "` + w(20) + `*"`, `* SAYS ("` + w(250) + `" || "` + w(260) + `")`,
		`* SAYS ("` + w(10) + `" && "` + w(90) + `")`,
		`agent SAYS "` + w(5) + `" AND NOT caller SAYS "` + w(60) + `"`, `NOT (* SAYS "` + w(2) + `")`,
		`metadata:score > 5`, `metadata:score > 5 AND * SAYS "` + w(100) + `"`,
		`metadata:score > 8 OR * SAYS "` + w(200) + `"`,
		`metadata:team = "TEAM 3"`, `metadata:agent:externalId LIKE "a1%"`,
		`metadata:nothing IS NULL AND wordCount > 50`,
		`metrics:"call-sentiment" < 0`, `categories:"good" = 1`,
		`sentiment BETWEEN 0 AND 0.5 AND caller SAYS "` + w(30) + `"`,
		`silence(1s)`, `* SAYS "` + w(8) + `" [0s, 10s]`,
		`agent SAYS "` + w(1) + `" FOLLOWED BY WITHIN 5s caller SAYS "` + w(4) + `"`,
		`title LIKE "billing%"`, `dateCreated >= "2026-01-01T00:03:00Z"`, `externalId IN ("call-3", "call-40", "no")`,
	}
}

// check compares all conditions with the evaluation of every call.
func (s *shop) check(what string, c *corpus.Corpus) {
	s.t.Helper()
	for a := range s.calls {
		var before query.Condition = query.Everything{}
		for _, text := range conditions(c) {
			condition := parse(s.t, text).Where
			want := s.naive(a, condition, false)
			answer := s.ask(a, "SELECT mediaId FROM media WHERE "+text+" LIMIT 1000")
			if got := column(answer); !slices.Equal(got, want) || answer.Total != len(want) || answer.LowerBound {
				s.t.Fatalf("%s: %s: %d of %d calls\n%v\nwant %d\n%v", what, text, len(got), answer.Total, got,
					len(want), want)
			}
			page := s.ask(a, "SELECT mediaId FROM media WHERE "+text+" LIMIT 3 OFFSET 2")
			if got := column(page); !slices.Equal(got, want[min(2, len(want)):min(5, len(want))]) ||
				page.Total != len(want) {
				s.t.Fatalf("%s: %s: page %v of %d, want of %v", what, text, got, page.Total, want)
			}
			trial, err := s.index.Try(s.t.Context(), a, columnar.Try{Condition: condition, Samples: 2})
			if err != nil {
				s.t.Fatal(err)
			}
			if all := s.naive(a, condition, true); trial.Matched != len(all) || trial.Calls != len(s.calls[a]) ||
				len(trial.Samples) != min(2, len(all)) {
				s.t.Fatalf("%s: trying %s: %+v, want %d", what, text, trial, len(all))
			}
			s.compare(what, a, condition, before)
			before = condition
		}
	}
}

func column(a *columnar.Answer) (values []any) {
	for _, row := range a.Rows {
		values = append(values, row[0])
	}
	return values
}

// TestAnswersAreThoseOfLookingAtEveryCall runs statements of every kind while calls are added, changed and deleted,
// after restarts and after merges of segments; no answer contains calls of another account.
func TestAnswersAreThoseOfLookingAtEveryCall(t *testing.T) {
	for name, encrypted := range map[string]bool{"plain": false, "encrypted": true} {
		t.Run(name, func(t *testing.T) {
			storetest.Each(t, func(t *testing.T, db *store.Store) { answersOfEveryCall(t, openShop(t, db, encrypted)) })
		})
	}
}

func answersOfEveryCall(t *testing.T, s *shop) {
	a, b := storetest.Account(t, s.db, "a").ID, storetest.Account(t, s.db, "b").ID
	c := corpus.New(corpus.Config{Words: 80})
	s.calls[a], s.calls[b] = map[media.ID]*call{}, map[media.ID]*call{}
	s.check("nothing", c)
	for n := range 90 { // enough for a segment
		owner := a
		if n%10 == 0 {
			owner = b
		}
		s.publish(owner, c.Call(n), n%4 > 0, math.Sin(float64(n)))
		if n%7 == 0 {
			s.ask(a, "*") // a separate segment for the few new calls
		}
	}
	s.check("published", c)
	ids := slices.Sorted(mapKeys(s.calls[a]))
	s.delete(a, ids[5])
	s.publish(a, c.Call(21), true, -1)
	s.check("one gone, one changed", c)
	s.catchUp()
	if len(s.segments()) == 0 {
		t.Error("nothing is in segments")
	}
	s.check("in segments", c)
	for n, id := range slices.Sorted(mapKeys(s.calls[a])) {
		if n%9 == 4 {
			s.rescore(a, id, -float64(n))
		}
	}
	s.check("other values", c)
	s.reopen()
	s.check("after a restart", c)
	for _, file := range s.segments() {
		if err := os.Truncate(file, 100); err != nil {
			t.Fatal(err)
		}
	}
	s.reopen()
	if _, err := s.index.Ask(t.Context(), a, parse(t, "*"), columnar.Page{}); !fault.Is(err, fault.Unavailable) {
		t.Errorf("a corrupt segment: %v", err)
	}
	s.catchUp()
	s.check("after damage", c)
}

// TestAnIndexKeepsNothingOfAFutureThatWasTakenBack restores an earlier state of the database under a running index. What
// happens in the database then is numbered anew, so that the index cannot know from the numbers alone.
func TestAnIndexKeepsNothingOfAFutureThatWasTakenBack(t *testing.T) {
	verify.Long(t)
	postgres := pgtest.Start(t)
	db := storetest.Open(t, postgres.URL(t))
	s := openShop(t, db, true)
	a := storetest.Account(t, db, "a").ID
	c := corpus.New(corpus.Config{Words: 80})
	for n := range 72 {
		s.publish(a, c.Call(n), true, 1)
	}
	s.catchUp()
	back := postgres.Save(t)
	until(t, func() bool { return db.Ping(t.Context()) == nil })
	s.check("published", c)
	before := maps.Clone(s.calls[a])

	ids := slices.Sorted(mapKeys(s.calls[a]))
	s.delete(a, ids[2])
	s.publish(a, c.Call(3), true, -1) // changed
	for n := range 70 {
		s.publish(a, c.Call(100+n), true, 1)
	}
	s.catchUp()
	s.check("in the future", c)

	back()
	until(t, func() bool { return db.Ping(t.Context()) == nil })
	s.calls[a] = before
	s.delete(a, ids[5]) // as many deletions as were taken back
	for n := range 3 {  // fewer, as many, and more changes than were taken back
		for k := range 3 {
			s.publish(a, c.Call(200+100*n+k), true, 1)
		}
		s.check("another future", c)
	}
}

// until waits for a condition to become true.
func until(t *testing.T, holds func() bool) {
	t.Helper()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-t.Context().Done():
			t.Fatal("it does not become true")
		case <-tick.C:
		}
	}
}

func mapKeys[V any](m map[media.ID]V) func(func(media.ID) bool) {
	return func(yield func(media.ID) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// TestGroupsAreThoseOfTheCalls compares groups and aggregates with sums computed by hand.
func TestGroupsAreThoseOfTheCalls(t *testing.T) {
	db := storetest.SQLite(t)
	s := open(t, db)
	a := storetest.Account(t, db, "a").ID
	c := corpus.New(corpus.Config{Words: 30, Every: time.Hour})
	type sums struct {
		n    float64
		all  []float64
		low  float64
		high float64
	}
	want := map[string]*sums{}
	for n := range 60 {
		k := c.Call(n)
		s.publish(a, k, true, float64(n))
		day := k.ID.Created().Format(time.DateOnly)
		if want[day] == nil {
			want[day] = &sums{low: math.Inf(1), high: math.Inf(-1)}
		}
		w := want[day]
		w.n, w.all, w.low, w.high = w.n+1, append(w.all, float64(n)), min(w.low, float64(n)), max(w.high, float64(n))
	}
	answer := s.ask(a, `SELECT date_trunc('day', dateCreated) AS day, count(*), sum(sentiment), avg(sentiment), min(sentiment), max(sentiment), median(sentiment), percentile(sentiment, 25)
		FROM media GROUP BY day ORDER BY day DESC`)
	if answer.Total != len(want) || len(answer.Rows) != len(want) ||
		!reflect.DeepEqual(answer.Columns[:2], []string{"day", "count(*)"}) {
		t.Fatalf("%+v", answer)
	}
	before := time.Time{}
	for _, row := range answer.Rows {
		day := row[0].(time.Time)
		w := want[day.Format(time.DateOnly)]
		slices.Sort(w.all)
		total := 0.0
		for _, v := range w.all {
			total += v
		}
		middle := (w.all[(len(w.all)-1)/2] + w.all[len(w.all)/2]) / 2
		at := .25 * float64(len(w.all)-1)
		quarter := w.all[int(at)] + (at-math.Floor(at))*(w.all[min(int(at)+1, len(w.all)-1)]-w.all[int(at)])
		if got := row[1:]; !reflect.DeepEqual(got, []any{w.n, total, total / w.n, w.low, w.high, middle, quarter}) ||
			!before.IsZero() && !day.Before(before) {
			t.Errorf("%v: %v, want %+v", day, got, w)
		}
		before = day
	}
	if all := s.ask(a, `SELECT count(*), count(metadata:nothing), avg(metadata:nothing) FROM media WHERE metadata:score >= 0`); !reflect.DeepEqual(all.Rows, [][]any{{60.0, 0.0, nil}}) {
		t.Errorf("of all: %v", all.Rows)
	}
	if none := s.ask(a, `SELECT count(*), max(length) FROM media WHERE * SAYS "nosuchword"`); !reflect.DeepEqual(
		none.Rows, [][]any{{0.0, nil}}) {
		t.Errorf("of none: %v", none.Rows)
	}
	if none := s.ask(a, `SELECT metadata:team, count(*) FROM media WHERE * SAYS "nosuchword" GROUP BY metadata:team`); none.Total != 0 || len(none.Rows) != 0 {
		t.Errorf("groups of none: %v", none.Rows)
	}
}

// Sums of large numbers overflow; the rest of the answer is unaffected.
func TestWhatPassesTheRangeOfNumbersIsMissing(t *testing.T) {
	db := storetest.SQLite(t)
	s := open(t, db)
	a := storetest.Account(t, db, "a").ID
	c := corpus.New(corpus.Config{Words: 30})
	for n, v := range []string{"1e308", "1.5e308", "-1.7e308"} {
		k := c.Call(n)
		k.Metadata = fmt.Appendf(nil, `{"extended":{"v":%s,"w":%[1]s}}`, v)
		s.publish(a, k, true, 0)
	}
	const all = `SELECT count(*), sum(metadata:v), avg(metadata:v), max(metadata:v) FROM media WHERE metadata:v > 0`
	if answer := s.ask(a, all); !reflect.DeepEqual(answer.Rows, [][]any{{2.0, nil, nil, 1.5e308}}) {
		t.Error(answer.Rows)
	}
	if answer := s.ask(a, `SELECT percentile(metadata:v, 25), median(metadata:v) FROM media`); !reflect.DeepEqual(
		answer.Rows, [][]any{{nil, 1e308}}) {
		t.Error(answer.Rows)
	}
}

func TestRowsHaveTheOrderThatIsAskedFor(t *testing.T) {
	db := storetest.SQLite(t)
	s := open(t, db)
	a := storetest.Account(t, db, "a").ID
	c := corpus.New(corpus.Config{Words: 30})
	for n := range 40 {
		s.publish(a, c.Call(n), true, float64(n%7))
	}
	up := s.ask(a, `SELECT sentiment AS mood, length, mediaId FROM media ORDER BY mood, length DESC LIMIT 15 OFFSET 4`)
	all := s.ask(a, `SELECT sentiment, length, mediaId FROM media LIMIT 100`).Rows
	slices.SortFunc(all, func(x, y []any) int {
		return cmp.Or(cmp.Compare(x[0].(float64), y[0].(float64)), cmp.Compare(y[1].(float64), x[1].(float64)),
			cmp.Compare(y[2].(string), x[2].(string)))
	})
	if !reflect.DeepEqual(up.Rows, all[4:19]) || up.Total != 40 {
		t.Errorf("%v\nwant %v", up.Rows, all[4:19])
	}
	if last := s.ask(a, `SELECT metadata:score FROM media ORDER BY metadata:nothing DESC LIMIT 2`); len(
		last.Rows) != 2 {
		t.Errorf("by what is missing: %v", last.Rows)
	}
}

func TestHitsAreThoseOfTheTranscript(t *testing.T) {
	db := storetest.SQLite(t)
	s := open(t, db)
	a := storetest.Account(t, db, "a").ID
	id := s.publish(a, corpus.New(corpus.Config{Words: 40}).Call(0), true, 0)
	answer := s.ask(a, `SELECT *, HITS() FROM media WHERE "agent" SAYS "thank you for calling"`)
	k := s.calls[a][id]
	if !slices.Equal(answer.Columns,
		[]string{"mediaId", "dateCreated", "dateFinished", "length", "wordCount", "interactionType", "metadata",
			"hits()"}) {
		t.Errorf("columns %q", answer.Columns)
	}
	hit := answer.Hits[0][0]
	words := k.open.Transcript.Words
	if len(answer.Hits[0]) != 1 || !strings.EqualFold(hit.Text, "thank you for calling") || hit.Speaker != "Agent" ||
		hit.Turn != 1 ||
		hit.Start != words[0].Start || hit.End != words[3].End ||
		hit.Ratio != float64(hit.Start)/float64(k.open.Transcript.Length) {
		t.Errorf("%+v", answer.Hits)
	}
	if plain := s.ask(a, `SELECT mediaId FROM media WHERE "agent" SAYS "thank you for calling"`); plain.Hits != nil {
		t.Errorf("hits that nobody asked for: %+v", plain.Hits)
	}
}

func TestDefinedTypesAreThoseOfComparisonsAndOfTheSchema(t *testing.T) {
	db := storetest.SQLite(t)
	s := open(t, db)
	a, b := storetest.Account(t, db, "a").ID, storetest.Account(t, db, "b").ID
	c := corpus.New(corpus.Config{Words: 30})
	for n, value := range []string{`"7"`, `"x"`, `10`, `true`} {
		k := c.Call(n)
		k.Metadata = fmt.Appendf(nil, `{"extended":{"v":%s}}`, value)
		s.publish(a, k, true, 0)
	}
	define := func(text string) columnar.Types {
		statement, err := query.Parse(text, nil)
		if err != nil {
			t.Fatal(err)
		}
		types, err := s.index.Define(t.Context(), a, statement.Alter)
		if err != nil {
			t.Fatal(err)
		}
		return types
	}
	count := func() int { return s.ask(a, `metadata:v IS NOT NULL`).Total }
	if count() != 4 {
		t.Errorf("%d values before", count())
	}
	define(`ALTER TABLE media DEFINE metadata:v varchar, metadata:other timestamp`)
	if types := define(`ALTER TABLE media DEFINE metadata:v integer`); len(types) != 2 || types[0].Type != "integer" {
		t.Errorf("types %+v", types)
	}
	if got := s.ask(a, `SELECT metadata:v FROM media WHERE metadata:v IS NOT NULL ORDER BY metadata:v`); !reflect.DeepEqual(column(got), []any{1.0, 7.0, 10.0}) {
		t.Errorf("as integers: %v", got.Rows)
	}
	fields, err := s.index.Fields(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	defined := map[string]string{}
	for _, f := range fields {
		if f.Defined {
			defined[f.Name] = f.Type
		}
	}
	if fields[0].Name != "mediaId" ||
		!reflect.DeepEqual(defined, map[string]string{"metadata:v": "integer", "metadata:other": "timestamp"}) {
		t.Errorf("schema: %+v", fields)
	}
	if types, err := s.index.Types(t.Context(), b); err != nil || len(types) != 0 {
		t.Errorf("another account: %v, %v", types, err)
	}
}

// One statement cannot name all the fields that may be defined.
func TestFieldsAreDefinedByManyStatements(t *testing.T) {
	db := storetest.SQLite(t)
	s := open(t, db)
	a := storetest.Account(t, db, "a").ID
	define := func(from, to int, name string) (columnar.Types, error) {
		var columns []string
		for n := from; n < to; n++ {
			columns = append(columns, fmt.Sprintf("metadata:%s%d integer", name, n))
		}
		st, err := query.Parse("ALTER TABLE media DEFINE "+strings.Join(columns, ", "), nil)
		if err != nil {
			t.Fatal(err)
		}
		return s.index.Define(t.Context(), a, st.Alter)
	}
	for from := 0; from < 1000; from += 100 {
		if types, err := define(from, from+100, "f"); err != nil || len(types) != from+100 {
			t.Fatal(len(types), err)
		}
	}
	if types, err := s.index.Types(t.Context(), a); err != nil || len(types) != 1000 {
		t.Fatal(len(types), err)
	}
	s.ask(a, "metadata:f999 = 3")
	if types, err := define(1000, 1001, "f"); !fault.Is(err, fault.TooLarge) {
		t.Error(len(types), err)
	}
}

func TestNamesOfDefinedFieldsAreNotTooLong(t *testing.T) {
	db := storetest.SQLite(t)
	s := open(t, db)
	a := storetest.Account(t, db, "a").ID
	var last error
	for n := range 30 {
		st, err := query.Parse(fmt.Sprintf("ALTER TABLE media DEFINE metadata:%s%d integer", strings.Repeat("f", 9000),
			n), nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, last = s.index.Define(t.Context(), a, st.Alter); last != nil {
			break
		}
	}
	if !fault.Is(last, fault.TooLarge) {
		t.Error(last)
	}
	s.ask(a, "*")
}

func TestAQuestionEndsWithItsContextAndItsTime(t *testing.T) {
	db := storetest.SQLite(t)
	s := open(t, db)
	a := storetest.Account(t, db, "a").ID
	c := corpus.New(corpus.Config{Words: 30})
	for n := range 200 {
		s.publish(a, c.Call(n), true, 0)
	}
	s.ask(a, "*")
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.index.Ask(gone, a, parse(t, `* SAYS "the"`), columnar.Page{}); err != context.Canceled {
		t.Errorf("a client that has left: %v", err)
	}
	s.index.Timeout = 1
	_, err := s.index.Ask(t.Context(), a, parse(t, `NOT (* SAYS "`+c.Word(3)+`") ORDER BY length`), columnar.Page{})
	if !fault.Is(err, fault.Invalid) || fault.ProblemsOf(err)[0].Code != fault.CodeQueryLimit {
		t.Errorf("out of time: %v", err)
	}
	s.index.Timeout, s.index.Count = time.Minute, 1
	answer := s.ask(a, `NOT (* SAYS "nosuchword") LIMIT 5`)
	if len(answer.Rows) != 5 || !answer.LowerBound || answer.Total < 5 || answer.Total > 200 {
		t.Errorf("out of time for the total: %d rows of %d, %v", len(answer.Rows), answer.Total, answer.LowerBound)
	}
}

// Three calls of one word have more hits, with the texts of their conditions, than an answer may contain; two of them
// do not.
// not.
func TestAnAnswerThatWouldBeTooLargeIsRefused(t *testing.T) {
	db := storetest.SQLite(t)
	s := open(t, db)
	a := storetest.Account(t, db, "a").ID
	c := corpus.New(corpus.Config{Words: 30})
	const words = 1600
	for n := range 3 {
		k := c.Call(n)
		k.Transcript = &transcript.Transcript{Length: words * time.Second,
			Speakers: []transcript.Speaker{{Name: "Agent"}, {Name: "Caller"}}}
		for i := range words {
			k.Transcript.Words = append(k.Transcript.Words,
				transcript.Word{Text: "a", Start: time.Duration(i) * time.Second,
					End: time.Duration(i+1) * time.Second})
		}
		s.publish(a, k, true, 0)
	}
	text := `SELECT hits() FROM media WHERE * SAYS "a"` + strings.Repeat("[0,99%]", 800)
	if two := s.ask(a, text+" LIMIT 2"); len(two.Hits) != 2 || len(two.Hits[1]) < words*9/10 {
		t.Fatalf("%d rows", len(two.Hits))
	}
	_, err := s.index.Ask(t.Context(), a, parse(t, text), columnar.Page{})
	if !fault.Is(err, fault.Invalid) || fault.ProblemsOf(err)[0].Code != fault.CodeQueryLimit ||
		!strings.Contains(err.Error(), "LIMIT") {
		t.Error(err)
	}
}
