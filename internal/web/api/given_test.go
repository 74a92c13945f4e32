package api_test

import (
	"fmt"
	"strings"
	"testing"

	"parley/internal/storage/store"
	"parley/internal/testkit/flite"
	"parley/internal/testkit/servertest"
	"parley/internal/testkit/verify"
	"parley/internal/words/media"
)

// transcriptOf formats the words of a finished item as text@start, and turns as [name].
func transcriptOf(t *testing.T, item map[string]any) string {
	t.Helper()
	var b strings.Builder
	for _, w := range at(t, item, "transcript", "words").([]any) {
		word := w.(map[string]any)
		switch word["m"] {
		case "turn":
			fmt.Fprintf(&b, " [%s]", word["w"])
		case "punc":
			fmt.Fprintf(&b, "%s", word["w"])
		default:
			fmt.Fprintf(&b, " %s@%v", word["w"], word["s"])
		}
	}
	return strings.TrimSpace(b.String())
}

// task returns the status of a step of an item.
func task(t *testing.T, s *servertest.Server, id, display string) any {
	t.Helper()
	tasks := at(t, s.Get(t, "/v3/media/"+id+"/progress").JSON(t), "progress", "tasks").([]any)
	for _, one := range tasks {
		if task := one.(map[string]any); task["phase"] == display {
			return task["status"]
		}
	}
	t.Fatalf("no task of phase %q in %v", display, tasks)
	return nil
}

const timedWords = `{"transcript":{"words":[{"m":"turn","w":"Agent","s":0,"e":900},{"w":"Hello","s":100,"e":400,"c":0.5},{"m":"punc","w":",","s":400,"e":400},
	{"w":"twenty","s":500,"e":700},{"w":"five","s":700,"e":900},{"m":"turn","w":"Caller","s":1000,"e":1200},{"w":"Hi","s":1000,"e":1200}]}}`

func TestATranscriptWithTimesReplacesRecognition(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Recognizer: servertest.NewGate()}) // recognition would never finish
	id := s.Submit(t, recording, servertest.Field("transcript", timedWords))
	item := s.Await(t, id)
	if got, want := transcriptOf(t, item), "[Agent] Hello@100, twenty@500 five@700 [Caller] Hi@1000"; got != want {
		t.Errorf("got %s, want %s; %v", got, want, item)
	}
	if got := task(t, s, id, "transcription"); got != "skipped" {
		t.Errorf("recognition is %v", got)
	}
	if item["length"].(float64) != 2000 {
		t.Errorf("length %v", item["length"])
	}
}

func TestAnItemCanBeSentAgainWithItsOwnTranscript(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	first := s.Await(t, s.Submit(t, stereo, sides))
	body := s.Get(t, "/v3/media/"+first["mediaId"].(string)).Body
	second := s.Await(t, s.Submit(t, stereo, sides, servertest.File("transcript", "item.json", body)))
	if got, want := transcriptOf(t, second), transcriptOf(t, first); got != want || !strings.Contains(want, "tick@") {
		t.Errorf("got %s, want %s", got, want)
	}
	if at(t, second, "transcript", "turns") == nil {
		t.Error("it has no turns")
	}
}

func TestATextIsAlignedWithWhatIsHeard(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	heard := s.Await(t, s.Submit(t, recording))
	id := s.Submit(t, recording, servertest.File("transcript", "call.txt",
		[]byte("Agent: Tick tick!\nCaller: Tick, tick?")))
	got := transcriptOf(t, s.Await(t, id))
	times := strings.ReplaceAll(transcriptOf(t, heard), "tick@", "")
	start := strings.Fields(times)
	if want := fmt.Sprintf("[Agent] Tick@%s tick@%s! [Caller] Tick@%s, tick@%s?", start[0], start[1], start[2],
		start[3]); got != want {
		t.Errorf("got %s, want %s; heard at %s", got, want, times)
	}
	if got := task(t, s, id, "transcription"); got != "finished" {
		t.Errorf("recognition is %v", got)
	}
}

func TestTextThatIsNotInTheRecordingIsKeptWithAWarning(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	const text = "Lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore"
	item := s.Await(t, s.Submit(t, recording, servertest.Field("transcript", text)))
	var words []string
	last := -1.0
	for _, w := range at(t, item, "transcript", "words").([]any) {
		word := w.(map[string]any)
		words = append(words, word["w"].(string))
		if start := word["s"].(float64); start < last || start > 2000 {
			t.Errorf("%v at %v, behind one at %v", word["w"], start, last)
		} else {
			last = start
		}
	}
	if strings.Join(words, " ") != text {
		t.Errorf("got %v", words)
	}
	warnings := item["warnings"].([]any)
	if code := at(t, warnings[len(warnings)-1], "code").(float64); item["status"] != "finished" || code != 95022 {
		t.Errorf("status %v, warnings %v", item["status"], warnings)
	}
}

func TestSpeakersOfATranscriptAreThoseOfTheConfiguration(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	deepgram := `{"results":{"channels":[{"alternatives":[{"words":[{"word":"hello","start":0.5,"end":0.9}]}]},{"alternatives":[{"words":[{"word":"hi","start":1,"end":1.4}]}]}]}}`
	item := s.Await(t, s.Submit(t, stereo, sides, servertest.Field("transcript", deepgram)))
	if got, want := transcriptOf(t, item), "[Agent] hello@500 [Caller] hi@1000"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestATranscriptThatCannotBeReadIsRefused(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	refused(t, s.Post(t, recording, servertest.Field("transcript", `{"words":[{"s":1,"e":2}]}`)), 400, 95007,
		"words[0]", "w (the word) is missing")
	refused(t, s.Post(t, recording, servertest.Field("transcript", `{"something":"else"}`)), 400, 95007, "something")
	refused(t, s.Post(t, recording, servertest.Field("transcript", "a"), servertest.Field("transcript", "b")), 400,
		10206, "transcript")
	for _, given := range []string{timedWords, "Agent: Hello"} {
		refused(t, s.Post(t, recording, servertest.Field("transcript", given),
			servertest.Field("configuration", `{"speechModel":{"model":"test"}}`)), 400, 20004, "model")
		refused(t, s.Post(t, recording, servertest.Field("transcript", given),
			servertest.Field("configuration", `{"vocabularies":[{"terms":[{"term":"x"}]}]}`)), 400, 20004,
			"vocabularies")
	}
	refused(t, s.Post(t, servertest.Field("transcript", timedWords)), 400, 10202)
	if n := len(s.Blobs(t)); n != 0 {
		t.Errorf("%d files stay", n)
	}
	ok(t, s.Post(t, servertest.Field("transcript", " null "), recording))
}

func TestAGivenTranscriptIsForgottenOnceItIsPublished(t *testing.T) {
	t.Parallel()
	gate := servertest.NewGate()
	s := servertest.Start(t, servertest.Options{Recognizer: gate})
	id := s.Submit(t, recording, servertest.Field("transcript", "Agent: a secret"))
	kept := func() (n int) {
		err := s.Server.Store.View(t.Context(), func(tx *store.Tx) error {
			_, given, err := tx.Request(media.ID(id))
			n = len(given)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if kept() == 0 {
		t.Error("nothing is kept of it while it waits")
	}
	gate.Open()
	s.Await(t, id)
	if kept() != 0 {
		t.Error("it stays")
	}
}

func TestAnotherTranscriptIsAnotherRequest(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	ok(t, again(t, s.Client, "k", recording, servertest.Field("transcript", "one")))
	refused(t, again(t, s.Client, "k", recording, servertest.Field("transcript", "two")), 409, 95013)
}

func TestATextIsFoundInSpeech(t *testing.T) {
	verify.Long(t)
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Real: true})
	speech := servertest.File("media", "call.wav",
		flite.File(t, "rms", "Thank you for calling. Please call six five oh about the dashboard. Goodbye."))
	item := s.Await(t, s.Submit(t, speech,
		servertest.Field("transcript",
			"Agent: Thank you for calling!\nCaller: Please call 650 about the Parlexo dashboard.\nGoodbye.")))
	var texts []string
	starts := map[string]float64{}
	for _, w := range at(t, item, "transcript", "words").([]any) {
		word := w.(map[string]any)
		texts = append(texts, word["w"].(string))
		starts[word["w"].(string)] = word["s"].(float64)
	}
	if got, want := strings.Join(texts, " "),
		"Agent Thank you for calling ! Caller Please call 650 about the Parlexo dashboard . Goodbye ."; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	// The synthetic voice takes about 1.0 s for the greeting and 0.9 s for the number.
	if gap := starts["about"] - starts["650"]; gap < 500 || gap > 1500 {
		t.Errorf("650 takes %v ms: %v", gap, starts)
	}
	if length := item["length"].(float64); starts["Goodbye"] < length-1200 || starts["Thank"] > 500 {
		t.Errorf("words of %v ms at %v", length, starts)
	}
}

func TestGivenVoiceFeaturesBelowTheirRangeAreToldAsThoseAboveIt(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Recognizer: servertest.NewGate()}) // recognition would never finish
	for features, told := range map[string]string{
		`"v":-1,"frq":[{"f":-5,"e":-0.2}]`:    "3 voice features ",
		`"v":2e6,"frq":[{"f":17000,"e":1.5}]`: "3 voice features ",
	} {
		item := s.Await(t, s.Submit(t, recording,
			servertest.Field("transcript", `{"words":[{"w":"yes","s":0,"e":500,`+features+`}]}`)))
		warnings, _ := item["warnings"].([]any)
		if len(warnings) != 1 || at(t, warnings[0], "code").(float64) != 95025 ||
			!strings.HasPrefix(at(t, warnings[0], "message").(string), told) {
			t.Errorf("%s: warnings %v", features, warnings)
		}
	}
}

func TestGivenSpeakersWhoAreNotThoseOfTheConfigurationAreTold(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	const asked = `{"ingest":{"stereo":{"left":{"speakerName":"Agent"},"right":{"speakerName":"Caller"}}},"metrics":[{"metricGroupName":"talk-time-and-rate"}]}`
	told := func(item map[string]any) bool {
		warnings, _ := item["warnings"].([]any)
		return len(warnings) == 1 && at(t, warnings[0], "code").(float64) == 95017 &&
			strings.HasPrefix(at(t, warnings[0], "message").(string), "/ingest/stereo: ")
	}
	for given, want := range map[string]bool{
		"Jim: Tick tick\nLara: Tick tick":         true,
		"Tick tick tick":                          true,
		"Agent: Tick\nCaller: Tick":               false,
		`{"words":[{"w":"hello","s":0,"e":500}]}`: true,
	} {
		id := s.Submit(t, stereo, configured(asked), servertest.Field("transcript", given))
		if item := s.Await(t, id); told(item) != want || item["status"] != "finished" {
			t.Errorf("%s: %v", given, item["warnings"])
		}
		ok(t, reprocess(t, s.Client, id))
		if item := s.Await(t, id); told(item) != want {
			t.Errorf("%s, again: %v", given, item["warnings"])
		}
	}
}
