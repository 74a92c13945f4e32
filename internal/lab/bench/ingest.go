// Package bench has repeatable benchmarks of a server and its machine.
//
// It uses only the HTTP API and the file system, and does not evaluate the results.
package bench

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Ingest is a load test with uploads.
type Ingest struct {
	Base     string // server's address
	Token    string
	Size     int           // bytes of media per upload
	Clients  int           // concurrent uploads
	Duration time.Duration // how long
}

// IngestResult is the result of Ingest.
type IngestResult struct {
	Acknowledged int
	Refused      int           // answers that were not 200
	Rate         float64       // acknowledged uploads per second
	Median, P99  time.Duration // time to the acknowledgement
	FirstRefusal string
}

// Run uploads until Duration has elapsed. The media are distinct WAV files of noise.
func (in Ingest) Run(ctx context.Context) (IngestResult, error) {
	ctx, cancel := context.WithTimeout(ctx, in.Duration)
	defer cancel()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: in.Clients}}
	defer client.CloseIdleConnections()
	times := make([][]time.Duration, in.Clients)
	var refused atomic.Int64
	var first atomic.Pointer[string]
	start := time.Now()
	var clients sync.WaitGroup
	for c := range in.Clients {
		clients.Go(func() {
			own := newForm(in.Size, uint32(c))
			for n := uint32(0); ctx.Err() == nil; n++ {
				began := time.Now()
				problem, err := in.upload(ctx, client, own.next(n))
				if ctx.Err() != nil {
					return
				}
				if err != nil {
					problem = err.Error()
				}
				if problem != "" {
					refused.Add(1)
					first.CompareAndSwap(nil, &problem)
					continue
				}
				times[c] = append(times[c], time.Since(began))
			}
		})
	}
	clients.Wait()
	return summary(slices.Concat(times...), time.Since(start), int(refused.Load()), first.Load()), nil
}

func summary(times []time.Duration, took time.Duration, refused int, first *string) IngestResult {
	f := IngestResult{Acknowledged: len(times), Refused: refused, Rate: float64(len(times)) / took.Seconds()}
	if first != nil {
		f.FirstRefusal = *first
	}
	if len(times) > 0 {
		slices.Sort(times)
		f.Median, f.P99 = times[len(times)/2], times[len(times)*99/100]
	}
	return f
}

// form is a client's upload. It is built once and modified slightly for each request, so that the load is on the server
// and not on the client.
type form struct {
	contentType string
	body        []byte
	media       []byte // the part of body that is the recording
}

func newForm(size int, seed uint32) *form {
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	part, _ := w.CreateFormFile("media", "bench.wav") // a bytes.Buffer never fails
	before := body.Len()
	part.Write(Noise(size, seed))
	after := body.Len()
	w.Close()
	return &form{w.FormDataContentType(), body.Bytes(), body.Bytes()[before:after]}
}

// next changes the recording.
func (f *form) next(n uint32) *form {
	last := f.media[len(f.media)-2:]
	if len(f.media) >= 48 {
		last = f.media[len(f.media)-4:]
	}
	for i := range last {
		last[i] = byte(n >> (8 * i))
	}
	return f
}

// upload sends one recording and returns the error of the server, if any.
func (in Ingest) upload(ctx context.Context, client *http.Client, f *form) (problem string, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, in.Base+"/v3/media", bytes.NewReader(f.body))
	if err != nil {
		return "", err
	}
	request.Header.Set("Authorization", "Bearer "+in.Token)
	request.Header.Set("Content-Type", f.contentType)
	response, err := client.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode == http.StatusOK {
		return "", err
	}
	return fmt.Sprintf("HTTP %d: %.200s", response.StatusCode, answer), nil
}

// Noise returns a WAV file (8 kHz, 16 bit, mono) of about size bytes, different for each seed.
func Noise(size int, seed uint32) []byte {
	const header = 44
	b := make([]byte, max(size, header+2)&^1)
	le := func(at int, n int, v uint32) {
		for i := range n {
			b[at+i] = byte(v >> (8 * i))
		}
	}
	copy(b, "RIFF")
	le(4, 4, uint32(len(b)-8))
	copy(b[8:], "WAVEfmt ")
	le(16, 4, 16)
	le(20, 2, 1)
	le(22, 2, 1)
	le(24, 4, 8000)
	le(28, 4, 16000)
	le(32, 2, 2)
	le(34, 2, 16)
	copy(b[36:], "data")
	le(40, 4, uint32(len(b)-header))
	x := seed*2654435761 + 1
	for i := header; i+1 < len(b); i += 2 {
		x ^= x << 13
		x ^= x >> 17
		x ^= x << 5
		le(i, 2, x%400-200)
	}
	return b
}

// Fsyncs returns the number of files of this size per second that the folder's disk can make durable, sequentially with
// one writer or concurrently with several.
func Fsyncs(dir string, size, writers int, d time.Duration) (rate float64, err error) {
	dir, err = os.MkdirTemp(dir, "bench-fsync-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	data := make([]byte, size)
	var n atomic.Int64
	var failed atomic.Pointer[error]
	start := time.Now()
	var group sync.WaitGroup
	for w := range writers {
		group.Go(func() {
			for i := 0; time.Since(start) < d && failed.Load() == nil; i++ {
				if err := writeDurably(filepath.Join(dir, fmt.Sprintf("%d-%d", w, i)), data); err != nil {
					failed.Store(&err)
					return
				}
				n.Add(1)
			}
		})
	}
	group.Wait()
	if e := failed.Load(); e != nil {
		return 0, *e
	}
	return float64(n.Load()) / time.Since(start).Seconds(), nil
}

func writeDurably(path string, data []byte) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Write(data); err != nil {
		return err
	}
	return f.Sync()
}
