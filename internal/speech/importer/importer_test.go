package importer_test

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"parley/internal/call/wire"
	"parley/internal/speech/importer"
	"parley/internal/words/fault"
	"parley/internal/words/media"
	"parley/internal/words/transcript"
)

// show formats words as name[start-end]text, with marks after an underscore.
func show(t *transcript.Transcript) string {
	var b strings.Builder
	for _, w := range t.Words {
		if w.Kind == transcript.Punctuation {
			b.WriteString("_" + w.Text)
			continue
		}
		fmt.Fprintf(&b, " %s[%d-%d]%s", t.Speakers[w.Speaker].Name, w.Start.Milliseconds(), w.End.Milliseconds(),
			w.Text)
	}
	return strings.TrimSpace(b.String())
}

func TestEveryFormatIsReadByItsContent(t *testing.T) {
	for _, c := range []struct{ name, raw, format, want string }{
		{
			"ours", `{"words":[{"p":0,"c":1,"s":0,"e":900,"m":"turn","w":"Agent"},{"p":1,"c":0.5,"s":100,"e":400,"w":"Hello"},{"p":2,"c":1,"s":400,"e":400,"m":"punc","w":"."},
			{"m":"turn","w":"Caller","s":500,"e":900},{"s":500,"e":900,"w":"Hi"}]}`, "words",
			"Agent[100-400]Hello_. Caller[500-900]Hi",
		},
		{"ours, a whole item", `{"mediaId":"x","transcript":{"words":[{"s":1,"e":2,"w":"a"}]}}`, "VoiceBase",
			"Speaker[1-2]a"},
		{"a bare list", `[{"s":1,"e":2,"w":"a"}]`, "words", "Speaker[1-2]a"},
		{
			"VoiceBase V2", `{"media":{"transcripts":{"latest":{"words":[{"p":0,"c":0.1,"s":0,"e":9,"w":"Speaker 1: ","m":"turn"},
			{"p":1,"c":0.5,"s":710,"e":1430,"w":"George"},{"p":2,"c":0,"s":1430,"e":2000,"w":".","m":"punc"}]}}}}`, "VoiceBase", "Speaker 1[710-1430]George_.",
		},
		{
			"AWS with labels at items", `{"jobName":"x","results":{"items":[{"type":"pronunciation","start_time":"4.87","end_time":"5.02","speaker_label":"spk_0","alternatives":[{"confidence":"0.9","content":"I've"}]},
			{"type":"punctuation","speaker_label":"spk_0","alternatives":[{"confidence":"0.0","content":"."}]},
			{"type":"pronunciation","start_time":"8.49","end_time":"8.88","speaker_label":"spk_1","alternatives":[{"confidence":"1.0","content":"Sorry"}]}]}}`, "AWS Transcribe",
			"Speaker 1[4870-5020]I've_. Speaker 2[8490-8880]Sorry",
		},
		{
			"AWS with labels apart", `{"results":{"speaker_labels":{"segments":[{"speaker_label":"spk_1","items":[{"start_time":"0.1","speaker_label":"spk_1"}]}]},
			"items":[{"type":"pronunciation","start_time":"0.1","end_time":"0.2","alternatives":[{"confidence":"1.0","content":"Yes"}]},{"type":"punctuation","alternatives":[{"content":"?"}]}]}}`,
			"AWS Transcribe", "Speaker 2[100-200]Yes_?",
		},
		{
			"AWS with channels", `{"results":{"channel_labels":{"channels":[
			{"channel_label":"ch_0","items":[{"type":"pronunciation","start_time":"1.0","end_time":"1.5","alternatives":[{"content":"one"}]},{"type":"pronunciation","start_time":"3.0","end_time":"3.5","alternatives":[{"content":"three"}]}]},
			{"channel_label":"ch_1","items":[{"type":"pronunciation","start_time":"2.0","end_time":"2.5","alternatives":[{"content":"two"}]},{"type":"punctuation","alternatives":[{"content":","}]}]}]},"items":[]}}`,
			"AWS Transcribe", "Channel 1[1000-1500]one Channel 2[2000-2500]two_, Channel 1[3000-3500]three",
		},
		{
			"AWS Call Analytics", `{"Participants":[{"ParticipantRole":"AGENT"}],"Transcript":[{"ParticipantRole":"AGENT","Items":[{"Type":"pronunciation","Confidence":1.0,"Content":"Hello","BeginOffsetMillis":440,"EndOffsetMillis":960},{"Type":"punctuation","Content":"."}]}]}`,
			"AWS Call Analytics", "Agent[440-960]Hello_.",
		},
		{
			"AWS post-call analytics", `{"ConversationAnalytics":{"SpeakerLabels":[{"Speaker":"spk_0","DisplayText":"Agent"}]},"SpeechSegments":[{"SegmentSpeaker":"spk_0","WordConfidence":[{"Text":"MM.","Confidence":0.5,"StartTime":0.04,"EndTime":0.25}]}]}`,
			"AWS post-call analytics", "Agent[40-250]MM_.",
		},
		{
			"Deepgram by channel", `{"metadata":{},"results":{"channels":[{"alternatives":[{"words":[{"word":"hello","start":0.5,"end":0.9,"confidence":0.9,"punctuated_word":"Hello,"}]}]},{"alternatives":[{"words":[{"word":"hi","start":0.2,"end":0.4}]}]}]}}`,
			"Deepgram", "Channel 2[200-400]hi Channel 1[500-900]Hello_,",
		},
		{
			"Deepgram by speaker", `{"results":{"channels":[{"alternatives":[{"words":[{"word":"a","start":1,"end":2,"speaker":1},{"word":"b","start":2,"end":3,"speaker":0}]}]}]}}`,
			"Deepgram", "Speaker 2[1000-2000]a Speaker 1[2000-3000]b",
		},
		{
			"OpenAI", `{"task":"transcribe","text":"Hello, world. Fine","words":[{"word":"Hello","start":0.1,"end":0.5},{"word":"world","start":0.5,"end":0.9},{"word":"Fine","start":1,"end":1.2}],"segments":[{"text":"Hello, world. Fine"}]}`,
			"Whisper", "Speaker[100-500]Hello_, Speaker[500-900]world_. Speaker[1000-1200]Fine",
		},
		{
			"Whisper with pieces", `{"text":" That's it.","segments":[{"text":" That's it.","start":0,"end":1,"words":[{"word":" That","start":0.1,"end":0.3,"probability":0.9},{"word":"'s","start":0.3,"end":0.4,"probability":0.5},{"word":" it","start":0.5,"end":0.6},{"word":".","start":0.6,"end":0.7}]}]}`,
			"Whisper", "Speaker[100-400]That's Speaker[500-700]it_.",
		},
		{
			"WhisperX, one word without times",
			`{"segments":[{"text":" Pay 20 now","speaker":"SPEAKER_01","words":[{"word":"Pay","start":1,"end":1.5,"score":0.9},{"word":"20"},{"word":"now","start":2,"end":2.5}]}],"language":"en"}`,
			"Whisper", "Speaker 2[1000-1500]Pay Speaker 2[1500-2000]20 Speaker 2[2000-2500]now",
		},
		{"Whisper without words", `{"text":"aa bb","segments":[{"text":" aa bb","start":1,"end":2}]}`, "Whisper",
			"Speaker[1000-1500]aa Speaker[1500-2000]bb"},
		{
			"whisper.cpp", `{"transcription":[{"offsets":{"from":0,"to":900},"text":" And so","tokens":[{"text":"[_BEG_]","offsets":{"from":0,"to":0},"p":0.9},{"text":" And","offsets":{"from":220,"to":300},"p":0.6},{"text":" s","offsets":{"from":330,"to":400},"p":0.9},{"text":"o","offsets":{"from":400,"to":450},"p":0.8}]}]}`,
			"whisper.cpp", "Speaker[220-300]And Speaker[330-450]so",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, err := importer.Parse([]byte(c.raw))
			if err != nil {
				t.Fatal(err)
			}
			if got := show(g.Transcript); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if g.Format != c.format || !g.Timed {
				t.Errorf("format %q, timed %v", g.Format, g.Timed)
			}
		})
	}
}

func TestTextHasTurnsAndNoTimes(t *testing.T) {
	for raw, want := range map[string]string{
		"Agent: Hello, how are you?\nFine\ncaller: I said \"no.\"": `Agent[0-0]Hello_, Agent[0-0]how Agent[0-0]are Agent[0-0]you_? Agent[0-0]Fine caller[0-0]I caller[0-0]said caller[0-0]no_.`,
		"We meet at 10:30 p.m. sharp...": "Speaker[0-0]We Speaker[0-0]meet Speaker[0-0]at " +
			"Speaker[0-0]10:30 Speaker[0-0]p.m. Speaker[0-0]sharp_...",
		"\ufeffJane Q. Doe:\r\n  Mr. Smith — hi\r\n": "Jane Q. Doe[0-0]Mr. Jane Q. Doe[0-0]Smith_— Jane Q. Doe[0-0]hi",
		"10:30 is fine":                        "Speaker[0-0]10:30 Speaker[0-0]is Speaker[0-0]fine",
		"[music] yes":                          "Speaker[0-0][music] Speaker[0-0]yes",
		`{"words":[{"w":"no"},{"w":"times"}]}`: "Speaker[0-0]no Speaker[0-0]times",
	} {
		g, err := importer.Parse([]byte(raw))
		if err != nil {
			t.Errorf("%q: %v", raw, err)
			continue
		}
		if got := show(g.Transcript); got != want || g.Timed {
			t.Errorf("%q: got %s, want %s; timed %v", raw, got, want, g.Timed)
		}
	}
}

func TestResultsOfBedrockHaveTheirWordsSpeakersAndChannels(t *testing.T) {
	raw, err := os.ReadFile("testdata/bedrock.json")
	if err != nil {
		t.Fatal(err)
	}
	g, err := importer.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	const want = "Speaker 1[310-890]Northwind_, Speaker 1[1010-1180]this Speaker 1[1180-1290]is Speaker " +
		"1[1290-1740][NAME]_. " +
		"Speaker 2[2200-2480]Hi_, Speaker 2[2700-2880]when Speaker 2[2880-3000]is Speaker 2[3000-3150]my Speaker " +
		"2[3150-3600]parcel Speaker 2[3600-3910]due_? " +
		"Speaker 1[4500-4676]On Speaker 1[4676-4941]the Speaker 1[4941-5294]U.S. Speaker 1[5294-6000]holiday_."
	if got := show(g.Transcript); got != want || !g.Timed || g.Format != "AWS Bedrock Data Automation" {
		t.Errorf("%s, timed %v: got\n%s, want\n%s", g.Format, g.Timed, got, want)
	}
	if s := g.Transcript.Speakers; len(s) != 2 || s[0].Channel != 1 || s[1].Channel != 0 {
		t.Errorf("speakers %v, want one on channel 1, one on channel 0", s)
	}
}

func TestSpeakersOfBedrockWhoShareAChannelHaveNone(t *testing.T) {
	segment := func(speaker, channel string) string {
		return fmt.Sprintf(`{"text":"a","start_timestamp_millis":1,"end_timestamp_millis":2,"speaker":{"speaker_label":%q},"channel":{"channel_label":%q}}`, speaker, channel)
	}
	for _, c := range []struct {
		segments []string
		want     string
	}{
		{[]string{segment("spk_0", "ch_0"), segment("spk_1", "ch_0")}, "Speaker 1/-1 Speaker 2/-1"},
		{[]string{segment("spk_0", "ch_0"), segment("spk_0", "ch_1"), segment("spk_1", "ch_1")},
			"Speaker 1/-1 Speaker 2/-1"},
		{[]string{segment("", "ch_0"), segment("", "ch_1")}, "Channel 1/0 Channel 2/1"},
		{[]string{segment("spk_0", ""), segment("spk_1", "")}, "Speaker 1/-1 Speaker 2/-1"},
		{[]string{segment("", "")}, "Speaker/-1"},
	} {
		g, err := importer.Parse([]byte(`{"audio_segments":[` + strings.Join(c.segments, ",") + `]}`))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range g.Transcript.Speakers {
			got = append(got, fmt.Sprintf("%s/%d", s.Name, s.Channel))
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%v: %s, want %s", c.segments, text, c.want)
		}
	}
}

func TestALineThatBeginsWithANumberHasNoSpeakerOfThatName(t *testing.T) {
	g, err := importer.Parse([]byte("Caller: my card\nVisa 4929 1381 3424: and so on\nAgent 007: yes"))
	if err != nil {
		t.Fatal(err)
	}
	if s := g.Transcript.Speakers; len(s) != 2 || s[0].Name != "Caller" || s[1].Name != "Agent 007" {
		t.Errorf("speakers %v, want Caller and Agent 007", s)
	}
}

func TestRolesFollowFromNames(t *testing.T) {
	g, err := importer.Parse([]byte("Agent: a\nCustomer: b\nJane: c"))
	if err != nil {
		t.Fatal(err)
	}
	want := []transcript.Speaker{{Name: "Agent", Role: transcript.Agent, Channel: -1},
		{Name: "Customer", Role: transcript.Caller, Channel: -1}, {Name: "Jane", Channel: -1}}
	if !reflect.DeepEqual(g.Transcript.Speakers, want) {
		t.Errorf("got %v", g.Transcript.Speakers)
	}
}

func TestErrorsSayWhatIsWrongAndWhere(t *testing.T) {
	for raw, want := range map[string]string{
		"{\"words\": [\n{\"w\" 1}]}":                 "invalid JSON at line 2, column 6",
		`{"a":1,"b":2}`:                              `with the keys "a", "b"`,
		`{"words":[{"s":1,"e":2,"w":"a"},{"s":1}]}`:  "words[1]: w (the word) is missing",
		`{"words":[{"s":"x","e":2,"w":"a"}]}`:        `words[0]: s: "x" is not a number`,
		`{"words":[{"w":"a"},{"w":"a","c":"high"}]}`: `words[1]: c: "high" is not a number`,
		`{"words":[{"w":"a","frq":"x"}]}`:            `words[0]: frq is not a list`,
		`{"words":[{"w":"a","frq":[{},5]}]}`:         `words[0]: frq[1] has the wrong type number`,
		`{"results":{"items":[{"type":"pronunciation","alternatives":[{},{"confidence":"low"}]}]}}`: `results.items[0]: alternatives[1].confidence: "low" is not a number`,
		`{"transcription":[{"offsets":{"from":"x"}}]}`:                                              `transcription[0]: offsets.from: "x" is not a number`,
		`{"words":[{"s":-5,"e":2,"w":"a"}]}`:                                                        "words[0]: -5 is not a valid time",
		`{"words":[{"s":1,"e":2,"w":7}]}`:                                                           "words[0]: w has the wrong type number",
		`{"words":[{"w":"b"},{"w":"a","v":"loud"}]}`:                                                `words[1]: v: "loud" is not a number`,
		`{"words":[{"w":"a","frq":[{"f":1},{"f":"NaN","e":1}]}]}`:                                   `words[0]: frq[1].f: "NaN" is not a number`,
		`{"words":[{"w":"a","frq":[{"f":1,"e":true}]}]}`:                                            `words[0]: frq[0].e: true is not a number`,
		`{"words":{"w":"a"}}`:                                                                       "words is not a list",
		`{"results":{"items":[{"type":"x"}]}}`:                                                      "AWS Transcribe: results.items[0]: alternatives is missing or empty",
		`{"words":[{"w":"a","frq":[` + strings.Repeat("{},", 3000) +
			`{}]}]}`: "words[0]: frq is a list of more than 2000 elements",
		`{"results":{"items":[{"alternatives":7}]}}`:                       "items[0]",
		`{"audio_items":[],"audio_segments":[{"audio_item_indices":[0]}]}`: "audio_segments[0]: audio_item_indices[0]: the index 0 is not in audio_items",
		`{"audio_segments":{}}`:                                            "audio_segments is not a list",
		strings.Repeat("a ", 600_000):                                      "more than 500000 words",
		"a " + strings.Repeat("('", 2<<20) + "b":                           "is longer than 500 bytes",
		"a " + strings.Repeat("…「", 1<<20) + strings.Repeat("“", 1<<20):    "is longer than 500 bytes",
		"a\x00b": "neither text nor JSON",
		"a\xff":  "not UTF-8",
		"":       "no words",
		"Agent:": "no words",
		`{"words":[{"w":"` + strings.Repeat("x", 600): "invalid JSON",
	} {
		_, err := importer.Parse([]byte(raw))
		if !fault.Is(err, fault.Invalid) || fault.ProblemsOf(err)[0].Code != fault.CodeTranscriptPart ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: got %v, want %q", raw, err, want)
		}
	}
}

func TestRealResultsAreRead(t *testing.T) {
	data := os.Getenv("PARLEY_DATA")
	if data == "" {
		t.Skip("PARLEY_DATA is not set; it names a folder of recordings and results for tests")
	}
	for name, want := range map[string]struct {
		format   string
		speakers string
		least    int
	}{
		"results_no_audio/aws_call_analytics_card_cancel.json": {"AWS Call Analytics", "Agent Customer", 500},
		"results_no_audio/aws_pca_testfile.json":               {"AWS post-call analytics", "Agent Customer", 40},
		"results_no_audio/voicebase_bookreview_v2.json":        {"VoiceBase", "Speaker 1 Speaker 2", 900},
		"audio/call_cable_sales_stereo.voicebase.json":         {"VoiceBase", "Speaker", 800},
	} {
		raw, err := os.ReadFile(filepath.Join(data, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		g, err := importer.Parse(raw)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var speakers []string
		for _, s := range g.Transcript.Speakers {
			speakers = append(speakers, s.Name)
		}
		if got := strings.Join(speakers, " "); g.Format != want.format || got != want.speakers ||
			len(g.Transcript.Words) < want.least {
			t.Errorf("%s: %s, %s, %d words", name, g.Format, got, len(g.Transcript.Words))
		}
	}
}

func TestOurOwnOutputComesBackTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := transcripts().Draw(t, "transcript")
		item := wire.NewTranscript(&media.Media{Length: want.Length}, want, nil)
		for _, shape := range []any{item, item.Transcript} {
			raw, err := wire.Marshal(shape)
			if err != nil {
				t.Fatal(err)
			}
			g, err := importer.Parse(raw)
			if err != nil {
				t.Fatal(err)
			}
			if len(want.Words) > 0 && (!reflect.DeepEqual(g.Transcript.Speakers, want.Speakers) ||
				!reflect.DeepEqual(g.Transcript.Words, want.Words) || !g.Timed) {
				t.Fatalf("got  %+v\nwant %+v", g.Transcript, want)
			}
		}
	})
}

// transcripts generates transcripts as the pipeline produces them: one unnamed speaker, or named ones with or without
// a channel each; times are in milliseconds.
func transcripts() *rapid.Generator[*transcript.Transcript] {
	return rapid.Custom(func(t *rapid.T) *transcript.Transcript {
		tr := &transcript.Transcript{}
		names := []string{"Agent", "Caller", "Jane Doe", "O'Neill"}
		switch n := rapid.IntRange(0, 4).Draw(t, "speakers"); n {
		case 0:
			tr.Speakers = []transcript.Speaker{{Name: transcript.DefaultSpeaker, Channel: transcript.NoChannel}}
		default:
			own := n > 1 && rapid.Bool().Draw(t, "channels")
			for i, name := range names[:n] {
				s := transcript.Speaker{Name: name, Role: transcript.RoleOf(name), Channel: transcript.NoChannel}
				if own {
					s.Channel = i
				}
				tr.Speakers = append(tr.Speakers, s)
			}
		}
		at := time.Duration(0)
		for range rapid.IntRange(0, 30).Draw(t, "words") {
			at += time.Duration(rapid.IntRange(0, 2000).Draw(t, "pause")) * time.Millisecond
			w := transcript.Word{
				Text:  rapid.StringMatching(`[A-Za-z$0-9]('|-|[.,]?[A-Za-z0-9]){0,8}`).Draw(t, "text"),
				Start: at, End: at + time.Duration(rapid.IntRange(0, 900).Draw(t, "long"))*time.Millisecond,
				Confidence: float64(rapid.IntRange(0, 1000).Draw(t, "confidence")) / 1000,
				Speaker:    rapid.IntRange(0, len(tr.Speakers)-1).Draw(t, "speaker"),
			}
			if rapid.Bool().Draw(t, "voice") {
				w.Voice = &transcript.Voice{Volume: 0.5, Peaks: []transcript.Peak{{Frequency: 203.4, Energy: 1}}}
			}
			if rapid.IntRange(0, 9).Draw(t, "marked") == 0 {
				w.Kind = transcript.Redacted
			}
			tr.Words = append(tr.Words, w)
			if rapid.Bool().Draw(t, "mark") {
				tr.Words = append(tr.Words, transcript.Word{Text: "?", Kind: transcript.Punctuation, Start: w.End,
					End: w.End, Speaker: w.Speaker})
			}
			tr.Length = max(tr.Length, w.End)
		}
		return tr
	})
}

// whole checks the invariants of every imported transcript.
func whole(t *testing.T, g *importer.Result) {
	t.Helper()
	var before time.Duration
	for i, w := range g.Transcript.Words {
		if w.Text == "" || w.Start < 0 || w.End < 0 || w.Confidence < 0 || w.Confidence > 1 || w.Speaker < 0 ||
			w.Speaker >= len(g.Transcript.Speakers) {
			t.Fatalf("word %d: %+v", i, w)
		}
		if w.Kind == transcript.Spoken {
			if w.Start < before {
				t.Fatalf("word %d begins before the one in front of it", i)
			}
			before = w.Start
		}
		if !g.Timed && w.End != 0 {
			t.Fatalf("word %d of a text has a time", i)
		}
		if w.Kind == transcript.Spoken && w.Text != "..." && !tagged(w.Text) &&
			strings.ContainsAny(w.Text[len(w.Text)-1:], ",?!;:\"”") {
			t.Fatalf("the word %q ends with a mark", w.Text)
		}
	}
}

func tagged(w string) bool { return strings.HasPrefix(w, "<") || strings.HasPrefix(w, "[") }

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"Agent: hi.\nCaller: yes?", `{"words":[{"s":1,"e":2,"w":"a"},{"m":"punc","w":"."},{"m":"turn","w":"B: "},{"w":"c"}],"turns":[],"voiceActivity":[{"speakerName":"B"}]}`,
		`{"results":{"items":[{"type":"pronunciation","start_time":"0.1","end_time":"0.2","alternatives":[{"content":"Yes"}]}]}}`,
		`{"results":{"channels":[{"alternatives":[{"words":[{"word":"a","start":1,"end":2,"speaker":1}]}]}]}}`,
		`{"segments":[{"text":" a b","start":1,"end":2,"words":[{"word":" a","start":1,"end":2},{"word":"b"}]}]}`,
		`{"transcription":[{"offsets":{"from":0,"to":9},"text":" a","tokens":[{"text":" a"}]}]}`,
		`{"SpeechSegments":[{"SegmentSpeaker":"spk_0","WordConfidence":[{"Text":"a..","StartTime":1}]}]}`,
		`{"Transcript":[{"ParticipantRole":"AGENT","Items":[{"Content":"a","BeginOffsetMillis":440}]}]}`,
		`{"text":"A, b","words":[{"word":"a","start":3,"end":1},{"word":"b","start":2}]}`,
		`{"words":[{"s":1,"e":9,"w":"(今日は。\\"元気?\\")"},{"w":"¿"},{"w":"U.S..","m":"redacted"},{"w":"4!","m":"punc"}]}`,
		"A: 'n' (206)555-0147 well...maybe [x]. ‘don’t’ «¿qué?» .5 --",
		`{"audio_items":[{"content":"a","start_timestamp_millis":1},{"content":"."}],"audio_segments":[{"audio_item_indices":[0,1],
			"speaker":{"speaker_label":"spk_1"},"channel":{"channel_label":"ch_0"}},{"text":"b c.","start_timestamp_millis":5,"end_timestamp_millis":9}]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		g, err := importer.Parse(raw)
		if err != nil {
			if !fault.Is(err, fault.Invalid) {
				t.Fatalf("kind of %v", err)
			}
			return
		}
		whole(t, g)
	})
}
