package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"parley/internal/testkit/servertest"
)

// put returns a callback that uploads to a URL.
func put(address, rest string) string {
	return fmt.Sprintf(`{"url":%q,"method":"PUT",%s}`, address, rest)
}

// kinds are all kinds of callbacks, with the Content-Type of each.
var kinds = []struct{ path, callback, contentType string }{
	{"/calls/a b/item.json", `"type":"analytics"`, "application/json"},
	{"/calls/a b/words.json", `"type":"transcript","format":"json"`, "application/json"},
	{"/calls/ä/text", `"type":"transcript","format":"text"`, "text/plain"},
	{"/calls/(1)/srt", `"type":"transcript","format":"srt"`, "text/srt"},
	{"/calls/webvtt", `"type":"transcript","format":"webvtt"`, "text/vtt"},
	{"/calls/dfxp", `"type":"transcript","format":"dfxp"`, "application/ttaf+xml"},
	{"/calls/call.wav", `"type":"media","stream":"original"`, "application/octet-stream"},
}

// TestPreSignedAddressesTakeEveryKindOfCallback uploads to a bucket that checks both kinds of signatures. The account
// has a secret, so that the headers of Standard Webhooks are sent too.
func TestPreSignedAddressesTakeEveryKindOfCallback(t *testing.T) {
	t.Parallel()
	b := newBucket(t)
	s := servertest.Start(t, servertest.Options{Settings: trial})
	ok(t, s.Do(t, "POST", "/v3/callbacks/secrets", nil))
	var callbacks []string
	for _, k := range kinds {
		callbacks = append(callbacks, put(b.sign(t, "PUT", "/newer"+k.path, k.contentType, time.Hour), k.callback),
			put(b.signOlder(t, "PUT", "/older"+k.path, k.contentType), k.callback))
	}
	id := s.Submit(t, recording, servertest.Field("transcript", timedWords), publish(callbacks...))
	s.Await(t, id)
	for range callbacks {
		<-b.took
	}
	for _, c := range awaitCallbacks(t, s, id, settled) {
		if c["status"] != "delivered" || len(c["tries"].([]any)) != 1 {
			t.Errorf("%v", c)
		}
	}
	for _, k := range kinds {
		newer, older := b.upload("/newer"+k.path), b.upload("/older"+k.path)
		if newer.contentType != k.contentType || older.contentType != k.contentType || len(newer.body) == 0 ||
			len(newer.body) != len(older.body) {
			t.Errorf("%s: %s with %d bytes, %s with %d", k.path, newer.contentType, len(newer.body), older.contentType,
				len(older.body))
		}
	}
	if got := b.upload("/newer/calls/call.wav").body; !bytes.Equal(got, recording.Body) {
		t.Errorf("the recording arrived as %d bytes of %d", len(got), len(recording.Body))
	}
	if got, want := b.upload("/newer/calls/(1)/srt").body,
		ok(t, s.Get(t, "/v3/media/"+id+"/transcript/srt")).Body; !bytes.Equal(got, want) {
		t.Errorf("%s, want %s", got, want)
	}
	var item map[string]any
	if err := json.Unmarshal(b.upload("/newer/calls/a b/item.json").body, &item); err != nil || item["mediaId"] != id ||
		item["status"] != "finished" {
		t.Errorf("%v, %v", item, err)
	}
}

// TestPreSignedAddressesOfSomethingElseAreRefusedByTheBucket checks that the bucket can fail the test above, and that
// the account then sees the reason.
func TestPreSignedAddressesOfSomethingElseAreRefusedByTheBucket(t *testing.T) {
	t.Parallel()
	b := newBucket(t)
	s := servertest.Start(t, servertest.Options{Settings: trial})
	right := b.sign(t, "PUT", "/calls/1", "application/json", time.Hour)
	wrong := map[string]string{
		put(b.sign(t, "PUT", "/calls/2", "text/plain", time.Hour),
			`"type":"analytics"`): "SignatureDoesNotMatch",
		put(b.sign(t, "PUT", "/calls/3", "application/json; charset=utf-8", time.Hour),
			`"type":"analytics"`): "SignatureDoesNotMatch",
		put(b.sign(t, "PUT", "/calls/4", "audio/wav", time.Hour),
			`"type":"media","stream":"original"`): "SignatureDoesNotMatch",
		put(strings.Replace(right, "127.0.0.1", "localhost", 1),
			`"type":"analytics"`): "SignatureDoesNotMatch",
		strings.Replace(put(right, `"type":"analytics"`), `"PUT"`, `"POST"`,
			1): "SignatureDoesNotMatch",
		put(b.sign(t, "PUT", "/calls/5", "application/json", -time.Hour), `"type":"analytics"`): "AccessDenied",
		put(b.sign(t, "POST", "/calls/6", "application/json", time.Hour),
			`"type":"analytics"`): "SignatureDoesNotMatch",
	}
	var callbacks, want []string
	for c, code := range wrong {
		callbacks, want = append(callbacks, c), append(want, code)
	}
	id := s.Submit(t, recording, servertest.Field("transcript", timedWords), publish(callbacks...))
	s.Await(t, id)
	tried := func(list []map[string]any) bool {
		for _, c := range list {
			if c["attempts"] != 1.0 {
				return false
			}
		}
		return len(list) == len(wrong)
	}
	for i, c := range awaitCallbacks(t, s, id, tried) {
		try := c["tries"].([]any)[0].(map[string]any)
		answer := fmt.Sprint(try["answer"])
		if try["status"] != 403.0 || !strings.Contains(answer, want[i]) || c["status"] != "pending" {
			t.Errorf("%s: %v %s", callbacks[i], c, answer)
		}
	}
	if len(b.kept) != 0 {
		t.Errorf("the bucket has %v", b.kept)
	}
}
