package api_test

import (
	"bytes"
	"encoding/base64"
	"slices"
	"strings"
	"testing"

	"parley/internal/testkit/servertest"
	"parley/internal/testkit/verify"
	"parley/sample"
)

// silence returns a WAV file of two seconds of silence.
func silence() []byte {
	file := servertest.Tone(2, 1)
	clear(file[44:])
	return file
}

// dualMono returns a stereo WAV file with the same signal on both channels.
func dualMono() []byte {
	file, mono := servertest.Tone(2, 2), servertest.Tone(2, 1)[44:]
	for i := 0; i+1 < len(mono); i += 2 {
		copy(file[44+2*i:], mono[i:i+2])
		copy(file[46+2*i:], mono[i:i+2])
	}
	return file
}

func TestFinishedItemHasItsSectionsAndLinks(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	id := s.Submit(t, recording, servertest.Field("metadata", `{"title":"A call"}`),
		servertest.Field("configuration", `{"timeToLiveInSeconds":86400}`))
	item := s.Await(t, id)
	for name, want := range map[string]any{
		"status": "finished", "formatVersion": "3.0.11", "mediaId": id, "accountName": "default",
		"interactionType":  "speech",
		"mediaContentType": "audio/wav", "length": 2000.0, "timeToLiveInSeconds": 86400.0, "_job": nil, "errors": nil,
		"warnings": nil,
	} {
		if item[name] != want {
			t.Errorf("%s is %v, want %v", name, item[name], want)
		}
	}
	for _, name := range []string{"self", "progress", "metadata", "transcript", "streams"} {
		ok(t, s.Get(t, at(t, item, "_links", name, "href").(string)))
	}
	if item["expiresOn"] == nil || item["dateFinished"] == nil || at(t, item, "metadata", "title") != "A call" {
		t.Errorf("%v", item)
	}
	words := at(t, item, "transcript", "words").([]any)
	if len(words) != 4 || at(t, words[3], "p") != 3.0 || at(t, words[3], "s") != 1500.0 ||
		at(t, words[3], "e") != 1900.0 {
		t.Errorf("words %v", words)
	}
	if item["transcript"].(map[string]any)["voiceActivity"] != nil {
		t.Error("voiceActivity of one unnamed speaker")
	}
}

func TestItemsUnderWayShowTheirJob(t *testing.T) {
	t.Parallel()
	gate := servertest.NewGate()
	s := servertest.Start(t, servertest.Options{Recognizer: gate})
	id := s.Submit(t, recording)
	<-gate.Entered
	item := ok(t, s.Get(t, "/v3/media/"+id)).JSON(t)
	progress := ok(t, s.Get(t, "/v3/media/"+id+"/progress")).JSON(t)
	if item["status"] != "running" || at(t, item, "_job", "status") != "running" ||
		at(t, item, "_job", "progress", "status") != "started" {
		t.Errorf("item %v", item)
	}
	if at(t, item, "_job", "jobId") != progress["jobId"] || progress["jobId"] == "" || item["transcript"] != nil {
		t.Errorf("item %v, progress %v", item, progress)
	}
	refused(t, s.Get(t, "/v3/media/"+id+"/transcript"), 404, 10301, id, "running", "/progress")
	refused(t, s.Get(t, "/v3/media/"+id+"/transcript/srt"), 404, 10301)
	ok(t, s.Get(t, "/v3/media/"+id+"/metadata"))
	ok(t, s.Get(t, "/v3/media/"+id+"/streams/original"))
	gate.Open()
	s.Await(t, id)
}

func TestProgressHasStagesWithDependenciesAndPercent(t *testing.T) {
	t.Parallel()
	gate := servertest.NewGate()
	s := servertest.Start(t, servertest.Options{Recognizer: gate})
	id := s.Submit(t, recording)
	<-gate.Entered
	check := func(want map[string]string) {
		t.Helper()
		tasks := at(t, ok(t, s.Get(t, "/v3/media/"+id+"/progress")).JSON(t), "progress", "tasks").([]any)
		var before []any
		for i, task := range tasks {
			name, status, percent := at(t, task, "taskId"), at(t, task, "status"), at(t, task, "percent").(float64)
			if status != want[name.(string)] {
				t.Errorf("%v is %v, want %s", name, status, want[name.(string)])
			}
			if status == "finished" && percent != 100 || status == "pending" && percent != 0 {
				t.Errorf("%v is %v and %v %% done", name, status, percent)
			}
			if !equal(t, at(t, task, "dependencies"), before) && i > 0 {
				t.Errorf("%v depends on %v, want %v", name, at(t, task, "dependencies"), before)
			}
			if i > 0 && !equal(t, at(t, tasks[i-1], "dependents"), []any{name}) {
				t.Errorf("dependents of the task before %v: %v", name, at(t, tasks[i-1], "dependents"))
			}
			before = []any{name}
		}
		if len(tasks) != 5 {
			t.Errorf("%d tasks", len(tasks))
		}
	}
	s.AwaitStep(t, id, "recognize", "started")
	check(map[string]string{"fetch": "skipped", "transcode": "finished", "recognize": "started", "analyze": "pending",
		"publish": "pending"})
	gate.Open()
	s.Await(t, id)
	check(map[string]string{"fetch": "skipped", "transcode": "finished", "recognize": "finished", "analyze": "finished",
		"publish": "finished"})
	progress := ok(t, s.Get(t, "/v3/media/"+id+"/progress")).JSON(t)
	if at(t, progress, "progress", "start") == nil || at(t, progress, "progress", "finish") == nil ||
		progress["status"] != "finished" {
		t.Errorf("%v", progress)
	}
}

func TestMediaThatCannotBeDecodedFailAndKeepTheOriginal(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	text := []byte("this is no recording, only some words about one")
	id := s.Submit(t, servertest.File("media", "call.wav", text))
	item := s.Await(t, id)
	if item["status"] != "failed" || len(codes(item["errors"])) == 0 || item["transcript"] != nil {
		t.Fatalf("%v", item)
	}
	if at(t, item, "_job", "status") != "failed" || at(t, item, "_job", "progress", "status") != "failed" {
		t.Errorf("_job %v", item["_job"])
	}
	refused(t, s.Get(t, "/v3/media/"+id+"/transcript"), 404, 10301, "failed", "/v3/media/"+id+" for its errors")
	if original := ok(t, s.Get(t, "/v3/media/"+id+"/streams/original")); !bytes.Equal(original.Body, text) {
		t.Errorf("the original is %q", original.Body)
	}
	if listed := ok(t, s.Get(t, "/v3/media?status=failed")).JSON(t)["media"].([]any); len(listed) != 1 {
		t.Errorf("%d failed items are listed", len(listed))
	}
}

func TestSilenceGivesAnEmptyTranscript(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	id := s.Submit(t, servertest.File("media", "call.wav", silence()))
	item := s.Await(t, id)
	if item["status"] != "finished" || len(at(t, item, "transcript", "words").([]any)) != 0 ||
		at(t, item, "transcript", "confidence") != 0.0 {
		t.Errorf("%v", item)
	}
	if text := ok(t, s.Get(t, "/v3/media/"+id+"/transcript/text")); len(text.Body) != 0 {
		t.Errorf("text %q", text.Body)
	}
	for _, format := range []string{"srt", "webvtt", "dfxp", "json"} {
		ok(t, s.Get(t, "/v3/media/"+id+"/transcript/"+format))
	}
}

func TestStereoHasWordsInOrderOfTimeTurnsAndVoiceActivity(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	item := s.Await(t, s.Submit(t, stereo, sides))
	transcript := item["transcript"].(map[string]any)
	last, speakers, spoken := -1.0, map[string]bool{}, 0
	for i, w := range transcript["words"].([]any) {
		word := w.(map[string]any)
		if word["p"] != float64(i) || word["s"].(float64) < last || word["e"].(float64) < word["s"].(float64) {
			t.Errorf("entry %d is %v after one at %v", i, word, last)
		}
		last = word["s"].(float64)
		if word["m"] == "turn" {
			speakers[word["w"].(string)] = true
		} else {
			spoken++
		}
	}
	if !speakers["Agent"] || !speakers["Caller"] || len(speakers) != 2 || spoken == 0 {
		t.Errorf("speakers %v, %d words", speakers, spoken)
	}
	for _, section := range []string{"turns", "voiceActivity"} {
		if list := transcript[section].([]any); len(list) < 2 {
			t.Errorf("%s: %v", section, list)
		}
	}
}

func TestOtherChannelsThanConfiguredFail(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	if item := s.Await(t, s.Submit(t, recording, sides)); item["status"] != "failed" ||
		!slices.Equal(codes(item["errors"]), []int{15004}) {
		t.Errorf("%v %v", item["status"], item["errors"])
	}
}

func TestDualMonoIsRecognisedOnceWithAWarning(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	item := s.Await(t, s.Submit(t, servertest.File("media", "call.wav", dualMono()), sides))
	if item["status"] != "finished" || !slices.Contains(codes(item["warnings"]), 95016) {
		t.Fatalf("%v %v", item["status"], item["warnings"])
	}
	spoken := 0
	for _, w := range at(t, item, "transcript", "words").([]any) {
		if w.(map[string]any)["m"] == nil {
			spoken++
		}
	}
	if spoken != 4 {
		t.Errorf("%d words in two seconds", spoken)
	}
}

func TestAlternateFormatsMayBeRepeatedOrListed(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	id := s.Submit(t, recording)
	s.Await(t, id)
	for _, query := range []string{"includeAlternateFormat=text,srt,%20DFXP",
		"includeAlternateFormat=text&includeAlternateFormat=srt&includeAlternateFormat=dfxp,text"} {
		for _, path := range []string{"", "/transcript"} {
			formats := at(t, ok(t, s.Get(t, "/v3/media/"+id+path+"?"+query)).JSON(t), "transcript",
				"alternateFormats").([]any)
			for i, name := range []string{"text", "srt", "dfxp"} {
				if len(formats) != 3 || at(t, formats[i], "format") != name ||
					at(t, formats[i], "contentEncoding") != "Base64" || at(t, formats[i], "charset") != "utf-8" {
					t.Fatalf("%s: %v", query, formats)
				}
				data, err := base64.StdEncoding.DecodeString(at(t, formats[i], "data").(string))
				if own := ok(t, s.Get(t, "/v3/media/"+id+"/transcript/"+name)); err != nil ||
					!bytes.Equal(data, own.Body) {
					t.Errorf("%s is not the transcript in that format (%v)", name, err)
				}
			}
		}
	}
	for _, bad := range []string{"", "pdf", "text,", "text;srt"} {
		refused(t, s.Get(t, "/v3/media/"+id+"?includeAlternateFormat="+bad), 400, 95002, "includeAlternateFormat",
			"webvtt")
	}
}

func TestTranscriptIsNegotiated(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	id := s.Submit(t, recording)
	s.Await(t, id)
	for accept, want := range map[string]string{
		"": "application/json", "*/*": "application/json", "application/json": "application/json",
		"text/plain": "text/plain; charset=utf-8",
		"text/srt":   "text/srt; charset=utf-8", "text/vtt": "text/vtt; charset=utf-8",
		"application/ttaf+xml": "application/ttaf+xml; charset=utf-8",
		"application/ttml+xml": "application/ttaf+xml; charset=utf-8",
		"text/vtt;q=0.5, text/plain;q=0.9, application/json;q=0.1": "text/plain; charset=utf-8",
		"text/html, application/xhtml+xml, */*;q=0.8":              "application/json",
		"audio/wav, text/*":                 "text/plain; charset=utf-8",
		"application/json, text/plain, */*": "application/json", "text/plain, application/json": "application/json",
		"text/plain, */*":                    "text/plain; charset=utf-8",
		"text/plain, application/json;q=0.9": "text/plain; charset=utf-8",
	} {
		a := ok(t, s.Get(t, "/v3/media/"+id+"/transcript", "Accept", accept))
		vary := strings.Split(strings.Join(a.Header.Values("Vary"), ", "), ", ")
		if a.Header.Get("Content-Type") != want || !slices.Contains(vary, "Accept") {
			t.Errorf("Accept %q gave %s, Vary %q", accept, a.Header.Get("Content-Type"), vary)
		}
	}
	for _, accept := range []string{"image/png", "text/html", "application/json;q=0", "text/plain;q=nonsense"} {
		refused(t, s.Get(t, "/v3/media/"+id+"/transcript", "Accept", accept), 406, 95018, accept, "text/plain")
	}
	refused(t, s.Get(t, "/v3/media/"+id+"/transcript/pdf"), 404, 10000, "pdf", "srt")
}

func TestMetadataComeBackAsSent(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	sent := `"zeta":1,"alpha":{"deep":[1.50,1E+3,-0,12345678901234567890.5]},"callDetails":{"agent":{"fullName":"Ann <b>"},"callDirection":"Inbound","callStartTime":"2026-11-20T07:15:02Z","own":null},"title":"\u00e9"`
	id := s.Submit(t, recording, servertest.Field("metadata", "{"+sent+"}"))
	a := ok(t, s.Get(t, "/v3/media/"+id+"/metadata"))
	if want := `{"_links":{"self":{"href":"/v3/media/` + id + `/metadata"}},` + sent + "}\n"; string(a.Body) != want {
		t.Errorf("\n%s, want\n%s", a.Body, want)
	}
	if again := ok(t, s.Get(t, "/v3/media/"+id+"/metadata")); a.Header.Get("ETag") == "" ||
		again.Header.Get("ETag") != a.Header.Get("ETag") {
		t.Errorf("ETag %q, then %q", a.Header.Get("ETag"), again.Header.Get("ETag"))
	}
	for _, path := range []string{"/v3/media", "/v3/media/" + id} {
		if a := ok(t, s.Get(t, path)); !bytes.Contains(a.Body, []byte(sent)) {
			t.Errorf("%s shows other metadata\n%s", path, a.Body)
		}
	}
	none := s.Submit(t, recording)
	if a := ok(t, s.Get(t, "/v3/media/"+none+"/metadata")); strings.Count(string(a.Body), ":") != 3 {
		t.Errorf("metadata of an item without: %s", a.Body)
	}
}

func TestSampleCallIsTranscribedByTheRealRecogniser(t *testing.T) {
	verify.Long(t)
	s := servertest.Start(t, servertest.Options{Real: true})
	id := s.Submit(t, servertest.File("media", sample.Name, sample.Call()),
		servertest.Field("configuration", sample.Configuration), servertest.Field("metadata", sample.Metadata))
	item := s.Await(t, id)
	if item["status"] != "finished" {
		t.Fatalf("%v: %v", item["status"], item["errors"])
	}
	heard := map[string]bool{}
	for _, w := range at(t, item, "transcript", "words").([]any) {
		heard[strings.ToLower(at(t, w, "w").(string))] = true
	}
	turns, err := sample.Turns()
	if err != nil {
		t.Fatal(err)
	}
	said, found := 0, 0
	for _, turn := range turns {
		for _, word := range strings.Fields(turn.Text) {
			said++
			if heard[strings.ToLower(strings.Trim(word, ".,?!;:"))] {
				found++
			}
		}
	}
	if 2*found < said {
		t.Errorf("%d of %d words of the sample call were heard", found, said)
	}
	if n := len(at(t, item, "transcript", "turns").([]any)); n < len(turns)/2 {
		t.Errorf("%d turns of %d", n, len(turns))
	}
	answer := ok(t, statement(t, s.Client, sample.Statement)).JSON(t)
	if rows := at(t, answer, "rows").([]any); len(rows) != 1 || at(t, rows[0], "mediaId") != id ||
		len(at(t, rows[0], "hits()").([]any)) != 1 {
		t.Errorf("the example of a statement finds %v", rows)
	}
}
