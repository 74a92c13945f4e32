package api_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"parley/internal/operation/config"
	"parley/internal/testkit/servertest"
)

// near allows mediaUrl to refer to this machine, which is otherwise refused.
func near(c *config.Settings) {
	c.AllowNetworks = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	c.MaxUpload = 1 << 20
}

// elsewhere starts a server from which recordings are fetched.
func elsewhere(t *testing.T, f http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	return server.URL
}

func from(address string) servertest.Part { return servertest.Field("mediaUrl", address) }

func TestMediaURLIsFetched(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: near})
	address := elsewhere(t, func(w http.ResponseWriter, _ *http.Request) { w.Write(recording.Body) })
	a := ok(t, s.Post(t, from(" "+address+"/calls/call.wav?secret=1\r\n"), servertest.File("media", "", nil)))
	if body := a.JSON(t); body["status"] != "accepted" || body["mediaContentType"] != nil {
		t.Errorf("%s", a)
	}
	id := a.JSON(t)["mediaId"].(string)
	item := s.Await(t, id)
	if item["status"] != "finished" || item["mediaContentType"] != "audio/wav" || item["length"] != 2000.0 {
		t.Errorf("%v", item)
	}
	if original := ok(t, s.Get(t, "/v3/media/"+id+"/streams/original")); string(original.Body) != string(
		recording.Body) {
		t.Errorf("%d bytes of %d are kept", len(original.Body), len(recording.Body))
	}
	tasks := at(t, ok(t, s.Get(t, "/v3/media/"+id+"/progress")).JSON(t), "progress", "tasks").([]any)
	if at(t, tasks[0], "taskId") != "fetch" || at(t, tasks[0], "status") != "finished" {
		t.Errorf("first task %v", tasks[0])
	}
}

func TestMediaURLThatCannotBeHadRejectsTheItem(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: func(c *config.Settings) { near(c); c.Workers = 8 }})
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	var asked sync.Map // path → *atomic.Int64
	address := elsewhere(t, func(w http.ResponseWriter, r *http.Request) {
		n, _ := asked.LoadOrStore(r.URL.Path, new(atomic.Int64))
		n.(*atomic.Int64).Add(1)
		switch r.URL.Path {
		case "/busy":
			w.WriteHeader(http.StatusServiceUnavailable)
		case "/large":
			w.Write(make([]byte, 2<<20))
		case "/broken":
			w.Header().Set("Content-Length", "1000")
			w.Write([]byte("RIFF"))
		case "/inside":
			http.Redirect(w, r, "http://169.254.169.254/latest", http.StatusFound)
		case "/empty":
		default:
			http.NotFound(w, r)
		}
	})
	ids := map[string]string{}
	want := map[string]int{"/missing": 10207, "/busy": 10207, "/empty": 10201, "/large": 10800, "/broken": 10203,
		"/inside": 10204, "nobody": 10203}
	for what := range want {
		where := address + what
		if what == "nobody" {
			where = "http://" + closed.Addr().String() + "/call.wav"
		}
		ids[what] = s.Submit(t, from(where))
	}
	for what, id := range ids {
		item := s.Await(t, id)
		if got := codes(item["errors"]); item["status"] != "rejected" || len(got) != 1 || got[0] != want[what] {
			t.Errorf("%s: %v %v, want rejected with %d", what, item["status"], item["errors"], want[what])
		}
		if at(t, item, "_job", "progress", "status") != "failed" || len(item["streams"].([]any)) != 0 {
			t.Errorf("%s: %v", what, item)
		}
		refused(t, s.Get(t, "/v3/media/"+id+"/transcript"), 404, 10301, "rejected")
		refused(t, s.Get(t, "/v3/media/"+id+"/streams/original"), 404, 10205)
	}
	for path, tries := range map[string]int64{"/missing": 1, "/empty": 1, "/large": 1, "/inside": 1, "/busy": 3,
		"/broken": 3} {
		if n, ok := asked.Load(path); !ok || n.(*atomic.Int64).Load() != tries {
			t.Errorf("%s was not asked for %d times", path, tries)
		}
	}
	s.Idle(t)
	cleared(t, s)
}

func TestMalformedAndForbiddenMediaURLsAreRefusedAtOnce(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	for _, address := range []string{
		"not an address", "ftp://calls.example.com/x", "/etc/passwd", "file:///etc/passwd", "https://",
		"https://user:secret@calls.example.com/x",
		"http://127.0.0.1/x", "http://localhost/x", "http://[::1]/x", "http://10.0.0.1/x", "http://192.168.1.1/x",
		"http://169.254.169.254/latest", "http://2130706433/x", "http://0x7f.1/x",
	} {
		a := s.Post(t, from(address))
		refused(t, a, 400, 10204, "mediaUrl")
		if strings.Contains(string(a.Body), "secret") {
			t.Errorf("the answer tells a password: %s", a)
		}
	}
	refused(t, s.Post(t, from("https://calls.example.com/"+strings.Repeat("x", 9000))), 413, 10800, "mediaUrl")
}

func TestDeleteStopsADownload(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: near})
	began, ended := make(chan struct{}), make(chan struct{})
	address := elsewhere(t, func(w http.ResponseWriter, r *http.Request) {
		w.Write(recording.Body[:1000])
		w.(http.Flusher).Flush()
		close(began)
		<-r.Context().Done()
		close(ended)
	})
	id := s.Submit(t, from(address))
	<-began
	if got := ok(t, s.Get(t, "/v3/media/"+id)).JSON(t)["status"]; got != "accepted" {
		t.Errorf("while it is fetched the item is %v", got)
	}
	if a := s.Do(t, "DELETE", "/v3/media/"+id, nil); a.Status != 204 {
		t.Fatal(a)
	}
	<-ended
	s.Idle(t)
	cleared(t, s)
}
