package soak

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"parley/internal/terminal/client"
	"parley/internal/testkit/verify"
)

// bulk returns the size of a big recording in bytes: a gigabyte with PARLEY_SOAK.
func bulk() int64 {
	if soaking() {
		return 1 << 30
	}
	return 128 << 20
}

// big returns a recording of a given size: a WAV file of one second, then a chunk that is not audio and never repeats.
func big(size int64) io.Reader {
	const rate = 8000
	head := make([]byte, 44, 52+2*rate)
	copy(head, "RIFF....WAVEfmt ")
	le := binary.LittleEndian
	le.PutUint32(head[16:], 16)
	le.PutUint16(head[20:], 1) // PCM
	le.PutUint16(head[22:], 1) // channels
	le.PutUint32(head[24:], rate)
	le.PutUint32(head[28:], 2*rate)
	le.PutUint16(head[32:], 2)
	le.PutUint16(head[34:], 16)
	copy(head[36:], "data")
	le.PutUint32(head[40:], 2*rate)
	head = append(head[:44+2*rate], "junk...."...)
	junk := size - int64(len(head))
	le.PutUint32(head[len(head)-4:], uint32(junk))
	le.PutUint32(head[4:], uint32(size-8))
	return io.MultiReader(bytes.NewReader(head), &counting{left: junk})
}

// counting is a stream of numbers, eight bytes each.
type counting struct {
	left int64
	n    uint64
}

// Read implements io.Reader.
func (c *counting) Read(p []byte) (int, error) {
	if c.left == 0 {
		return 0, io.EOF
	}
	n := 0
	for ; n+8 <= len(p) && c.left >= 8; n += 8 {
		binary.BigEndian.PutUint64(p[n:], c.n*0x9e3779b97f4a7c15)
		c.n++
		c.left -= 8
	}
	if n == 0 { // the end, or very little room
		n = int(min(c.left, int64(len(p))))
		c.left -= int64(n)
	}
	return n, nil
}

// weigher receives deliveries and stores only a few bytes about each.
type weigher struct {
	key  []byte // of the account's secret
	took chan weighed
}

type weighed struct {
	path, contentType, sum string
	size, announced        int64
	signed                 bool
}

// ServeHTTP reads the body and discards it.
func (v *weigher) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	sum, mac := sha256.New(), hmac.New(sha256.New, v.key)
	fmt.Fprintf(mac, "%s.%s.", r.Header.Get("webhook-id"), r.Header.Get("webhook-timestamp"))
	n, _ := io.Copy(io.MultiWriter(sum, mac), r.Body)
	v.took <- weighed{r.URL.Path, r.Header.Get("Content-Type"), hexOf(sum), n, r.ContentLength,
		r.Header.Get("webhook-signature") == "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil))}
}

func hexOf(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)) }

// TestABigRecordingIsDeliveredInFlatMemory delivers a recording to three receivers concurrently, signed, and compares
// the server's memory with that for a small one.
func TestABigRecordingIsDeliveredInFlatMemory(t *testing.T) {
	verify.Long(t)
	dir := filepath.Join(t.TempDir(), "data")
	token := firstToken(t, "--data", dir)
	e := newEvents()
	n := start(t, e, append(engineFlags(), "--data", dir, "--allow-insecure-callbacks", "--allow-networks",
		"127.0.0.0/8", "--callback-schedule", "0s,1s,2s,4s")...)
	c := n.client(token)
	c.HTTP = &http.Client{} // an upload takes its time
	v := &weigher{key: secret(t, c), took: make(chan weighed, 10)}
	web := httptest.NewServer(v)
	t.Cleanup(web.Close)
	deliver := func(size int64) (id string) {
		var callbacks []string
		for i := range 3 {
			callbacks = append(callbacks, fmt.Sprintf(
				`{"url":"%s/%d","method":"PUT","type":"media","stream":"original"}`, web.URL, i))
		}
		sum := sha256.New()
		item, err := c.Submit(t.Context(), client.Submission{
			Name: "call.wav", Media: io.TeeReader(big(size), sum),
			Configuration: `{"publish":{"callbacks":[` + strings.Join(callbacks, ",") + `]}}`,
			Transcript:    `{"words":[{"p":0,"c":1,"s":100,"e":400,"w":"hello"}]}`,
		})
		if err != nil {
			t.Fatalf("%v\n%s", err, e.tail())
		}
		await(t, c, item.MediaID, e)
		for range callbacks {
			if w := <-v.took; w.contentType != "application/octet-stream" || w.size != size || w.announced != size ||
				w.sum != hexOf(sum) || !w.signed {
				t.Errorf("of %d bytes arrived: %+v", size, w)
			}
		}
		return item.MediaID
	}
	deliver(1 << 20)
	flat := n.peak(t)
	id := deliver(bulk())
	peak := n.peak(t)
	t.Logf("deliveries of 1 MB took %d MB of memory at most, those of %d MB %d MB", flat>>20, bulk()>>20, peak>>20)
	if peak-flat > mostGrowth {
		t.Error("memory grows with the recording")
	}
	if !eventually(t.Context(), func() bool {
		return strings.Count(run(t, "callbacks", "list", id, "--server", n.base, "--token", token), " delivered ") == 3
	}) {
		t.Error("the deliveries are not recorded")
	}
	if list := run(t, "callbacks", "failing", "--server", n.base, "--token", token); strings.Contains(list, web.URL) {
		t.Errorf("a receiver is said to fail:\n%s", list)
	}
	if err := n.stop(); err != nil {
		t.Error(err)
	}
}

// secret creates the account's signing secret and returns its key.
func secret(t *testing.T, c *client.Client) []byte {
	t.Helper()
	body, err := c.CreateCallbackSecret(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var made struct{ Secret string }
	if err := json.Unmarshal(body, &made); err != nil {
		t.Fatal(err)
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(made.Secret, "whsec_"))
	if err != nil || len(key) == 0 {
		t.Fatalf("no secret: %v", err)
	}
	return key
}
