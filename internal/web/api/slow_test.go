package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"parley/internal/call/wire"
	"parley/internal/storage/blob"
	"parley/internal/storage/blob/disk"
	"parley/internal/words/account"
)

// patience is how long the servers of these tests wait for a client.
const patience = time.Minute

// bare returns a server without storage, for tests of what happens before and after a handler.
func bare() *Server {
	return &Server{
		Config: Config{Log: slog.New(slog.DiscardHandler), MaxUpload: 1 << 30, UploadTime: patience,
			DownloadTime: patience, Stopping: context.Background()},
		metrics: newRequestMetrics(prometheus.NewRegistry()),
	}
}

func openBlobs(t testing.TB) blob.Store {
	t.Helper()
	blobs, err := disk.Open(disk.Config{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { blobs.Close() })
	return blobs
}

func TestPanicIsAnsweredAsAnError(t *testing.T) {
	var book bytes.Buffer
	s := bare()
	s.Log = slog.New(slog.NewJSONHandler(&book, nil))
	w := httptest.NewRecorder()
	withReference(s.observed(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("a secret") }))).
		ServeHTTP(w, httptest.NewRequest("GET", "/v3", nil))
	var failure wire.Failure
	if err := json.Unmarshal(w.Body.Bytes(), &failure); err != nil || w.Code != 500 ||
		failure.Errors[0].Code != 90003 || strings.Contains(w.Body.String(), "secret") {
		t.Errorf("HTTP %d %s (%v)", w.Code, w.Body, err)
	}
	if !strings.Contains(book.String(), failure.Reference) || !strings.Contains(book.String(), "slow_test.go") {
		t.Errorf("the log has no reference or stack: %s", &book)
	}
}

// pipes is a listener with in-memory connections, so that time can be fake.
type pipes chan net.Conn

func (p pipes) Accept() (net.Conn, error) {
	c, open := <-p
	if !open {
		return nil, net.ErrClosed
	}
	return c, nil
}
func (p pipes) Close() error   { close(p); return nil } // net/http closes a listener only once
func (p pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipe"} }

// serve answers one connection with a handler wrapped in the middleware, and returns the client's end.
func serve(t *testing.T, s *Server, f http.HandlerFunc) net.Conn {
	t.Helper()
	listener := make(pipes, 1)
	client, server := net.Pipe()
	listener <- server
	web := &http.Server{Handler: withReference(s.observed(f)), ErrorLog: slog.NewLogLogger(slog.DiscardHandler, 0)}
	go web.Serve(listener)
	t.Cleanup(func() {
		client.Close()
		web.Close()
	})
	return client
}

// uploading receives a submission and answers with the size of its media.
func uploading(s *Server) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		sub, err := s.receiveMedia(&request{Request: r})
		if err != nil {
			s.fail(w, r, err)
			return
		}
		fmt.Fprint(w, sub.Media.Size)
	}
}

const uploadHead = "POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: multipart/form-data; " +
	"boundary=b\r\nContent-Length: %d\r\n\r\n" +
	"--b\r\nContent-Disposition: form-data; name=\"media\"; filename=\"a\"\r\n\r\n"

const uploadTail = "\r\n--b--\r\n"

// trickle uploads a recording whose body continues with next, and then with the given number of steps of bytes, each
// after a wait. It compares the beginning of the answer with want, and returns the time taken.
func trickle(t *testing.T, s *Server, next string, steps, step int, wait time.Duration, want string) time.Duration {
	t.Helper()
	client := serve(t, s, uploading(s))
	size := len(uploadHead) - strings.Index(uploadHead, "--b") + len(next) + steps*step + len(uploadTail)
	sent, start := make(chan struct{}), time.Now()
	go func() {
		defer close(sent)
		io.WriteString(client, fmt.Sprintf(uploadHead, size)+next)
		for range steps {
			time.Sleep(wait)
			if _, err := client.Write(make([]byte, step)); err != nil {
				return
			}
		}
		io.WriteString(client, uploadTail)
	}()
	answer := make([]byte, 12)
	if _, err := io.ReadFull(client, answer); err != nil || string(answer) != want {
		t.Errorf("a step each %s: answer %q, %v; want %s", wait, answer, err, want)
	}
	took := time.Since(start)
	io.Copy(io.Discard, client)
	<-sent
	return took
}

func TestUploadsThatMoveMayTakeHoursAndThoseThatStandStillMayNot(t *testing.T) {
	for name, c := range map[string]struct {
		step int           // bytes sent at a time
		wait time.Duration // before each step
		want string
	}{
		"steady":        {bodyStep, 50 * time.Second, "HTTP/1.1 200"},
		"byte by byte":  {1, 10 * time.Second, "HTTP/1.1 408"},
		"stands still":  {bodyStep, 2 * time.Minute, "HTTP/1.1 408"},
		"just too slow": {bodyStep / 2, 40 * time.Second, "HTTP/1.1 408"},
	} {
		t.Run(name, func(t *testing.T) {
			s := bare()
			s.Vault.Blobs = openBlobs(t)
			synctest.Test(t, func(t *testing.T) {
				const steps = 200 // 200 · 50 s is 2.8 hours
				trickle(t, s, "", steps, c.step, c.wait, c.want)
			})
			if n := stored(t, s.Vault.Blobs); n != 0 && name != "steady" {
				t.Errorf("%d blobs stay", n)
			}
		})
	}
}

// TestWhatIsHeldInMemoryHasToArriveFaster sends a long transcript as slowly as a recording may be sent.
func TestWhatIsHeldInMemoryHasToArriveFaster(t *testing.T) {
	for wait, want := range map[time.Duration]string{time.Second / 2: "HTTP/1.1 200",
		10 * time.Second: "HTTP/1.1 408"} {
		s := bare()
		s.Vault.Blobs = openBlobs(t)
		synctest.Test(t, func(t *testing.T) {
			const steps = 3 * freePace / bodyStep
			next := "x\r\n--b\r\nContent-Disposition: form-data; name=\"transcript\"\r\n\r\n"
			if took := trickle(t, s, next, steps, bodyStep, wait, want); took > 2*freePace/bodyStep*10*time.Second {
				t.Errorf("it was held for %s", took)
			}
		})
	}
}

// TestBytesDoNotWaitLongForTheirRow checks that the time between an upload's bytes and its row stays below the grace
// period of the orphan scan, however slowly the other parts arrive.
func TestBytesDoNotWaitLongForTheirRow(t *testing.T) {
	for wait, want := range map[time.Duration]string{10 * time.Second: "HTTP/1.1 200",
		50 * time.Second: "HTTP/1.1 408"} {
		s := bare()
		s.Vault.Blobs = openBlobs(t)
		synctest.Test(t, func(t *testing.T) {
			const steps = 50 // 50 · 50 s is 42 minutes
			next := "x\r\n--b\r\nContent-Disposition: form-data; name=\"configuration\"\r\n\r\n"
			trickle(t, s, next, steps, bodyStep, wait, want)
		})
		if n := stored(t, s.Vault.Blobs); n != 0 && want != "HTTP/1.1 200" {
			t.Errorf("%d blobs stay", n)
		}
	}
}

func TestBodiesThatNobodyReadsDoNotHoldAConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := serve(t, bare(), func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusUnauthorized)
		})
		start := time.Now()
		go io.WriteString(client, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nx")
		if _, err := io.Copy(io.Discard, client); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(start); took > patience+time.Second {
			t.Errorf("the connection was open for %s", took)
		}
	})
}

func TestTheRestOfARefusedUploadIsReadForAWhileOnly(t *testing.T) {
	for every, want := range map[time.Duration]time.Duration{time.Second: lingerTime, time.Hour: lingerWait} {
		synctest.Test(t, func(t *testing.T) {
			client := serve(t, bare(), func(w http.ResponseWriter, r *http.Request) {
				w.WriteHeader(http.StatusUnauthorized)
			})
			start := time.Now()
			var sending sync.WaitGroup
			sending.Go(func() {
				_, err := io.WriteString(client, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\n")
				for err == nil {
					time.Sleep(every)
					_, err = io.WriteString(client, "x")
				}
			})
			answer, err := io.ReadAll(client)
			if err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 401") ||
				!strings.Contains(string(answer), "Connection: close") {
				t.Errorf("%s (%v)", answer, err)
			}
			if took := time.Since(start); took < want || took > want+time.Second {
				t.Errorf("a byte each %s: the connection was open for %s, want %s", every, took, want)
			}
			sending.Wait()
		})
	}
}

func TestClientsThatDoNotTakeTheAnswerAreCutOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		wrote := make(chan error, 1)
		client := serve(t, bare(), func(w http.ResponseWriter, r *http.Request) {
			_, err := w.Write(make([]byte, 1<<20))
			wrote <- err
		})
		start := time.Now()
		io.WriteString(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
		if err := <-wrote; err == nil {
			t.Error("the whole answer was written though nobody took it")
		}
		if took := time.Since(start); took > patience+time.Second {
			t.Errorf("the answer was held for %s", took)
		}
	})
}

func TestAnswersThatAreNotTakenAreMemoryOfTheirAccount(t *testing.T) {
	for name, answer := range map[string]func(w http.ResponseWriter, size int){
		"at once": func(w http.ResponseWriter, size int) { write(w, http.StatusOK, "text/plain", make([]byte, size)) },
		"in pieces": func(w http.ResponseWriter, size int) {
			writeJSON(w, http.StatusOK, []string{strings.Repeat("x", size)})
		},
	} {
		t.Run(name, func(t *testing.T) { synctest.Test(t, func(t *testing.T) { untaken(t, answer) }) })
	}
}

// untaken requests two answers of an account, with memory for only one of them, and then one of another account.
func untaken(t *testing.T, answer func(w http.ResponseWriter, size int)) {
	const share, buffers = 3 << 19, streamMemory
	s := bare()
	s.memory = newBudget(2<<20+2*buffers, share+buffers)
	ask := func(owner account.ID, size int) net.Conn {
		client := serve(t, s, func(w http.ResponseWriter, r *http.Request) {
			v := &visit{}
			s.counted(w, r, v)
			v.hold = s.memory.open(owner, v.stop)
			defer v.hold.close()
			if err := v.hold.take(int64(size)); err != nil { // as the renderer of the answer does
				s.fail(w, r, err)
				return
			}
			answer(w, size)
		})
		io.WriteString(client, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
		return client
	}
	status := func(client net.Conn) string {
		line := make([]byte, 12)
		io.ReadFull(client, line)
		return string(line)
	}
	first, second := ask("a", share), ask("a", share)
	synctest.Wait() // either answer may get the memory first
	if got := []string{status(first), status(second)}; got[0] == got[1] || !slices.Contains(got, "HTTP/1.1 429") {
		t.Errorf("%q", got)
	}
	start := time.Now()
	if got := status(ask("b", 1<<20)); got != "HTTP/1.1 200" { // the answer that is not read is evicted
		t.Errorf("another account: %s", got)
	}
	for _, each := range []net.Conn{first, second} {
		rest, _ := io.ReadAll(each)
		if len(rest) > 1<<19 || len(rest) > 2000 && bytes.HasSuffix(rest, []byte("0\r\n\r\n")) {
			t.Errorf("the answer that gave way ends after %d bytes as a whole one does", len(rest))
		}
	}
	if took := time.Since(start); took > time.Second || s.memory.held > 2<<20 {
		t.Errorf("%s, %d bytes", took, s.memory.held)
	}
}

func TestSlowReadersGetTheWholeAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := serve(t, bare(), func(w http.ResponseWriter, r *http.Request) { w.Write(make([]byte, 1<<20)) })
		go io.WriteString(client, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
		total, p := 0, make([]byte, 32<<10)
		for {
			time.Sleep(15 * time.Second) // half a step in a quarter of the time
			n, err := io.ReadAtLeast(client, p, len(p))
			total += n
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
				break
			}
			if err != nil {
				t.Fatalf("after %d bytes: %v", total, err)
			}
		}
		if total < 1<<20 {
			t.Errorf("%d bytes arrived", total)
		}
	})
}

// stored counts the blobs of a store.
func stored(t testing.TB, blobs blob.Store) int {
	t.Helper()
	n := 0
	if err := blobs.List(t.Context(), "", func(blob.Info) error { n++; return nil }); err != nil {
		t.Fatal(err)
	}
	return n
}
