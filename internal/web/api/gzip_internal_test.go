package api

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"runtime"
	"testing"
	"time"

	"parley/internal/words/account"
)

func TestAcceptEncodingIsReadAsHTTPSays(t *testing.T) {
	for accept, want := range map[string]bool{
		"": false, "gzip": true, "GZIP": true, "br, gzip;q=0.5": true, "x-gzip": true, "*": true, "gzip;q=0": false,
		"*, gzip;q=0": false, "gzip;q=0, *": false, "identity": false, "*;q=0": false, "deflate, br": false, ",;=": false,
	} {
		if got := acceptsGzip([]string{accept}); got != want {
			t.Errorf("%q: %t, want %t", accept, got, want)
		}
	}
}

// TestRoutesWithSecretsAreNotCompressed looks at the routes that show keys and secrets, and at those without tokens.
func TestRoutesWithSecretsAreNotCompressed(t *testing.T) {
	plain := 0
	for _, rt := range routes {
		if rt.compresses() == (rt.Scope == account.Keys || rt.Scope == "") {
			t.Errorf("%s %s is compressed: %t", rt.Method, rt.Path, rt.compresses())
		}
		if !rt.compresses() {
			plain++
		}
	}
	if plain < 10 {
		t.Errorf("%d routes are not compressed", plain)
	}
}

// zipAll returns an answer of some pieces as the client gets it.
func zipAll(t *testing.T, pieces [][]byte) []byte {
	t.Helper()
	rec := newPacedResponse(httptest.NewRecorder(), time.Minute)
	at := 0
	next := rec.zipped(chunk{pieces[0], len(pieces) == 1}, func() (chunk, error) {
		at++
		return chunk{pieces[at], at == len(pieces)-1}, nil
	})
	var sent []byte
	for {
		p, err := next()
		if err != nil {
			t.Fatal(err)
		}
		sent = append(sent, p.bytes...)
		if p.last {
			return sent
		}
		if len(p.bytes) < answerStep {
			t.Fatalf("a piece of %d bytes that is not the last", len(p.bytes))
		}
	}
}

func unzip(t *testing.T, sent []byte) []byte {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(sent))
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(r) // checks the sum and the length
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestCompressedPiecesAreOneAnswer(t *testing.T) {
	chance := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 3, 50} {
		var pieces [][]byte
		for range n {
			piece := make([]byte, chance.IntN(100<<10))
			for i := range piece {
				piece[i] = byte(chance.IntN(1 + n%3*100))
			}
			pieces = append(pieces, piece)
		}
		if got := unzip(t, zipAll(t, pieces)); !bytes.Equal(got, bytes.Join(pieces, nil)) {
			t.Errorf("%d pieces: %d bytes, want %d", n, len(got), len(bytes.Join(pieces, nil)))
		}
	}
}

func FuzzCompressedAnswersAreWhatWasWritten(f *testing.F) {
	f.Add([]byte(""), uint16(1))
	f.Add(bytes.Repeat([]byte("word "), 1000), uint16(7))
	f.Fuzz(func(t *testing.T, body []byte, size uint16) {
		pieces := [][]byte{nil}
		for rest := body; len(rest) > 0; {
			n := min(len(rest), int(size)+1)
			pieces, rest = append(pieces, rest[:n]), rest[n:]
		}
		if len(pieces) > 2000 {
			t.Skip()
		}
		if got := unzip(t, zipAll(t, pieces)); !bytes.Equal(got, body) {
			t.Errorf("%d bytes, want %d", len(got), len(body))
		}
	})
}

// TestAnswersThatWaitForTheirClientsHoldNoCompressor begins many large answers and leaves them where a client stalls.
func TestAnswersThatWaitForTheirClientsHoldNoCompressor(t *testing.T) {
	piece := make([]byte, 64<<10)
	chance := rand.New(rand.NewPCG(3, 4))
	for i := range piece {
		piece[i] = byte(chance.IntN(256)) // each piece is a step of the client
	}
	var waiting []func() (chunk, error)
	before := heapInUse()
	for range 200 {
		rec := newPacedResponse(httptest.NewRecorder(), time.Minute)
		next := rec.zipped(chunk{piece, false}, func() (chunk, error) { return chunk{piece, false}, nil })
		if _, err := next(); err != nil {
			t.Fatal(err)
		}
		waiting = append(waiting, next)
	}
	if each := (heapInUse() - before) / 200; each > zipMemory {
		t.Errorf("an answer that waits holds %d bytes, and %d are counted", each, zipMemory)
	}
	runtime.KeepAlive(waiting)
}

func heapInUse() int64 {
	runtime.GC()
	runtime.GC() // empties the pool of compressors
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func TestCompressingEndsWithItsClient(t *testing.T) {
	rec := newPacedResponse(httptest.NewRecorder(), time.Minute)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	rec.work = ctx
	next := rec.zipped(chunk{[]byte("x"), true}, nil)
	if _, err := next(); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestErrorsAreNotCompressed(t *testing.T) {
	web := httptest.NewRecorder()
	rec := newPacedResponse(web, time.Minute)
	rec.zips = true
	write(rec, http.StatusBadRequest, "application/json", make([]byte, 10_000))
	if web.Body.Len() != 10_000 || web.Header().Get("Content-Encoding") != "" {
		t.Errorf("%d bytes, %v", web.Body.Len(), web.Header())
	}
}
