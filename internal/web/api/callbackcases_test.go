package api_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"

	"parley/internal/testkit/servertest"
)

// to returns a configuration with callbacks.
func to(configuration string, callbacks ...string) servertest.Part {
	return configured(strings.Replace(configuration, "{",
		`{"publish":{"callbacks":[`+strings.Join(callbacks, ",")+`]},`, 1))
}

// byPath receives n requests and returns them by path.
func byPath(got <-chan received, n int) map[string]received {
	by := map[string]received{}
	for range n {
		r := <-got
		by[r.path] = r
	}
	return by
}

func TestTheRedactedRecordingAndItsWordsAreDelivered(t *testing.T) {
	t.Parallel()
	base, got := receive(t, 200)
	s := servertest.Start(t, servertest.Options{Settings: trial})
	call := callWithCard(t)
	id := s.Submit(t, append(call, to(redactBoth,
		`{"url":"`+base+`/sound","type":"media","stream":"redacted-audio"}`,
		`{"url":"`+base+`/text","type":"transcript","format":"text"}`, `{"url":"`+base+`/item"}`))...)
	s.Await(t, id)
	by := byPath(got, 3)
	if want := ok(t, s.Get(t, "/v3/media/"+id+"/streams/redacted-audio")).Body; !bytes.Equal(by["/sound"].body, want) ||
		bytes.Equal(want, call[0].Body) {
		t.Errorf("%d bytes arrived of %d", len(by["/sound"].body), len(want))
	}
	for _, path := range []string{"/text", "/item"} {
		if body := string(by[path].body); !strings.Contains(body, "[redacted]") ||
			strings.Contains(body, "one one one") {
			t.Errorf("%s: %s", path, body)
		}
	}
}

func TestCallbacksOfARejectedItemTellTheError(t *testing.T) {
	t.Parallel()
	base, got := receive(t, 200)
	s := servertest.Start(t, servertest.Options{Settings: trial})
	nothing := elsewhere(t, http.NotFound)
	id := s.Submit(t, from(nothing+"/call.wav"), publish(
		`{"url":"`+base+`/media","type":"media","stream":"original"}`,
		`{"url":"`+base+`/text","type":"transcript","format":"text"}`, `{"url":"`+base+`/item","include":["metrics"]}`))
	s.Await(t, id)
	tellsTheError(t, s, id, <-got, "rejected", 10207)
}

func TestProcessingAgainDeliversAgain(t *testing.T) {
	t.Parallel()
	base, got := receive(t, 200)
	s := servertest.Start(t, servertest.Options{Settings: trial})
	id := s.Submit(t, recording, servertest.Field("transcript", timedWords), publish(`{"url":"`+base+`/first"}`))
	s.Await(t, id)
	first := <-got
	for i, part := range []servertest.Part{publish(`{"url":"` + base + `/second","type":"transcript","format":"srt"}`),
		servertest.Field("transcript", timedWords)} {
		ok(t, reprocess(t, s.Client, id, part))
		r := <-got // the second time, the earlier configuration applies
		if r.path != "/second" || r.header.Get("webhook-id") == first.header.Get("webhook-id") {
			t.Errorf("again, %d: %s %v", i, r.path, r.header)
		}
		s.Await(t, id)
	}
	if list := awaitCallbacks(t, s, id, settled); len(list) != 3 ||
		list[0]["callbackId"] != first.header.Get("webhook-id") {
		t.Errorf("%v", list)
	}
}

func TestOfARedactedItemTheRedactedRecordingIsDeliveredAgain(t *testing.T) {
	t.Parallel()
	base, got := receive(t, 200)
	s := servertest.Start(t, servertest.Options{Settings: trial})
	id := s.Submit(t, append(callWithCard(t), configured(redactBoth))...)
	s.Await(t, id)
	sound := func(stream string) servertest.Part {
		return to(noRedactor, `{"url":"`+base+`/sound","type":"media","stream":"`+stream+`"}`)
	}
	refused(t, reprocess(t, s.Client, id, sound("original")), 400, 60010, "/publish/callbacks/0/stream",
		"use redacted-audio")
	want := ok(t, s.Get(t, "/v3/media/"+id+"/streams/redacted-audio")).Body
	for _, again := range [][]servertest.Part{{sound("redacted-audio")}, nil} {
		ok(t, reprocess(t, s.Client, id, again...))
		if r := <-got; !bytes.Equal(r.body, want) {
			t.Errorf("%d bytes arrived of %d", len(r.body), len(want))
		}
		s.Await(t, id)
	}
}
