package importer

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"parley/internal/words/transcript"
)

// TestEveryFormGivesTheSameWordsAndMarks imports one sentence in every format that can represent it.
func TestEveryFormGivesTheSameWordsAndMarks(t *testing.T) {
	written := strings.Fields(`Mr. Lee, is 3.5 OK today? "Great!" Call Acme. We'll see ...`)
	const want = `Mr. Lee _, is 3.5 OK today _? Great _! Call Acme _. We'll see _...`
	list := func(format string, sep string) string {
		var all []string
		for i, w := range written {
			text, _ := json.Marshal(w)
			all = append(all, strings.NewReplacer("WORD", string(text), "SPACED", `" `+string(text)[1:], "FROM",
				fmt.Sprint(i+1), "TO", fmt.Sprint(i+2)).Replace(format))
		}
		return strings.Join(all, sep)
	}
	for name, raw := range map[string]string{
		"text":            strings.Join(written, " "),
		"text by speaker": "Agent: " + strings.Join(written, " "),
		"ours":            `{"words":[` + list(`{"s":FROM000,"e":FROM900,"w":WORD}`, ",") + `]}`,
		"ours, no times":  `{"words":[` + list(`{"w":WORD}`, ",") + `]}`,
		"ours, marks without time": `{"words":[` + strings.NewReplacer(`"w":"..."`, `"w":"...","x":1`, `"e":12900`,
			`"e":12000`).
			Replace(list(`{"s":FROM000,"e":FROM900,"w":WORD}`, ",")) + `]}`,
		"VoiceBase": `{"transcript":{"words":[{"m":"turn","w":"A"},` + list(`{"s":FROM000,"e":FROM900,"w":WORD}`,
			",") + `]}}`,
		"AWS": `{"results":{"items":[` +
			list(`{"type":"pronunciation","start_time":"FROM.0","end_time":"TO.0","alternatives":[{"content":WORD}]}`,
				",") + `]}}`,
		"Call Analytics": `{"Transcript":[{"ParticipantRole":"AGENT","Items":[` +
			list(`{"Content":WORD,"BeginOffsetMillis":FROM00,"EndOffsetMillis":TO00}`, ",") + `]}]}`,
		"post-call": `{"SpeechSegments":[{"SegmentSpeaker":"spk_0","WordConfidence":[` +
			list(`{"Text":WORD,"StartTime":FROM,"EndTime":TO}`, ",") + `]}]}`,
		"Bedrock": `{"audio_items":[` +
			list(`{"content":WORD,"start_timestamp_millis":FROM00,"end_timestamp_millis":TO00}`, ",") +
			`],"audio_segments":[{"audio_item_indices":[0,1,2,3,4,5,6,7,8,9,10,11]}]}`,
		"Deepgram": `{"results":{"channels":[{"alternatives":[{"words":[` +
			list(`{"word":"x","punctuated_word":WORD,"start":FROM,"end":TO}`, ",") + `]}]}]}}`,
		"Whisper": `{"segments":[{"words":[` + list(`{"word":SPACED,"start":FROM,"end":TO}`, ",") + `]}]}`,
		"whisper.cpp": `{"transcription":[{"offsets":{"from":0,"to":900},"tokens":[` +
			list(`{"text":SPACED,"offsets":{"from":FROM0,"to":TO0}}`, ",") + `]}]}`,
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
		if name == "ours" || name == "VoiceBase" { // "..." with a duration is a masked word
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
