package api_test

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley/internal/operation/config"
	"parley/internal/speech/asr"
	"parley/internal/storage/blob"
	"parley/internal/testkit/gpgtest"
	"parley/internal/testkit/pgtest"
	"parley/internal/testkit/s3test"
	"parley/internal/testkit/servertest"
	"parley/internal/testkit/verify"
)

// hesitant is a recogniser that waits for its gate, and then returns the output of a speaker.
type hesitant struct {
	*speaker
	gate *servertest.Gate
}

// Recognize implements asr.Recognizer.
func (h hesitant) Recognize(ctx context.Context, r asr.Request) (*asr.Recognition, error) {
	if _, err := h.gate.Recognize(ctx, r); err != nil {
		return nil, err
	}
	return h.speaker.Recognize(ctx, r)
}

// shelf serves a recording at a secret URL.
func shelf(t *testing.T, call []byte) (address string) {
	t.Helper()
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write(call) }))
	t.Cleanup(web.Close)
	return web.URL + "/call.wav?signature="
}

// secret returns a number that must not be found anywhere.
func (p *people) secret() string {
	number := p.some(16)
	p.secrets[number] = true
	return number
}

// confided returns metadata full of secret numbers.
func (p *people) confided() servertest.Part {
	return servertest.Field("metadata",
		fmt.Sprintf(`{"externalId":%q,"title":"A call of %s","description":%q,"extended":{"k":%q},"callDetails":{"ani":%q,"agent":{"fullName":%q}}}`,
			p.secret(), p.secret(), p.secret(), p.secret(), p.secret(), p.secret()))
}

// secretly returns a configuration with every feature and a secret number; encrypted if there is a key.
func (p *people) secretly(t *testing.T, key string) servertest.Part {
	t.Helper()
	text := strings.Replace(everything(false), `{"speechModel"`,
		`{"ingest":{"speakerName":"`+p.secret()+`"},"speechModel"`, 1)
	if key != "" {
		text = sealing(t, text, key)
	}
	return configured(text)
}

// passages returns parts of a recording, each too long to occur by chance.
func passages(call []byte) (all [][]byte) {
	for at := 1000; at+64 < len(call); at += len(call) / 16 {
		all = append(all, call[at:at+64])
	}
	return all
}

// heardIn returns the places that contain a passage.
func heardIn(passages [][]byte, places map[string][]byte) (found []string) {
	for place, content := range places {
		if slices.ContainsFunc(passages, func(p []byte) bool { return bytes.Contains(content, p) }) {
			found = append(found, place)
		}
	}
	return found
}

// without returns what a server stores, except places with the given prefixes.
func (w *witness) without(t *testing.T, beginnings ...string) map[string][]byte {
	t.Helper()
	kept := w.kept(t)
	maps.DeleteFunc(kept, func(place string, _ []byte) bool {
		return slices.ContainsFunc(beginnings, func(b string) bool { return strings.HasPrefix(place, b) })
	})
	return kept
}

// TestNothingOfWhatIsSealedIsKeptOrSent sends numbers through the whole server: in speech, metadata, configurations and
// a URL. It searches every stored byte while the item waits for the recogniser, when it has just finished or failed,
// and when everything has settled; and everything that is sent from then on. The same numbers sent without encryption
// must be found in all of these places.
func TestNothingOfWhatIsSealedIsKeptOrSent(t *testing.T) {
	verify.Long(t)
	t.Parallel()
	open, sealed := newPeople(1), newPeople(2)
	base, got := receive(t, 200)
	heard := hesitant{&speaker{}, servertest.NewGate()}
	w := witnessed(t, servertest.Options{Recognizer: heard, Settings: trial})
	ok(t, w.Do(t, "PUT", searchFields, strings.NewReader(`{"fields":["extended.k"]}`)))
	key := addKey(t, w.Client, string(gpgtest.New(t).ECC(t, "a@example.com")))["publicKeyId"].(string)

	transcript, call := callOf(t, open.turns(20))
	id := w.Submit(t, call, transcript, open.confided(), configured(everything(false)))
	w.Await(t, id)
	w.Idle(t)
	control(t, w, open.secrets, id)

	withCallbacks := func(part servertest.Part) servertest.Part {
		part.Body = bytes.Replace(part.Body, []byte(`"publish":{`),
			[]byte(`"publish":{"callbacks":[{"url":"`+base+`/item"},{"url":"`+base+
				`/text","type":"transcript","format":"srt"}],`), 1)
		return part
	}
	submit := func(key string, parts ...servertest.Part) string {
		body, contentType := servertest.Form(t, parts...)
		return ok(t, w.Do(t, "POST", "/v3/media", bytes.NewReader(body), "Content-Type", contentType, "Idempotency-Key",
			key)).JSON(t)["mediaId"].(string)
	}
	transcript, call = callOf(t, sealed.turns(20))
	recorded := passages(call.Body)
	if len(heardIn(recorded, map[string][]byte{"": call.Body})) == 0 {
		t.Fatal("nothing is heard in the recording itself")
	}
	given := submit("given", call, transcript, sealed.confided(), withCallbacks(sealed.secretly(t, key)))
	told := strings.ReplaceAll(strings.ReplaceAll(strings.Join(sealed.turns(20), " "), "Agent: ", ""), "Caller: ", "")
	heard.said = told
	listened := submit("heard", call, sealed.confided(), withCallbacks(sealed.secretly(t, key)))
	<-heard.gate.Entered
	fetched := submit("fetched", servertest.Field("mediaUrl", shelf(t, call.Body)+sealed.secret()), sealed.confided(),
		sealed.secretly(t, key), transcript)
	broken := submit("broken", servertest.File("media", "x.wav", call.Body[:700]), transcript, sealed.confided(),
		withCallbacks(sealed.secretly(t, key)))
	nowhere := func(when string, places ...map[string][]byte) {
		t.Helper()
		for number, place := range found(sealed.secrets, places...) {
			t.Errorf("%s: %s is in %s", when, number, place)
		}
		for _, some := range places {
			for _, place := range heardIn(recorded, some) {
				t.Errorf("%s: the recording is in %s", when, place)
			}
		}
	}
	worked := "file " + w.Server.Server.Settings.TempDir()
	nowhere("while they are processed", w.without(t, worked, "stream "))
	keys := dataKeys(t, w)
	if len(keys) == 0 {
		t.Error("nothing waits under a data key")
	}
	heard.gate.Open()
	for _, id := range []string{listened, given, fetched, broken} {
		w.Await(t, id)
		nowhere("at the moment of the end", w.without(t, worked, "stream "))
	}
	for range 5 { // two per finished item; failed items report the error
		w.sent[fmt.Sprint("callback ", len(w.sent))] = (<-got).body
	}
	w.Idle(t)
	purged(t, w)
	for _, id := range []string{listened, given, fetched, broken} {
		w.ask(t, id)
		w.askFormats(t, id)
	}
	w.askAround(t, given)
	kept := w.without(t, "stream "+id)
	nowhere("at last", w.sent, kept)
	for place, content := range kept {
		for _, key := range keys {
			if bytes.Contains(content, key) {
				t.Errorf("a data key is in %s", place)
			}
		}
	}
	if n := len(w.Recordings(t)); n != 5 {
		t.Errorf("%d recordings are kept, want the open one and four that are sealed", n)
	}
}

// dataKeys returns the data keys of items that are to be sealed, and of their streams.
func dataKeys(t *testing.T, w *witness) [][]byte {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(w.Dir, "parley.db")+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	return append(column(t, db, `SELECT key FROM data_key`),
		column(t, db, `SELECT stream.key FROM stream JOIN data_key ON data_key.media = stream.media WHERE stream.key IS NOT NULL`)...)
}

// TestNothingOfWhatIsSealedIsInTheFilesOfPostgreSQLOrInAnObjectStore searches every file of a PostgreSQL server,
// including its write-ahead log, its rows, and all objects for sealed content.
func TestNothingOfWhatIsSealedIsInTheFilesOfPostgreSQLOrInAnObjectStore(t *testing.T) {
	database := pgtest.Start(t)
	url, bucket := database.URL(t), s3test.Bucket(t)
	open, sealed := newPeople(3), newPeople(4)
	w := witnessed(t, servertest.Options{Settings: func(c *config.Settings) { c.Database, c.Blobs = url, bucket }})
	key := addKey(t, w.Client, string(gpgtest.New(t).RSA(t, "a@example.com")))["publicKeyId"].(string)
	transcript, call := callOf(t, open.turns(10))
	id := w.Submit(t, call, transcript, servertest.Field("metadata", `{"title":"the call that is open"}`),
		configured(everything(false)))
	w.Await(t, id)
	transcript, call = callOf(t, sealed.turns(10))
	hidden := w.Submit(t, call, transcript, servertest.Field("metadata", `{"title":"the call that is sealed"}`),
		configured(sealing(t, everything(false), key)))
	if item := w.Await(t, hidden); item["status"] != "finished" {
		t.Fatalf("%v", item)
	}
	rows, stored := rowsOf(t, url), w.objects(t)
	if n := len(found(open.secrets, rows)); n != len(open.secrets) {
		t.Errorf("%d of %d numbers that are not encrypted are found in rows", n, len(open.secrets))
	}
	for number, place := range found(sealed.secrets, rows, stored, map[string][]byte{"the log": w.log.all()}) {
		t.Errorf("%s is in %s", number, place)
	}
	if places := heardIn(passages(call.Body), stored); len(places) > 0 {
		t.Errorf("the recording is in %v", places)
	}
	if plain, covered := database.Holding(t, "the call that is open"),
		database.Holding(t, "the call that is sealed"); len(plain) == 0 || len(covered) > 0 {
		t.Errorf("the title of the open call is in %v, of the sealed one in %v", plain, covered)
	}
}

// objects returns the bytes of all objects.
func (w *witness) objects(t *testing.T) map[string][]byte {
	t.Helper()
	blobs, all := w.Server.Server.Blobs, map[string][]byte{}
	err := blobs.List(t.Context(), "", func(i blob.Info) error {
		content, err := blobs.Open(t.Context(), i.Key, 0, -1)
		if err != nil {
			return err
		}
		defer content.Close()
		all["object "+i.Key], err = io.ReadAll(content)
		return err
	})
	if err != nil || len(all) < 2 {
		t.Fatal(len(all), err)
	}
	return all
}

// rowsOf returns all values in the tables of a PostgreSQL database.
func rowsOf(t *testing.T, url string) map[string][]byte {
	t.Helper()
	db, err := sql.Open("pgx", url)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	all := map[string][]byte{}
	for _, table := range column(t, db,
		`SELECT CAST(table_schema || '.' || table_name AS BYTEA) FROM information_schema.tables WHERE table_schema NOT IN ('pg_catalog', 'information_schema')`) {
		schema, name, _ := strings.Cut(string(table), ".")
		for _, c := range column(t, db,
			`SELECT CAST(column_name || ' ' || data_type AS BYTEA) FROM information_schema.columns WHERE table_schema = '`+schema+`' AND table_name = '`+name+`'`) {
			label, kind, _ := strings.Cut(string(c), " ")
			value := label
			if kind != "bytea" {
				value = `convert_to(CAST(` + label + ` AS TEXT), 'UTF8')`
			}
			all["table "+name+" "+label] = bytes.Join(column(t, db,
				`SELECT `+value+` FROM "`+schema+`"."`+name+`" WHERE `+label+` IS NOT NULL`),
				[]byte("\x00\x00\x00\x00"))
		}
	}
	return all
}
