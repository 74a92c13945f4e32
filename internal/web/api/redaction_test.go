package api_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"parley/internal/flow/pipeline"
	"parley/internal/operation/config"
	"parley/internal/testkit/servertest"
	"parley/internal/words/media"
)

const (
	redactText  = `{"prediction":{"detectors":[{"detectorName":"PCI","redactor":{"transcript":{"replacement":"[redacted]"}}}]},` + agentAndCaller + `}`
	redactSound = `{"prediction":{"detectors":[{"detectorName":"PCI","redactor":{"audio":{"tone":440,"gain":0.5}}}]},` +
		agentAndCaller + `}`
	redactBoth = `{"prediction":{"detectors":[{"detectorName":"PCI","redactor":{"transcript":{"replacement":"[redacted]"},"audio":{"tone":440,"gain":0.5}}}]},` + agentAndCaller + `}`
	noRedactor = `{` + agentAndCaller + `}`
)

// callWithCard returns a two-channel recording of 12 seconds in which a card number is said.
func callWithCard(t *testing.T) []servertest.Part {
	return []servertest.Part{
		servertest.File("media", "call.wav", servertest.Tone(12, 2)),
		spoken(t, "Agent: thank you for calling what is the card number please",
			"Caller: my visa card is four one one one one one one one one one one one one one one one and that is "+
				"all thanks"),
	}
}

// streams returns the names of an item's streams, after checking which can be downloaded.
func streams(t *testing.T, s *servertest.Server, id string) string {
	t.Helper()
	var names []string
	for _, stream := range at(t, ok(t, s.Get(t, "/v3/media/"+id+"/streams")).JSON(t), "streams").([]any) {
		names = append(names, at(t, stream, "streamName").(string))
	}
	for _, name := range []string{"original", "redacted-audio"} {
		want := 404
		if strings.Contains(strings.Join(names, " "), name) {
			want = 200
		}
		if a := s.Get(t, "/v3/media/"+id+"/streams/"+name); a.Status != want {
			t.Errorf("stream %s of those that are listed, %v: %s", name, names, a)
		}
	}
	return strings.Join(names, " ")
}

// level returns the RMS level, 0 to 1, of an interval on a channel of a WAV file with 8 kHz, 16 bits and 2 channels,
// and whether it equals another file there.
func level(body, other []byte, channel int, from, to time.Duration) (rms float64, same bool) {
	const header = 44
	same = true
	var sum float64
	first, last := int(from.Milliseconds()*8), int(to.Milliseconds()*8)
	for i := first; i < last; i++ {
		at := header + (2*i+channel)*2
		x := float64(int16(binary.LittleEndian.Uint16(body[at:]))) / math.MaxInt16
		sum += x * x
		same = same && bytes.Equal(body[at:at+2], other[at:at+2])
	}
	return math.Sqrt(sum / float64(last-first)), same
}

func TestRedactedWordsAndSoundAreReplaced(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	call := callWithCard(t)
	id := s.Submit(t, append(call, configured(redactBoth))...)
	item := s.Await(t, id)
	if item["status"] != "finished" || item["warnings"] != nil {
		t.Fatalf("%v: %v %v", item["status"], item["errors"], item["warnings"])
	}
	if said := text(t, s, id); strings.Contains(said, "one one") || strings.Contains(said, "1111") ||
		!strings.Contains(said, "[redacted]") || !strings.HasSuffix(said, "all thanks") {
		t.Error(said)
	}
	if got := streams(t, s, id); got != "redacted-audio" {
		t.Errorf("streams %s", got)
	}
	body := ok(t, s.Get(t, "/v3/media/"+id+"/streams/redacted")).Body
	segment := at(t, at(t, detector(t, item, 0)["detections"].([]any)[0], "detectedSegments").([]any)[0],
		"occurrences").([]any)[0]
	from, to := time.Duration(at(t, segment, "s").(float64))*time.Millisecond,
		time.Duration(at(t, segment, "e").(float64))*time.Millisecond
	for channel := range 2 {
		if loud, _ := level(body, call[0].Body, channel, from, to); math.Abs(loud-.5/math.Sqrt2) > .02 {
			t.Errorf("channel %d is %.3f loud from %s to %s", channel, loud, from, to)
		}
		if _, same := level(body, call[0].Body, channel, 0, from-200*time.Millisecond); !same {
			t.Errorf("channel %d is not what it was before", channel)
		}
		if _, same := level(body, call[0].Body, channel, to+300*time.Millisecond, 12*time.Second); !same {
			t.Errorf("channel %d is not what it was behind", channel)
		}
	}
	keepsFiles(t, s, 1)
}

func TestACardNumberOverSeveralTurnsIsOneReplacementReportedForEachSpeaker(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	id := s.Submit(t, servertest.File("media", "call.wav", servertest.Tone(20, 2)), configured(redactText),
		spoken(t, "Agent: what is the card number please", "Caller: yes sure it is four one one one", "Agent: uh-huh",
			"Caller: one one one one",
			"Agent: go on", "Caller: one one one one one one one one and that is really all of it",
			"Agent: thank you very much for that"))
	item := s.Await(t, id)
	if item["status"] != "finished" {
		t.Fatalf("%v: %v", item["status"], item["errors"])
	}
	replacements := 0
	for _, w := range at(t, at(t, item, "transcript"), "words").([]any) {
		if at(t, w, "w") == "[redacted]" {
			replacements++
		}
	}
	if said := text(t, s, id); replacements != 1 || strings.Contains(said, "one one") ||
		strings.Contains(said, "uh-huh") || strings.Contains(said, "go on") {
		t.Errorf("%d replacements, want 1, in %s", replacements, said)
	}
	var names []any
	var times []any
	for _, segment := range at(t, detector(t, item, 0)["detections"].([]any)[0], "detectedSegments").([]any) {
		names = append(names, at(t, segment, "speakerName"))
		times = append(times, at(t, segment, "occurrences"))
	}
	if fmt.Sprint(names) != "[Agent Caller]" || fmt.Sprint(times[0]) != fmt.Sprint(times[1]) ||
		len(times[0].([]any)) != 1 {
		t.Errorf("reported for %v at %v, want for Agent and Caller at the same time once", names, times)
	}
}

func TestRedactionOfWordsAloneLeavesTheRecordingAndTheOtherWayRound(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	call := callWithCard(t)
	words := s.Submit(t, append(call, configured(redactText))...)
	sound := s.Submit(t, append(call, configured(redactSound))...)
	s.Await(t, words)
	s.Await(t, sound)
	if said, got := text(t, s, words), streams(t, s, words); !strings.Contains(said, "[redacted]") ||
		got != "original" {
		t.Errorf("%s; %s", said, got)
	}
	if said, got := text(t, s, sound), streams(t, s, sound); !strings.Contains(said, "one one one") ||
		got != "redacted-audio" {
		t.Errorf("%s; %s", said, got)
	}
}

func TestARecordingWithoutAnythingToHideIsAllTheSameTheRedactedOne(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	id := s.Submit(t, stereo, spoken(t, "Caller: hello there"), configured(redactBoth))
	s.Await(t, id)
	if got := streams(t, s, id); got != "redacted-audio" {
		t.Errorf("streams %s", got)
	}
	if a := ok(t, s.Get(t, "/v3/media/"+id+"/streams/redacted-audio")); !bytes.Equal(a.Body, stereo.Body) {
		t.Error("the recording is another one")
	}
}

func TestOperatorsMayKeepOriginals(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: func(c *config.Settings) { c.KeepOriginals = true }})
	call := callWithCard(t)
	id := s.Submit(t, append(call, configured(redactBoth))...)
	s.Await(t, id)
	if got := streams(t, s, id); got != "original redacted-audio" {
		t.Errorf("streams %s", got)
	}
	if a := ok(t, s.Get(t, "/v3/media/"+id+"/streams/original")); !bytes.Equal(a.Body, call[0].Body) {
		t.Error("the original is another one")
	}
}

func TestRedactedAudioIsWrittenInTheFormatAskedFor(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	configuration := strings.TrimSuffix(redactBoth, "}") +
		`,"publish":{"audioTranscode":{"fileFormat":"flac","onlyIfRedacted":true}}}`
	id := s.Submit(t, append(callWithCard(t), configured(configuration))...)
	if item := s.Await(t, id); item["mediaContentType"] != "audio/flac" || item["warnings"] != nil {
		t.Errorf("%v %v", item["mediaContentType"], item["warnings"])
	}
	a := ok(t, s.Get(t, "/v3/media/"+id+"/streams/redacted-audio"))
	if a.Header.Get("Content-Type") != "audio/flac" || !bytes.HasPrefix(a.Body, []byte("fLaC")) {
		t.Errorf("%v", a.Header)
	}
}

// TestRedactionCanBeAskedForLater checks that redaction cannot be undone: the original is deleted, and stays deleted
// when the recording is reprocessed without a redactor.
func TestRedactionCanBeAskedForLater(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	call := callWithCard(t)
	id := s.Submit(t, append(call, configured(noRedactor))...)
	s.Await(t, id)
	if said := text(t, s, id); !strings.Contains(said, "one one one") || streams(t, s, id) != "original" {
		t.Fatal(said)
	}
	for _, configuration := range []string{redactBoth, redactBoth, noRedactor} {
		ok(t, reprocess(t, s.Client, id, configured(configuration)))
		item := s.Await(t, id)
		if configuration == redactBoth && len(detector(t, item, 0)["detections"].([]any)) != 1 {
			t.Errorf("nobody knows any more where something is redacted: %v", item["prediction"])
		}
		if said := text(t, s, id); strings.Contains(said, "one one") || !strings.Contains(said, "[redacted]") {
			t.Errorf("%s: %s", configuration, said)
		}
		if got := streams(t, s, id); got != "redacted-audio" {
			t.Errorf("%s: streams %s", configuration, got)
		}
	}
	s.Idle(t)
	if n := len(s.Recordings(t)); n != 1 {
		t.Errorf("%d files are kept of one recording", n)
	}
	if list := at(t, ok(t, s.Get(t, "/v3/media?query=%22one+one+one%22")).JSON(t), "media").([]any); len(list) != 0 {
		t.Errorf("what is redacted is found: %v", list)
	}
}

// TestTheRecordingOfAFailedItemIsWithheldForThirtyDays covers items in which something was to be redacted.
func TestTheRecordingOfAFailedItemIsWithheldForThirtyDays(t *testing.T) {
	t.Parallel()
	heard := &speaker{said: "my visa card is four one one one one one one one one one one one one one one one"}
	heard.deaf.Store(true)
	s := servertest.Start(t, servertest.Options{Recognizer: heard})
	configuration := configured(strings.ReplaceAll(redactBoth, ","+agentAndCaller, ""))
	again, gone := s.Submit(t, recording, configuration), s.Submit(t, recording, configuration)
	for _, id := range []string{again, gone} {
		if item := s.Await(t, id); item["status"] != "failed" {
			t.Fatalf("%v", item)
		}
		if got := streams(t, s, id); got != "" {
			t.Errorf("a failed item has the streams %s", got)
		}
	}
	heard.deaf.Store(false)
	ok(t, reprocess(t, s.Client, again))
	if item := s.Await(t, again); item["status"] != "finished" || streams(t, s, again) != "redacted-audio" {
		t.Errorf("%v", item)
	}
	if err := s.Server.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	ok(t, reprocess(t, s.Client, again)) // the sweep has not deleted it
	s.Await(t, again)
	if err := pipeline.DropWithheld(t.Context(), s.Server.Store, media.ID(gone), 0); err != nil {
		t.Fatal(err)
	}
	refused(t, reprocess(t, s.Client, gone), 409, 95004, "not stored")
}

func TestRecordingsAreWithheldWhileTheyAreProcessed(t *testing.T) {
	t.Parallel()
	gate := servertest.NewGate()
	s := servertest.Start(t, servertest.Options{Recognizer: gate})
	id := s.Submit(t, recording, configured(
		`{"prediction":{"detectors":[{"detectorName":"PCI","redactor":{"transcript":{"replacement":"x"}}}]}}`))
	<-gate.Entered
	if got := streams(t, s, id); got != "" {
		t.Errorf("a running item has the streams %s", got)
	}
	gate.Open()
	s.Await(t, id)
	if got := streams(t, s, id); got != "original" {
		t.Errorf("streams %s", got)
	}
}

func TestRedactorsOfLanguagesThatAreNotUnderstoodAreRefused(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	for redactor, code := range map[string]int{`{"transcript":{"replacement":"x"}}`: 50009,
		`{"audio":{"tone":270,"gain":0.5}}`: 50010} {
		configuration := fmt.Sprintf(`{"speechModel":{"language":"es-ES"},"prediction":{"detectors":[{"detectorName":"PCI","redactor":%s}]}}`, redactor)
		refused(t, s.Post(t, recording, spoken(t, "Caller: hola"), configured(configuration)), 400, code, "en")
	}
	if n := len(s.Blobs(t)); n != 0 {
		t.Errorf("%d files stay", n)
	}
}
