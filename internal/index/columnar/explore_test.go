package columnar_test

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/internal/index/columnar"
	"parley/internal/lab/corpus"
	"parley/internal/query"
	"parley/internal/query/fulltext"
	"parley/internal/storage/store"
	"parley/internal/testkit/storetest"
	"parley/internal/testkit/verify"
	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/media"
	"parley/internal/words/phrase"
)

// market is a shop of one account whose calls are drawn at random.
type market struct {
	*shop
	r          *rand.Rand
	corpus     *corpus.Corpus
	a          account.ID
	n          int // calls so far
	searchable map[media.ID]bool
}

// newMarket opens a shop whose calls begin at a time.
func newMarket(t testing.TB, db *store.Store, encrypted bool, seed uint64, first time.Time,
	every time.Duration) *market {
	m := &market{shop: openShop(t, db, encrypted), r: rand.New(rand.NewPCG(seed, 1)),
		corpus: corpus.New(corpus.Config{Seed: seed, Words: 40, First: first, Every: every}),
		a:      storetest.Account(t, db, fmt.Sprint("market", seed)).ID, searchable: map[media.ID]bool{}}
	m.calls[m.a] = map[media.ID]*call{}
	return m
}

// add publishes further calls.
func (m *market) add(calls int) {
	m.t.Helper()
	for range calls {
		c := m.corpus.Call(m.n)
		m.n++
		m.store(c)
	}
}

// store publishes a call, or publishes it again, with random findings, indexed or searchable or neither.
func (m *market) store(c corpus.Call) {
	m.t.Helper()
	c.Transcript.Language = []string{"en-US", "en-us", "de-DE", ""}[m.r.IntN(4)]
	indexed, searchable := m.r.IntN(3) > 0, m.r.IntN(3) > 0
	m.publish(m.a, c, indexed, float64(m.r.IntN(41)-20)/10)
	storetest.Update(m.t, m.db, func(tx *store.Tx) error {
		if err := tx.SetSearchable(c.ID, searchable); err != nil {
			return err
		}
		return tx.PutAnalytic(m.a, c.ID, indexed)
	})
	m.searchable[c.ID] = searchable
}

// disturb gives some calls other values, deletes a call and gives another one the words of a third.
func (m *market) disturb() {
	m.t.Helper()
	ids := slices.Sorted(mapKeys(m.calls[m.a]))
	for range 5 {
		m.rescore(m.a, ids[m.r.IntN(len(ids))], float64(m.r.IntN(9)))
	}
	m.delete(m.a, ids[m.r.IntN(len(ids))])
	ids = slices.Sorted(mapKeys(m.calls[m.a]))
	other := m.corpus.Call(1000 + m.r.IntN(1000))
	other.ID = ids[m.r.IntN(len(ids))]
	m.store(other)
}

// texts are the words of a call by field, turn by turn.
func (k *call) texts() (all []struct {
	field phrase.Field
	words []string
}) {
	add := func(f phrase.Field, words []string) {
		all = append(all, struct {
			field phrase.Field
			words []string
		}{f, words})
	}
	for _, turn := range k.open.Transcript.Turns() {
		var words []string
		for _, i := range turn.Words {
			if k.open.Transcript.Words[i].Kind.Lasts() {
				words = phrase.Append(words, k.open.Transcript.Words[i].Text)
			}
		}
		add(phrase.Transcript, words)
	}
	add(phrase.Title, phrase.Words(k.media.Metadata.Title()))
	add(phrase.Description, phrase.Words(k.media.Metadata.Description()))
	return all
}

// has reports whether a call has consecutive words in one of its texts, of a field if one is given.
func (k *call) has(words []string, fields ...phrase.Field) bool {
	for _, text := range k.texts() {
		if len(fields) > 0 && !slices.Contains(fields, text.field) {
			continue
		}
		for i := range text.words {
			if i+len(words) <= len(text.words) && slices.Equal(text.words[i:i+len(words)], words) {
				return true
			}
		}
	}
	return false
}

// asked is a condition of either language, with its naive meaning.
type asked struct {
	text       string
	condition  query.Condition
	searchable bool
	holds      func(*call) bool
}

func (m *market) condition() asked {
	m.t.Helper()
	if m.r.IntN(2) == 0 {
		return m.words()
	}
	all := conditions(m.corpus)
	text := all[m.r.IntN(len(all))]
	switch other := all[m.r.IntN(len(all))]; m.r.IntN(3) {
	case 0:
		text = "(" + text + ") AND (" + other + ")"
	case 1:
		text = "(" + text + ") OR NOT (" + other + ")"
	}
	where := parse(m.t, text).Where
	program := query.Compile(where)
	return asked{text, where, false, func(k *call) bool {
		matched, _ := program.Find(k.subject)
		return matched
	}}
}

// words returns a query of the media list.
func (m *market) words() asked {
	m.t.Helper()
	type term struct {
		text  string
		holds func(*call) bool
	}
	one := func() term {
		a, b := m.corpus.Word(m.r.IntN(60)), m.corpus.Word(m.r.IntN(60))
		topic := m.corpus.Call(m.r.IntN(50)).Topic
		first := phrase.Words(topic)[:1]
		drawn := []term{
			{a, func(k *call) bool { return k.has([]string{a}) }},
			{"-" + a, func(k *call) bool { return !k.has([]string{a}) }},
			{`"` + a + " " + b + `"`, func(k *call) bool { return k.has([]string{a, b}) }},
			{"-title:" + first[0], func(k *call) bool { return !k.has(first, phrase.Title) }},
			{`("thank you for calling" -description:` + a + ")", func(k *call) bool {
				return k.has(phrase.Words("thank you for calling")) && !k.has([]string{a}, phrase.Description)
			}},
			{"(title:" + first[0] + ")", func(k *call) bool { return k.has(first, phrase.Title) }},
		}
		return drawn[m.r.IntN(len(drawn))]
	}
	x, y := one(), one()
	a := asked{text: x.text + " " + y.text, searchable: true,
		holds: func(k *call) bool { return x.holds(k) && y.holds(k) }}
	if m.r.IntN(2) == 0 {
		a.text = x.text + " OR " + y.text
		a.holds = func(k *call) bool { return x.holds(k) || y.holds(k) }
	}
	var err error
	if a.condition, err = fulltext.Parse(a.text); err != nil {
		m.t.Fatal(a.text, err)
	}
	return a
}

// matching returns the calls of a period that are looked at and those that match, newest first.
func (m *market) matching(a asked, from, until time.Time) (looked, matched []*call) {
	for _, id := range slices.Backward(slices.Sorted(mapKeys(m.calls[m.a]))) {
		k := m.calls[m.a][id]
		at := id.Created()
		if at.Before(from) || !until.IsZero() && !at.Before(until) || a.searchable && !m.searchable[id] {
			continue
		}
		looked = append(looked, k)
		if a.holds(k) {
			matched = append(matched, k)
		}
	}
	return looked, matched
}

func idsOf(calls []*call) (ids []media.ID) {
	for _, k := range calls {
		ids = append(ids, k.media.ID)
	}
	return ids
}

// facets are fields of every kind.
var facets = []string{"language", "metadata:team", "metadata:score", `categories:"good"`, "metadata:nothing", "title",
	"sentiment", "length", "wordCount", "status", `metadata:agent:fullName`}

func fieldOf(t testing.TB, text string) query.Field {
	t.Helper()
	s, err := query.ReadField(text).Check(nil)
	if err != nil {
		t.Fatal(text, err)
	}
	return s.Selected()
}

// explore draws a question and compares every part of the answer with what a scan of all calls finds.
func (m *market) explore(zone *time.Location) {
	m.t.Helper()
	a := m.condition()
	var from, until time.Time
	ids := slices.Sorted(mapKeys(m.calls[m.a]))
	if m.r.IntN(2) == 0 {
		from, until = ids[m.r.IntN(len(ids))].Created(), ids[m.r.IntN(len(ids))].Created()
		if until.Before(from) {
			from, until = until, from
		}
	}
	looked, matched := m.matching(a, from, until)
	e := columnar.Exploration{Condition: a.condition, Searchable: a.searchable, From: from, Until: until, Rows: 7,
		Counts: true, Values: 1 + m.r.IntN(8),
		Histogram: &columnar.Scale{Interval: columnar.Intervals[m.r.IntN(4)], Zone: zone}}
	for _, name := range facets {
		e.Facets = append(e.Facets, fieldOf(m.t, name))
	}
	got, err := m.index.Explore(m.t.Context(), m.a, e)
	if err != nil {
		m.t.Fatal(a.text, err)
	}
	what := fmt.Sprintf("%s from %v until %v", a.text, from, until)
	if got.Total != len(matched) || got.Calls != len(looked) || got.LowerBound {
		m.t.Fatalf("%s: %d of %d (%v), want %d of %d", what, got.Total, got.Calls, got.LowerBound, len(matched), len(looked))
	}
	if all, _ := m.matching(asked{holds: a.holds}, from, until); a.searchable &&
		got.LeftOut.Hidden != len(all)-len(looked) {
		m.t.Fatalf("%s: %d are hidden, want %d", what, got.LeftOut.Hidden, len(all)-len(looked))
	}
	m.pages(what, e, got, idsOf(matched))
	for i, f := range got.Facets {
		m.facet(what+": "+facets[i], a, e, f, matched, from, until)
	}
	m.histogram(what, got, looked, matched, zone)
}

// pages compares the rows of all pages. The counts of the second one are those of the first.
func (m *market) pages(what string, e columnar.Exploration, first *columnar.Explored, want []media.ID) {
	m.t.Helper()
	var got []media.ID
	for page := first; ; {
		for _, row := range page.Rows {
			got = append(got, row.Media)
			m.row(what, row)
		}
		if !page.More {
			break
		}
		e.Before = got[len(got)-1]
		var err error
		if page, err = m.index.Explore(m.t.Context(), m.a, e); err != nil || len(page.Rows) == 0 ||
			e.Counts && (page.Total != first.Total || !reflect.DeepEqual(page.Buckets, first.Buckets)) {
			m.t.Fatal(what, len(page.Rows), page.Total, first.Total, err)
		}
		e.Counts = false
	}
	if !slices.Equal(got, want) {
		m.t.Fatalf("%s: rows\n%v\nwant\n%v", what, got, want)
	}
}

func (m *market) row(what string, row columnar.Row) {
	m.t.Helper()
	k := m.calls[m.a][row.Media]
	categories := []string(nil)
	if k.open.Findings.Categories[0].Matched {
		categories = []string{"good"}
	}
	figures := []columnar.Figure{{Metric: "call-sentiment", Value: k.open.Findings.Metrics[0].Metrics[0].Value}}
	if row.Title != k.media.Metadata.Title() || row.ExternalID != k.media.Metadata.ExternalID() ||
		row.Language != k.open.Transcript.Language || row.Length != k.open.Transcript.Length.Truncate(time.Millisecond) ||
		!slices.Equal(row.Categories, categories) || !slices.Equal(row.Figures, figures) ||
		!slices.Equal(row.Speakers, k.open.Transcript.Speakers) || (row.Hits > 0) != (row.Hit != nil) ||
		!row.Created.Equal(row.Media.Created()) {
		m.t.Fatalf("%s: row %+v of %+v", what, row, k.media)
	}
}

// facet compares the counts of a facet; the condition of each value finds the calls that were counted.
func (m *market) facet(what string, a asked, e columnar.Exploration, f columnar.Facet, matched []*call,
	from, until time.Time) {
	m.t.Helper()
	type value struct {
		value query.Value
		calls int
	}
	byKey, none := map[string]*value{}, 0
	for _, k := range matched {
		v := k.subject.Value(f.Field)
		if v.Missing() {
			none++
			continue
		}
		key := string(v.AppendKey(nil))
		if byKey[key] == nil {
			byKey[key] = &value{value: v}
		}
		if query.Sorted(v, byKey[key].value) < 0 {
			byKey[key].value = v
		}
		byKey[key].calls++
	}
	sum := f.Rest
	for _, v := range f.Values {
		sum += v.Calls
		if !a.searchable {
			narrow := asked{holds: func(k *call) bool {
				matched, _ := query.Compile(v.Condition).Find(k.subject)
				return a.holds(k) && matched
			}}
			if _, narrowed := m.matching(narrow, from, until); len(narrowed) != v.Calls {
				m.t.Fatalf("%s: %s finds %d calls, the facet has %d", what, query.Print(v.Condition), len(narrowed), v.Calls)
			}
		}
	}
	if f.None != none || sum+none != len(matched) || len(f.Values) > max(e.Values, 2) {
		m.t.Fatalf("%s: %d values of %d calls, %d without, want %d without of %d", what, len(f.Values), sum, f.None, none,
			len(matched))
	}
	if len(f.Values) == 0 || f.Values[0].Value == nil {
		return
	}
	want := slices.SortedFunc(maps.Values(byKey), func(x, y *value) int {
		return cmp.Or(cmp.Compare(y.calls, x.calls), query.Sorted(x.value, y.value))
	})
	if f.Others != max(len(want)-e.Values, 0) || len(f.Values) != min(len(want), e.Values) {
		m.t.Fatalf("%s: %d values and %d others of %d", what, len(f.Values), f.Others, len(want))
	}
	for i, v := range f.Values {
		if v.Value != want[i].value.Any() || v.Calls != want[i].calls {
			m.t.Fatalf("%s: value %d is %v of %d, want %v of %d", what, i, v.Value, v.Calls, want[i].value.Any(), want[i].calls)
		}
	}
}

// onCalendar names the interval that an instant lies in, as a calendar of the zone does.
func onCalendar(at time.Time, i columnar.Interval) string {
	switch i {
	case columnar.Hourly:
		return at.Format("2006-01-02 15 -0700")
	case columnar.Weekly:
		year, week := at.ISOWeek()
		return fmt.Sprint(year, " ", week)
	case columnar.Monthly:
		return at.Format("2006-01")
	}
	return at.Format(time.DateOnly)
}

func (m *market) histogram(what string, got *columnar.Explored, looked, matched []*call, zone *time.Location) {
	m.t.Helper()
	want, have := map[string]int{}, map[string]int{}
	for _, k := range matched {
		want[onCalendar(k.media.ID.Created().In(zone), got.Interval)]++
	}
	for i, b := range got.Buckets {
		if b.Calls > 0 {
			have[onCalendar(b.From.In(zone), got.Interval)] += b.Calls
		}
		if i > 0 && !got.Buckets[i-1].Until.Equal(b.From) || !b.From.Before(b.Until) {
			m.t.Fatalf("%s: bucket %d: %+v", what, i, b)
		}
	}
	if !maps.Equal(have, want) {
		m.t.Fatalf("%s: by %s in %s %v, want %v", what, got.Interval, zone, have, want)
	}
	if n := len(got.Buckets); n > 0 {
		first, last := looked[len(looked)-1].media.ID.Created(), looked[0].media.ID.Created()
		if first.Before(got.Buckets[0].From) || !first.Before(got.Buckets[0].Until) ||
			last.Before(got.Buckets[n-1].From) || !last.Before(got.Buckets[n-1].Until) {
			m.t.Fatalf("%s: buckets from %v until %v for %v to %v", what, got.Buckets[0].From, got.Buckets[n-1].Until, first,
				last)
		}
	} else if len(looked) > 0 {
		m.t.Fatalf("%s: no buckets", what)
	}
}

// visible returns the calls that statements cover.
func (m *market) visible() (calls []*call) {
	for _, k := range m.calls[m.a] {
		if k.indexed {
			calls = append(calls, k)
		}
	}
	return calls
}

// TestExplorationsAreThoseOfLookingAtEveryCall compares explorations, completions and distributions with a scan of all
// calls, while calls are added, changed and deleted, in segments and outside of them, when clocks are changed.
func TestExplorationsAreThoseOfLookingAtEveryCall(t *testing.T) {
	verify.Long(t)
	for seed, c := range []struct {
		zone      string
		first     time.Time
		every     time.Duration
		encrypted bool
	}{
		{"Europe/Berlin", time.Date(2026, 3, 27, 5, 0, 0, 0, time.UTC), 37 * time.Minute, false},
		{"America/Sao_Paulo", time.Date(2018, 11, 3, 0, 0, 0, 0, time.UTC), 19 * time.Minute, true},
		{"Australia/Lord_Howe", time.Date(2026, 4, 3, 0, 0, 0, 0, time.UTC), 23 * time.Minute, false},
		{"America/Havana", time.Date(2026, 10, 31, 0, 0, 0, 0, time.UTC), 27 * time.Minute, true},
		{"UTC", time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), 5 * time.Hour, false},
	} {
		t.Run(c.zone, func(t *testing.T) {
			zone, err := time.LoadLocation(c.zone)
			if err != nil {
				t.Fatal(err)
			}
			m := newMarket(t, storetest.SQLite(t), c.encrypted, uint64(seed), c.first, c.every)
			look := func() {
				for range 8 {
					m.explore(zone)
				}
				for range 5 {
					m.completions()
					m.distributions()
				}
			}
			m.add(70)
			look()
			m.catchUp()
			m.add(80)
			m.catchUp()
			look()
			for range 4 {
				m.disturb()
			}
			m.add(10)
			look()
			m.catchUp()
			m.reopen()
			look()
		})
	}
}

// A word, a value or a number that only a deleted call had is gone at once, also from remembered answers.
func TestNothingOfADeletedCallIsCompletedOrCounted(t *testing.T) {
	m := newMarket(t, storetest.SQLite(t), false, 9, time.Time{}, 0)
	m.add(66)
	odd := m.corpus.Call(500)
	odd.Transcript.Words[0].Text = "Xylophone"
	odd.Metadata = []byte(`{"title":"xylotomy","extended":{"team":"xylem"}}`)
	m.publish(m.a, odd, true, 77)
	m.catchUp()
	words := func() []columnar.Word {
		found, _, err := m.index.Words(t.Context(), m.a, "xylo", 10)
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	greatest := func() float64 {
		found, err := m.index.Distributions(t.Context(), m.a, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range found.All {
			if d.Field.Path[0] == "call-sentiment" {
				return d.Quantiles[100]
			}
		}
		return math.NaN()
	}
	if got := words(); !slices.Equal(got, []columnar.Word{{Text: "xylophone", Calls: 1}}) ||
		greatest() != 77 {
		t.Fatalf("before: %v, %v", got, greatest())
	}
	m.rescore(m.a, odd.ID, 78)
	if greatest() != 78 {
		t.Errorf("another value: %v", greatest())
	}
	m.rescore(m.a, odd.ID, 79)
	if greatest() != 79 {
		t.Errorf("and another one: %v", greatest())
	}
	m.delete(m.a, odd.ID)
	values, _, err := m.index.FieldValues(t.Context(), m.a, fieldOf(t, "metadata:team"), "xyl", 10)
	if got := words(); len(got) != 0 || greatest() >= 70 || len(values.Values) != 0 || err != nil {
		t.Fatalf("afterwards: %v, %v, %v (%v)", got, greatest(), values, err)
	}
}

// Hits of a query of the media list are those in the transcript, also where other words of it are in the title.
func TestRowsShowTheFirstHitOfWords(t *testing.T) {
	m := newMarket(t, storetest.SQLite(t), false, 3, time.Time{}, 0)
	c := m.corpus.Call(0)
	m.publish(m.a, c, true, 1)
	storetest.Update(t, m.db, func(tx *store.Tx) error {
		if err := tx.SetSearchable(c.ID, true); err != nil {
			return err
		}
		return tx.PutAnalytic(m.a, c.ID, true)
	})
	condition, err := fulltext.Parse(`"thank you for calling" title:` + phrase.Words(c.Topic)[0])
	if err != nil {
		t.Fatal(err)
	}
	got, err := m.index.Explore(t.Context(), m.a, columnar.Exploration{Condition: condition, Searchable: true, Rows: 5})
	if err != nil || len(got.Rows) != 1 || got.Total != 0 || got.Buckets != nil {
		t.Fatalf("%+v (%v)", got, err)
	}
	words := m.calls[m.a][c.ID].open.Transcript.Words
	hit := got.Rows[0].Hit
	if hit == nil || hit.Start != words[0].Start || hit.End != words[3].End || hit.Speaker != "Agent" ||
		!strings.EqualFold(hit.Text, "thank you for calling") || got.Rows[0].Hits != 1 {
		t.Errorf("%+v", hit)
	}
}

// When counting takes too long, the rows are complete and the counts are marked as lower bounds.
func TestRowsDoNotWaitForCounts(t *testing.T) {
	m := newMarket(t, storetest.SQLite(t), false, 4, time.Time{}, 0)
	m.add(90)
	m.catchUp() // some calls are in the database only
	m.index.Count = 1
	where := parse(t, `NOT (* SAYS "nosuchword")`).Where
	got, err := m.index.Explore(t.Context(), m.a, columnar.Exploration{Condition: where, Rows: 50, Counts: true, Values: 5,
		Facets:    []query.Field{fieldOf(t, "metadata:team")},
		Histogram: &columnar.Scale{Zone: time.UTC}})
	if err != nil || len(got.Rows) != 50 || !got.LowerBound || got.Total > 90 || got.Calls != 90 {
		t.Fatalf("%d rows, %d of %d, %v (%v)", len(got.Rows), got.Total, got.Calls, got.LowerBound, err)
	}
	sum := 0
	for _, v := range got.Facets[0].Values {
		sum += v.Calls
	}
	if sum += got.Facets[0].Rest + got.Facets[0].None; sum != got.Total {
		t.Errorf("the facet has %d calls of %d", sum, got.Total)
	}
}

func TestExplorationsThatCannotBeShownAreRefused(t *testing.T) {
	m := newMarket(t, storetest.SQLite(t), false, 5, time.Time{}, 24*time.Hour)
	m.add(50)
	for what, e := range map[string]columnar.Exploration{
		"more than 1000 buckets": {Histogram: &columnar.Scale{Interval: columnar.Hourly, Zone: time.UTC}},
		"dateCreated":            {Facets: []query.Field{fieldOf(t, "dateCreated")}},
	} {
		e.Counts, e.Values = true, 5
		_, err := m.index.Explore(t.Context(), m.a, e)
		if !fault.Is(err, fault.Invalid) || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: %v", what, err)
		}
	}
	got, err := m.index.Explore(t.Context(), m.a, columnar.Exploration{Counts: true,
		Histogram: &columnar.Scale{Zone: time.UTC}})
	if err != nil || got.Interval != columnar.Daily || len(got.Buckets) != 50 {
		t.Errorf("by %s: %d buckets (%v)", got.Interval, len(got.Buckets), err)
	}
	if _, _, err := m.index.FieldValues(t.Context(), m.a, fieldOf(t, "length"), "", 5); !fault.Is(err, fault.Invalid) ||
		!strings.Contains(err.Error(), "distributions") {
		t.Error(err)
	}
}

// Ranges have equal widths; calls far beyond the others do not determine them.
func TestRangesSuitMostCalls(t *testing.T) {
	m := newMarket(t, storetest.SQLite(t), false, 6, time.Time{}, 0)
	for n := range 60 {
		c := m.corpus.Call(n)
		c.Transcript.Length = time.Duration(60+n) * time.Second
		if n == 7 {
			c.Transcript.Length = 5 * time.Hour
		}
		m.publish(m.a, c, true, 0)
	}
	got, err := m.index.Explore(t.Context(), m.a, columnar.Exploration{Counts: true, Values: 10,
		Facets: []query.Field{fieldOf(t, "length")}})
	if err != nil {
		t.Fatal(err)
	}
	var shown []string
	for _, v := range got.Facets[0].Values {
		shown = append(shown, fmt.Sprint(query.Print(v.Condition), ": ", v.Calls))
	}
	want := []string{"length >= 60000 AND length < 70000: 9", "length >= 70000 AND length < 80000: 10",
		"length >= 80000 AND length < 90000: 10", "length >= 90000 AND length < 100000: 10",
		"length >= 100000 AND length < 110000: 10", "length >= 110000: 11"}
	if !reflect.DeepEqual(shown, want) {
		t.Errorf("%q", shown)
	}
}
