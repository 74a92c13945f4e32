package importer

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"parley/internal/transcript"
)

// shown writes pieces with marks after an underscore.
func shown(pieces []piece) string {
	var all []string
	for _, p := range pieces {
		all = append(all, [...]string{"", "_", "^"}[p.role]+p.text)
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

// TestEveryFormGivesTheSameWordsAndMarks sends one sentence in each form that can have it.
func TestEveryFormGivesTheSameWordsAndMarks(t *testing.T) {
	written := strings.Fields(`Mr. Lee, is 3.5 OK today? "Great!" Call Acme. We'll see ...`)
	const want = `Mr. Lee _, is 3.5 OK today _? Great _! Call Acme _. We'll see _...`
	list := func(format string, sep string) string {
		var all []string
		for i, w := range written {
			text, _ := json.Marshal(w)
			all = append(all, strings.NewReplacer("WORD", string(text), "SPACED", `" `+string(text)[1:], "FROM", fmt.Sprint(i+1), "TO", fmt.Sprint(i+2)).Replace(format))
		}
		return strings.Join(all, sep)
	}
	for name, raw := range map[string]string{
		"text":            strings.Join(written, " "),
		"text by speaker": "Agent: " + strings.Join(written, " "),
		"ours":            `{"words":[` + list(`{"s":FROM000,"e":FROM900,"w":WORD}`, ",") + `]}`,
		"ours, no times":  `{"words":[` + list(`{"w":WORD}`, ",") + `]}`,
		"ours, marks without time": `{"words":[` + strings.NewReplacer(`"w":"..."`, `"w":"...","x":1`, `"e":12900`, `"e":12000`).
			Replace(list(`{"s":FROM000,"e":FROM900,"w":WORD}`, ",")) + `]}`,
		"VoiceBase":      `{"transcript":{"words":[{"m":"turn","w":"A"},` + list(`{"s":FROM000,"e":FROM900,"w":WORD}`, ",") + `]}}`,
		"AWS":            `{"results":{"items":[` + list(`{"type":"pronunciation","start_time":"FROM.0","end_time":"TO.0","alternatives":[{"content":WORD}]}`, ",") + `]}}`,
		"Call Analytics": `{"Transcript":[{"ParticipantRole":"AGENT","Items":[` + list(`{"Content":WORD,"BeginOffsetMillis":FROM00,"EndOffsetMillis":TO00}`, ",") + `]}]}`,
		"post-call":      `{"SpeechSegments":[{"SegmentSpeaker":"spk_0","WordConfidence":[` + list(`{"Text":WORD,"StartTime":FROM,"EndTime":TO}`, ",") + `]}]}`,
		"Bedrock":        `{"audio_items":[` + list(`{"content":WORD,"start_timestamp_millis":FROM00,"end_timestamp_millis":TO00}`, ",") + `],"audio_segments":[{"audio_item_indices":[0,1,2,3,4,5,6,7,8,9,10,11]}]}`,
		"Deepgram":       `{"results":{"channels":[{"alternatives":[{"words":[` + list(`{"word":"x","punctuated_word":WORD,"start":FROM,"end":TO}`, ",") + `]}]}]}}`,
		"Whisper":        `{"segments":[{"words":[` + list(`{"word":SPACED,"start":FROM,"end":TO}`, ",") + `]}]}`,
		"whisper.cpp":    `{"transcription":[{"offsets":{"from":0,"to":900},"tokens":[` + list(`{"text":SPACED,"offsets":{"from":FROM0,"to":TO0}}`, ",") + `]}]}`,
	} {
		g, err := Parse([]byte(raw))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var got []string
		for _, w := range g.Transcript.Words {
			if w.Kind == transcript.Punctuation {
				got = append(got, "_"+w.Text)
			} else {
				got = append(got, w.Text)
			}
		}
		want := want
		if name == "ours" || name == "VoiceBase" { // a mark that lasts stands for a word that is not shown
			want = strings.Replace(want, "_...", "...", 1)
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("%s:\n%s, want\n%s", name, text, want)
		}
	}
}

func TestMarksAreTakenOnceHoweverTheyAreSent(t *testing.T) {
	for raw, want := range map[string]string{
		`{"words":[{"w":"today?"},{"w":"?","m":"punc"},{"w":"Good"}]}`:                                      "today _? Good",
		`{"words":[{"w":"today"},{"w":"?"},{"w":"?","m":"punc"}]}`:                                          "today _?",
		`{"words":[{"w":"at"},{"w":"5"},{"w":"p.m."},{"w":".","m":"punc"}]}`:                                "at 5 p.m _.",
		`{"words":[{"w":"a"},{"w":"4929138134243333","m":"punc"},{"w":"b"}]}`:                               "a 4929138134243333 b",
		`{"words":[{"w":"A","m":"TURN"},{"w":"today"},{"w":"?","m":"x|Punc"},{"w":"a.b.","m":"Redacted"}]}`: "today _? a.b.",
		`{"words":[{"w":"it's"},{"w":"today.","m":"redacted"},{"w":"."}]}`:                                  "it's today. _.",
		`{"words":[{"w":"¿"},{"w":"Qué"},{"w":"tal"},{"w":"?"}]}`:                                           "¿Qué tal _?",
		`{"words":[{"w":"Hello, all","m":"x"},{"w":"“"},{"w":"so"},{"w":"”"}]}`:                             "Hello, all so",
		`{"words":[{"m":"turn","w":"A"},{"w":"so"},{"m":"turn","w":"B"},{"w":", right"}]}`:                  "so right",
	} {
		g, err := Parse([]byte(raw))
		if err != nil {
			t.Errorf("%s: %v", raw, err)
			continue
		}
		var got []string
		for _, w := range g.Transcript.Words {
			got = append(got, map[bool]string{true: "_"}[w.Kind == transcript.Punctuation]+w.Text)
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("%s: %s, want %s", raw, text, want)
		}
	}
}
