package callback_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"parley/internal/call/delivery"
	"parley/internal/flow/callback"
	"parley/internal/storage/job"
	"parley/internal/storage/store"
	"parley/internal/testkit/storetest"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// receiver answers requests in memory; it is an http.RoundTripper.
type receiver struct {
	mu     sync.Mutex
	asked  []asked
	answer func(r *http.Request, n int) (*http.Response, error)
}

type asked struct {
	at     time.Time
	host   string
	header http.Header
	length int64
	body   string
}

func (v *receiver) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	v.mu.Lock()
	n := len(v.asked)
	v.asked = append(v.asked, asked{time.Now(), r.URL.Host, r.Header.Clone(), r.ContentLength, string(body)})
	v.mu.Unlock()
	return v.answer(r, n)
}

func (v *receiver) all() []asked {
	v.mu.Lock()
	defer v.mu.Unlock()
	return append([]asked(nil), v.asked...)
}

func status(code int, header ...string) (*http.Response, error) {
	h := http.Header{}
	for i := 0; i < len(header); i += 2 {
		h.Set(header[i], header[i+1])
	}
	return &http.Response{StatusCode: code, Header: h,
		Body: io.NopCloser(strings.NewReader(strings.Repeat("x", 5000)))}, nil
}

func always(code int, header ...string) func(*http.Request, int) (*http.Response, error) {
	return func(*http.Request, int) (*http.Response, error) { return status(code, header...) }
}

type nothing struct{}

func (nothing) Tried(bool, time.Duration) {}

const content = "the result"

func body(context.Context, delivery.Delivery) (callback.Body, error) {
	return callback.Body{ContentType: "application/json", Length: int64(len(content)),
		Open: func(context.Context) (io.ReadCloser, error) {
			return io.NopCloser(bytes.NewReader([]byte(content))), nil
		}}, nil
}

// poll is how often workers look for due jobs. Attempts are due at full minutes, and hours of fake time mean many
// polls.
const poll = time.Minute

// bench is a database with an item and delivery workers, in fake time.
type bench struct {
	*testing.T
	store *store.Store
	media media.Media

	transport http.RoundTripper
	to        *receiver // the transport, if it is a receiver
}

func run(
	t *testing.T, answer func(*http.Request, int) (*http.Response, error), source callback.Source, f func(b *bench),
) {
	to := &receiver{answer: answer}
	runWith(t, to, source, func(b *bench) { b.to = to; f(b) })
}

// runWith runs a bench that sends its requests through a transport.
func runWith(t *testing.T, transport http.RoundTripper, source callback.Source, f func(b *bench)) {
	synctest.Test(t, func(t *testing.T) {
		s := storetest.SQLite(t)
		b := &bench{T: t, store: s, transport: transport, media: storetest.Media(t, s, storetest.Account(t, s, "a").ID)}
		end := b.start(source)
		f(b)
		end()
	})
}

func (b *bench) start(source callback.Source) (end func()) {
	c := &callback.Caller{
		Store: b.store, Source: source,
		Client: &http.Client{Transport: b.transport, CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		}},
		Schedule: delivery.Default(), Metrics: nothing{}, Log: slog.New(slog.DiscardHandler),
	}
	r := job.NewRunner(b.store.Queue(), c.Workers(job.Config{Worker: "w", Workers: 64, PerLane: 4, Poll: poll}))
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); r.Run(ctx) }()
	return func() { stop(); <-ended }
}

// ask adds the callbacks of a configuration.
func (b *bench) ask(callbacks []delivery.Callback, failed bool) {
	b.Helper()
	storetest.Update(b, b.store, func(tx *store.Tx) error {
		_, err := callback.Jobs(tx, &b.media, callbacks, failed, time.Now())
		return err
	})
}

// deliver requests deliveries to the given URLs immediately.
func (b *bench) deliver(addresses ...string) {
	b.Helper()
	var list []delivery.Callback
	for _, a := range addresses {
		list = append(list, delivery.Callback{URL: a, Method: "POST", Type: delivery.Analytics})
	}
	b.ask(list, false)
}

func (b *bench) sleep(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func (b *bench) deliveries() (all []delivery.Delivery, tries map[string][]delivery.Try) {
	b.Helper()
	err := b.store.View(b.Context(), func(tx *store.Tx) (err error) {
		if all, err = tx.Deliveries(b.media.Account, b.media.ID); err != nil {
			return err
		}
		tries, err = tx.Tries(b.media.ID)
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return all, tries
}

func (b *bench) only() (delivery.Delivery, []delivery.Try) {
	b.Helper()
	all, tries := b.deliveries()
	if len(all) != 1 {
		b.Fatalf("%d deliveries", len(all))
	}
	return all[0], tries[all[0].ID]
}

func (b *bench) jobs() int {
	b.Helper()
	jobs, err := b.store.Queue().List(b.Context(), job.Filter{})
	if err != nil {
		b.Fatal(err)
	}
	return len(jobs)
}

func TestWhatIsRefusedIsTried21TimesWithin15HoursAnd45Minutes(t *testing.T) {
	run(t, always(500), body, func(b *bench) {
		began := time.Now()
		b.deliver("https://example.com/r")
		b.sleep(16 * time.Hour)
		asked := b.to.all()
		if len(asked) != 21 {
			b.Fatalf("%d tries", len(asked))
		}
		for i, a := range asked {
			minutes := []int{0, 15, 45, 105, 225, 465, 945}[i/3]
			due := time.Duration(minutes)*time.Minute + time.Duration(i%3)*time.Second
			if after := a.at.Sub(began); after < due || after > due+2*time.Second {
				b.Errorf("try %d after %v, due after %v", i+1, after, due)
			}
			if a.header.Get("webhook-id") != asked[0].header.Get("webhook-id") || a.body != content ||
				a.length != int64(len(content)) {
				b.Errorf("try %d: %+v", i+1, a)
			}
		}
		d, tries := b.only()
		if d.State != delivery.Failed || d.Attempt != 7 || !d.Next.IsZero() || len(tries) != 21 || b.jobs() != 0 {
			b.Errorf("%+v with %d tries, %d jobs", d, len(tries), b.jobs())
		}
		if last := tries[20]; last.Status != 500 || last.Attempt != 6 || len(last.Answer) != delivery.MaxAnswer {
			b.Errorf("last try %+v", last)
		}
	})
}

func TestNothingIsSentAgainAfterASuccess(t *testing.T) {
	run(t, func(_ *http.Request, n int) (*http.Response, error) {
		if n == 4 { // the second try of the second attempt
			return status(299)
		}
		return nil, errors.New("connection refused")
	}, body, func(b *bench) {
		b.deliver("https://example.com/r")
		b.sleep(16 * time.Hour)
		d, tries := b.only()
		if len(b.to.all()) != 5 || d.State != delivery.Delivered || b.jobs() != 0 {
			b.Fatalf("%d requests, %+v, %d jobs", len(b.to.all()), d, b.jobs())
		}
		if tries[0].Error != "connection refused" || tries[0].Status != 0 || tries[4].Status != 299 {
			b.Errorf("tries %+v", tries)
		}
	})
}

// TestATryIsKeptWhateverTheReceiverSays covers answers that are not HTTP and appear in the client's error, whose text
// is longer than the stored part: one would be cut inside a UTF-8 sequence, which no text column accepts.
func TestATryIsKeptWhateverTheReceiverSays(t *testing.T) {
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body) // otherwise the sender may fail before it reads the answer
		c, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer c.Close()
		io.WriteString(c, "HTTP/1.1 200 OK\r\n"+r.URL.Query().Get("q")+strings.Repeat("é", delivery.MaxAnswer)+
			"\r\n\r\n")
	}))
	defer receiver.Close()
	stopping := make(chan struct{})
	close(stopping) // a worker that stops makes one try
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		b := &bench{T: t, store: s, media: storetest.Media(t, s, storetest.Account(t, s, "a").ID)}
		b.deliver(receiver.URL, receiver.URL+"?q=x")
		jobs, err := s.Queue().Claim(t.Context(), job.Claims{Worker: "w", Kinds: []string{callback.Kind}, Most: 2})
		if err != nil {
			t.Fatal(err)
		}
		c := &callback.Caller{Store: s, Source: body, Client: receiver.Client(), Schedule: delivery.Default(),
			Metrics: nothing{}, Log: slog.New(slog.DiscardHandler)}
		for _, j := range jobs {
			if err := c.Deliver(job.WithDraining(t.Context(), stopping), j); !errors.Is(err, job.ErrDrained) {
				t.Errorf("%v", err)
			}
		}
		all, tries := b.deliveries()
		for _, d := range all {
			if len(tries[d.ID]) != 1 || !strings.Contains(tries[d.ID][0].Error, "éé") ||
				!utf8.ValidString(tries[d.ID][0].Error) {
				t.Errorf("%+v", tries[d.ID])
			}
		}
	})
}

// The log of deliveries shows the receiver's answer, whatever its charset.
func TestAnswersInOtherCharsetsAreKeptAsText(t *testing.T) {
	answer := func(*http.Request, int) (*http.Response, error) {
		header := http.Header{"Content-Type": {"text/plain; charset=iso-8859-1"}}
		return &http.Response{StatusCode: 410, Header: header, Body: io.NopCloser(strings.NewReader("ferm\xe9"))}, nil
	}
	run(t, answer, body, func(b *bench) {
		b.deliver("https://example.com/r")
		b.sleep(time.Minute)
		if _, tries := b.only(); len(tries) != 1 || string(tries[0].Answer) != "fermé" {
			b.Errorf("%+v", tries)
		}
	})
}

func TestGoneEndsTheSchedule(t *testing.T) {
	run(t, always(410), body, func(b *bench) {
		b.deliver("https://example.com/r")
		b.sleep(16 * time.Hour)
		if d, _ := b.only(); len(b.to.all()) != 1 || d.State != delivery.Failed {
			b.Errorf("%d requests, %+v", len(b.to.all()), d)
		}
	})
}

func TestRedirectsAreRefusals(t *testing.T) {
	run(t, always(307, "Location", "https://other.example.com/"), body, func(b *bench) {
		b.deliver("https://example.com/r")
		b.sleep(time.Minute)
		for _, a := range b.to.all() {
			if a.host != "example.com" {
				b.Errorf("asked %s", a.host)
			}
		}
		if _, tries := b.only(); len(tries) != 3 || tries[0].Status != 307 {
			b.Errorf("%+v", tries)
		}
	})
}

func TestRetryAfterOnlySpacesTheTriesOfAnAttempt(t *testing.T) {
	run(t, always(429, "Retry-After", "20"), body, func(b *bench) {
		began := time.Now()
		b.deliver("https://example.com/r")
		b.sleep(16 * time.Minute)
		var after []time.Duration
		for _, a := range b.to.all() {
			after = append(after, a.at.Sub(began).Truncate(5*time.Second))
		}
		if fmt.Sprint(after) != "[0s 20s 40s 15m0s 15m20s 15m40s]" {
			b.Errorf("tries after %v", after)
		}
	})
}

// A worker dies during an attempt: recorded tries stand, others are repeated.
func TestAnInterruptedAttemptGoesOnWhereItWas(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := storetest.SQLite(t)
		b := &bench{T: t, store: s, media: storetest.Media(t, s, storetest.Account(t, s, "a").ID)}
		b.to = &receiver{answer: func(r *http.Request, n int) (*http.Response, error) {
			if n == 1 { // hangs until the worker is killed
				<-r.Context().Done()
				return nil, r.Context().Err()
			}
			return status(503)
		}}
		b.transport = b.to
		end := b.start(body)
		b.deliver("https://example.com/r")
		b.sleep(2 * time.Second) // during the second try
		if n := len(b.to.all()); n != 2 {
			t.Fatalf("%d tries", n)
		}
		end()
		if _, tries := b.only(); len(tries) != 1 {
			t.Fatalf("recorded %+v", tries)
		}
		end = b.start(body)
		b.sleep(time.Minute)
		if d, tries := b.only(); len(tries) != 3 || d.Attempt != 1 || d.Tried != 0 || d.State != delivery.Pending {
			t.Errorf("%d tries, %+v", len(tries), d)
		}
		end()
	})
}

func TestOneDeadReceiverHoldsUpNoOther(t *testing.T) {
	dead := func(r *http.Request, _ int) (*http.Response, error) {
		if r.URL.Host != "dead.example.com" {
			return status(200)
		}
		<-r.Context().Done() // accepts the connection and never answers
		return nil, r.Context().Err()
	}
	run(t, dead, body, func(b *bench) {
		began := time.Now()
		var addresses []string
		for n := range 30 {
			addresses = append(addresses, "https://dead.example.com/"+fmt.Sprint(n))
		}
		for n := range 100 {
			addresses = append(addresses, fmt.Sprintf("https://live-%d.example.com/", n))
		}
		b.deliver(addresses...)
		b.sleep(2 * time.Second)
		live := 0
		for _, a := range b.to.all() {
			if a.host != "dead.example.com" && a.at.Sub(began) <= time.Second {
				live++
			}
		}
		if live != 100 {
			b.Errorf("%d of 100 live receivers were reached within a second", live)
		}
		b.sleep(24 * time.Hour) // 30 × 21 tries of 30 s, four concurrently: no attempt is dropped
		all, tries := b.deliveries()
		for _, d := range all {
			if want := map[bool]int{true: 21, false: 1}[d.Host() == "dead.example.com"]; len(tries[d.ID]) != want {
				b.Fatalf("%s: %d tries, want %d", d.URL, len(tries[d.ID]), want)
			}
		}
	})
}

// However many receivers of an account hang, another account's deliveries are tried immediately. The first account's
// deliveries wait for each other, and none of their attempts is dropped or postponed.
func TestManyDeadReceiversOfOneAccountHoldUpNoOtherAccount(t *testing.T) {
	hangs := func(r *http.Request, _ int) (*http.Response, error) {
		if r.URL.Host == "live.example.com" {
			return status(200)
		}
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
	run(t, hangs, body, func(b *bench) {
		var dead []string
		for n := range 300 {
			dead = append(dead, fmt.Sprintf("https://dead-%d.example.com/%d", n%100, n))
		}
		b.deliver(dead...)
		b.sleep(time.Second)
		if n := len(b.to.all()); n != 32 {
			b.Errorf("%d of 64 workers wait for one account's receivers", n)
		}
		other := *b
		other.media = storetest.Media(b, b.store, storetest.Account(b, b.store, "b").ID)
		asked := time.Now()
		other.deliver("https://live.example.com/")
		synctest.Wait()
		if d, tries := other.only(); d.State != delivery.Delivered || len(tries) != 1 || !tries[0].At.Equal(asked) {
			b.Fatalf("%+v, asked for at %v, tries %+v", d, asked, tries)
		}
		b.sleep(20 * time.Minute) // 300 attempts of three tries, 30 s each, 32 concurrently
		all, tries := b.deliveries()
		for _, d := range all {
			if d.Attempt == 0 || len(tries[d.ID]) != delivery.TriesPerAttempt*d.Attempt+d.Tried || // some are in progress
				d.Next.Sub(d.Began) != delivery.Default()[d.Attempt] {
				b.Fatalf("%s: %d tries, %+v", d.URL, len(tries[d.ID]), d)
			}
		}
	})
}

func TestAReceiverThatNeitherReadsNorAnswersIsLeftAfter30Seconds(t *testing.T) {
	run(t, func(r *http.Request, _ int) (*http.Response, error) {
		<-r.Context().Done()
		return nil, r.Context().Err()
	}, body, func(b *bench) {
		b.deliver("https://example.com/r")
		b.sleep(29 * time.Second)
		if _, tries := b.only(); len(tries) != 0 {
			b.Fatalf("given up early: %+v", tries)
		}
		b.sleep(2 * time.Second)
		if _, tries := b.only(); len(tries) != 1 || tries[0].Took.Round(time.Second) != 30*time.Second ||
			!strings.Contains(tries[0].Error, "stopped reading, or did not answer") {
			b.Errorf("%+v", tries)
		}
	})
}

func TestDeliveriesAreSignedWithAllSecretsOfTheAccount(t *testing.T) {
	run(t, always(200), body, func(b *bench) {
		first, second := delivery.Secret{ID: "1", Key: delivery.NewSecret(), Created: time.Now()},
			delivery.Secret{ID: "2", Key: delivery.NewSecret(), Created: time.Now().Add(time.Second)}
		storetest.Update(b, b.store, func(tx *store.Tx) error {
			return errors.Join(tx.AddCallbackSecret(b.media.Account, first),
				tx.AddCallbackSecret(b.media.Account, second))
		})
		b.deliver("https://example.com/r")
		b.sleep(time.Second)
		a := b.to.all()[0]
		signer := delivery.NewSigner([]delivery.Secret{second, first}, a.header.Get("webhook-id"), a.at)
		io.WriteString(signer, content)
		if got, want := a.header.Get("webhook-signature"), signer.Signatures(); got != want ||
			a.header.Get("webhook-timestamp") != fmt.Sprint(a.at.Unix()) {
			b.Errorf("signature %q, want %q; %v", got, want, a.header)
		}
	})
}

func TestWhatIsGoneIsNotDelivered(t *testing.T) {
	run(t, always(200), func(context.Context, delivery.Delivery) (callback.Body, error) {
		return callback.Body{}, fault.New(fault.NotFound, fault.CodeNotFound, "no such stream")
	}, func(b *bench) {
		b.deliver("https://example.com/r")
		b.sleep(time.Second)
		if d, tries := b.only(); d.State != delivery.Failed || len(tries) != 1 || tries[0].Error != "no such stream" ||
			len(b.to.all()) != 0 {
			b.Errorf("%+v, %+v", d, tries)
		}
	})
}

func TestABodyThatCannotBeMadeEndsTheDelivery(t *testing.T) {
	run(t, always(200), func(context.Context, delivery.Delivery) (callback.Body, error) {
		return callback.Body{}, errors.New("broken")
	}, func(b *bench) {
		b.deliver("https://example.com/r")
		b.sleep(time.Hour)
		if d, tries := b.only(); d.State != delivery.Failed || len(tries) != 1 {
			b.Errorf("%+v, %+v", d, tries)
		}
	})
}

func TestADeliveryBeginsAgainWhenAskedFor(t *testing.T) {
	run(t, always(500), body, func(b *bench) {
		b.deliver("https://example.com/r")
		b.sleep(20 * time.Minute) // two attempts are over, the third is due
		d, _ := b.only()
		storetest.Update(b, b.store, func(tx *store.Tx) error {
			_, err := callback.Again(tx, b.media.Account, b.media.ID, d.ID)
			return err
		})
		b.sleep(time.Minute)
		if d, tries := b.only(); len(tries) != 9 || d.Attempt != 1 || b.jobs() != 1 {
			b.Errorf("%d tries, %+v, %d jobs", len(tries), d, b.jobs())
		}
	})
}

func TestTheTimeToLiveBeginsWhenTheLastDeliveryIsOver(t *testing.T) {
	run(t, func(r *http.Request, _ int) (*http.Response, error) {
		if r.URL.Host == "live.example.com" {
			return status(200)
		}
		return status(500)
	}, body, func(b *bench) {
		expires := func() (m media.Media) {
			err := b.store.View(b.Context(), func(tx *store.Tx) (err error) {
				m, err = tx.MediaByID(b.media.ID)
				return err
			})
			if err != nil {
				b.Fatal(err)
			}
			return m
		}
		storetest.Update(b, b.store, func(tx *store.Tx) error {
			return errors.Join(tx.SetTimeToLive(b.media.ID, time.Hour), tx.SetStatus(b.media.ID, media.Running),
				tx.SetStatus(b.media.ID, media.Finished))
		})
		b.deliver("https://live.example.com/", "https://dead.example.com/")
		b.sleep(10 * time.Hour)
		if m := expires(); !m.Expires.IsZero() {
			b.Fatalf("expires on %v while a delivery is pending", m.Expires)
		}
		b.sleep(6 * time.Hour)
		all, _ := b.deliveries()
		if m := expires(); m.Expires.Sub(all[1].Done).Round(time.Second) != time.Hour {
			b.Errorf("expires on %v, the last delivery was over at %v", m.Expires, all[1].Done)
		}
	})
}

// Failures are reported to callbacks for results, not to callbacks for transcripts or recordings.
func TestOfAFailureOnlyAnalyticsCallbacksTell(t *testing.T) {
	run(t, always(200), body, func(b *bench) {
		list := []delivery.Callback{
			{URL: "https://a.example.com/", Method: "POST", Type: delivery.Transcript, Format: "text"},
			{URL: "https://b.example.com/", Method: "PUT", Type: delivery.Analytics},
			{URL: "https://c.example.com/", Method: "POST", Type: delivery.Media, Stream: "original"},
		}
		b.ask(list, true)
		b.sleep(time.Second)
		if asked := b.to.all(); len(asked) != 1 || asked[0].host != "b.example.com" {
			b.Errorf("%+v", asked)
		}
	})
}

func TestEndpointsFailFromTheFirstRefusalUntilASuccess(t *testing.T) {
	var up atomic.Bool
	run(t, func(*http.Request, int) (*http.Response, error) {
		if up.Load() {
			return status(204)
		}
		return status(502)
	}, body, func(b *bench) {
		began := time.Now()
		endpoints := func() (list []delivery.Endpoint) {
			err := b.store.View(b.Context(), func(tx *store.Tx) (err error) {
				list, err = tx.Endpoints(b.media.Account, 10)
				return err
			})
			if err != nil {
				b.Fatal(err)
			}
			return list
		}
		b.deliver("https://example.com/r?secret=1")
		b.sleep(16 * time.Minute)
		list := endpoints()
		if len(list) != 1 || list[0].Address != "https://example.com/r" || list[0].Failures != 6 ||
			list[0].Since.Sub(began) > time.Second || list[0].Last.Status != 502 ||
			list[0].Last.Attempt != 1 { // the second, counted from 0
			b.Fatalf("%+v", list)
		}
		up.Store(true)
		b.sleep(time.Hour)
		if list := endpoints(); len(list) != 0 {
			b.Errorf("still failing: %+v", list)
		}
	})
}
