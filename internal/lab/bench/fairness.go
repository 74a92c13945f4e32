package bench

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"parley/internal/terminal/client"
)

// Fairness is a benchmark of the effect of a busy account on another one. It measures small statements and small calls
// of one account, alternately alone and next to each kind of load of the other account.
type Fairness struct {
	Program   string // the server binary, possibly of another version
	Dir       string // for its data
	Rounds    int
	Each      int // statements and calls per round, alone and next to each load
	Calls     int // calls of the busy account that its statements search
	Words     int // of each
	Huge      int // further, larger calls of the busy account, which are exported and displayed
	HugeWords int // of each
}

// FairnessResult is the result of Fairness, by load.
type FairnessResult []LoadResult

// LoadResult is the effect of one kind of load on another account.
type LoadResult struct {
	Load            string
	Statement, Call Pair
	Answered        int // requests of the load during the measurement
	Refused         int // those with a status of 400 or more
}

// Pair holds durations without and with the load, each sorted ascending.
type Pair struct{ Alone, Beside []time.Duration }

// Percentile returns the p-th percentile of sorted durations.
func Percentile(sorted []time.Duration, p int) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(len(sorted)*p/100, len(sorted)-1)]
}

// expensiveCondition needs much work for each word of a generated call: the call has all its words, but never at the
// required distance.
var expensiveCondition = `* SAYS (` +
	strings.Join(slices.Repeat([]string{`"hello ` + strings.Repeat("* ", 47) + `hello"`}, 85), "||") + `)`

const (
	busyRequests   = 12  // concurrent
	busyExports    = 4   // concurrent
	busyTrials     = 200 // concurrent
	busyCalls      = 6   // waiting and in progress
	busyCategories = 100 // categories per call
	every          = 5 * time.Millisecond
)

// Run starts a server, fills it, and measures.
func (b Fairness) Run(ctx context.Context, progress Progress) (FairnessResult, error) {
	s, err := StartServer(ctx, b.Program, b.Dir, "--workers", "2")
	if err != nil {
		return nil, err
	}
	defer s.Close()
	small, err := s.Account(ctx, "small")
	if err != nil {
		return nil, err
	}
	x := fairness{Fairness: b, busy: tenant{s.Base, s.Token}, small: tenant{s.Base, small}, progress: progress}
	if err := x.prepare(ctx); err != nil {
		return nil, err
	}
	loads := x.loads()
	found := make(FairnessResult, len(loads))
	for round := range b.Rounds {
		for i, l := range loads {
			progress("measuring", int64(round*len(loads)+i), int64(b.Rounds*len(loads)))
			found[i].Load = l.name
			if err := x.measure(ctx, l, &found[i]); err != nil {
				return nil, err
			}
		}
	}
	for _, f := range found {
		for _, all := range [][]time.Duration{f.Statement.Alone, f.Statement.Beside, f.Call.Alone, f.Call.Beside} {
			slices.Sort(all)
		}
	}
	return found, nil
}

// fairness is a running Fairness benchmark.
type fairness struct {
	Fairness
	busy, small tenant
	progress    Progress
}

// load is the repeated request of the busy account.
type load struct {
	name   string
	atOnce int
	ask    func(ctx context.Context) (status int, err error)
}

// loads returns all kinds of load.
func (x *fairness) loads() []load {
	post := func(path, body string) func(context.Context) (int, error) {
		return func(ctx context.Context) (int, error) { return x.busy.do(ctx, http.MethodPost, path, body) }
	}
	const statements, trial, export = "/v3/analytics/vbql", "/v3/analytics/test", "/v3/analytics/export"
	return []load{
		{"expensive statements", busyRequests,
			post(statements, "SELECT count(*) FROM media WHERE "+expensiveCondition)},
		{"expensive categories", busyCalls, x.categorized},
		{"exports of huge calls", busyExports, post(export, `{"table":"words","format":"parquet"}`)},
		{"hits of huge calls", busyRequests, post(statements, hitsOfHugeCalls)},
		{"refused trials", busyTrials, post(trial, fmt.Sprintf(`{"query":%q}`, refusedCondition))},
	}
}

const hitsOfHugeCalls = `SELECT *, hits() FROM media WHERE * SAYS "h*" ORDER BY length DESC LIMIT 3`

// refusedCondition is an invalid condition of nearly the maximum length.
var refusedCondition = `* SAYS (` + strings.Repeat(`"a*b"||`, 480) + `"a") AND titel IN (` + strings.Repeat(`"b",`,
	190) +
	`"c") AND (` + strings.Repeat("x", 5000) + `)`

// categorized processes a call with many expensive categories, and deletes it.
func (x *fairness) categorized(ctx context.Context) (int, error) {
	id, err := x.busy.submit(ctx, x.Words, `{"categories":[{"allCategories":true}]}`)
	if err != nil {
		return 0, err
	}
	c := client.Client{Base: x.busy.base, Token: x.busy.token, HTTP: http.DefaultClient}
	_, err = c.Wait(ctx, id, time.Second, func(client.Progress) {})
	status, deleted := x.busy.do(context.WithoutCancel(ctx), http.MethodDelete, "/v3/media/"+id, "")
	return status, cmp.Or(err, deleted)
}

// prepare stores the calls and categories of both accounts.
func (x *fairness) prepare(ctx context.Context) error {
	for n := range busyCategories {
		body := fmt.Sprintf(`{"query":%s}`,
			strconv.Quote(fmt.Sprintf(`%s OR * SAYS "absent%d"`, expensiveCondition, n)))
		if status, err := x.busy.do(ctx, http.MethodPut, "/v3/definition/categories/expensive"+strconv.Itoa(n),
			body); err != nil || status != http.StatusOK {
			return fmt.Errorf("save a category: %d %w", status, err)
		}
	}
	if status, err := x.small.do(ctx, http.MethodPut, "/v3/definition/categories/greeting",
		`{"query":"* SAYS \"hello\""}`); err != nil || status != http.StatusOK {
		return fmt.Errorf("save a category: %d %w", status, err)
	}
	for n := range x.Calls {
		x.progress("storing calls", int64(n), int64(x.Calls))
		if _, err := x.busy.process(ctx, x.Words, `{"publish":{"enableAnalyticIndexing":true}}`); err != nil {
			return err
		}
	}
	for n := range x.Huge {
		x.progress("storing huge calls", int64(n), int64(x.Huge))
		if _, err := x.busy.process(ctx, x.HugeWords, `{"publish":{"enableAnalyticIndexing":true}}`); err != nil {
			return err
		}
	}
	for range 20 {
		if _, err := x.small.process(ctx, 200, smallCall); err != nil {
			return err
		}
	}
	_, err := x.small.timed(ctx, smallStatement)
	return err
}

const (
	smallCall      = `{"priority":"high","categories":[{"allCategories":true}],"publish":{"enableAnalyticIndexing":true}}`
	smallStatement = `SELECT count(*) FROM media WHERE * SAYS "hello"`
)

// measure measures small statements and calls, first alone, then next to a load.
func (x *fairness) measure(ctx context.Context, l load, found *LoadResult) error {
	if err := x.each(ctx, &found.Statement.Alone, &found.Call.Alone); err != nil {
		return err
	}
	loading, stop := context.WithCancel(ctx)
	var all sync.WaitGroup
	var answered, refused atomic.Int64
	for range l.atOnce {
		all.Go(func() {
			for loading.Err() == nil {
				status, err := l.ask(loading)
				if status >= http.StatusBadRequest {
					refused.Add(1)
				}
				if err == nil {
					answered.Add(1)
				}
			}
		})
	}
	defer func() {
		stop()
		all.Wait()
		found.Answered, found.Refused = found.Answered+int(answered.Load()), found.Refused+int(refused.Load())
	}()
	if err := pause(ctx, time.Second); err != nil { // until the load has built up
		return err
	}
	return x.each(ctx, &found.Statement.Beside, &found.Call.Beside)
}

// each measures a number of small statements and calls.
func (x *fairness) each(ctx context.Context, statements, calls *[]time.Duration) error {
	for range x.Each {
		took, err := x.small.timed(ctx, smallStatement)
		if err != nil {
			return err
		}
		*statements = append(*statements, took)
		if took, err = x.small.process(ctx, 200, smallCall); err != nil {
			return err
		}
		*calls = append(*calls, took)
	}
	return nil
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(d):
		return nil
	}
}

// generatedWords are repeated in a generated call.
var generatedWords = [...]string{"hello", "this", "is", "a", "call"}

// tenant is the client of one account.
type tenant struct{ base, token string }

// do sends a request, reads the whole answer and returns its status.
func (t tenant) do(ctx context.Context, method, path, body string) (status int, err error) {
	r, err := http.NewRequestWithContext(ctx, method, t.base+path, strings.NewReader(body))
	if err != nil {
		return 0, err
	}
	r.Header.Set("Authorization", "Bearer "+t.token)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	_, err = io.Copy(io.Discard, answer.Body)
	return answer.StatusCode, err
}

// timed sends a statement and returns the response time.
func (t tenant) timed(ctx context.Context, statement string) (time.Duration, error) {
	began := time.Now()
	status, err := t.do(ctx, http.MethodPost, "/v3/analytics/vbql", statement)
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("a small statement was answered with %d", status)
	}
	return time.Since(began), err
}

// submit uploads a call of this many words, with its transcript.
func (t tenant) submit(ctx context.Context, words int, configuration string) (id string, err error) {
	var text strings.Builder
	for n := range words {
		fmt.Fprintf(&text, `{"p":%d,"s":%d,"e":%d,"w":"%s"},`, n, 10*n, 10*n+10, generatedWords[n%len(generatedWords)])
	}
	c := client.Client{Base: t.base, Token: t.token, HTTP: http.DefaultClient}
	item, err := c.Submit(ctx, client.Submission{
		Name: "bench.wav", Media: bytes.NewReader(Noise(32_000, 1)), Configuration: configuration,
		Transcript: `{"words":[` + strings.TrimSuffix(text.String(), ",") + `]}`,
	})
	return item.MediaID, err
}

// process uploads a call and returns the time until it is finished.
func (t tenant) process(ctx context.Context, words int, configuration string) (time.Duration, error) {
	began := time.Now()
	id, err := t.submit(ctx, words, configuration)
	if err != nil {
		return 0, err
	}
	c := client.Client{Base: t.base, Token: t.token, HTTP: http.DefaultClient}
	item, err := c.Wait(ctx, id, every, func(client.Progress) {})
	if err == nil && item.Status != "finished" {
		err = errors.New("a call ended as " + item.Status)
	}
	return time.Since(began), err
}
