package s3

import (
	"bytes"
	"errors"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"

	"parley/internal/storage/blob"
	"parley/internal/testkit/blobtest"
	"parley/internal/testkit/s3test"
	"parley/internal/testkit/verify"
	"parley/internal/words/fault"
)

// serve returns a store on a loopback test server.
func serve(t *testing.T, h http.Handler, prefix string) *Store {
	t.Helper()
	s, err := Open(s3test.Serve(t, h, prefix))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestS3KeepsTheContract(t *testing.T) {
	for _, prefix := range []string{"", "/a/prefix"} {
		t.Run(prefix, func(t *testing.T) {
			blobtest.Run(t, func(t *testing.T) blob.Store { return serve(t, s3test.New(t), prefix) })
		})
	}
}

func TestStoresOfTwoPrefixesAreApart(t *testing.T) {
	h := s3test.New(t)
	one, two := serve(t, h, "/one"), serve(t, h, "/two")
	if _, err := one.Put(t.Context(), "k", strings.NewReader("1")); err != nil {
		t.Fatal(err)
	}
	if _, err := two.Stat(t.Context(), "k"); !fault.Is(err, fault.NotFound) {
		t.Errorf("the other prefix: %v", err)
	}
}

func TestSmallBlobsTakeOneRequest(t *testing.T) {
	var requests []string
	h := s3test.New(t)
	s := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests = append(requests, r.Method+" "+r.URL.RawQuery)
		h.ServeHTTP(w, r)
	}), "")
	if _, err := s.Put(t.Context(), "k", bytes.NewReader(make([]byte, 20_000))); err != nil {
		t.Fatal(err)
	}
	if len(requests) != 1 || requests[0] != "PUT " {
		t.Errorf("requests: %q", requests)
	}
}

func TestFailedLargeUploadIsAborted(t *testing.T) {
	var aborted bool
	h := s3test.New(t)
	s := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		aborted = aborted || r.Method == http.MethodDelete && r.URL.Query().Has("uploadId")
		h.ServeHTTP(w, r)
	}), "")
	broken := io.MultiReader(bytes.NewReader(make([]byte, blobtest.Large)), errorReader{})
	if _, err := s.Put(t.Context(), "k", broken); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got %v", err)
	}
	if !aborted {
		t.Error("the parts stay")
	}
}

type errorReader struct{}

// Read fails like a cut connection.
func (errorReader) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func TestStoreThatIsAwayIsUnavailable(t *testing.T) {
	s3test.Credentials(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close() // no server listens on the port any more
	away, err := Open("s3://calls?region=us-east-1&path_style=true&endpoint=http://" + l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	unavailable(t, away)
}

func TestStoreThatRefusesIsUnavailable(t *testing.T) {
	for status, code := range map[int]string{403: "AccessDenied", 404: "NoSuchBucket", 503: "SlowDown",
		507: "XMinioStorageFull"} {
		unavailable(t, serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body)
			w.Header().Set("Content-Type", "application/xml")
			w.WriteHeader(status)
			io.WriteString(w, "<Error><Code>"+code+"</Code><Message>no</Message></Error>")
		}), ""))
	}
}

func unavailable(t *testing.T, s *Store) {
	t.Helper()
	_, putErr := s.Put(t.Context(), "k", strings.NewReader("x"))
	_, openErr := s.Open(t.Context(), "k", 0, -1)
	listErr := s.List(t.Context(), "", func(blob.Info) error { return nil })
	for i, err := range []error{putErr, openErr, listErr, s.Delete(t.Context(), "k"), s.Check(t.Context())} {
		if !fault.Is(err, fault.Unavailable) || strings.Contains(err.Error(), "127.0.0.1") {
			t.Errorf("call %d: %v", i, err)
		}
	}
}

func TestCheckAsksForTheBucket(t *testing.T) {
	s := serve(t, s3test.New(t), "")
	if err := s.Check(t.Context()); err != nil {
		t.Error(err)
	}
	s.bucket = "elsewhere"
	if err := s.Check(t.Context()); !fault.Is(err, fault.Unavailable) {
		t.Errorf("a missing bucket: %v", err)
	}
}

func TestWrongAddressesAreInvalid(t *testing.T) {
	for _, address := range []string{"", "s3://", "http://bucket", "s3://key:secret@bucket", "s3://bucket:9000",
		"s3://bucket?regoin=x",
		"s3://bucket?path_style=perhaps", "s3://bucket?endpoint=ftp://x", "s3://bucket?endpoint=http://x/path",
		"s3://bucket?endpoint=", "s3://bucket?%zz", "s3://b ucket"} {
		if _, err := Open(address); !fault.Is(err, fault.Invalid) {
			t.Errorf("%q: %v", address, err)
		}
	}
	a, err := parse("s3://calls/a/b/?region=eu-central-1&endpoint=minio.local:9000&path_style=true")
	if err != nil || a.bucket != "calls" || a.prefix != "a/b/" || a.region != "eu-central-1" ||
		a.host != "minio.local:9000" || !a.secure {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestPutOfAGigabyteTakesLittleMemory(t *testing.T) {
	verify.Long(t)
	s := serve(t, sink(), "")
	runtime.GC()
	in := &sampling{Reader: io.LimitReader(zeros{}, 1<<30), start: heapInUse()}
	n, err := s.Put(t.Context(), "big", in)
	if err != nil || n != 1<<30 {
		t.Fatal(n, err)
	}
	t.Logf("at most %d MB were in use", in.most>>20)
	if in.most > 64<<20 {
		t.Errorf("the heap grew by %d MB", in.most>>20)
	}
}

// sampling is a reader that samples the heap size while it is read.
type sampling struct {
	io.Reader
	reads       int
	start, most uint64
}

// Read records the maximum growth of the heap.
func (s *sampling) Read(p []byte) (int, error) {
	if s.reads++; s.reads%16 == 0 {
		s.most = max(s.most, heapInUse()-min(s.start, heapInUse()))
	}
	return s.Reader.Read(p)
}

func heapInUse() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapInuse
}

// sink accepts uploads and discards them, so that a test measures the client alone.
func sink() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("ETag", `"e"`)
		switch {
		case r.Method == http.MethodPost && r.URL.Query().Has("uploads"):
			io.WriteString(w, "<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>")
		case r.Method == http.MethodPost:
			io.WriteString(w, "<CompleteMultipartUploadResult><Bucket>calls</Bucket><ETag>e</ETag></CompleteMultipartUploadResult>")
		}
	})
}

type zeros struct{}

// Read returns zeros without end.
func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

func TestUnfinishedUploadsAreAborted(t *testing.T) {
	h := s3test.New(t)
	mine, theirs := serve(t, h, "/mine"), serve(t, h, "/theirs")
	begin := func(s *Store, key string) {
		t.Helper()
		if _, err := s.client.NewMultipartUpload(t.Context(), s.bucket, s.prefix+key, minio.PutObjectOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	begin(mine, "original/a")
	begin(mine, "original/b")
	begin(theirs, "original/a")
	if n, err := mine.AbortUploads(t.Context(), time.Now().Add(-time.Hour)); err != nil || n != 0 {
		t.Errorf("young ones: %d, %v", n, err)
	}
	if n, err := mine.AbortUploads(t.Context(), time.Now().Add(time.Hour)); err != nil || n != 2 {
		t.Errorf("old ones: %d, %v", n, err)
	}
	if n, err := mine.AbortUploads(t.Context(), time.Now().Add(time.Hour)); err != nil || n != 0 {
		t.Errorf("again: %d, %v", n, err)
	}
	if n, err := theirs.AbortUploads(t.Context(), time.Now().Add(time.Hour)); err != nil || n != 1 {
		t.Errorf("those of another prefix: %d, %v", n, err)
	}
}
