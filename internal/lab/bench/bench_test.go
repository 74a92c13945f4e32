package bench

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestNoiseIsAWAVFileThatSaysItsLength(t *testing.T) {
	for _, size := range []int{0, 46, 20_000, 20_001} {
		wav := Noise(size, 7)
		if string(wav[:4]) != "RIFF" || string(wav[8:16]) != "WAVEfmt " {
			t.Fatalf("%d bytes: header %q", size, wav[:16])
		}
		if riff, data := binary.LittleEndian.Uint32(wav[4:]),
			binary.LittleEndian.Uint32(wav[40:]); int(riff) != len(wav)-8 || int(data) != len(wav)-44 {
			t.Errorf("%d bytes: chunks of %d and %d in %d bytes", size, riff, data, len(wav))
		}
	}
	if bytes.Equal(Noise(1000, 1), Noise(1000, 2)) {
		t.Error("two seeds, the same noise")
	}
}

func TestIngestCountsAcknowledgementsAndRefusals(t *testing.T) {
	var mu sync.Mutex
	seen, calls := map[[32]byte]int{}, 0
	ctx, enough := context.WithCancel(t.Context())
	defer enough()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		part, _, err := r.FormFile("media")
		if ctx.Err() != nil {
			return // requests in progress are cancelled at the end
		}
		if err != nil || r.URL.Path != "/v3/media" || r.Header.Get("Authorization") != "Bearer secret" {
			t.Errorf("request to %s: %v", r.URL, err)
			return
		}
		content, _ := io.ReadAll(part)
		mu.Lock()
		defer mu.Unlock()
		seen[sha256.Sum256(content)]++
		if calls++; calls == 100 {
			defer enough()
		}
		if calls%4 == 0 {
			http.Error(w, "no room", http.StatusServiceUnavailable)
		}
	}))
	defer s.Close()
	found, err := Ingest{Base: s.URL, Token: "secret", Size: 20_000, Clients: 3, Duration: time.Minute}.Run(ctx)
	if err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	if len(seen) != calls {
		t.Errorf("%d different recordings in %d uploads", len(seen), calls)
	}
	// Answers after the end are not counted: at most one per client.
	if all := found.Acknowledged + found.Refused; all > calls || all < calls-3 || found.Refused < 20 {
		t.Errorf("%d uploads: %+v", calls, found)
	}
	if !strings.Contains(found.FirstRefusal, "HTTP 503: no room") || found.Median <= 0 || found.P99 < found.Median {
		t.Errorf("found %+v", found)
	}
}

func TestFsyncsLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	rate, err := Fsyncs(dir, 100, 2, 20*time.Millisecond)
	if rate <= 0 || err != nil {
		t.Errorf("rate %f, %v", rate, err)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	if _, err := Fsyncs(dir+"/none", 100, 1, time.Millisecond); err == nil {
		t.Error("a folder that is not there")
	}
}

func TestMemoryShowsWhatAProcessTakes(t *testing.T) {
	if err := ForgetPeak(os.Getpid()); err != nil {
		t.Fatal(err)
	}
	before, err := MemoryOf(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	block := bytes.Repeat([]byte{1}, 64<<20)
	after, err := MemoryOf(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	if grown := after.Peak - before.Now; grown < 60<<20 {
		t.Errorf("%d bytes were written, the peak grew by %d", len(block), grown)
	}
	if _, err := MemoryOf(1 << 30); err == nil {
		t.Error("a process that is not there")
	}
}

func TestEndlessGivesAsManyBytesAsAreTaken(t *testing.T) {
	n, err := io.Copy(io.Discard, io.LimitReader(newEndless(), 5<<20+1))
	if n != 5<<20+1 || err != nil {
		t.Errorf("%d bytes, %v", n, err)
	}
	head := make([]byte, 4)
	if io.ReadFull(newEndless(), head); string(head) != "RIFF" {
		t.Errorf("begins with %q", head)
	}
}

func TestOverheadIsWhatTheEnginesDoNotDo(t *testing.T) {
	f := RecognizeResult{Decode: 1, Detect: 2, Listen: 100, Busy: 180, Assemble: 4}
	if got := f.Overhead(2); got != 1+2+4+10 {
		t.Errorf("overhead %d", got)
	}
	if got := f.Overhead(1); got != 7 {
		t.Errorf("overhead %d", got)
	}
}

func TestAServerThatDoesNotStartSaysWhy(t *testing.T) {
	dir := t.TempDir()
	script := dir + "/parley"
	write := func(serve string) {
		body := fmt.Sprintf("#!/bin/sh\nif [ $1 = token ]; then echo secret; exit; fi\n%s\n", serve)
		if err := os.WriteFile(script, []byte(body), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	write("echo 'parley: the port is taken' >&2; exit 1")
	if _, err := StartServer(t.Context(), script, dir); err == nil ||
		!strings.Contains(err.Error(), "the port is taken") {
		t.Errorf("got %v", err)
	}
	write(`echo '{"msg":"serving","address":"http://127.0.0.1:7"}' >&2; exec sleep 60`)
	s, err := StartServer(t.Context(), script, dir)
	if err != nil {
		t.Fatal(err)
	}
	if s.Base != "http://127.0.0.1:7" || s.Token != "secret" {
		t.Errorf("server %+v", s)
	}
	s.Close()
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("left: %v", left)
	}
}
