package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"parley/internal/testkit/standin"
	"parley/internal/words/fault"
)

// outcome is the result of a request to a service.
type outcome struct {
	err   error
	took  time.Duration
	asked int32
}

// ask sends a request about ten seconds of audio, in fake time; a valid answer is JSON.
func ask(t *testing.T, serve http.HandlerFunc) (o outcome) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int32
		transport := standin.Start(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked.Add(1)
			serve(w, r)
		}))
		client := NewClient(Endpoint{Name: "gpu", KeyName: "GPU_KEY", Parallel: 1}, transport)
		start := time.Now()
		o = outcome{err: client.Do(t.Context(), exchange(10*time.Second))}
		o.took, o.asked = time.Since(start), asked.Load()
	})
	return o
}

func exchange(audio time.Duration) Exchange {
	return Exchange{
		Audio: audio,
		Request: func(ctx context.Context) (*http.Request, error) {
			return http.NewRequestWithContext(ctx, http.MethodPost, "http://secret.internal/v1/x?key=secret",
				strings.NewReader("audio"))
		},
		Read: func(answer []byte) error {
			var v map[string]any
			return json.Unmarshal(answer, &v)
		},
	}
}

func TestRefusalsHaveTheKindThatTheyCallFor(t *testing.T) {
	for _, c := range []struct {
		status int
		body   string
		kind   fault.Kind
		asked  int32
		says   string
	}{
		{400, `{"error":{"message":"Audio file is too short.","type":"invalid_request_error"}}`, fault.Invalid, 1,
			"too short"},
		{400, `{"err_code":"Bad Request","err_msg":"failed to process audio: corrupt or unsupported data"}`,
			fault.Invalid, 1, "corrupt"},
		{413, ``, fault.Invalid, 1, "413"},
		{422, `{"detail":[{"msg":"Field required","input":"vocabulary"}]}`, fault.Invalid, 1, "Field required"},
		{401, `{"error":{"message":"Incorrect API key provided: sk-1234"}}`, fault.Unavailable, 1, "GPU_KEY"},
		{403, `{}`, fault.Unavailable, 1, "GPU_KEY"},
		{402, `{}`, fault.Unavailable, 1, "paid"},
		{404, `{"detail":"Model 'x' is not installed locally."}`, fault.Unavailable, 1, "--engine-url"},
		{302, ``, fault.Unavailable, 1, "--engine-url"},
		{408, ``, fault.Unavailable, 3, "408"},
		{429, `{"err_code":"TOO_MANY_REQUESTS","err_msg":"Too many requests. Please try again later"}`,
			fault.Unavailable, 3, "try again later"},
		{500, `Internal Server Error`, fault.Unavailable, 3, "500"},
		{503, `{"error":"model is loading"}`, fault.Unavailable, 3, "loading"},
	} {
		t.Run(fmt.Sprint(c.status, c.body), func(t *testing.T) {
			o := ask(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Location", "/elsewhere")
				w.WriteHeader(c.status)
				io.WriteString(w, c.body)
			})
			if fault.KindOf(o.err) != c.kind || o.asked != c.asked || !strings.Contains(o.err.Error(), c.says) {
				t.Errorf("%v error %v after %d requests, want %v naming %q after %d", fault.KindOf(o.err), o.err,
					o.asked, c.kind, c.says, c.asked)
			}
			for _, secret := range []string{"sk-1234", "vocabulary", "secret"} {
				if strings.Contains(o.err.Error(), secret) {
					t.Errorf("error %v repeats %q", o.err, secret)
				}
			}
			if o.took > 5*time.Second {
				t.Errorf("gave up after %v", o.took)
			}
		})
	}
}

func TestABusyServiceIsAskedAgainWhenItSays(t *testing.T) {
	for name, value := range map[string]func() string{
		"seconds": func() string { return "7" },
		"date":    func() string { return time.Now().Add(7 * time.Second).UTC().Format(http.TimeFormat) },
	} {
		t.Run(name, func(t *testing.T) {
			busy := true
			o := ask(t, func(w http.ResponseWriter, r *http.Request) {
				if busy {
					busy = false
					w.Header().Set("Retry-After", value())
					w.WriteHeader(http.StatusTooManyRequests)
					return
				}
				io.WriteString(w, "{}")
			})
			if o.err != nil || o.asked != 2 || o.took < 6*time.Second || o.took > 8*time.Second {
				t.Errorf("%v after %d requests and %v, want success after 2 and 7 s", o.err, o.asked, o.took)
			}
		})
	}
}

func TestALongWaitIsLeftToTheJob(t *testing.T) {
	o := ask(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After", "3600")
		w.WriteHeader(http.StatusServiceUnavailable)
	})
	if !fault.Is(o.err, fault.Unavailable) || o.asked != 1 || o.took > time.Second {
		t.Errorf("%v after %d requests and %v, want Unavailable at once", o.err, o.asked, o.took)
	}
}

func TestAServiceThatHangsIsUnavailableAfterATimeThatFitsTheAudio(t *testing.T) {
	for name, serve := range map[string]http.HandlerFunc{
		"before the answer": func(w http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body)
			<-r.Context().Done()
		},
		"within the answer": func(w http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body)
			io.WriteString(w, `{"text":`)
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		},
	} {
		t.Run(name, func(t *testing.T) {
			o := ask(t, serve)
			if !fault.Is(o.err, fault.Unavailable) || o.asked != 1 || o.took != timeLimit(10*time.Second) {
				t.Errorf("%v after %d requests and %v, want Unavailable after %v", o.err, o.asked, o.took,
					timeLimit(10*time.Second))
			}
		})
	}
}

func TestBrokenAnswersAreAskedForAgain(t *testing.T) {
	for name, broken := range map[string]http.HandlerFunc{
		"half of the JSON": func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, `{"text":"he`) },
		"a page":           func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, `<html>`) },
		"a body cut short": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "100")
			io.WriteString(w, `{}`)
		},
		"a connection cut": func(w http.ResponseWriter, r *http.Request) { panic(http.ErrAbortHandler) },
	} {
		t.Run(name, func(t *testing.T) {
			if o := ask(t, broken); !fault.Is(o.err, fault.Unavailable) || o.asked != tries {
				t.Errorf("%v after %d requests, want Unavailable after %d", o.err, o.asked, tries)
			}
			first := true
			o := ask(t, func(w http.ResponseWriter, r *http.Request) {
				if first {
					first = false
					broken(w, r)
					return
				}
				io.WriteString(w, "{}")
			})
			if o.err != nil || o.asked != 2 {
				t.Errorf("%v after %d requests, want success after 2", o.err, o.asked)
			}
		})
	}
}

func TestAnAnswerWithoutEndFailsThisChunkAlone(t *testing.T) {
	o := ask(t, func(w http.ResponseWriter, r *http.Request) {
		junk := strings.Repeat(" ", 1<<20)
		for range maxAnswer>>20 + 1 {
			io.WriteString(w, junk)
		}
	})
	if !fault.Is(o.err, fault.Internal) || o.asked != 1 {
		t.Errorf("%v after %d requests, want Internal after 1", o.err, o.asked)
	}
}

func TestAServiceThatIsNotThereIsUnavailable(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	x := exchange(time.Second)
	x.Request = func(ctx context.Context) (*http.Request, error) {
		return http.NewRequestWithContext(ctx, http.MethodPost, "http://"+address, nil)
	}
	err = NewClient(Endpoint{Name: "gpu", Parallel: 1}, nil).Do(t.Context(), x)
	if !fault.Is(err, fault.Unavailable) || strings.Contains(err.Error(), address) {
		t.Errorf("error %v, want Unavailable without the address", err)
	}
}

func TestNoMoreRequestsRunAtOnceThanTheEndpointTakes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var running, most atomic.Int32
		transport := standin.Start(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			now := running.Add(1)
			for old := most.Load(); now > old && !most.CompareAndSwap(old, now); old = most.Load() {
			}
			time.Sleep(time.Second) // fake time
			running.Add(-1)
			io.WriteString(w, "{}")
		}))
		client := NewClient(Endpoint{Name: "gpu", Parallel: 3}, transport)
		done := make(chan error)
		for range 9 {
			go func() { done <- client.Do(t.Context(), exchange(time.Second)) }()
		}
		for range 9 {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
		if most.Load() != 3 {
			t.Errorf("%d requests ran at once, want 3", most.Load())
		}
	})
}

func TestTheContextEndsRequestsAndPauses(t *testing.T) {
	for name, serve := range map[string]http.HandlerFunc{
		"request": func(w http.ResponseWriter, r *http.Request) { io.Copy(io.Discard, r.Body); <-r.Context().Done() },
		"pause": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Retry-After", "20")
			w.WriteHeader(http.StatusServiceUnavailable)
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := NewClient(Endpoint{Name: "gpu", Parallel: 1}, standin.Start(t, serve))
				ctx, cancel := context.WithCancel(t.Context())
				time.AfterFunc(5*time.Second, cancel)
				start := time.Now()
				err := client.Do(ctx, exchange(time.Second))
				if took := time.Since(start); !errors.Is(err, context.Canceled) || took != 5*time.Second {
					t.Errorf("%v after %v, want context.Canceled after 5 s", err, took)
				}
			})
		})
	}
}
