package api_test

import (
	"net/http"
	"strings"
	"testing"

	"parley/internal/testkit/servertest"
)

func TestMain(m *testing.M) { servertest.Main(m) }

// Parts that most tests send.
var (
	recording = servertest.File("media", "call.wav", servertest.Tone(2, 1))
	stereo    = servertest.File("media", "call.wav", servertest.Tone(2, 2))
	sides     = servertest.Field("configuration",
		`{"ingest":{"stereo":{"left":{"speakerName":"Agent"},"right":{"speakerName":"Caller"}}}}`)
)

// noMedia is an id that no item has.
const noMedia = "019a9f5e-3c00-7000-8000-0123456789ab"

// refused checks that an answer has a status and, as its first error, a code and a message that contains all the given
// words.
func refused(t *testing.T, a servertest.Answer, status, code int, words ...string) {
	t.Helper()
	if a.Status != status || a.Code(t) != code {
		t.Errorf("want HTTP %d with code %d: %s", status, code, a)
		return
	}
	message := a.JSON(t)["errors"].([]any)[0].(map[string]any)["error"].(string)
	for _, w := range words {
		if !strings.Contains(message, w) {
			t.Errorf("message %q does not tell %q", message, w)
		}
	}
}

// ok checks that an answer is a success.
func ok(t *testing.T, a servertest.Answer) servertest.Answer {
	t.Helper()
	if a.Status != http.StatusOK {
		t.Fatal(a)
	}
	return a
}

// at returns the value at a path in nested objects.
func at(t *testing.T, v any, names ...string) any {
	t.Helper()
	for _, n := range names {
		object, is := v.(map[string]any)
		if !is {
			t.Fatalf("no object around %q: %v", n, v)
		}
		v = object[n]
	}
	return v
}

// codes returns the codes in a list of errors or warnings, nil without a list.
func codes(v any) []int {
	list, _ := v.([]any)
	var found []int
	for _, e := range list {
		found = append(found, int(e.(map[string]any)["code"].(float64)))
	}
	return found
}
