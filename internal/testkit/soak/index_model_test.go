package soak

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"parley/internal/analysis/category"
	"parley/internal/analysis/talk"
	"parley/internal/call/fact"
	"parley/internal/call/result"
	"parley/internal/index/tokenfile"
	"parley/internal/query"
	"parley/internal/words/media"
	"parley/internal/words/phrase"
	"parley/internal/words/transcript"
)

// lawCategory is the category that is applied to past calls.
const lawCategory = "law"

// indexedCall is a call between two of its changes. It is immutable.
type indexedCall struct {
	media      media.Media
	words      *transcript.Transcript // nil: it has failed
	mood       float64
	searchable bool // the query of the media list finds it
	posted     bool // statements see it
	rule       int  // that its category was evaluated by when it was published

	facts  [2]func() *query.Conversation // as statements see it, without and with the category
	listed func() *listedCall            // as the query of the media list sees it
}

// listedCall is a call as the query of the media list sees it.
type listedCall struct {
	query.Subject
	words phrase.Glossary
}

// remember makes what is computed of a call when it is needed first.
func (c *indexedCall) remember() *indexedCall {
	said := cmp.Or(c.words, &transcript.Transcript{})
	for i, matched := range []bool{false, true} {
		c.facts[i] = sync.OnceValue(func() *query.Conversation {
			values := fact.Of(&fact.Call{Media: &c.media, Transcript: said, Findings: c.findings(matched)})
			return query.Of(said, values.Value)
		})
	}
	c.listed = sync.OnceValue(func() *listedCall {
		l := &listedCall{words: phrase.Glossary{}}
		f := tokenfile.Of(said, c.media.Metadata.Title(), c.media.Metadata.Description())
		for _, w := range f.Words {
			l.Words = append(l.Words, l.words.Number(w))
		}
		for _, p := range f.Parts {
			l.Parts = append(l.Parts, query.Part{Field: p.Field, From: p.From, To: p.To})
		}
		return l
	})
	return c
}

// findings returns what is found in a call that matches the category or does not.
func (c *indexedCall) findings(matched bool) result.Findings {
	return result.Findings{
		Metrics:    []talk.Group{{Name: "sentiment", Metrics: []talk.Metric{{Name: "call-sentiment", Value: c.mood}}}},
		Categories: []category.Result{{Name: lawCategory, Matched: matched}},
	}
}

// rule is a condition of the category.
type rule struct {
	text    string
	program *query.Program
}

// matches reports whether a call matches the category. Rules are about words, so that metadata may change meanwhile.
func (r rule) matches(c *indexedCall) bool {
	matched, _ := r.program.Find(c.facts[0]())
	return matched
}

// indexVersion is the calls of an account between two changes. It is immutable.
type indexVersion struct {
	calls   []*indexedCall // newest first
	rules   []rule         // that the category has had
	settled int            // the rule that all calls were evaluated by
	late    int            // the rule that is being applied; settled if none is
}

// with returns a version with other calls in place of those with the same ids; gone are removed.
func (v *indexVersion) with(calls []*indexedCall, gone ...media.ID) *indexVersion {
	next := *v
	next.calls = slices.DeleteFunc(slices.Clone(v.calls), func(c *indexedCall) bool {
		return slices.Contains(gone, c.media.ID) ||
			slices.ContainsFunc(calls, func(n *indexedCall) bool { return n.media.ID == c.media.ID })
	})
	next.calls = append(next.calls, calls...)
	slices.SortFunc(next.calls, func(a, b *indexedCall) int { return cmp.Compare(b.media.ID, a.media.ID) })
	return &next
}

// indexQuestion is a statement or a query of the media list.
type indexQuestion struct {
	text    string
	list    bool // it is a query of the media list
	program *query.Program
	limit   int // of rows
}

func (q *indexQuestion) String() string {
	if q.list {
		return fmt.Sprintf("GET /v3/media?query=%s&limit=%d", q.text, q.limit)
	}
	return q.statement()
}

// statement returns the statement of a condition.
func (q *indexQuestion) statement() string {
	return fmt.Sprintf("SELECT mediaId FROM media WHERE %s LIMIT %d", q.text, q.limit)
}

// on reports whether a call with and without the category is in the answer.
func (q *indexQuestion) on(c *indexedCall, categorized bool) bool {
	if q.list {
		l := c.listed()
		m, err := q.program.Over(l.words)
		return c.searchable && err == nil && m.Match(&l.Subject)
	}
	facts := c.facts[0]()
	if categorized {
		facts = c.facts[1]()
	}
	matched, _ := q.program.Find(facts)
	return c.posted && c.words != nil && matched
}

// bounds returns whether a call may be in the answer, and whether it must be. They differ only while a rule is being
// applied to calls that were published before.
func (v *indexVersion) bounds(q *indexQuestion, c *indexedCall) (may, must bool) {
	now := v.rules[v.late].matches(c)
	must = q.on(c, now)
	if before := v.rules[v.settled].matches(c); c.rule == v.late || before == now {
		return must, must
	}
	other := q.on(c, !now)
	return must || other, must && other
}

// indexAnswer is what a server answers.
type indexAnswer struct {
	ids   []media.ID
	total int // -1: not counted
	bound bool
}

// place says whether a call may be in an answer, and whether it must be.
type place struct {
	id        media.ID
	may, must bool
}

// placesIn returns the places of all calls, newest first, where each call may be as in any of some versions.
func placesIn(q *indexQuestion, versions []*indexVersion) []place {
	all := map[media.ID]*place{}
	seen := map[media.ID]int{}
	for _, v := range versions {
		for _, c := range v.calls {
			may, must := v.bounds(q, c)
			p := all[c.media.ID]
			if p == nil {
				p = &place{id: c.media.ID, must: true}
				all[c.media.ID] = p
			}
			p.may, p.must = p.may || may, p.must && must
			seen[c.media.ID]++
		}
	}
	var places []place
	for id, p := range all {
		p.must = p.must && seen[id] == len(versions)
		places = append(places, *p)
	}
	slices.SortFunc(places, func(a, b place) int { return cmp.Compare(b.id, a.id) })
	return places
}

// differs returns what is wrong with an answer; empty if each call is in it as in one of some versions.
func (a *indexAnswer) differs(q *indexQuestion, versions ...*indexVersion) string {
	rest, least, most := a.ids, 0, 0
	for _, p := range placesIn(q, versions) {
		there := len(rest) > 0 && rest[0] == p.id
		if p.must {
			least++
		}
		if p.may {
			most++
		}
		switch {
		case there && !p.may:
			return fmt.Sprintf("%s does not match, and is there", p.id)
		case there:
			rest = rest[1:]
		case p.must && len(a.ids)-len(rest) < q.limit:
			return fmt.Sprintf("%s matches, and is not there", p.id)
		}
	}
	switch {
	case len(rest) > 0:
		return fmt.Sprintf("%s is there, twice, out of order or without being a call", rest[0])
	case a.total >= 0 && (a.total > most || a.total < least && !a.bound):
		return fmt.Sprintf("the total is %d, of %d to %d", a.total, least, most)
	}
	return ""
}

// indexHistory is the versions of an account, the last of which may be about to become true. It is safe for concurrent
// use.
type indexHistory struct {
	mu       sync.Mutex
	forgot   int // versions before those that are kept
	versions []*indexVersion
	sure     int // number of the last version that is known to be true
}

// mostVersions is how many versions are kept: more than come while a question is answered.
const mostVersions = 3000

// begin adds a version that becomes true at some time between now and end.
func (h *indexHistory) begin(v *indexVersion) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.versions = append(h.versions, v)
	if len(h.versions) > mostVersions {
		h.versions = slices.Delete(h.versions, 0, mostVersions/2)
		h.forgot += mostVersions / 2
	}
}

// end says that the version that began last is true.
func (h *indexHistory) end() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.sure = h.forgot + len(h.versions) - 1
}

// last returns the version that began last.
func (h *indexHistory) last() *indexVersion {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.versions[len(h.versions)-1]
}

// known returns the number of the last version that is known to be true.
func (h *indexHistory) known() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.sure
}

// since returns all versions from a number on, which may be true or may have been.
func (h *indexHistory) since(number int) []*indexVersion {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.versions[max(number-h.forgot, 0):])
}

// wrong returns what is wrong with an answer that was asked for when a version was known; empty if nothing is. A
// statement is answered as of that version or a later one. A query of the media list reads the recordings that it has
// found after that, so each of them is in the answer as of a version of its own.
func (h *indexHistory) wrong(q *indexQuestion, a *indexAnswer, known int) (problem string) {
	all := h.since(known)
	if q.list {
		return a.differs(q, all...)
	}
	for n, v := range all {
		if problem = a.differs(q, v); problem == "" {
			return ""
		}
		problem = fmt.Sprintf("as of the last of %d versions: %s", n+1, problem)
	}
	return problem
}
