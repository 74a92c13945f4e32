package api_test

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"parley/internal/call/caption"
	"parley/internal/call/codec"
	"parley/internal/call/plan"
	"parley/internal/flow/pipeline"
	"parley/internal/speech/asr"
	"parley/internal/storage/job"
	"parley/internal/storage/store"
	"parley/internal/testkit/servertest"
	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// speaker is a recogniser that returns one sentence, with one word per 300 ms, or an error.
type speaker struct {
	said  string
	asked atomic.Int64
	deaf  atomic.Bool
}

// Recognize implements asr.Recognizer.
func (s *speaker) Recognize(_ context.Context, r asr.Request) (*asr.Recognition, error) {
	s.asked.Add(1)
	if s.deaf.Load() {
		return nil, fault.New(fault.Invalid, fault.CodeEngineFailed, "cannot hear")
	}
	found := &asr.Recognition{}
	at := time.Duration(0)
	for _, text := range strings.Fields(s.said) {
		word := strings.ToLower(strings.TrimRight(text, ".,"))
		w := asr.Word{Text: word, Start: at, End: at + 250*time.Millisecond, Confidence: .9}
		if word != text {
			w.Punctuated = text
		}
		found.Words = append(found.Words, w)
		at += 300 * time.Millisecond
	}
	return found, nil
}

// reprocess sends a request to reprocess an item.
func reprocess(t *testing.T, c *servertest.Client, id string, parts ...servertest.Part) servertest.Answer {
	t.Helper()
	body, contentType := servertest.Form(t, parts...)
	return c.Do(t, "POST", "/v3/media/"+id, bytes.NewReader(body), "Content-Type", contentType)
}

func configured(json string) servertest.Part { return servertest.Field("configuration", json) }

// text returns the plain transcript of an item, with white space collapsed.
func text(t *testing.T, s *servertest.Server, id string) string {
	t.Helper()
	return strings.Join(strings.Fields(string(ok(t, s.Get(t, "/v3/media/"+id+"/transcript/text")).Body)), " ")
}

func codesOf(list any) (codes []any) {
	all, _ := list.([]any)
	for _, one := range all {
		codes = append(codes, one.(map[string]any)["code"])
	}
	return codes
}

func TestReprocessingBeginsWithTheWordsBeforeTheyWereFormatted(t *testing.T) {
	t.Parallel()
	heard := &speaker{said: "call us at twenty five"}
	s := servertest.Start(t, servertest.Options{Recognizer: heard})
	id := s.Submit(t, recording)
	s.Await(t, id)
	asked := heard.asked.Load()
	off := configured(`{"transcript":{"formatting":{"enableNumberFormatting":false}}}`)
	for _, c := range []struct {
		configuration servertest.Part
		want          string
	}{
		{off, "call us at twenty five"}, {off, "call us at twenty five"}, {configured(`{}`), "call us at 25"},
		{off, "call us at twenty five"},
		{configured(`{"speechModel":{"features":["advancedPunctuation"]}}`), "Call us at 25."},
		{configured(`{}`), "call us at 25"},
	} {
		answer := ok(t, reprocess(t, s.Client, id, c.configuration)).JSON(t)
		if answer["status"] != "accepted" || answer["mediaId"] != id {
			t.Errorf("%v", answer)
		}
		item := s.Await(t, id)
		if got := text(t, s, id); got != c.want || item["status"] != "finished" || item["length"] != 2000.0 {
			t.Errorf("got %q, want %q; %v", got, c.want, item)
		}
		if phase := task(t, s, id, "transcription"); phase != "skipped" {
			t.Errorf("recognition is %v", phase)
		}
	}
	if again := heard.asked.Load(); again != asked {
		t.Errorf("%d more chunks were recognised", again-asked)
	}
}

func TestMarksOfTheEngineGoWhenTheyAreNotAskedForAndCanComeBack(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Recognizer: &speaker{said: "Well, call us."}})
	punctuated := configured(`{"speechModel":{"features":["advancedPunctuation"]}}`)
	id := s.Submit(t, recording, punctuated)
	s.Await(t, id)
	for _, c := range []struct {
		configuration servertest.Part
		want          string
	}{{configured(`{}`), "Well call us"}, {punctuated, "Well, call us."}} {
		ok(t, reprocess(t, s.Client, id, c.configuration))
		s.Await(t, id)
		if got := text(t, s, id); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestWithoutAConfigurationTheEarlierOneIsUsed(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Recognizer: &speaker{said: "call us at twenty five"}})
	id := s.Submit(t, recording, configured(
		`{"vocabularies":[{"terms":[{"term":"x"}]}],"speechModel":{"model":"test"},"transcript":{"formatting":{"enableNumberFormatting":false}}}`))
	s.Await(t, id)
	for name, parts := range map[string][]servertest.Part{
		"nothing": nil, "words with times": {servertest.Field("transcript",
			`{"words":[{"w":"twenty","s":1,"e":2},{"w":"five","s":2,"e":3}]}`)},
		"text": {servertest.Field("transcript", "call us at twenty five")},
	} {
		ok(t, reprocess(t, s.Client, id, parts...))
		item := s.Await(t, id)
		if got := text(t, s, id); !strings.HasSuffix(got, "twenty five") || item["warnings"] != nil {
			t.Errorf("%s: %q, %v", name, got, item["warnings"])
		}
	}
	ok(t, s.Do(t, "POST", "/v3/media/"+id, nil)) // an empty body has no parts
	s.Await(t, id)
}

func TestSettingsOfRecognitionHaveNoEffectOnPublishedWords(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	id := s.Submit(t, recording)
	s.Await(t, id)
	ok(t, reprocess(t, s.Client, id,
		configured(`{"speechModel":{"language":"de-DE","model":"test"},"vocabularies":[{"terms":[{"term":"x"}]}]}`)))
	item := s.Await(t, id)
	if got := codesOf(item["warnings"]); !equal(t, got, []any{95017.0, 95017.0, 95017.0}) ||
		item["status"] != "finished" {
		t.Errorf("%v", item)
	}
	refused(t, reprocess(t, s.Client, id, configured(`{"nonsense":1}`)), 400, 10008, "nonsense")
	for _, given := range []string{timedWords, "Agent: Hello"} {
		refused(t, reprocess(t, s.Client, id, servertest.Field("transcript", given),
			configured(`{"speechModel":{"model":"test"}}`)), 400, 20004, "model")
	}
}

func TestSpeakersCanBeNamedAnew(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	id := s.Submit(t, stereo, sides)
	before := transcriptOf(t, s.Await(t, id))
	ok(t, reprocess(t, s.Client, id,
		configured(`{"ingest":{"stereo":{"left":{"speakerName":"Jane"},"right":{"speakerName":"Agent"}}}}`)))
	want := strings.NewReplacer("[Agent]", "[Jane]", "[Caller]", "[Agent]").Replace(before)
	if got := transcriptOf(t, s.Await(t, id)); got != want || got == before {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestATranscriptReplacesPublishedWords(t *testing.T) {
	t.Parallel()
	heard := &speaker{said: "call us at twenty five"}
	s := servertest.Start(t, servertest.Options{Recognizer: heard})
	id := s.Submit(t, recording)
	s.Await(t, id)
	asked := heard.asked.Load()
	ok(t, reprocess(t, s.Client, id, servertest.Field("transcript", timedWords)))
	item := s.Await(t, id)
	if got, want := transcriptOf(t, item), "[Agent] Hello@100, twenty@500 five@700 [Caller] Hi@1000"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if heard.asked.Load() != asked {
		t.Error("words with times were recognised")
	}
	ok(t, reprocess(t, s.Client, id, servertest.Field("transcript", "Agent: Call us at 25!")))
	item = s.Await(t, id)
	words := transcriptOf(t, item)
	if !strings.HasPrefix(words, "[Agent] Call@") || !strings.HasSuffix(words, "!") ||
		!strings.Contains(words, "25@900") || item["warnings"] != nil {
		t.Errorf("got %s, %v", words, item["warnings"])
	}
	ok(t, reprocess(t, s.Client, id)) // given words stay unchanged
	if got := transcriptOf(t, s.Await(t, id)); got != words {
		t.Errorf("got %s, want %s", got, words)
	}
	refused(t, reprocess(t, s.Client, id, servertest.Field("transcript", `{"words":[{"s":1,"e":2}]}`)), 400, 95007,
		"words[0]")
}

func TestTheEarlierResultStaysReadableWhileANewOneIsMade(t *testing.T) {
	t.Parallel()
	gate := servertest.NewGate()
	s := servertest.Start(t, servertest.Options{Recognizer: gate})
	id := s.Submit(t, recording, servertest.Field("transcript", timedWords))
	before := s.Await(t, id)
	first := ok(t, s.Get(t, "/v3/media/"+id+"/progress")).JSON(t)["jobId"]
	ok(t, reprocess(t, s.Client, id, servertest.Field("transcript", "Something else")))
	<-gate.Entered
	item := ok(t, s.Get(t, "/v3/media/"+id)).JSON(t)
	if item["status"] != "running" || transcriptOf(t, item) != transcriptOf(t, before) ||
		at(t, item, "_job", "jobId") == first || item["length"] != before["length"] {
		t.Errorf("%v", item)
	}
	for _, link := range []string{"transcript", "streams", "metadata", "progress"} {
		ok(t, s.Get(t, at(t, item, "_links", link, "href").(string)))
	}
	for _, format := range caption.Formats {
		if a := ok(t, s.Get(t, "/v3/media/"+id+"/transcript/"+string(format))); !strings.Contains(string(a.Body),
			"Hello") {
			t.Errorf("%s", a)
		}
	}
	refused(t, reprocess(t, s.Client, id), 409, 95004, id, "running", "/progress")
	gate.Open()
	if got := transcriptOf(t, s.Await(t, id)); !strings.HasPrefix(got, "Something@") {
		t.Errorf("got %s", got)
	}
}

func TestReprocessingThatFailsLeavesTheEarlierResultAndSaysSo(t *testing.T) {
	t.Parallel()
	heard := &speaker{said: "call us at twenty five"}
	s := servertest.Start(t, servertest.Options{Recognizer: heard})
	id := s.Submit(t, recording, configured(`{"timeToLiveInSeconds":3600}`))
	before := s.Await(t, id)
	heard.deaf.Store(true)
	for range 2 {
		ok(t, reprocess(t, s.Client, id, servertest.Field("transcript", "Something else")))
		item := s.Await(t, id)
		if item["status"] != "finished" || transcriptOf(t, item) != transcriptOf(t, before) ||
			!equal(t, codesOf(item["errors"]), []any{95006.0}) || !equal(t, codesOf(item["warnings"]), []any{95060.0}) {
			t.Errorf("%v", item)
		}
		for _, name := range []string{"dateFinished", "expiresOn", "length", "streams"} {
			if name != "streams" && item[name] != before[name] {
				t.Errorf("%s is %v, was %v", name, item[name], before[name])
			}
		}
		progress := ok(t, s.Get(t, "/v3/media/"+id+"/progress")).JSON(t)
		if at(t, progress, "progress", "status") != "failed" || task(t, s, id, "transcription") != "failed" ||
			at(t, progress, "progress", "finish").(string) < at(t, progress, "progress", "start").(string) {
			t.Errorf("%v", progress)
		}
	}
	ok(t, reprocess(t, s.Client, id))
	item := s.Await(t, id)
	if item["errors"] != nil || item["warnings"] != nil || item["status"] != "finished" {
		t.Errorf("%v", item)
	}
	if n := rows(t, s)["reprocessing"]; n != 0 {
		t.Errorf("%d requests stay", n)
	}
}

func TestAnItemThatFailedIsProcessedFromItsStart(t *testing.T) {
	t.Parallel()
	heard := &speaker{said: "hello"}
	heard.deaf.Store(true)
	s := servertest.Start(t, servertest.Options{Recognizer: heard})
	id := s.Submit(t, recording)
	if item := s.Await(t, id); item["status"] != "failed" {
		t.Fatal(item)
	}
	ok(t, reprocess(t, s.Client, id))
	if item := s.Await(t, id); item["status"] != "failed" || item["errors"] == nil {
		t.Errorf("%v", item)
	}
	heard.deaf.Store(false)
	ok(t, reprocess(t, s.Client, id))
	if item := s.Await(t, id); item["status"] != "finished" || item["errors"] != nil || text(t, s, id) != "hello" {
		t.Errorf("%v", item)
	}
}

func TestAnItemThatFailedKeepsTheTranscriptThatCameWithIt(t *testing.T) {
	t.Parallel()
	heard := &speaker{said: "hello"}
	heard.deaf.Store(true)
	s := servertest.Start(t, servertest.Options{Recognizer: heard})
	id := s.Submit(t, recording, servertest.Field("transcript", "Hello you!"))
	s.Await(t, id)
	heard.deaf.Store(false)
	ok(t, reprocess(t, s.Client, id))
	if s.Await(t, id); text(t, s, id) != "Hello you!" {
		t.Errorf("%q", text(t, s, id))
	}
}

func TestOnlyDoneItemsThatCanBeReadAreProcessedAgain(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	scheduled := s.Submit(t, recording)
	refused(t, reprocess(t, s.Client, scheduled), 409, 95004, scheduled, "scheduled", "/progress")
	refused(t, reprocess(t, s.Client, s.Submit(t, from("https://calls.example.com/call.wav"))), 409, 95004, "accepted")
	set := func(status media.Status) string { // without a stream
		id := media.ID(s.Submit(t, recording))
		err := s.Server.Store.Update(t.Context(), func(tx *store.Tx) error {
			if err := tx.SetStatus(id, status, media.Scheduled); err != nil {
				return err
			}
			_, err := tx.DeleteStream(id, media.Original)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return string(id)
	}
	refused(t, reprocess(t, s.Client, set(media.Rejected)), 409, 95004, "not stored")
	refused(t, reprocess(t, s.Client, set(media.Failed)), 409, 95004, "not stored")
	refused(t, reprocess(t, s.Client, set(media.Finished), servertest.Field("transcript", "a")), 409, 95004,
		"no longer stored")
	refused(t, reprocess(t, s.Client, noMedia), 404, 10205)
	refused(t, s.Do(t, "POST", "/v3/media/"+noMedia, strings.NewReader("x")), 404, 10205)
}

func TestOnlyDocumentsGoWithReprocessing(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	id := s.Submit(t, recording)
	s.Await(t, id)
	refused(t, reprocess(t, s.Client, id, recording), 400, 10001, "media", "/v3/media")
	refused(t, reprocess(t, s.Client, id, servertest.File("other", "call.wav", []byte("x"))), 400, 10001)
	refused(t, reprocess(t, s.Client, id, from("https://calls.example.com/call.wav")), 400, 10001, "mediaUrl")
	refused(t, reprocess(t, s.Client, id, configured(`{"a":1}`), servertest.Field("metadata", `{"title":1}`),
		servertest.Field("transcript", "{}")), 400, 10107, "title")
	refused(t, s.Do(t, "POST", "/v3/media/"+id, strings.NewReader("x")), 415, 95011)
	if n := len(s.Recordings(t)); n != 1 {
		t.Errorf("%d files", n)
	}
	if item := s.Await(t, id); item["status"] != "finished" {
		t.Errorf("%v", item)
	}
}

func TestMetadataPriorityAndTimeToLiveAreTheItemsAtOnce(t *testing.T) {
	t.Parallel()
	gate := servertest.NewGate()
	s := servertest.Start(t, servertest.Options{Recognizer: gate})
	id := s.Submit(t, recording, servertest.Field("transcript", timedWords),
		servertest.Field("metadata", `{"externalId":"old","title":"t"}`), configured(`{"timeToLiveInSeconds":3600}`))
	s.Await(t, id)
	owner, day := s.Account(t, account.DefaultName).ID, 24*time.Hour // for requests from now on
	if err := s.Server.Store.Update(t.Context(), func(tx *store.Tx) error {
		return tx.SetRetention(owner, &day)
	}); err != nil {
		t.Fatal(err)
	}
	answer := ok(t, reprocess(t, s.Client, id, servertest.Field("transcript", "Else"), configured(`{"priority":"low"}`),
		servertest.Field("metadata", `{"externalId":"new"}`))).JSON(t)
	<-gate.Entered
	if at(t, answer, "metadata", "externalId") != "new" {
		t.Errorf("%v", answer)
	}
	item := ok(t, s.Get(t, "/v3/media/"+id)).JSON(t)
	if !equal(t, item["metadata"], map[string]any{"externalId": "new"}) || item["timeToLiveInSeconds"] != 3600.0 {
		t.Errorf("%v", item)
	}
	queue := ok(t, s.Get(t, "/v3/queue")).JSON(t)
	if at(t, queue, "running", "low") != 1.0 {
		t.Errorf("%v", queue)
	}
	if listed, _ := page(t, s.Client, "/v3/media?externalId=new"); len(listed) != 1 {
		t.Errorf("%v", listed)
	}
	gate.Open()
	s.Await(t, id)
	ok(t, reprocess(t, s.Client, id, configured(`{"timeToLiveInSeconds":60}`)))
	if item := s.Await(t, id); item["timeToLiveInSeconds"] != 60.0 || item["expiresOn"] == nil ||
		at(t, item, "metadata", "externalId") != "new" {
		t.Errorf("%v", item)
	}
}

func TestOfConcurrentReprocessingsOneIsTaken(t *testing.T) {
	t.Parallel()
	gate := servertest.NewGate()
	s := servertest.Start(t, servertest.Options{Recognizer: gate})
	id := s.Submit(t, recording, servertest.Field("transcript", timedWords))
	s.Await(t, id)
	var taken, conflicts atomic.Int64
	var sending sync.WaitGroup
	for range 8 {
		sending.Go(func() {
			switch a := reprocess(t, s.Client, id, servertest.Field("transcript", "Else")); a.Status {
			case 200:
				taken.Add(1)
			case 409:
				conflicts.Add(1)
			default:
				t.Error(a)
			}
		})
	}
	sending.Wait()
	if taken.Load() != 1 || conflicts.Load() != 7 {
		t.Errorf("%d taken, %d conflicts", taken.Load(), conflicts.Load())
	}
	gate.Open()
	s.Await(t, id)
	s.Idle(t)
}

func TestTheSameReprocessingWithTheSameKeyIsDoneOnce(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	id, other := s.Submit(t, recording), s.Submit(t, recording)
	s.Await(t, id)
	s.Await(t, other)
	send := func(id string, parts ...servertest.Part) servertest.Answer {
		body, contentType := servertest.Form(t, parts...)
		return s.Do(t, "POST", "/v3/media/"+id, bytes.NewReader(body), "Content-Type", contentType, "Idempotency-Key",
			"k")
	}
	answers := make([]servertest.Answer, 6)
	var sending sync.WaitGroup
	for i := range answers {
		sending.Go(func() { answers[i] = send(id, servertest.Field("transcript", timedWords)) })
	}
	sending.Wait()
	for _, a := range answers {
		ok(t, a)
	}
	s.Await(t, id)
	first := ok(t, s.Get(t, "/v3/media/"+id+"/progress")).JSON(t)["jobId"]
	if again := ok(t, send(id, servertest.Field("transcript", timedWords))).JSON(t); again["status"] != "finished" {
		t.Errorf("%v", again)
	}
	if job := ok(t, s.Get(t, "/v3/media/"+id+"/progress")).JSON(t)["jobId"]; job != first {
		t.Error("it was done again")
	}
	refused(t, send(id), 409, 95013)
	refused(t, send(other, servertest.Field("transcript", timedWords)), 409, 95013)
	err := s.Server.Store.View(t.Context(), func(tx *store.Tx) error {
		n, err := tx.Generation(media.ID(id))
		if n != 1 {
			t.Errorf("generation %d", n)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestDeleteDuringReprocessingLeavesNothing(t *testing.T) {
	t.Parallel()
	gate := servertest.NewGate()
	s := servertest.Start(t, servertest.Options{Recognizer: gate})
	before := rows(t, s)
	id := s.Submit(t, recording, servertest.Field("transcript", timedWords))
	s.Await(t, id)
	ok(t, reprocess(t, s.Client, id, servertest.Field("transcript", "Else")))
	<-gate.Entered
	if a := s.Do(t, "DELETE", "/v3/media/"+id, nil); a.Status != 204 {
		t.Fatal(a)
	}
	goneEverywhere(t, s, id)
	s.Idle(t)
	for table, n := range rows(t, s) {
		if n != before[table] && !kept[table] {
			t.Errorf("table %s has %d rows, before %d", table, n, before[table])
		}
	}
	cleared(t, s)
}

func TestReprocessingPublishedWordsIsNotUsedAudio(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	id := s.Submit(t, recording)
	s.Await(t, id)
	used := func() (total time.Duration) {
		err := s.Server.Store.View(t.Context(), func(tx *store.Tx) error {
			a, err := tx.AccountByName(account.DefaultName)
			if err != nil {
				return err
			}
			days, err := tx.Usage(a.ID, time.Time{}, time.Now().Add(48*time.Hour))
			for _, d := range days {
				total += d.Total()
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return total
	}
	before := used()
	ok(t, reprocess(t, s.Client, id))
	s.Await(t, id)
	if after := used(); before != 2*time.Second || after != before {
		t.Errorf("%v, then %v", before, after)
	}
	ok(t, reprocess(t, s.Client, id, servertest.Field("transcript", "Tick")))
	s.Await(t, id)
	if after := used(); after != 2*before {
		t.Errorf("%v after alignment", after)
	}
}

// uncounted is a pipeline.Metrics that counts nothing.
type uncounted struct{}

func (uncounted) Step(media.Step, time.Duration)                  {}
func (uncounted) Done(media.Status, time.Duration, time.Duration) {}

func TestReprocessingWhoseJobIsDeadLeavesTheEarlierResultAndCanBeRunAgain(t *testing.T) {
	t.Parallel()
	first := servertest.Start(t, servertest.Options{})
	id := first.Submit(t, recording, servertest.Field("transcript", timedWords))
	before := first.Await(t, id)
	first.Stop()
	idle := servertest.Start(t, servertest.Options{Dir: first.Dir, Settings: only})
	ok(t, reprocess(t, idle.Client, id, servertest.Field("transcript", `{"words":[{"w":"new","s":1,"e":2}]}`)))
	queue := idle.Server.Store.Queue()
	jobs, err := queue.Claim(t.Context(), job.Claims{Kinds: []string{pipeline.KindProcess}, Most: 1})
	if err != nil || len(jobs) != 1 {
		t.Fatal(jobs, err)
	}
	codec, err := codec.New()
	if err != nil {
		t.Fatal(err)
	}
	spent := &pipeline.Pipeline{
		Store: idle.Server.Store, Codec: codec, Environment: func() plan.Environment { return plan.Environment{} },
		Metrics: uncounted{}, Log: slog.New(slog.DiscardHandler),
	}
	if err := spent.Spent(t.Context(), jobs[0], nil); err != nil {
		t.Fatal(err)
	}
	if err := queue.Bury(t.Context(), jobs[0], nil); err != nil {
		t.Fatal(err)
	}
	item := idle.Await(t, id)
	if item["status"] != "finished" || transcriptOf(t, item) != transcriptOf(t, before) ||
		!equal(t, codesOf(item["errors"]), []any{90003.0}) || !equal(t, codesOf(item["warnings"]), []any{95060.0}) {
		t.Errorf("%v", item)
	}
	ok(t, idle.Do(t, "POST", "/v3/queue/"+string(jobs[0].ID)+"/requeue", nil))
	idle.Stop()
	last := servertest.Start(t, servertest.Options{Dir: first.Dir})
	last.Idle(t)
	if item := last.Await(t, id); text(t, last, id) != "new" || item["errors"] != nil || item["warnings"] != nil {
		t.Errorf("%v", item)
	}
}

// A recording whose words stay the same when it is processed again keeps them in the index of calls.
func TestWordsThatAreOnlyAnalysedAgainAreNotIndexedAgain(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	id := s.Submit(t, given("Call", "my router is broken")...)
	s.Await(t, id)
	var owner account.ID
	index := func(and func(*store.Tx, store.CallIndex) error) (x store.CallIndex) {
		t.Helper()
		err := s.Server.Store.Update(t.Context(), func(tx *store.Tx) error {
			m, err := tx.MediaByID(media.ID(id))
			if err != nil {
				return err
			}
			owner = m.Account
			if x, err = tx.CallIndex(owner, store.CallIndex{}, 10); err == nil && and != nil {
				err = and(tx, x)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	index(func(tx *store.Tx, x store.CallIndex) error { // as when a segment has it
		_, err := tx.ChangeSegments(store.SegmentChange{Account: owner, Version: x.Version, Indexed: x.Waiting})
		return err
	})
	again := func(parts ...servertest.Part) store.CallIndex {
		t.Helper()
		ok(t, reprocess(t, s.Client, id, parts...))
		s.Await(t, id)
		return index(nil)
	}
	if x := again(configured("{" + allMetrics + "}")); len(x.Waiting) != 0 || len(x.Touched) != 1 || len(x.Tombstones) != 0 {
		t.Errorf("with metrics: %+v", x)
	}
	if x := again(servertest.Field("transcript", "my modem is broken")); len(x.Waiting) != 1 || len(x.Touched) != 0 {
		t.Errorf("with other words: %+v", x)
	}
}

func TestItemsThatAreProcessedAgainAreFoundByTheWordsThatTheyShow(t *testing.T) {
	t.Parallel()
	gate := servertest.NewGate()
	s := servertest.Start(t, servertest.Options{Recognizer: gate})
	id := s.Submit(t, given("Call", "my router is broken")...)
	s.Await(t, id)
	finds := func(text string) bool {
		t.Helper()
		listed, _ := page(t, s.Client, query(text))
		return len(listed) == 1
	}
	ok(t, reprocess(t, s.Client, id, servertest.Field("transcript", "my modem is broken"),
		servertest.Field("metadata", `{"title":"Complaint"}`)))
	<-gate.Entered
	if !finds("router") || finds("modem") || !finds("title:complaint") || finds("title:call") {
		t.Error("while it is processed it is found by something else than it shows")
	}
	gate.Open()
	s.Await(t, id)
	for range 2 { // before and after the index has the words
		if finds("router") || !finds("modem") {
			t.Error("it is found by the words of before")
		}
		s.Idle(t)
	}
}
