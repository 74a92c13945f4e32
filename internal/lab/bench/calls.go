package bench

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"parley/internal/call/plan"
	"parley/internal/flow/pipeline"
	"parley/internal/lab/dialogue"
	"parley/internal/terminal/client"
	"parley/internal/words/transcript"
)

// Calls is a load of calls with given words, at a constant rate: all analyses, a set of categories, one callback each.
type Calls struct {
	Servers    []string // addresses, used in turn
	Token      string
	Rate       float64 // calls a second, at random times
	Duration   time.Duration
	Turns      int // dialogues that make up a call
	Categories int
	Size       int // bytes of media for each call
}

// CallsWindow is what was accepted in a part of the time.
type CallsWindow struct {
	Accepted   int
	Accepts    []time.Duration // until the acknowledgement, sorted
	Deliveries []time.Duration // from the acknowledgement until the callback, sorted
}

// CallsResult is the result of Calls.
type CallsResult struct {
	Windows []CallsWindow
	Words   int // of all accepted calls
	Refused int
	First   string        // the first refusal
	Missing int           // callbacks that did not come
	Work    time.Duration // CPU time of the servers, without their children
	Drained time.Duration // from the last call until the last callback
}

const (
	callWindows = 10
	// drainTime is how long callbacks are awaited after the last call.
	drainTime = 10 * time.Minute
)

// callLoad is a load that is running.
type callLoad struct {
	Calls
	began time.Time

	mu       sync.Mutex
	accepted map[int]time.Time // when a call was acknowledged, by number
	early    map[int]time.Time // callbacks that came before the acknowledgement
	found    CallsResult
	all      chan struct{} // receives when nothing is waited for
}

// Run puts the load on the servers.
func (b Calls) Run(ctx context.Context, progress Progress) (CallsResult, error) {
	l := &callLoad{Calls: b, accepted: map[int]time.Time{}, early: map[int]time.Time{}, all: make(chan struct{}, 1)}
	l.found.Windows = make([]CallsWindow, callWindows)
	receiver, err := l.receive()
	if err != nil {
		return l.found, err
	}
	defer receiver.Close()
	configuration, err := l.prepare(ctx)
	if err != nil {
		return l.found, err
	}
	before, err := l.work(ctx)
	if err != nil {
		return l.found, err
	}
	l.began = time.Now()
	l.send(ctx, configuration, "http://"+receiver.Addr+"/", progress)
	l.drain(ctx, progress)
	after, err := l.work(ctx)
	l.found.Work = after - before
	l.mu.Lock()
	defer l.mu.Unlock()
	l.found.Missing = len(l.accepted)
	for _, w := range l.found.Windows {
		slices.Sort(w.Accepts)
		slices.Sort(w.Deliveries)
	}
	return l.found, err
}

func (l *callLoad) client(n int) *client.Client {
	return &client.Client{Base: l.Servers[n%len(l.Servers)], Token: l.Token, HTTP: &http.Client{Timeout: time.Minute}}
}

// prepare saves the categories, and returns a configuration with all analyses.
func (l *callLoad) prepare(ctx context.Context) (map[string]any, error) {
	d := plan.Definitions{Detectors: pipeline.Detectors(), Classifiers: pipeline.BuiltInClassifiers()}
	for n := range l.Categories {
		c := plan.Category{Name: fmt.Sprintf("bench-%d", n), Query: fmt.Sprintf(
			`caller SAYS ("cancel" || "order %d") AND NOT agent SAYS "thank you for calling %d"`, n, n)}
		body, err := json.Marshal(map[string]any{"categoryDescription": "of a benchmark", "query": c.Query})
		if err != nil {
			return nil, err
		}
		if _, err := l.client(0).PutDefinition(ctx, client.Categories, c.Name, body); err != nil {
			return nil, fmt.Errorf("save category %q: %w", c.Name, err)
		}
		d.Categories = append(d.Categories, c)
	}
	configuration := map[string]any{}
	if err := json.Unmarshal(plan.Everything(pipeline.Built(), d), &configuration); err != nil {
		return nil, err
	}
	configuration["searchability"] = map[string]any{"searchable": true}
	return configuration, nil
}

// receive accepts callbacks, whose paths are the numbers of their calls, on this machine.
func (l *callLoad) receive() (*http.Server, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	web := &http.Server{Addr: listener.Addr().String(), ReadHeaderTimeout: time.Minute,
		Handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			now := time.Now()
			io.Copy(io.Discard, r.Body)
			if n, err := strconv.Atoi(strings.Trim(r.URL.Path, "/")); err == nil {
				l.delivered(n, now)
			}
		})}
	go web.Serve(listener) // until Close
	return web, nil
}

// send submits calls at random times, until the load's time is over, and waits for the answers.
func (l *callLoad) send(ctx context.Context, configuration map[string]any, receiver string, progress Progress) {
	random := rand.New(rand.NewPCG(1, 1))
	var requests sync.WaitGroup
	next := l.began
	for n := 0; ctx.Err() == nil; n++ {
		next = next.Add(time.Duration(random.ExpFloat64() / l.Rate * float64(time.Second)))
		if next.Sub(l.began) >= l.Duration {
			break
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Until(next)):
		}
		requests.Go(func() { l.submit(ctx, n, configuration, receiver) })
		progress("sending", int64(time.Since(l.began)), int64(l.Duration))
	}
	requests.Wait()
}

func (l *callLoad) submit(ctx context.Context, n int, configuration map[string]any, receiver string) {
	own := maps.Clone(configuration)
	own["publish"] = map[string]any{"enableAnalyticIndexing": true,
		"callbacks": []any{map[string]any{"url": receiver + strconv.Itoa(n)}}}
	content, err := json.Marshal(own)
	if err != nil {
		return
	}
	words, text := l.words(n)
	began := time.Now()
	_, err = l.client(n).Submit(ctx, client.Submission{Name: "call.wav", Media: bytes.NewReader(Noise(l.Size, uint32(n))),
		Configuration: string(content), Transcript: string(text),
		Metadata: fmt.Sprintf(`{"title":"call %d","externalId":"bench-%d"}`, n, n)})
	now := time.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil {
		if l.found.Refused++; l.found.First == "" {
			l.found.First = err.Error()
		}
		return
	}
	l.found.Words += words
	w := l.window(now)
	w.Accepted++
	w.Accepts = append(w.Accepts, now.Sub(began))
	if at, ok := l.early[n]; ok {
		delete(l.early, n)
		w.Deliveries = append(w.Deliveries, max(0, at.Sub(now)))
		return
	}
	l.accepted[n] = now
}

// window returns the part of the time in which a call was accepted.
func (l *callLoad) window(at time.Time) *CallsWindow {
	n := int(int64(callWindows) * int64(at.Sub(l.began)) / int64(l.Duration))
	return &l.found.Windows[min(n, callWindows-1)]
}

func (l *callLoad) delivered(n int, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	at, ok := l.accepted[n]
	if !ok {
		l.early[n] = now
		return
	}
	delete(l.accepted, n)
	w := l.window(at)
	w.Deliveries = append(w.Deliveries, now.Sub(at))
	if len(l.accepted) == 0 {
		select {
		case l.all <- struct{}{}:
		default:
		}
	}
}

// drain waits for the callbacks of all accepted calls.
func (l *callLoad) drain(ctx context.Context, progress Progress) {
	began := time.Now()
	limit := time.After(drainTime)
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		l.mu.Lock()
		left := len(l.accepted)
		l.found.Drained = time.Since(began)
		l.mu.Unlock()
		if left == 0 {
			return
		}
		progress("waiting for callbacks", 0, int64(left))
		select {
		case <-ctx.Done():
			return
		case <-limit:
			return
		case <-l.all:
		case <-tick.C:
		}
	}
}

// words returns the words of call n as a transcript, and their number.
func (l *callLoad) words(n int) (int, []byte) {
	type word struct {
		P int    `json:"p"`
		S int64  `json:"s"`
		E int64  `json:"e"`
		M string `json:"m,omitempty"`
		W string `json:"w"`
	}
	var words []word
	spoken, offset := 0, int64(0)
	for k := range l.Turns {
		t := dialogue.Make(uint64(n*l.Turns+k), k%dialogue.Sets).Transcript
		speaker := -1
		for _, w := range t.Words {
			if w.Speaker != speaker {
				speaker = w.Speaker
				words = append(words, word{P: len(words), S: offset + w.Start.Milliseconds(),
					E: offset + w.Start.Milliseconds(), M: "turn", W: speakerName(t, speaker)})
			}
			words = append(words, word{P: len(words), S: offset + w.Start.Milliseconds(),
				E: offset + w.End.Milliseconds(), W: w.Text})
			spoken++
		}
		offset += t.Length.Milliseconds() + 500
	}
	text, err := json.Marshal(map[string]any{"words": words})
	if err != nil {
		panic(err) // unreachable: texts and numbers
	}
	return spoken, text
}

func speakerName(t *transcript.Transcript, n int) string {
	if n >= 0 && n < len(t.Speakers) && t.Speakers[n].Name != "" {
		return t.Speakers[n].Name
	}
	return "Speaker " + strconv.Itoa(n+1)
}

// work returns the CPU time that the servers have used, from their metrics.
func (l *callLoad) work(ctx context.Context) (sum time.Duration, err error) {
	for _, base := range l.Servers {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/metrics", nil)
		if err != nil {
			return 0, err
		}
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			return 0, err
		}
		seconds, err := cpuSeconds(answer.Body)
		answer.Body.Close()
		if err != nil {
			return 0, fmt.Errorf("metrics of %s: %w", base, err)
		}
		sum += time.Duration(seconds * float64(time.Second))
	}
	return sum, nil
}

// cpuSeconds reads the CPU time of a process from its metrics in Prometheus' text format.
func cpuSeconds(metrics io.Reader) (float64, error) {
	for lines := bufio.NewScanner(metrics); lines.Scan(); {
		if value, ok := strings.CutPrefix(lines.Text(), "process_cpu_seconds_total "); ok {
			return strconv.ParseFloat(value, 64)
		}
	}
	return 0, errors.New("no process_cpu_seconds_total")
}
