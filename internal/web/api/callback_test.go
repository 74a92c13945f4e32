package api_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/internal/call/delivery"
	"parley/internal/operation/config"
	"parley/internal/testkit/servertest"
)

// received is a request that reached a receiver.
type received struct {
	method, path string
	header       http.Header
	length       int64
	chunked      bool
	body         []byte
}

// receive starts a receiver that answers with the given status.
func receive(t *testing.T, status int) (base string, got chan received) {
	got = make(chan received, 100)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got <- received{r.Method, r.URL.Path, r.Header, r.ContentLength, len(r.TransferEncoding) > 0, body}
		w.WriteHeader(status)
		io.WriteString(w, "noted")
	}))
	t.Cleanup(web.Close)
	return web.URL, got
}

// trial allows callbacks to receivers on this machine.
func trial(c *config.Settings) {
	c.InsecureCallbacks, c.AllowNetworks = true, []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	c.CallbackSchedule = delivery.Schedule{0, 24 * time.Hour}
}

func publish(callbacks ...string) servertest.Part {
	return servertest.Field("configuration",
		`{"publish":{"callbacks":[`+strings.Join(callbacks, ",")+
			`]},"metrics":[{"metricGroupName":"overtalk"}],"speakerSentiments":true}`)
}

func callbacksOf(t *testing.T, s *servertest.Server, id string) []map[string]any {
	t.Helper()
	var list []map[string]any
	for _, c := range ok(t, s.Get(t, "/v3/media/"+id+"/callbacks")).JSON(t)["callbacks"].([]any) {
		list = append(list, c.(map[string]any))
	}
	return list
}

func TestEachCallbackIsSentAsItsTypeAndFormatSay(t *testing.T) {
	t.Parallel()
	base, got := receive(t, 200)
	s := servertest.Start(t, servertest.Options{Settings: trial})
	id := s.Submit(t, recording, servertest.Field("metadata", `{"externalId":"e1","x":{"y":1.0}}`),
		servertest.Field("transcript", timedWords), publish(
			`{"url":"`+base+`/all"}`,
			`{"url":"`+base+`/some","method":"put","include":["metrics","metadata"]}`,
			`{"url":"`+base+`/text","type":"transcript","format":"text","method":"PUT"}`,
			`{"url":"`+base+`/json","type":"transcript","format":"json"}`,
			`{"url":"`+base+`/srt","type":"transcript","format":"srt"}`,
			`{"url":"`+base+`/dfxp","type":"transcript","format":"dfxp"}`,
			`{"url":"`+base+`/webvtt","type":"transcript","format":"webvtt"}`,
			`{"url":"`+base+`/media","type":"media","stream":"original","method":"PUT"}`,
		))
	item := s.Await(t, id)
	by := map[string]received{}
	for range 8 {
		r := <-got
		by[r.path] = r
	}
	for path, want := range map[string]string{
		"/all": "POST application/json", "/some": "PUT application/json", "/text": "PUT text/plain",
		"/json": "POST application/json", "/srt": "POST text/srt",
		"/dfxp": "POST application/ttaf+xml", "/webvtt": "POST text/vtt", "/media": "PUT application/octet-stream",
	} {
		r := by[path]
		if r.method+" "+r.header.Get("Content-Type") != want || r.chunked || r.length != int64(len(r.body)) ||
			r.length == 0 {
			t.Errorf("%s: %s %v, %d bytes of %d, chunked %t", path, r.method, r.header, len(r.body), r.length,
				r.chunked)
		}
	}
	for path, format := range map[string]string{"/text": "text", "/srt": "srt", "/dfxp": "dfxp", "/webvtt": "webvtt"} {
		if want := ok(t, s.Get(t, "/v3/media/"+id+"/transcript/"+format)).Body; !bytes.Equal(by[path].body, want) {
			t.Errorf("%s: %q, want %q", path, by[path].body, want)
		}
	}
	if !bytes.Equal(by["/media"].body, recording.Body) {
		t.Errorf("the recording arrived as %d bytes of %d", len(by["/media"].body), len(recording.Body))
	}
	var all, some map[string]any
	if err := json.Unmarshal(by["/all"].body, &all); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(by["/some"].body, &some); err != nil {
		t.Fatal(err)
	}
	formats := at(t, all, "transcript", "alternateFormats").([]any)
	for i, format := range []string{"dfxp", "webvtt", "srt", "text"} { // clients select them by index
		data, err := base64.StdEncoding.DecodeString(at(t, formats[i], "data").(string))
		if err != nil || at(t, formats[i], "format") != format || !bytes.Equal(data, by["/"+format].body) ||
			len(formats) != 4 {
			t.Errorf("format %d of %d is %v (%v)", i, len(formats), formats[i], err)
		}
	}
	location := all["streams"].([]any)[0].(map[string]any)["streamLocation"].(string)
	if a := s.With("").Do(t, "GET", strings.TrimPrefix(location, s.Base), nil); a.Status != 200 ||
		!bytes.Equal(a.Body, recording.Body) {
		t.Errorf("the stream of the body at %s: %s", location, a)
	}
	if !equal(t, all["metrics"], item["metrics"]) || !equal(t, all["speakerSentiments"], item["speakerSentiments"]) ||
		!equal(t, all["metadata"], item["metadata"]) || all["messages"] == nil {
		t.Errorf("the body of all sections has %v", slices.Sorted(maps.Keys(all)))
	}
	if !equal(t, some["metrics"], item["metrics"]) || !equal(t, some["metadata"], item["metadata"]) {
		t.Errorf("the body of two sections: %v", some)
	}
	for _, section := range []string{"transcript", "streams", "speakerSentiments", "messages", "prediction",
		"warnings"} {
		if some[section] != nil {
			t.Errorf("%s was not asked for: %v", section, some[section])
		}
	}
}

func TestCallbacksOfAFailedItemTellTheError(t *testing.T) {
	t.Parallel()
	base, got := receive(t, 204)
	s := servertest.Start(t, servertest.Options{Settings: trial})
	id := s.Submit(t, servertest.File("media", "x.wav", []byte("no sound at all")), publish(
		`{"url":"`+base+`/media","type":"media","stream":"original"}`,
		`{"url":"`+base+`/text","type":"transcript","format":"text"}`, `{"url":"`+base+`/item"}`))
	if item := s.Await(t, id); item["status"] != "failed" {
		t.Fatalf("%v", item)
	}
	tellsTheError(t, s, id, <-got, "failed", 10201, 95005)
}

// tellsTheError checks that the only delivery of an item has a status and an error with one of some codes.
func tellsTheError(t *testing.T, s *servertest.Server, id string, r received, status string, codeOf ...int) {
	t.Helper()
	var body map[string]any
	if err := json.Unmarshal(r.body, &body); err != nil || r.path != "/item" || body["status"] != status ||
		body["mediaId"] != id || !slices.Contains(codeOf, codes(body["errors"])[0]) {
		t.Errorf("%s %s, %v", r.path, r.body, err)
	}
	if list := awaitCallbacks(t, s, id, settled); len(list) != 1 {
		t.Errorf("deliveries of an item that is %s: %v", status, list)
	}
}

func TestDeliveriesAreLoggedAndCanBeAskedForAgain(t *testing.T) {
	t.Parallel()
	base, got := receive(t, 418)
	s := servertest.Start(t, servertest.Options{Settings: trial})
	id := s.Submit(t, recording, servertest.Field("transcript", timedWords), publish(`{"url":"`+base+`/r?key=secret"}`))
	s.Await(t, id)
	for range 3 {
		<-got
	}
	waiting := awaitCallback(t, s, id, func(c map[string]any) bool {
		return len(c["tries"].([]any)) == 3 && c["attempts"] == 1.0
	})
	try := waiting["tries"].([]any)[0].(map[string]any)
	if waiting["status"] != "pending" || waiting["nextAttempt"] == nil || try["status"] != 418.0 ||
		try["answer"] != "noted" {
		t.Errorf("%v", waiting)
	}
	if text := fmt.Sprint(waiting); strings.Contains(text, "secret") || !strings.Contains(text, base+"/r") {
		t.Errorf("the log shows %s", text)
	}
	failing := ok(t, s.Get(t, "/v3/callbacks/endpoints")).JSON(t)["endpoints"].([]any)
	if len(failing) != 1 || failing[0].(map[string]any)["endpoint"] != base+"/r" ||
		failing[0].(map[string]any)["failures"] != 3.0 {
		t.Errorf("failing endpoints %v", failing)
	}
	path := "/v3/media/" + id + "/callbacks/" + waiting["callbackId"].(string)
	again := ok(t, s.Do(t, "POST", path+"/retry", nil)).JSON(t)
	if again["status"] != "pending" || again["attempts"] != 0.0 {
		t.Errorf("%v", again)
	}
	if first := <-got; first.header.Get("webhook-id") != waiting["callbackId"] {
		t.Errorf("sent again as %v", first.header)
	}
	awaitCallback(t, s, id, func(c map[string]any) bool { return len(c["tries"].([]any)) == 6 })
	ok(t, s.Get(t, path))
	refused(t, s.Get(t, path+"x"), 404, 10205, "callback")
	refused(t, s.Do(t, "POST", path+"x/retry", nil), 404, 10205, "callback")
}

// awaitCallback waits until the only delivery of an item satisfies a condition.
func awaitCallback(t *testing.T, s *servertest.Server, id string, holds func(map[string]any) bool) map[string]any {
	t.Helper()
	return awaitCallbacks(t, s, id, func(list []map[string]any) bool { return len(list) == 1 && holds(list[0]) })[0]
}

// awaitCallbacks waits until the deliveries of an item satisfy a condition.
func awaitCallbacks(t *testing.T, s *servertest.Server, id string, hold func([]map[string]any) bool) []map[string]any {
	t.Helper()
	for {
		if list := callbacksOf(t, s, id); hold(list) {
			return list
		}
		select {
		case <-t.Context().Done():
			t.Fatal("the test is over")
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// settled reports whether no delivery is pending.
func settled(list []map[string]any) bool {
	return !slices.ContainsFunc(list, func(c map[string]any) bool { return c["status"] == "pending" })
}

func TestReceiversCanProveWhoSends(t *testing.T) {
	t.Parallel()
	base, got := receive(t, 200)
	s := servertest.Start(t, servertest.Options{Settings: trial})
	made := ok(t, s.Do(t, "POST", "/v3/callbacks/secrets", nil)).JSON(t)
	text := made["secret"].(string)
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(text, "whsec_"))
	if err != nil || len(key) < 24 {
		t.Fatalf("secret %q", text)
	}
	s.Submit(t, recording, servertest.Field("transcript", timedWords), publish(`{"url":"`+base+`/r"}`))
	r := <-got
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", r.header.Get("webhook-id"), r.header.Get("webhook-timestamp"), r.body)
	if want := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)); r.header.Get("webhook-signature") != want {
		t.Errorf("signature %q, want %q", r.header.Get("webhook-signature"), want)
	}
	for range 4 {
		ok(t, s.Do(t, "POST", "/v3/callbacks/secrets", nil))
	}
	refused(t, s.Do(t, "POST", "/v3/callbacks/secrets", nil), 409, 95004, "delete")
	list := ok(t, s.Get(t, "/v3/callbacks/secrets"))
	if strings.Contains(string(list.Body), text) || len(list.JSON(t)["secrets"].([]any)) != 5 {
		t.Errorf("%s", list)
	}
	if a := s.Do(t, "DELETE", "/v3/callbacks/secrets/"+made["secretId"].(string), nil); a.Status != 204 {
		t.Errorf("%s", a)
	}
	refused(t, s.Do(t, "DELETE", "/v3/callbacks/secrets/"+made["secretId"].(string), nil), 404, 10205, "secret")
}

func TestCallbacksToHiddenAddressesAreRefusedAtUpload(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	for _, address := range []string{"http://example.com/", "https://127.0.0.1/", "https://[::1]/",
		"https://localhost/", "https://169.254.169.254/", "https://2130706433/", "https://user@example.com/"} {
		refused(t, s.Post(t, recording, publish(`{"url":"`+address+`"}`)), 400, 60002)
	}
}

func TestDeletedItemsAreNotDelivered(t *testing.T) {
	t.Parallel()
	base, got := receive(t, 500)
	s := servertest.Start(t, servertest.Options{Settings: trial})
	id := s.Submit(t, recording, servertest.Field("transcript", timedWords), publish(`{"url":"`+base+`/r"}`))
	s.Await(t, id)
	<-got
	if a := s.Do(t, "DELETE", "/v3/media/"+id, nil); a.Status != 204 {
		t.Fatal(a)
	}
	refused(t, s.Get(t, "/v3/media/"+id+"/callbacks"), 404, 10205)
	if jobs := ok(t, s.Get(t, "/v3/queue")).JSON(t); strings.Contains(fmt.Sprint(jobs), "deliver") {
		t.Errorf("jobs are left: %v", jobs)
	}
}
