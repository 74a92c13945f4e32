package bench

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Stalled is a test with many uploads of one account that stall just before their end.
type Stalled struct {
	Server  *Server
	Other   string // token of another account
	Uploads int
	Size    int64 // size in bytes of each transcript
}

// atOnce is the maximum number of concurrent uploads, so that the client does not use all processors.
const atOnce = 16

// settle is the time between the end of the uploads and the memory measurement.
const settle = 3 * time.Second

// StalledResult is the result of Stalled.
type StalledResult struct {
	Refused, Waiting, Lost int           // uploads that were answered, that stalled, and that failed otherwise
	Others                 int           // uploads of the other account while all are stalled
	Slowest, Busiest       time.Duration // slowest of those, and of the ones before
	Before, Peak, After    int64         // memory of the server in bytes: before, peak, after all uploads ended
}

// Run sends the uploads while the other account sends small ones one after the other, each of which must be accepted.
func (s Stalled) Run(ctx context.Context) (f StalledResult, err error) {
	other := Ingest{Base: s.Server.Base, Token: s.Other}
	upload := func(n uint32) (time.Duration, error) {
		began := time.Now()
		problem, err := other.upload(ctx, http.DefaultClient, newForm(20_000, n))
		if err == nil && problem != "" {
			err = fmt.Errorf("the other account's upload: %s", problem)
		}
		return time.Since(began), err
	}
	if _, err := upload(0); err != nil {
		return f, err
	}
	if err := ForgetPeak(s.Server.PID); err != nil {
		return f, err
	}
	memory, err := MemoryOf(s.Server.PID)
	if err != nil {
		return f, err
	}
	f.Before = memory.Now
	ctx, end := context.WithCancel(ctx)
	defer end()
	var refused, lost atomic.Int64
	var sending, open sync.WaitGroup
	turns := make(chan struct{}, atOnce)
	for range s.Uploads {
		sending.Add(1)
		open.Go(func() {
			turns <- struct{}{}
			switch status := s.stall(ctx, sync.OnceFunc(func() { <-turns; sending.Done() })); {
			case status != 0:
				refused.Add(1)
			case ctx.Err() == nil:
				lost.Add(1)
			}
		})
	}
	sent := make(chan struct{})
	go func() { sending.Wait(); close(sent) }()
	for n, left := uint32(1), true; left || f.Others < 50; n++ {
		took, err := upload(n)
		if err != nil {
			return f, err
		}
		if left {
			f.Busiest = max(f.Busiest, took)
		} else {
			f.Slowest, f.Others = max(f.Slowest, took), f.Others+1
		}
		select {
		case <-sent:
			left = false
		default:
		}
	}
	if memory, err = MemoryOf(s.Server.PID); err != nil {
		return f, err
	}
	f.Peak, f.Refused, f.Lost = memory.Peak, int(refused.Load()), int(lost.Load())
	f.Waiting = s.Uploads - f.Refused - f.Lost
	end()
	open.Wait()
	if _, err := other.upload(context.WithoutCancel(ctx), http.DefaultClient, newForm(20_000, 0)); err != nil {
		return f, err
	}
	for began := time.Now(); err == nil && time.Since(began) < settle; time.Sleep(settle / 10) {
		memory, err = MemoryOf(s.Server.PID)
		f.After = memory.Now
	}
	return f, err
}

// stall sends a transcript without its end, and waits until ctx ends or the server answers. It returns the status of
// the answer, or 0 without an answer. It calls sent when everything is sent or answered.
func (s Stalled) stall(ctx context.Context, sent func()) (status int) {
	defer sent()
	connection, err := (&net.Dialer{}).DialContext(ctx, "tcp", strings.TrimPrefix(s.Server.Base, "http://"))
	if err != nil {
		return 0
	}
	defer context.AfterFunc(ctx, func() { connection.Close() })()
	defer connection.Close()
	go func() {
		fmt.Fprintf(connection, "POST /v3/media HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer %s\r\nContent-Type: "+
			"multipart/form-data; boundary=b\r\nContent-Length: %d\r\n\r\n",
			s.Server.Token, s.Size+1000)
		fmt.Fprint(connection, "--b\r\nContent-Disposition: form-data; name=\"transcript\"\r\n\r\n")
		if _, err := io.Copy(connection, io.LimitReader(newEndless(), s.Size)); err == nil {
			sent()
		}
	}()
	response, err := http.ReadResponse(bufio.NewReader(connection), nil)
	if err != nil {
		return 0
	}
	response.Body.Close()
	return response.StatusCode
}
