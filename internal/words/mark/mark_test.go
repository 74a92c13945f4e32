package mark

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/internal/words/transcript"
)

// shown formats pieces, with an underscore before marks.
func shown(pieces []piece) string {
	var all []string
	for _, p := range pieces {
		switch {
		case p.mark && Opening(p.text):
			all = append(all, "^"+p.text)
		case p.mark:
			all = append(all, "_"+p.text)
		default:
			all = append(all, p.text)
		}
	}
	return strings.Join(all, " ")
}

func TestMarksAreSeparatedFromWordsAndWhatBelongsToAWordStays(t *testing.T) {
	for written, want := range map[string]string{
		"today?": "today _?", "great!": "great _!", "Acme.": "Acme _.", "yes,": "yes _,", "so:": "so _:",
		"well...": "well _...",
		"well…":   "well _…", "really?!": "really _? _!", "what??": "what _?", "wow!!!": "wow _!", "\"no.\"": "no _.",
		"“Hello”,": "Hello _,",
		"?":        "_?", "...": "_...", "?!": "_? _!", "—": "_—", "--": "_--", "\"": "", "(": "", "'": "",
		// full stops that belong to a word
		"Mr.": "Mr.", "mrs.,": "mrs. _,", "U.S.": "U.S.", "U.S.?": "U.S. _?", "p.m.,": "p.m. _,", "e.g.": "e.g.",
		"Ph.D.": "Ph.D.", "Inc.": "Inc.",
		"U.S..": "U.S. _.", "Q.": "Q _.",
		// numbers
		"3.5": "3.5", "3.5.": "3.5 _.", ".5": ".5", "-5": "-5", "–5": "–5", "1,250,": "1,250 _,", "10:30": "10:30",
		"10:30?":   "10:30 _?",
		"$138.65.": "$138.65 _.", "50%.": "50% _.", "(206)": "(206)", "(206)555-0147.": "(206)555-0147 _.",
		"4,929": "4,929", "#1!": "#1 _!",
		"1)": "1", "5.": "5 _.", "½,": "½ _,",
		// apostrophes
		"don't": "don't", "don’t.": "don’t _.", "goin'": "goin'", "dogs’,": "dogs’ _,", "'cause": "'cause",
		"’til": "’til", "'n'": "'n'",
		"'hello'": "hello", "'hello.'": "hello _.", "‘don’t’": "don’t", "O'Neill's": "O'Neill's",
		"‘Fine’": "Fine", "‘ok.’": "ok _.", "‘No’,": "No _,", "‘really?’!": "really _? _!", "“‘Fine,’”": "Fine _,",
		"(‘yes’).": "yes _.", "‘‘no’’": "no", "‚Ja’": "Ja", "‘boys’’": "boys’", "‘Fine": "Fine", "boys’": "boys’",
		"boys’.": "boys’ _.", "‘’": "", "’": "",
		// hyphens and dashes
		"twenty-one": "twenty-one", "uh-": "uh-", "wait—what": "wait _— what", "wait—": "wait _—", "—and": "_— and",
		"3–5": "3–5", "2019—2020": "2019—2020",
		"well...maybe": "well _... maybe", "...and": "_... and", "4...9": "4...9",
		// brackets
		"(yes)": "yes", "(yes,": "yes _,", "yes).": "yes _.", "(s)he": "(s)he", "f(x)": "f(x)", "[PII]": "[PII]",
		"[PII].": "[PII] _.", "\"[PII]\"": "[PII]",
		"<unk>,": "<unk> _,", "[laughs": "laughs", "{a}": "a",
		// other scripts and languages
		"¿Cómo": "¿Cómo", "estás?": "estás _?", "¡Hola!": "¡Hola _!", "¿": "^¿", "«¿Qué?»": "¿Qué _?",
		"كيف؟": "كيف _؟", "نعم،": "نعم _،",
		"你好。": "你好 _。", "你好，请问。": "你好 _， 请问 _。", "今日は。元気？": "今日は _。 元気 _？", "他说「你好」吗？": "他说 你好 吗 _？",
		"４，９２９": "４，９２９", "１０：３０": "１０：３０",
		"ठीक।": "ठीक _।", "می\u200cخواهم": "می\u200cخواهم", "ok\u200c": "ok",
		// addresses
		"https://x.com/a?b=c.": "https://x.com/a?b=c _.", "www.x.com,": "www.x.com _,",
		"j.smith@example.com.": "j.smith@example.com _.", "a..b@x.com": "a..b@x.com", ".NET": ".NET",
		"Node.js": "Node.js", "AT&T,": "AT&T _,", "C++.": "C++ _.", "***": "***",
	} {
		if got := shown(separate(written)); got != want {
			t.Errorf("%q: %s, want %s", written, got, want)
		}
	}
}

func TestWordsThatAreWrittenAsOneShareItsTimeByTheirLetters(t *testing.T) {
	w := transcript.Word{Start: time.Second, End: 2 * time.Second, Confidence: .5, Speaker: 1}
	got := Split(w, "wait—for it.")
	want := []transcript.Word{w, w, w, w}
	want[0].Text, want[0].End = "wait", 1400*time.Millisecond
	want[1] = transcript.Word{Text: "—", Kind: transcript.Punctuation, Start: want[0].End, End: want[0].End, Speaker: 1}
	want[2].Text, want[2].Start = "for it", want[0].End
	want[3] = transcript.Word{Text: ".", Kind: transcript.Punctuation, Start: w.End, End: w.End, Speaker: 1}
	if !slices.EqualFunc(got, want, func(a, b transcript.Word) bool { return reflect.DeepEqual(a, b) }) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
