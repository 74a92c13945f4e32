package plan

import (
	"errors"
	"net/url"
	"slices"
	"strings"
	"testing"

	"parley/internal/call/delivery"
	"parley/internal/words/fault"
)

func TestCallbackAddresses(t *testing.T) {
	refused := errors.New("not that one")
	env := full()
	env.Callbacks.Check = func(u *url.URL) error {
		if u.Hostname() == "localhost" {
			return refused
		}
		return nil
	}
	older, newer := "https://b.s3.amazonaws.com/k?AWSAccessKeyId=A&Signature=S&Expires=1",
		"https://b.s3.amazonaws.com/k?X-Amz-Signature=S"
	for text, code := range map[string]int{
		`"url":"https://example.com:8443/a?b=c"`: 0,
		`"url":""`:                               fault.CodeCallbackURL,
		`"url":null`:                             fault.CodeCallbackURL,
		`"url":5`:                                fault.CodeConfiguration,
		`"url":"http://example.com"`:             fault.CodeCallbackProtocol,
		`"url":"example.com/hook"`:               fault.CodeCallbackProtocol,
		`"url":"https://"`:                       fault.CodeCallbackProtocol,
		`"url":"https://localhost/x"`:            fault.CodeCallbackProtocol,
		`"url":"https://a/%zz"`:                  fault.CodeCallbackProtocol,
		`"url":"` + older + `"`:                  fault.CodeCallbackNoMediaType,
		`"url":"` + older + `&Content-Type=application%2Fjson"`:                               0,
		`"url":"` + older + `&Content-Type=text%2Fplain"`:                                     fault.CodeCallbackMediaType,
		`"url":"` + older + `&Content-Type=text%2Fvtt","type":"transcript","format":"webvtt"`: 0,
		`"url":"` + newer + `"`:                           0,
		`"url":"` + newer + `&content-type=text%2Fplain"`: fault.CodeCallbackMediaType,
		`"url":"https://a","type":"transcript"`:           fault.CodeCallbackMissing,
		`"url":"https://a","type":"media"`:                fault.CodeCallbackMissing,
		`"url":"https://a","format":"json"`:               fault.CodeCallbackNotAllowed,
		`"url":"https://a","include":[],"format":null`:    0,
	} {
		want := []int{code}
		if code == 0 {
			want = nil
		}
		_, err := resolve(t, `{"publish":{"callbacks":[{`+text+`}]}}`, env)
		if !slices.Equal(codesOf(err), want) {
			t.Errorf("%s: %v, want %v", text, err, want)
		}
		if err != nil && strings.Contains(err.Error(), "Signature=") {
			t.Errorf("a signature in: %v", err)
		}
	}
	env.Callbacks.AllowHTTP = true
	must(t, `{"publish":{"callbacks":[{"url":"http://example.com"}]}}`, env)
}

func TestStreamsOfACallbackAreThoseTheItemWillHave(t *testing.T) {
	redaction := `"prediction":{"detectors":[{"detectorName":"PCI","redactor":{"audio":{"tone":270,"gain":0.5}}}]},`
	callback := func(stream string) string {
		return `"publish":{"callbacks":[{"url":"https://a","type":"media","stream":"` + stream + `"}]}}`
	}
	for text, refused := range map[string]bool{
		"{" + callback("original"): false, "{" + callback("redacted-audio"): true,
		"{" + redaction + callback("original"): true, "{" + redaction + callback("redacted-audio"): false,
	} {
		if _, err := resolve(t, text, full()); (err != nil) != refused {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestContentTypeOfEachDelivery(t *testing.T) {
	for want, c := range map[string]delivery.Callback{
		"application/json": {Type: delivery.Analytics}, "text/plain": {Type: delivery.Transcript, Format: "text"},
		"text/srt":                 {Type: delivery.Transcript, Format: "srt"},
		"application/ttaf+xml":     {Type: delivery.Transcript, Format: "dfxp"},
		"text/vtt":                 {Type: delivery.Transcript, Format: "webvtt"},
		"application/octet-stream": {Type: delivery.Media},
	} {
		if got := c.ContentType(false); got != want {
			t.Errorf("%+v: %s", c, got)
		}
		if got := c.ContentType(true); got != "application/octet-stream" {
			t.Errorf("%+v sealed: %s", c, got)
		}
	}
}

func TestCallbacksMayHaveTheStreamsThatTheItemWillHave(t *testing.T) {
	const plain = `{`
	const redacting = `{"prediction":{"detectors":[{"detectorName":"PCI","redactor":{"audio":{"tone":270,"gain":0.5}}}]},`
	upload, none := []string(nil), []string{}
	for _, c := range []struct {
		request string
		has     []string
		may     string
	}{
		{plain, upload, "original"},
		{plain, []string{"original"}, "original"},
		{plain, []string{"redacted-audio"}, "redacted-audio"},
		{plain, []string{"original", "redacted-audio"}, "original redacted-audio"},
		{plain, none, ""},
		{redacting, upload, "redacted-audio"},
		{redacting, []string{"original"}, "redacted-audio"},
		{redacting, []string{"redacted-audio"}, "redacted-audio"},
	} {
		env := full()
		env.Streams = c.has
		for _, stream := range []string{"original", "redacted-audio"} {
			_, err := resolve(t, c.request+
				`"publish":{"callbacks":[{"url":"https://example.com","type":"media","stream":"`+stream+`"}]}}`, env)
			refused := slices.Equal(codesOf(err), []int{fault.CodeCallbackFormat}) &&
				strings.Contains(err.Error(), "/publish/callbacks/0/stream")
			if may := strings.Contains(c.may, stream); may != (err == nil) || may == refused {
				t.Errorf("%s of an item with %q: %s: %v", c.request, c.has, stream, err)
			}
		}
	}
}
