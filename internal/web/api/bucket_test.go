package api_test

import (
	"crypto/hmac"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/minio/minio-go/v7/pkg/signer"
)

// bucket is a receiver that accepts uploads like S3: it computes the signature in the URL itself from the request as it
// arrived. It follows the S3 documents "Signature Version 4, query parameters" and "Signature Version 2". The URLs come
// from another program, which makes it a test.
type bucket struct {
	base string
	took chan struct{} // one per upload
	mu   sync.Mutex
	kept map[string]upload // by path
}

type upload struct {
	contentType string
	body        []byte
}

const (
	bucketKey    = "AKIAIOSFODNN7EXAMPLE"
	bucketSecret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
)

func newBucket(t *testing.T) *bucket {
	t.Helper()
	b := &bucket{took: make(chan struct{}, 100), kept: map[string]upload{}}
	server := httptest.NewServer(b)
	t.Cleanup(server.Close)
	b.base = server.URL
	return b
}

// ServeHTTP answers like S3.
func (b *bucket) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	status, code := b.judge(r, time.Now())
	if status != http.StatusOK {
		w.Header().Set("Content-Type", "application/xml")
		w.WriteHeader(status)
		fmt.Fprintf(w, "<Error><Code>%s</Code></Error>", code)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil || int64(len(body)) != r.ContentLength {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	b.mu.Lock()
	b.kept[r.URL.Path] = upload{r.Header.Get("Content-Type"), body}
	b.mu.Unlock()
	b.took <- struct{}{}
}

func (b *bucket) upload(path string) upload {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.kept[path]
}

func (b *bucket) judge(r *http.Request, now time.Time) (status int, code string) {
	q := r.URL.Query()
	signature, expires := signature4(r), signed4Until(q)
	given := q.Get("X-Amz-Signature")
	if q.Has("AWSAccessKeyId") {
		seconds, _ := strconv.ParseInt(q.Get("Expires"), 10, 64)
		signature, expires, given = signature2(r), time.Unix(seconds, 0), q.Get("Signature")
	}
	switch {
	case len(r.TransferEncoding) > 0:
		return http.StatusNotImplemented, "NotImplemented" // Transfer-Encoding: chunked
	case r.ContentLength < 0:
		return http.StatusLengthRequired, "MissingContentLength"
	case now.After(expires):
		return http.StatusForbidden, "AccessDenied"
	case !hmac.Equal([]byte(signature), []byte(given)):
		return http.StatusForbidden, "SignatureDoesNotMatch"
	case r.Method != http.MethodPut:
		return http.StatusMethodNotAllowed, "MethodNotAllowed"
	}
	return http.StatusOK, ""
}

func signed4Until(q url.Values) time.Time {
	from, err := time.Parse("20060102T150405Z", q.Get("X-Amz-Date"))
	seconds, err2 := strconv.Atoi(q.Get("X-Amz-Expires"))
	if err != nil || err2 != nil {
		return time.Time{}
	}
	return from.Add(time.Duration(seconds) * time.Second)
}

// signature4 returns the correct query parameter X-Amz-Signature of a request.
func signature4(r *http.Request) string {
	q := r.URL.Query()
	scope := strings.SplitN(q.Get("X-Amz-Credential"), "/", 2)
	if len(scope) != 2 || scope[0] != bucketKey {
		return "no such key"
	}
	var names []string
	for name := range q {
		if name != "X-Amz-Signature" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var query []string
	for _, name := range names {
		query = append(query, escape(name, false)+"="+escape(q.Get(name), false))
	}
	headers := ""
	for _, name := range strings.Split(q.Get("X-Amz-SignedHeaders"), ";") {
		value := strings.Join(r.Header.Values(name), ",")
		if name == "host" {
			value = r.Host
		}
		headers += name + ":" + strings.Join(strings.Fields(value), " ") + "\n"
	}
	request := strings.Join([]string{r.Method, escape(r.URL.Path, true), strings.Join(query, "&"), headers,
		q.Get("X-Amz-SignedHeaders"), "UNSIGNED-PAYLOAD"}, "\n")
	sum := sha256.Sum256([]byte(request))
	text := strings.Join([]string{"AWS4-HMAC-SHA256", q.Get("X-Amz-Date"), scope[1], hex.EncodeToString(sum[:])}, "\n")
	key := []byte("AWS4" + bucketSecret)
	for _, part := range strings.Split(scope[1], "/") {
		key = mac256(key, part)
	}
	return hex.EncodeToString(mac256(key, text))
}

func mac256(key []byte, text string) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(text))
	return mac.Sum(nil)
}

// signature2 returns the correct query parameter Signature of a Version 2 request.
func signature2(r *http.Request) string {
	mac := hmac.New(sha1.New, []byte(bucketSecret))
	fmt.Fprintf(mac, "%s\n\n%s\n%s\n%s", r.Method, r.Header.Get("Content-Type"), r.URL.Query().Get("Expires"),
		escape(r.URL.Path, true))
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// escape percent-encodes every byte except letters, digits and -_.~; slashes stay in paths.
func escape(text string, path bool) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-_.~", c) >= 0 ||
			path && c == '/' {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// sign makes a pre-signed Version 4 URL with a library, as customers do.
func (b *bucket) sign(t *testing.T, method, path, contentType string, expires time.Duration) string {
	t.Helper()
	r := b.unsigned(t, method, path, contentType)
	return signer.PreSignV4(*r, bucketKey, bucketSecret, "", "us-east-1", int64(expires/time.Second)).URL.String()
}

// signOlder makes a pre-signed Version 2 URL.
func (b *bucket) signOlder(t *testing.T, method, path, contentType string) string {
	t.Helper()
	r := b.unsigned(t, method, path, contentType)
	return signer.PreSignV2(*r, bucketKey, bucketSecret, 3600, false).URL.String() + "&Content-Type=" +
		url.QueryEscape(contentType)
}

func (b *bucket) unsigned(t *testing.T, method, path, contentType string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, b.base+escape(path, true), nil)
	if err != nil {
		t.Fatal(err)
	}
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	return r
}

// The example in the documentation of S3.
func TestBucketComputesTheSignatureOfTheDocumentation(t *testing.T) {
	t.Parallel()
	r := httptest.NewRequest("GET",
		"https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host", nil)
	if got, want := signature4(r), "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404"; got != want {
		t.Errorf("signature %s, want %s", got, want)
	}
}

// The basis of the tests of deliveries: the bucket accepts only correctly signed uploads.
func TestBucketTakesOnlyWhatWasSigned(t *testing.T) {
	t.Parallel()
	b := newBucket(t)
	const path, kind = "/calls/2026/ä ö (1)~.json", "application/json"
	newer, older := b.sign(t, "PUT", path, kind, time.Hour), b.signOlder(t, "PUT", path, kind)
	length := func(r *http.Request) {}
	for name, c := range map[string]struct {
		address string
		change  func(*http.Request)
		status  int
	}{
		"right":        {newer, length, 200},
		"right, older": {older, length, 200},
		"another content type": {newer, func(r *http.Request) {
			r.Header.Set("Content-Type", kind+"; charset=utf-8")
		}, 403},
		"another content type, older": {older, func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") },
			403},
		"no content type":     {newer, func(r *http.Request) { r.Header.Del("Content-Type") }, 403},
		"another host":        {newer, func(r *http.Request) { r.Host = "other.example.com" }, 403},
		"another method":      {newer, func(r *http.Request) { r.Method = "POST" }, 403},
		"another path":        {newer, func(r *http.Request) { r.URL.Path += "x" }, 403},
		"another path, older": {older, func(r *http.Request) { r.URL.Path += "x" }, 403},
		"another query":       {newer + "&x=1", length, 403},
		"unknown length": {newer, func(r *http.Request) {
			r.Body, r.ContentLength = io.NopCloser(io.MultiReader(r.Body)), -1
		}, 501},
		"over":                        {b.sign(t, "PUT", path, kind, -time.Hour), length, 403},
		"headers that are not signed": {newer, func(r *http.Request) { r.Header.Set("webhook-id", "msg_1") }, 200},
		"signed for POST": {b.sign(t, "POST", path, kind, time.Hour), func(r *http.Request) {
			r.Method = "POST"
		}, 405},
		"signed without a content type":  {b.sign(t, "PUT", path, "", time.Hour), length, 200},
		"signed with another secret key": {strings.Replace(newer, bucketKey, "AKIAOTHER", 1), length, 403},
	} {
		r, err := http.NewRequestWithContext(t.Context(), "PUT", c.address, strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", kind)
		c.change(r)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != c.status {
			t.Errorf("%s: %s, want %d", name, answer.Status, c.status)
		}
	}
}
