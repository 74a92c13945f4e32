package soak

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"time"

	"parley/internal/call/codec"
	"parley/internal/call/result"
	"parley/internal/lab/corpus"
	"parley/internal/query"
	"parley/internal/query/fulltext"
	"parley/internal/storage/store"
	"parley/internal/terminal/client"
	"parley/internal/words/account"
	"parley/internal/words/media"
	"parley/internal/words/transcript"
)

// lawCalls are the calls of the law. Calls are published in any order of their ids, so that segments overlap.
var lawCalls = corpus.New(corpus.Config{Words: 24, Every: 20 * time.Second})

const (
	callsOfLaw  = 1 << 20 // numbers of calls, a few thousand of which are used
	usualCalls  = 1200    // of an account; it deletes more than it publishes above
	commonWords = 400     // of which questions ask for one: those that many or few calls have
)

// lawAccount is an account whose calls change while servers are killed. One goroutine changes it, so that the order of
// its states is known.
type lawAccount struct {
	*indexLaw
	number  int
	id      account.ID
	token   string
	history indexHistory
	random  *rand.Rand
	used    map[int]bool // numbers of calls
	applied time.Time    // when the application of a category was looked at last
}

// act makes one change. Most are made in the database, as a server makes them that is not killed; some are requested of
// a server, and requested again if that is killed.
func (a *lawAccount) act(ctx context.Context) error {
	v := a.history.last()
	if v.settled != v.late && time.Since(a.applied) > 200*time.Millisecond {
		return a.awaitRule(ctx)
	}
	what := a.random.IntN(20)
	switch {
	case len(v.calls) == 0 || what < 7 && len(v.calls) < usualCalls:
		return a.publish(ctx, 1+a.random.IntN(60))
	case what < 10:
		return a.replace(ctx)
	case what < 13:
		return a.rename(ctx, what == 12)
	case what < 14 && v.settled == v.late:
		return a.applyRule(ctx)
	case what < 15:
		return a.delete(ctx, 1, true)
	default:
		return a.delete(ctx, 1+a.random.IntN(30), false)
	}
}

// change makes a version become true by a transaction.
func (a *lawAccount) change(ctx context.Context, next *indexVersion, f func(tx *store.Tx) error) error {
	a.history.begin(next)
	if err := a.db.Update(ctx, f); err != nil {
		return err
	}
	a.history.end()
	return nil
}

// publish publishes new calls at once.
func (a *lawAccount) publish(ctx context.Context, calls int) error {
	v := a.history.last()
	var some []*indexedCall
	for range calls {
		n := a.random.IntN(callsOfLaw)/accountsOfLaw*accountsOfLaw + a.number
		if a.used[n] {
			continue
		}
		a.used[n] = true
		said := lawCalls.Call(n)
		metadata, err := media.ParseMetadata(said.Metadata)
		if err != nil {
			return err
		}
		c := a.processed(v, said.Transcript)
		c.media = media.Media{ID: said.ID, Account: a.id, Status: media.Finished, Created: said.ID.Created(),
			Metadata: metadata, Length: said.Transcript.Length}
		if a.random.IntN(30) == 0 {
			c.words, c.posted, c.media.Status = nil, false, media.Failed
		}
		some = append(some, c.remember())
	}
	return a.change(ctx, v.with(some), func(tx *store.Tx) error {
		for _, c := range some {
			if _, err := tx.InsertMedia(c.media, nil, nil); err != nil {
				return err
			}
			if err := a.finish(tx, v, c); err != nil {
				return err
			}
		}
		return nil
	})
}

// processed returns what is found in some words.
func (a *lawAccount) processed(v *indexVersion, words *transcript.Transcript) *indexedCall {
	return &indexedCall{words: words, mood: float64(a.random.IntN(200)-100) / 100, searchable: a.random.IntN(8) > 0,
		posted: a.random.IntN(5) > 0, rule: v.late}
}

// finish stores what was found in a call as the pipeline does.
func (a *lawAccount) finish(tx *store.Tx, v *indexVersion, c *indexedCall) error {
	if c.words == nil {
		return tx.ShowFailed(a.id, c.media.ID, c.searchable)
	}
	found := &result.Open{Transcript: c.words, Findings: c.findings(v.rules[c.rule].matches(c))}
	return errors.Join(
		tx.PutResult(c.media.ID, store.Result{Version: 1, Result: a.codec.EncodeResult(found)}),
		tx.SetSearchable(c.media.ID, c.searchable), tx.PutAnalytic(a.id, c.media.ID, c.posted))
}

// some returns a call.
func (a *lawAccount) some(v *indexVersion) *indexedCall { return v.calls[a.random.IntN(len(v.calls))] }

// replace replaces the words and findings of a call, as when it is processed again.
func (a *lawAccount) replace(ctx context.Context) error {
	v := a.history.last()
	old := a.some(v)
	if old.words == nil {
		return nil
	}
	c := a.processed(v, lawCalls.Call(callsOfLaw+a.random.IntN(callsOfLaw)).Transcript)
	c.media = old.media
	return a.change(ctx, v.with([]*indexedCall{c.remember()}), func(tx *store.Tx) error { return a.finish(tx, v, c) })
}

// rename replaces the metadata of a call, in the database or by a request.
func (a *lawAccount) rename(ctx context.Context, request bool) error {
	v := a.history.last()
	c := *a.some(v)
	text := lawCalls.Call(callsOfLaw + a.random.IntN(callsOfLaw)).Metadata
	var err error
	if c.media.Metadata, err = media.ParseMetadata(text); err != nil {
		return err
	}
	next := v.with([]*indexedCall{c.remember()})
	if !request {
		return a.change(ctx, next, func(tx *store.Tx) error {
			_, err := tx.SetMetadata(a.id, c.media.ID, c.media.Metadata, 0)
			return err
		})
	}
	a.history.begin(next)
	err = a.request(ctx, func(server *client.Client) error {
		_, err := server.PutMetadata(ctx, string(c.media.ID), bytes.NewReader(text))
		return err
	})
	a.history.end()
	return err
}

// delete deletes some calls at once, or one by a request.
func (a *lawAccount) delete(ctx context.Context, calls int, request bool) error {
	v := a.history.last()
	var gone []media.ID
	for range min(calls, len(v.calls)) {
		gone = append(gone, a.some(v).media.ID)
	}
	slices.Sort(gone) // everybody locks calls in this order
	gone = slices.Compact(gone)
	if !request {
		return a.change(ctx, v.with(nil, gone...), func(tx *store.Tx) error {
			for _, id := range gone {
				if _, err := tx.DeleteMedia(a.id, id); err != nil {
					return err
				}
			}
			return nil
		})
	}
	a.history.begin(v.with(nil, gone...))
	asked := false
	err := a.request(ctx, func(c *client.Client) error {
		err := c.Delete(ctx, string(gone[0]))
		if refused, ok := errors.AsType[*client.Error](err); ok && refused.Status == http.StatusNotFound && asked {
			return nil // by an earlier request, whose answer was lost
		}
		asked = true
		return err
	})
	a.history.end()
	return err
}

// newRule draws a condition for the category.
func newRule(random *rand.Rand) (rule, error) {
	text := fmt.Sprintf(`* SAYS "%s" OR caller SAYS "%s"`, lawCalls.Word(30+random.IntN(commonWords)),
		lawCalls.Word(30+random.IntN(commonWords)))
	condition, err := query.ParseCondition(text, nil)
	if err != nil {
		return rule{}, err
	}
	return rule{text, query.Compile(condition)}, nil
}

// applyRule gives the category another condition, and applies that to all calls.
func (a *lawAccount) applyRule(ctx context.Context) error {
	next := *a.history.last()
	r, err := newRule(a.random)
	if err != nil {
		return err
	}
	next.rules = append(next.rules[:len(next.rules):len(next.rules)], r)
	next.late = len(next.rules) - 1
	content, err := json.Marshal(map[string]string{"query": r.text})
	if err != nil {
		return err
	}
	a.history.begin(&next)
	a.history.end() // from now on both rules are right for calls that were published before
	err = a.request(ctx, func(c *client.Client) error {
		_, err := c.PutDefinition(ctx, client.Categories, lawCategory, content)
		return err
	})
	if err != nil {
		return err
	}
	a.applied = time.Now()
	return a.request(ctx, func(c *client.Client) error {
		_, err := a.application(ctx, c, http.MethodPost)
		if refused, ok := errors.AsType[*client.Error](err); ok && refused.Status == http.StatusConflict {
			return nil // by an earlier request, whose answer was lost
		}
		return err
	})
}

// awaitRule looks whether the application of the category has finished.
func (a *lawAccount) awaitRule(ctx context.Context) error {
	a.applied = time.Now()
	return a.request(ctx, func(c *client.Client) error {
		status, err := a.application(ctx, c, http.MethodGet)
		switch {
		case err != nil:
			return err
		case status == store.ApplyFailed:
			return errors.New("the application of the category has failed")
		case status == store.ApplyFinished:
			next := *a.history.last()
			next.settled = next.late
			a.history.begin(&next)
			a.history.end()
			a.count("applications of a category")
		}
		return nil
	})
}

// application begins the application of the category, or returns its status.
func (a *lawAccount) application(ctx context.Context, c *client.Client, method string) (status string, err error) {
	r, err := http.NewRequestWithContext(ctx, method, c.Base+"/v3/definition/categories/"+lawCategory+"/apply", nil)
	if err != nil {
		return "", err
	}
	r.Header.Set("Authorization", "Bearer "+c.Token)
	answer, err := c.HTTP.Do(r)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return "", &client.Error{Status: answer.StatusCode}
	}
	var shown struct {
		Status string `json:"status"`
	}
	err = json.NewDecoder(answer.Body).Decode(&shown)
	return shown.Status, err
}

// request sends a request to one server after the other until one answers it.
func (a *lawAccount) request(ctx context.Context, do func(*client.Client) error) error {
	for {
		n := a.standing(a.random)
		if n == nil {
			wait(ctx, 20*time.Millisecond)
			if err := ctx.Err(); err != nil {
				return err
			}
			continue
		}
		err := do(n.client(a.token))
		if err == nil || ctx.Err() != nil || !n.excused(err) {
			return err
		}
		wait(ctx, 20*time.Millisecond)
	}
}

// question draws a question in one of the two languages.
func (a *lawAccount) question(random *rand.Rand) (*indexQuestion, error) {
	q := &indexQuestion{limit: []int{1, 10, 100, 1000}[random.IntN(4)], list: random.IntN(3) == 0}
	w := func() string { return lawCalls.Word(random.IntN(commonWords)) }
	if q.list {
		q.limit = min(q.limit, 200)
		forms := []string{w(), w() + " OR " + w(), `"` + w() + " " + w() + `"`, w() + " -" + w(), w()[:1] + "*",
			"title:billing", `"thank you for calling" -title:` + fmt.Sprint(100_000+random.IntN(callsOfLaw)),
			"description:" + w(), "title:order " + w(), "-" + w()}
		q.text = forms[random.IntN(len(forms))]
		c, err := fulltext.Parse(q.text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", q.text, err)
		}
		q.program = query.Compile(c)
		return q, nil
	}
	score, mood := random.IntN(11), float64(random.IntN(200)-100)/100
	says := func(who string) string { return who + ` SAYS "` + w() + `"` }
	forms := []string{"*", says("*"), says("*"), "NOT " + says("*"), says("agent") + " AND NOT " + says("caller"),
		`* SAYS "` + w() + " " + w() + `"`, `* SAYS "` + w()[:1] + `*"`, `* SAYS "thank you for calling"`,
		fmt.Sprintf("metadata:score > %d", score), fmt.Sprintf("metadata:score > %d AND %s", score, says("*")),
		fmt.Sprintf(`metadata:team = "team %d"`, score), fmt.Sprintf(`metrics:"call-sentiment" < %g`, mood),
		fmt.Sprintf(`sentiment BETWEEN %g AND 0.5 AND %s`, min(mood, 0.5), says("caller")),
		`categories:"` + lawCategory + `" = 1`, `categories:"` + lawCategory + `" = 0 AND ` + says("*"),
		`title LIKE "billing%"`, fmt.Sprintf("wordCount > %d", 20+random.IntN(40)),
		says("agent") + " FOLLOWED BY WITHIN 5s " + says("caller"),
		fmt.Sprintf(`dateCreated >= "%s"`, lawCalls.Call(random.IntN(callsOfLaw)).ID.Created().Format(time.RFC3339)),
	}
	q.text = forms[random.IntN(len(forms))]
	c, err := query.ParseCondition(q.text, nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", q.text, err)
	}
	q.program = query.Compile(c)
	return q, nil
}

// answer asks a server a question.
func (q *indexQuestion) answer(ctx context.Context, c *client.Client) (a *indexAnswer, err error) {
	type row struct {
		MediaID media.ID `json:"mediaId"`
	}
	a = &indexAnswer{total: -1}
	if q.list {
		items, _, err := c.List(ctx, client.Filter{Query: q.text}, q.limit)
		for _, raw := range items {
			var r row
			if err := json.Unmarshal(raw, &r); err != nil {
				return nil, err
			}
			a.ids = append(a.ids, r.MediaID)
		}
		return a, err
	}
	body, err := c.Ask(ctx, q.statement())
	if err != nil {
		return nil, err
	}
	var table struct {
		Total int   `json:"totalResults"`
		Bound bool  `json:"totalIsLowerBound"`
		Rows  []row `json:"rows"`
	}
	err = json.Unmarshal(body, &table)
	for _, r := range table.Rows {
		a.ids = append(a.ids, r.MediaID)
	}
	a.total, a.bound = table.Total, table.Bound
	return a, err
}

// indexLaw is some servers that answer questions about accounts whose calls change.
type indexLaw struct {
	db    *store.Store
	codec *codec.Codec

	mu       sync.Mutex
	nodes    []*indexNode // that stand
	problems map[string]int
	counts   map[string]int
}

// count counts something that happened.
func (l *indexLaw) count(what string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.counts[what]++
}

func (l *indexLaw) problem(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.problems[fmt.Sprintf(format, args...)]++
}

// standing returns a server that stands; nil if none does.
func (l *indexLaw) standing(random *rand.Rand) *indexNode {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.nodes) == 0 {
		return nil
	}
	return l.nodes[random.IntN(len(l.nodes))]
}

// check asks a server a question, and reports an answer that is wrong. It returns false if the server did not answer.
func (l *indexLaw) check(ctx context.Context, n *indexNode, a *lawAccount, q *indexQuestion) bool {
	known := a.history.known()
	answer, err := q.answer(ctx, n.client(a.token))
	if err != nil {
		if ctx.Err() == nil && !n.excused(err) {
			l.problem("node %d: %s: %v", n.number, q, err)
		}
		l.count("questions without an answer")
		return false
	}
	l.count("answers")
	if wrong := a.history.wrong(q, answer, known); wrong != "" {
		l.problem("node %d, account %s: %s: %s", n.number, a.id, q, wrong)
	}
	return true
}
