package wire

import (
	"encoding/json"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/internal/analysis/spot"
	"parley/internal/analysis/verbnoun"
	"parley/internal/call/caption"
	"parley/internal/call/result"
	"parley/internal/testkit/verify"
	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/media"
	"parley/internal/words/transcript"
)

const mediaID media.ID = "019a9f5e-3c00-7000-8000-0123456789ab"

var created = time.Date(2026, 11, 20, 7, 15, 2, 134_999_999, time.UTC)

func at(ms int) time.Duration { return time.Duration(ms) * time.Millisecond }

func item(status media.Status) *media.Media {
	m := &media.Media{
		ID: mediaID, Account: "a1", Status: status, Created: created, ContentType: "audio/x-wav", Size: 320044,
		Metadata: media.StoredMetadata(
			[]byte(`{"title":"<b> & \u00e9","externalId":"x","extended":{"n":1.50,"big":12345678901234567890,"b":1,"a":2}}`)),
		Priority: media.Normal,
	}
	if status.Done() {
		m.Finished, m.Length = created.Add(3*time.Second).In(time.FixedZone("CET", 3600)), at(10031)
	}
	return m
}

func stereo() *transcript.Transcript {
	voice := &transcript.Voice{Volume: 0.71859,
		Peaks: []transcript.Peak{{Frequency: 203.449, Energy: 1}, {Frequency: 406.12, Energy: 0.43219}}}
	return &transcript.Transcript{
		Language: "en-US",
		Speakers: []transcript.Speaker{{Name: "Agent", Role: transcript.Agent},
			{Name: "Caller", Role: transcript.Caller, Channel: 1}},
		Words: []transcript.Word{
			{Text: "Hello", Start: at(2200), End: at(2300), Confidence: 0.53749, Voice: voice},
			{Text: ".", Kind: transcript.Punctuation, Start: at(2300), End: at(2300)},
			{Text: "How", Start: at(2310), End: at(2400), Confidence: 0.9},
			{Text: "Hi", Start: at(2400), End: at(2500), Confidence: 0.975, Speaker: 1, Markers: []string{"redacted"}},
			{Text: "are", Start: at(2410), End: at(2500), Confidence: 1},
			{Text: "you", Start: at(2500), End: at(2600), Confidence: 1},
			{Text: "?", Kind: transcript.Punctuation, Start: at(2600), End: at(2600), Markers: []string{"x"}},
			{Text: "Fine", Start: at(3600), End: at(3900), Confidence: 0.5, Speaker: 1},
		},
		Length: at(10031),
	}
}

func mono() *transcript.Transcript {
	return &transcript.Transcript{
		Language: "en-US",
		Speakers: []transcript.Speaker{{Name: transcript.DefaultSpeaker, Channel: transcript.NoChannel}},
		Words:    []transcript.Word{{Text: "Hello", Start: at(100), End: at(400), Confidence: 0.5}},
		Length:   at(1000),
	}
}

func progress() media.Progress {
	return media.NewProgress("019a9f5e-3c01-7000-8000-0123456789ab").
		With(media.StepFetch, media.TaskSkipped, 100, created).
		With(media.StepTranscode, media.TaskFinished, 100, created.Add(time.Second)).
		With(media.StepRecognize, media.TaskStarted, 42, created.Add(2*time.Second))
}

var owner = account.Account{ID: "a1", Name: "ACME Inc"}

// session is one that was used an hour after it began, of a key that expires after two days.
func session() account.Session {
	return account.Session{ID: "s1", Created: created, LastUsed: created.Add(time.Hour), Token: account.Token{ID: "k1",
		Description: "supervisor", LastSix: "q1w2e3", Scopes: account.Scopes{account.Analytics, account.MediaRead},
		Expires: created.Add(48 * time.Hour)}}
}

func TestAnswersLookAsDocumented(t *testing.T) {
	p := progress()
	streams := []StreamAt{{media.Original, "https://calls.example/v3/media/x?sig=a&expires=1"}}
	gap := fault.Problem{Code: fault.CodeGap, Message: "0.4 s could not be recognised"}
	finished, failed, expiring := item(media.Finished), item(media.Failed), item(media.Finished)
	finished.Warnings = []fault.Problem{gap}
	failed.Problems = []fault.Problem{{Code: fault.CodeDecode, Message: "the media has no audio"}}
	sealing, sealed := item(media.Running), item(media.Finished)
	sealing.Sealing = &media.Sealing{PublicKeyID: "019a9f60-0000-7000-8000-000000000001",
		PublicKeyHash: strings.Repeat("0f", 32)}
	sealed.Sealing, sealed.Sealed, sealed.Metadata = sealing.Sealing, true, nil
	ended := p.With(media.StepRecognize, media.TaskFinished, 100, created.Add(2*time.Second))
	expiring.TimeToLive, expiring.Expires, expiring.Metadata = time.Hour, created.Add(time.Hour), nil
	for name, v := range map[string]any{
		"accepted":      NewAccepted(item(media.Accepted)),
		"media-running": NewMedia(Item{Media: item(media.Running), Account: owner, Progress: &p}),
		"media-finished": NewMedia(Item{Media: finished, Account: owner, Transcript: stereo(),
			Alternates: []caption.Format{caption.Text, caption.SRT}, Streams: streams}),
		"media-mono": NewMedia(Item{Media: expiring, Account: owner, Transcript: mono(),
			Streams: []StreamAt{}}),
		"media-failed": NewMedia(Item{Media: failed, Account: owner, Progress: &p}),
		"list": NewList(Page{Self: "/v3/media?limit=2&sortOrder=asc",
			Next: "/v3/media?limit=2&sortOrder=asc&after=x", Media: []*media.Media{finished, expiring}, Limit: 2,
			Direction: "asc"}),
		"media-sealing": NewMedia(Item{Media: sealing, Account: owner, Progress: &p}),
		"media-sealed": NewMedia(Item{Media: sealed, Account: owner, Progress: &ended,
			Streams: []StreamAt{{media.OriginalEncrypted, streams[0].Location}}}),
		"accepted-sealed": NewAccepted(sealed),
		"list-sealed": NewList(Page{Self: "/v3/media", Media: []*media.Media{sealing, sealed}, Limit: 100,
			Direction: "desc"}),
		"publickey":       NewPublicKey(sealing.Sealing.PublicKeyID, sealing.Sealing.PublicKeyHash),
		"publickeys":      NewPublicKeys([]string{sealing.Sealing.PublicKeyID, "x"}),
		"publickeys-none": NewPublicKeys(nil),
		"list-empty": NewList(Page{Self: "/v3/media", Limit: 100, Direction: "desc",
			Warnings: []fault.Problem{{Code: fault.CodeIgnored, Message: "extended.x is not indexed"}}}),
		"progress": NewProgress(item(media.Running), p),
		"progress-rejected": NewProgress(item(media.Rejected),
			p.With(media.StepRecognize, media.TaskFailed, 42, created)),
		"transcript":         NewTranscript(finished, stereo(), nil),
		"transcript-formats": NewTranscript(finished, stereo(), []caption.Format{caption.WebVTT}),
		"transcript-silence": NewTranscript(finished, &transcript.Transcript{Speakers: stereo().Speakers}, nil),
		"streams":            NewStreams(mediaID, streams),
		"stream":             NewStreamLocation(mediaID, streams[0]),
		"metadata":           NewMetadata(mediaID, finished.Metadata),
		"metadata-none":      NewMetadata(mediaID, nil),
		"failure": NewFailure(400,
			[]fault.Problem{{Code: fault.CodeNoMedia, Message: "send a part named media, or mediaUrl"},
				{Code: fault.CodeUnknownProperty, Message: `"spech" is unknown`}}, "ref-1"),
		"root": NewRoot("media", "definition/vocabularies", "profile/keys", "usage/months", "audit",
			"queue"),
		"search":        NewSearchFields([]string{"extended.campaignId", "title"}),
		"search-none":   NewSearchFields(nil),
		"sessions":      NewSessions([]account.Session{session()}, "s1"),
		"sessions-none": NewSessions(nil, ""),
		"signedin": NewSignedIn(owner, session(), ServerAbout{Version: "1.0.0", MaxUploadBytes: 1 << 31,
			Engines: []Engine{{Engine: "pocketsphinx", Model: "en-us", Languages: []string{"en-US"}}}}),
		"group":               NewGroup("großes ?", []string{"cancel", "close my account"}),
		"groups":              NewGroups(NewGroup("a", nil), NewGroup("b", []string{"x"})),
		"groups-none":         NewGroups(),
		"queue":               queue(),
		"queue-without-a-job": NewQueue(QueueCounts{}, QueueCounts{}, QueueCounts{}, nil),
		"media-pairs": NewMedia(Item{Media: expiring, Account: owner, Transcript: stereo(),
			Findings: result.Findings{Pairs: []verbnoun.Pair{
				{Speaker: 1, Start: at(44279), End: at(45099), Verb: "have", VerbNeg: "not", Noun: "question"},
				{Speaker: 1, Start: at(80790), End: at(80891), Verb: "like", Noun: "service", Question: true},
				{Speaker: 1, Start: at(90123), End: at(90278), Verb: "provide", Noun: "justification", NounNeg: "no"},
			}}}),
		"media-spotting": NewMedia(Item{Media: expiring, Account: owner, Transcript: stereo(),
			Findings: spotted()}),
		"media-spotting-number": NewMedia(Item{Media: expiring,
			Account:    account.Account{ID: "a1", Compatibility: account.Compatibility{ScoreAsNumber: true}},
			Transcript: stereo(), Findings: spotted()}),
	} {
		t.Run(name, func(t *testing.T) { golden(t, name+".json", v) })
	}
}

func spotted() result.Findings {
	return result.Findings{Spotting: []spot.Result{
		{Name: "greetings", Score: 2. / 3, Keywords: []transcript.Keyword{
			{Text: "hello", Mentions: []transcript.Mention{{Speaker: 0,
				Occurrences: []transcript.Occurrence{{Start: at(2200), End: at(2300), Exact: "Hello"}}}}},
			{Text: "hi", Mentions: []transcript.Mention{{Speaker: 1,
				Occurrences: []transcript.Occurrence{{Start: at(2400), End: at(2500), Exact: "Hi"}}}}},
		}},
		{Name: "none", Keywords: []transcript.Keyword{}},
	}}
}

func queue() Queue {
	var waiting, dead QueueCounts
	waiting.Add(media.High, 1)
	waiting.Add(media.Low, 2)
	dead.Add(media.Normal, 1)
	return NewQueue(waiting, QueueCounts{}, dead, []JobEntry{{
		ID: "j1", Account: "a1", Media: mediaID, Kind: "process", Priority: media.Low, Status: "dead", Attempts: 3,
		Created: created, Error: "engine failed",
	}})
}

// golden compares the JSON of a value with testdata/name, indented with one member per line.
func golden(t *testing.T, name string, v any) {
	t.Helper()
	compact, err := Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	for _, most := range []int{1, 40, atOnce} {
		var joined []byte
		for piece, last := range pieces(v, most, most) {
			if joined = append(joined, piece...); last != (len(joined) == len(compact)) {
				t.Errorf("%d bytes of %d, and the last piece: %v", len(joined), len(compact), last)
			}
		}
		if string(joined) != string(compact) {
			t.Errorf("in pieces: %s\nat once:   %s", joined, compact)
		}
	}
	var pretty strings.Builder
	e := json.NewEncoder(&pretty)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(json.RawMessage(compact)); err != nil {
		t.Fatal(err)
	}
	verify.Same(t, filepath.Join("testdata", name), []byte(pretty.String()))
}

func TestCellsAreTheNumbersThatTheyAre(t *testing.T) {
	row, err := Row([]string{"a", "b", "c", "d"}, []any{1e300, -1.7e308, 0.1234567894321, 9007199254740993.0})
	if want := `{"a":1e+300,"b":-1.7e+308,"c":0.123456789,"d":9007199254740992}`; err != nil || string(row) != want {
		t.Errorf("%s (%v), want %s", row, err, want)
	}
}

func TestMetadataKeepsEveryByte(t *testing.T) {
	sent := `{"title":"<b> & \u00e9","n":1.50,"big":12345678901234567890,"z":1,"a":"é😀"}`
	m := item(media.Accepted)
	m.Metadata = media.StoredMetadata([]byte(sent))
	for name, v := range map[string]any{"accepted": NewAccepted(m), "item": NewMedia(Item{Media: m}),
		"metadata": NewMetadata(m.ID, m.Metadata)} {
		body, err := Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(body), strings.TrimPrefix(sent, "{")) {
			t.Errorf("%s changed the metadata: %s", name, body)
		}
	}
}

func TestWhatClientsReadIsWhatWasWritten(t *testing.T) {
	p := progress()
	want := NewMedia(Item{Media: item(media.Finished), Account: owner, Transcript: stereo(),
		Alternates: []caption.Format{caption.DFXP}, Streams: []StreamAt{{"original", "https://x"}}, Progress: &p})
	body, err := Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got Media
	if err := json.Unmarshal(body, &got); err != nil {
		t.Fatal(err)
	}
	again, err := Marshal(got)
	if err != nil || string(again) != string(body) {
		t.Errorf("%v\nread again: %s\nwritten:    %s", err, again, body)
	}
	if !reflect.DeepEqual(got.Transcript, want.Transcript) {
		t.Errorf("transcript read as %+v", got.Transcript)
	}
}

func TestPositionsCountAllEntries(t *testing.T) {
	for i, w := range NewTranscript(item(media.Finished), stereo(), nil).Transcript.Words {
		if w.P == nil || *w.P != i {
			t.Errorf("entry %d has position %v", i, w.P)
		}
	}
}

func TestTurnEntriesStandWhereTheSpeakerChanges(t *testing.T) {
	var got []string
	for _, w := range NewTranscript(item(media.Finished), stereo(), nil).Transcript.Words {
		if w.M == MarkTurn {
			got = append(got, w.W)
		}
	}
	if want := []string{"Agent", "Caller", "Agent", "Caller"}; !slices.Equal(got, want) {
		t.Errorf("turns of %v, want %v", got, want)
	}
}

func BenchmarkItemOf10000Words(b *testing.B) {
	tr := stereo()
	for len(tr.Words) < 10000 {
		n := len(tr.Words)
		w := tr.Words[n%8]
		w.Start, w.End, w.Confidence, w.Speaker = at(n*300), at(n*300+250), float64(n%1000)/1000, n/20%2
		tr.Words = append(tr.Words, w)
	}
	m := item(media.Finished)
	for b.Loop() {
		if _, err := Marshal(NewMedia(Item{Media: m, Account: owner, Transcript: tr})); err != nil {
			b.Fatal(err)
		}
	}
}
