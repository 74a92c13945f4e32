package api_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"

	spelling "parley/internal/lab/dialogue"
	"parley/internal/testkit/servertest"
	"parley/internal/testkit/verify"
)

// wordly returns a transcript of unchanged words, and a recording of the same length.
func wordly(t *testing.T, words []string) (transcript, call servertest.Part) {
	t.Helper()
	type word struct {
		S int    `json:"s"`
		E int    `json:"e"`
		W string `json:"w"`
	}
	all := make([]word, len(words))
	for i, w := range words {
		all[i] = word{40 * i, 40*i + 35, w} // short words, so that there is less audio to process
	}
	data, err := json.Marshal(map[string]any{"words": all})
	if err != nil {
		t.Fatal(err)
	}
	sound := servertest.Tone(float64(40*len(words))/1000+1, 1)
	return servertest.Field("transcript", string(data)), servertest.File("media", "call.wav", sound)
}

// inFigures returns a text with the digits of all scripts converted to 0 to 9 and invisible characters removed. ASCII
// stays unchanged.
func inFigures(body []byte) []byte {
	var b strings.Builder
	for _, r := range norm.NFKC.String(string(body)) {
		switch {
		case r < 0x80:
			b.WriteRune(r)
		case strings.ContainsRune("〇零", r):
			b.WriteByte('0')
		case unicode.In(r, unicode.Nd, unicode.No):
			b.WriteString(valueOf[r])
		case unicode.In(r, unicode.Cf, unicode.Mn, unicode.Me):
		default:
			b.WriteString(" ")
		}
	}
	return []byte(b.String())
}

// valueOf maps each digit character to its ASCII digit, derived from the spellings of numbers.
var valueOf = func() map[rune]string {
	all := map[rune]string{}
	for _, s := range spelling.Spellings("0123456789", []int{3, 3, 4}) {
		runes := []rune(strings.Join(s.Words, ""))
		for i, r := range runes {
			if len(runes) == 10 && unicode.IsNumber(r) {
				all[r] = fmt.Sprint(i)
			}
		}
	}
	return all
}()

// TestNothingOfANumberIsKeptOrSentHoweverItIsWritten sends numbers in every spelling as words of given transcripts,
// with every section enabled, and searches for them and for any word with a digit.
func TestNothingOfANumberIsKeptOrSentHoweverItIsWritten(t *testing.T) {
	verify.Long(t)
	t.Parallel()
	w := witnessed(t, servertest.Options{})
	p := newPeople(16)
	spellings := len(spelling.Spellings("2065550147", []int{3, 3, 4}))
	for kind, every := range []int{4, 9, 9} { // card, social security and telephone numbers
		var words []string
		for i := kind; i < spellings; i += every {
			asked, said, number, groups := p.number()
			for len(groups) != 4-min(kind, 1) || kind > 0 && (groups[1] == 3) != (kind == 2) {
				asked, said, number, groups = p.number()
			}
			p.secrets[number] = true
			words = append(words, strings.Fields(asked+" please yes "+said)...)
			words = append(words, spelling.Spellings(number, groups)[i].Words...)
			words = append(words, strings.Fields("and that is all that there is to say of this so let us go on")...)
		}
		transcript, call := wordly(t, words)
		id := w.Submit(t, call, transcript, servertest.Field("configuration", everything(true)))
		if item := w.Await(t, id); item["status"] != "finished" {
			t.Fatalf("%v: %v", item["status"], item["errors"])
		}
		w.Idle(t)
		w.ask(t, id)
		w.askFormats(t, id)
		for line := range strings.Lines(string(inFigures(ok(t, w.Get(t, "/v3/media/"+id+"/transcript/text")).Body))) {
			if i := strings.IndexFunc(line, unicode.IsNumber); i >= 0 {
				t.Errorf("kind %d: %q", kind, line[max(0, i-60):min(len(line), i+60)])
			}
		}
	}
	for what, body := range w.sent {
		w.sent[what+", in figures"] = inFigures(body)
	}
	for number, place := range found(p.secrets, w.sent, w.kept(t)) {
		t.Errorf("%s is in %s", number, place)
	}
}
