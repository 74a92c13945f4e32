package api_test

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"parley/internal/call/caption"
	"parley/internal/flow/pipeline"
	"parley/internal/storage/job"
	"parley/internal/testkit/foldertest"
	"parley/internal/testkit/servertest"
	"parley/internal/testkit/verify"
	"parley/internal/web/api"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// everything returns a configuration with every section, with or without redaction of detections.
func everything(redacting bool) string {
	redactor := ""
	if redacting {
		redactor = `,"redactor":{"transcript":{"replacement":"[redacted]"},"audio":{"tone":270,"gain":0.3}}`
	}
	return `{"speechModel":{"features":["advancedPunctuation","voiceFeatures"]},
		"prediction":{"detectors":[{"detectorName":"PCI"` + redactor + `},{"detectorName":"SSN"` + redactor + `},{"detectorName":"PII"` + redactor + `}]},
		"metrics":[{"metricGroupName":"overtalk"},{"metricGroupName":"sentiment"},{"metricGroupName":"talk-style-tone-and-volume"},{"metricGroupName":"talk-time-and-rate"}],
		"spotting":{"groups":[{"groupName":"digits"}]},"knowledge":{"enableDiscovery":true},"conversation":{"verbNounPairsEnabled":true},
		"speakerSentiments":true,"entity":{"enableEntityExtraction":true},"categories":[{"allCategories":true}],
		"transcript":{"formatting":{"enableNumberFormatting":true},"contentFiltering":{"enableProfanityFiltering":true}},
		"publish":{"enableAnalyticIndexing":true}}`
}

// people generates what callers say about numbers of their own, deterministically for a seed.
type people struct {
	*rand.Rand
	secrets servertest.Secrets
}

func newPeople(seed uint64) *people {
	return &people{rand.New(rand.NewPCG(seed, 1)), servertest.Secrets{}}
}

func (p *people) some(n int) string {
	digits := make([]byte, n)
	for i := range digits {
		digits[i] = byte('0' + p.IntN(10))
	}
	return string(digits)
}

// card returns a number with a valid check digit.
func (p *people) card() (number string, groups []int) {
	kind := []struct {
		prefix string
		groups []int
	}{{"4", []int{4, 4, 4, 4}}, {"5" + string(byte('1'+p.IntN(5))), []int{4, 4, 4, 4}}, {"37", []int{4, 6, 5}},
		{"6011", []int{4, 4, 4, 4}}}[p.IntN(4)]
	length := 0
	for _, g := range kind.groups {
		length += g
	}
	number = kind.prefix + p.some(length-1-len(kind.prefix))
	sum := 0
	for i := range number {
		d := int(number[len(number)-1-i] - '0')
		if i%2 == 0 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return number + string(byte('0'+(10-sum%10)%10)), kind.groups
}

// number returns a secret number, its name, and the groups in which it is written.
func (p *people) number() (asked, said, number string, groups []int) {
	switch p.IntN(3) {
	case 0:
		number, groups = p.card()
		return "what is the card number", "my credit card number is", number, groups
	case 1:
		number = fmt.Sprintf("%03d%02d%s", 100+p.IntN(500), 1+p.IntN(99), p.some(4))
		return "what is your social security number", "my social security number is", number, []int{3, 2, 4}
	}
	number = fmt.Sprintf("%d%02d%d%s", 2+p.IntN(8), 10+p.IntN(80), 2+p.IntN(8), p.some(6))
	return "what is a good phone number for you", "my phone number is", number, []int{3, 3, 4}
}

var spokenDigits = strings.Fields("zero one two three four five six seven eight nine")

// say spells a number: digit by digit, with "double" for repeated digits, or in figures, in groups or as a whole.
func (p *people) say(number string, groups []int) string {
	var words []string
	switch p.IntN(5) {
	case 0:
		return number
	case 1:
		for _, g := range groups {
			words, number = append(words, number[:g]), number[g:]
		}
		return strings.Join(words, []string{" ", "-"}[p.IntN(2)])
	}
	double := p.IntN(3) == 0
	for i := 0; i < len(number); i++ {
		word := spokenDigits[number[i]-'0']
		if number[i] == '0' && p.IntN(2) == 0 {
			word = "oh"
		}
		if double && i+1 < len(number) && number[i] == number[i+1] {
			word, i = "double "+word, i+1
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

// turns returns talk that contains n secret numbers.
func (p *people) turns(n int) (turns []string) {
	for range n {
		asked, said, number, groups := p.number()
		p.secrets[number] = true
		turns = append(turns, "Agent: okay and "+asked+" please",
			"Caller: sure "+said+" "+p.say(number, groups)+" that is all")
	}
	return turns
}

// callOf returns turns as a transcript with times, and a recording of the same length.
func callOf(t *testing.T, turns []string) (transcript, call servertest.Part) {
	t.Helper()
	type word struct {
		M string `json:"m,omitempty"`
		S int    `json:"s"`
		E int    `json:"e"`
		W string `json:"w"`
	}
	var words []word
	at := 0
	for _, turn := range turns {
		speaker, text, _ := strings.Cut(turn, ": ")
		words = append(words, word{"turn", at, at + 100, speaker})
		for w := range strings.FieldsSeq(text) {
			words = append(words, word{"", at, at + 35, w}) // short words, so that there is less audio to process
			at += 40
		}
		at += 300
	}
	data, err := json.Marshal(map[string]any{"words": words})
	if err != nil {
		t.Fatal(err)
	}
	return servertest.Field("transcript", string(data)),
		servertest.File("media", "call.wav", servertest.Tone(float64(at)/1000+1, 1))
}

// witness remembers everything that a server sent.
type witness struct {
	*servertest.Server
	log  *logged
	sent map[string][]byte
}

// logged is a log that is safe for concurrent use.
type logged struct {
	mu sync.Mutex
	bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.Buffer.Write(p)
}

func (l *logged) all() []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	return bytes.Clone(l.Bytes())
}

func witnessed(t *testing.T, o servertest.Options) *witness {
	t.Helper()
	w := &witness{log: &logged{}, sent: map[string][]byte{}}
	o.Log = w.log
	w.Server = servertest.Start(t, o)
	ok(t, w.Do(t, "PUT", "/v3/definition/spotting/groups/digits",
		strings.NewReader(`{"groupName":"digits","keywords":["four","card","seven eight","number is","phone*"]}`),
		"Content-Type", "application/json"))
	ok(t, w.Do(t, "PUT", "/v3/definition/categories/at-risk",
		strings.NewReader(`{"query":"* SAYS (\"four\" || \"card number\" || \"one\")"}`), "Content-Type",
		"application/json"))
	return w
}

// hear remembers an answer and returns it.
func (w *witness) hear(what string, a servertest.Answer) servertest.Answer {
	w.sent[fmt.Sprintf("%d. %s", len(w.sent), what)] = a.Body
	return a
}

// ask reads everything about an item, with every route that reads.
func (w *witness) ask(t *testing.T, id string) {
	t.Helper()
	for _, r := range api.Routes() {
		if r.Method != "GET" {
			continue
		}
		for _, format := range caption.All {
			for _, stream := range media.StreamNames {
				path := strings.NewReplacer("{format}", string(format), "{streamName}", stream).Replace(r.Path)
				if path == r.Path && (format != caption.All[0] || stream != media.Original) ||
					!strings.Contains(r.Path, "{mediaId}") {
					continue
				}
				w.hear(r.Method+" "+path, w.Get(t, fill(path, id)))
			}
		}
	}
}

// allFormats are the transcript formats that answers can contain besides JSON, as a parameter value.
var allFormats = strings.ReplaceAll(fault.List(caption.Formats), " ", "")

// askFormats reads an item in all formats.
func (w *witness) askFormats(t *testing.T, id string) {
	t.Helper()
	w.hear("item with formats", w.Get(t, "/v3/media/"+id+"?includeAlternateFormat="+allFormats))
	w.hear("bare transcript", w.Get(t, "/v3/media/"+id+"/transcript?includeAlternateFormat=text", "Accept",
		"application/json"))
}

// askAround reads everything that does not belong to one item.
func (w *witness) askAround(t *testing.T, id string) {
	t.Helper()
	for _, r := range api.Routes() {
		if r.Method == "GET" && !strings.Contains(r.Path, "{mediaId}") {
			w.hear(r.Method+" "+r.Path, w.Get(t, fill(r.Path, id)))
		}
	}
	w.hear("list", w.Get(t, "/v3/media?limit=1000&query=card"))
}

// kept returns every byte that the server stores: its files, the values in its databases, and the content of streams.
func (w *witness) kept(t *testing.T) map[string][]byte {
	t.Helper()
	kept := map[string][]byte{"the log": w.log.all()}
	for path, body := range foldertest.Contents(t, w.Dir) {
		kept["file "+path] = body
		if strings.HasSuffix(path, ".db") {
			kept["rows of "+path] = values(t, path)
		}
	}
	for name, body := range w.Streams(t) { // the files contain only encrypted streams
		kept["stream "+name] = body
	}
	return kept
}

// values returns all values in the tables of a database, concatenated.
func values(t *testing.T, path string) []byte {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var all []byte
	for _, table := range column(t, db, `SELECT name FROM sqlite_master WHERE type = 'table'`) {
		for _, name := range column(t, db, `SELECT name FROM pragma_table_info('`+string(table)+`')`) {
			for _, value := range column(t, db, `SELECT CAST(`+string(name)+` AS BLOB) FROM "`+string(table)+`"`) {
				all = append(append(all, value...), "\x00\x00\x00\x00"...)
			}
		}
	}
	return all
}

func column(t *testing.T, db *sql.DB, query string) (all [][]byte) {
	t.Helper()
	rows, err := db.Query(query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var value []byte
		if err := rows.Scan(&value); err != nil {
			t.Fatal(err)
		}
		all = append(all, value)
	}
	return all
}

// found returns the secrets that occur in what was stored or sent, each with one of the places.
func found(s servertest.Secrets, places ...map[string][]byte) map[string]string {
	all := map[string]string{}
	for _, some := range places {
		for place, content := range some {
			for _, number := range s.Found(content) {
				all[number] = place
			}
		}
	}
	return all
}

// TestNothingOfAThousandNumbersIsKeptOrSent sends numbers through the whole server with every section enabled: in
// transcripts that come with recordings, in recognised words, in recordings that are redacted only later, and in some
// that fail. Then it searches every byte that the server stores or sends. When the server gets new outputs, such as
// callbacks, add them to witness.ask or witness.sent.
func TestNothingOfAThousandNumbersIsKeptOrSent(t *testing.T) {
	verify.Long(t)
	t.Parallel()
	const calls, each = 10, 100
	p := newPeople(2026)
	heard := &speaker{}
	w := witnessed(t, servertest.Options{Recognizer: heard})
	var ids []string
	submit := func(key string, parts ...servertest.Part) string {
		body, contentType := servertest.Form(t, parts...)
		for range 2 { // the second answer repeats the first
			a := w.hear("POST /v3/media", w.Do(t, "POST", "/v3/media", bytes.NewReader(body), "Content-Type",
				contentType, "Idempotency-Key", key))
			ids = append(ids, ok(t, a).JSON(t)["mediaId"].(string))
		}
		ids = slices.Compact(ids)
		return ids[len(ids)-1]
	}
	for i := range calls - 1 {
		transcript, call := callOf(t, p.turns(each))
		configuration := everything(i%3 > 0)
		id := submit(fmt.Sprint("call ", i), call, transcript, servertest.Field("configuration", configuration))
		if i%3 == 0 { // redacted later
			w.Await(t, id)
			if i == 0 {
				w.Idle(t)
				control(t, w, p.secrets, id)
			}
			ok(t, w.hear("POST again", reprocess(t, w.Client, id, configured(everything(true)))))
		}
	}
	heard.said = strings.ReplaceAll(strings.ReplaceAll(strings.Join(p.turns(each), " "), "Agent: ", ""), "Caller: ", "")
	long := servertest.File("media", "call.wav", servertest.Tone(2, 1))
	submit("heard", long, servertest.Field("configuration", everything(true)))
	if n := len(p.secrets); n < 990 {
		t.Fatalf("%d numbers", n)
	}
	for _, id := range ids {
		if item := w.Await(t, id); item["status"] != "finished" {
			t.Fatalf("%s: %v", id, item["errors"])
		}
	}
	heard.deaf.Store(true)
	text := servertest.Field("transcript", strings.Join(p.turns(1), " "))
	failed := submit("fails", long, text, servertest.Field("configuration", everything(true)))
	if item := w.Await(t, failed); item["status"] != "failed" {
		t.Fatalf("%v", item["status"])
	}
	forget(t, w.Server, failed)
	w.Idle(t)
	purged(t, w)
	for i, id := range ids {
		if i < 2 || id == ids[len(ids)-1] || id == ids[len(ids)-2] { // some of each kind
			w.ask(t, id)
		}
		w.askFormats(t, id)
	}
	w.askAround(t, ids[0])
	for number, place := range found(p.secrets, w.sent, w.kept(t)) {
		t.Errorf("%s is in %s", number, place)
	}
}

// control checks that numbers that are not redacted are found, both in what is sent and in what is stored.
func control(t *testing.T, w *witness, s servertest.Secrets, id string) {
	t.Helper()
	sent := w.sent
	w.sent = map[string][]byte{}
	w.ask(t, id)
	for what, places := range map[string]map[string][]byte{"sent": w.sent, "kept": w.kept(t)} {
		if n := len(found(s, places)); n != len(s) {
			t.Fatalf("%d of %d numbers that are not redacted are found in what is %s", n, len(s), what)
		}
	}
	w.sent = sent
}

// forget simulates thirty days passing for a failed item.
func forget(t *testing.T, s *servertest.Server, id string) {
	t.Helper()
	if err := pipeline.DropWithheld(t.Context(), s.Server.Store, media.ID(id), 0); err != nil {
		t.Fatal(err)
	}
}

// purged waits until everything scheduled for deletion is deleted: there must be no dead jobs.
func purged(t *testing.T, w *witness) {
	t.Helper()
	counts, err := w.Server.Server.Store.Queue().Counts(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	if slices.ContainsFunc(counts, func(c job.Count) bool { return c.State == job.Dead }) {
		t.Fatalf("dead jobs: %v", counts)
	}
}
