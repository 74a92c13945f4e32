package api_test

import (
	"bytes"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/internal/call/plan"
	"parley/internal/operation/config"
	"parley/internal/storage/store"
	"parley/internal/testkit/gpgtest"
	"parley/internal/testkit/servertest"
	"parley/internal/words/account"
)

// encrypted returns a configuration with encryption for a public key; more has further members.
func encrypted(key, more string) servertest.Part {
	return configured(`{"encryption":{"publicKeyId":"` + key + `"}` + more + `}`)
}

func TestAnEncryptedRecordingIsReadAsUsualUntilItIsDoneAndByItsOwnerThen(t *testing.T) {
	t.Parallel()
	gate := servertest.NewGate()
	s := servertest.Start(t, servertest.Options{Recognizer: gate})
	home := gpgtest.New(t)
	key := addKey(t, s.Client, string(home.ECC(t, "owner@example.com")))
	keyID := key["publicKeyId"].(string)
	metadata := servertest.Field("metadata", `{"title":"sesame","externalId":"sesame"}`)
	answer := ok(t, s.Post(t, recording, metadata, encrypted(keyID, ""))).JSON(t)
	id := answer["mediaId"].(string)
	if at(t, answer, "metadata", "title") != "sesame" || answer["status"] != "accepted" {
		t.Errorf("answer %v", answer)
	}
	<-gate.Entered
	path := "/v3/media/" + id
	item := ok(t, s.Get(t, path)).JSON(t)
	shown := map[string]any{"publicKeyId": keyID, "publishKeyId": keyID, "publicKeyHash": key["publicKeyHash"]}
	if item["status"] != "running" || at(t, item, "metadata", "title") != "sesame" ||
		at(t, item, "_job", "status") != "running" || !equal(t, item["encryption"], shown) {
		t.Errorf("under way: %v", item)
	}
	refused(t, s.Get(t, path+"/transcript"), 404, 10301, "running")
	refused(t, s.Get(t, path+"/encrypted"), 404, 10301, "running", "/progress")
	ok(t, s.Get(t, path+"/progress"))
	if a := ok(t, s.Get(t, path+"/metadata")); !strings.Contains(string(a.Body), "sesame") {
		t.Error(a)
	}
	ok(t, s.Do(t, http.MethodPut, path+"/metadata", strings.NewReader(`{"title":"open sesame","n":1.50}`)))
	if a := ok(t, s.Get(t, path+"/streams/original")); !bytes.Equal(a.Body, recording.Body) {
		t.Errorf("the original has %d bytes", len(a.Body))
	}
	if names := streamNames(t, ok(t, s.Get(t, path+"/streams")).JSON(t)); !slices.Equal(names, []string{"original"}) {
		t.Errorf("streams %v", names)
	}
	before := location(t, s.Client, id)
	refused(t, s.Do(t, http.MethodPost, path, nil), 409, 95004, "encrypted")
	hidden(t, s, id)

	// The recording keeps its own copy of a key after the key is deleted.
	if a := s.Do(t, http.MethodDelete, publicKeys+"/"+keyID, nil); a.Status != 204 {
		t.Fatal(a)
	}
	refused(t, s.Post(t, recording, encrypted(keyID, "")), 400, 80000, "/encryption/publicKeyId", keyID)
	gate.Open()
	item = s.Await(t, id)
	if item["status"] != "finished" || item["metadata"] != nil || item["transcript"] != nil ||
		!equal(t, item["encryption"], shown) {
		t.Fatalf("finished: %v", item)
	}
	hidden(t, s, id)
	refused(t, s.Get(t, path+"/metadata"), 404, 95071)
	refused(t, s.With("").Get(t, before), 404, 10205)
	whole := document(t, s.Client, home, id)
	if at(t, whole, "metadata", "title") != "open sesame" || len(at(t, whole, "transcript", "words").([]any)) != 4 ||
		whole["mediaId"] != id || whole["status"] != "finished" || !equal(t, whole["encryption"], shown) {
		t.Errorf("the message: %v", whole)
	}
	if names := streamNames(t, item); !slices.Equal(names, []string{"original-encrypted"}) {
		t.Errorf("streams %v", names)
	}
	if got := home.Decrypt(t, ok(t, s.Get(t, path+"/streams/original-encrypted")).Body); !bytes.Equal(got,
		recording.Body) {
		t.Errorf("the stream was decrypted as %d bytes", len(got))
	}
	if a := s.Do(t, http.MethodDelete, path, nil); a.Status != 204 {
		t.Error(a)
	}
	goneEverywhere(t, s, id)
	s.Idle(t)
	if files := s.Blobs(t); len(files) != 0 {
		t.Errorf("files stay: %v", files)
	}
}

// hidden checks that items are listed without metadata, and that no search finds them by their content.
func hidden(t *testing.T, s *servertest.Server, ids ...string) {
	t.Helper()
	if listed, _ := page(t, s.Client, "/v3/media?sortOrder=asc&onOrAfterDate=2020-01-01"); !slices.Equal(listed, ids) {
		t.Errorf("listed %v", listed)
	}
	for _, query := range []string{"externalId=sesame", "query=sesame", "query=title:sesame", "query=tick",
		"extendedFilter=title:sesame"} {
		if listed, _ := page(t, s.Client, "/v3/media?"+query); len(listed) != 0 {
			t.Errorf("%s finds %v", query, listed)
		}
	}
	if a := s.Get(t, "/v3/media"); strings.Contains(string(a.Body), "sesame") {
		t.Errorf("listed with what it has: %s", a)
	}
}

func TestEncryptionNeedsAKeyThatIsInForce(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	home := gpgtest.New(t)
	expired := home.Make(t, gpgtest.Pair{Name: "old@example.com", Algorithm: "ed25519", Encryption: "cv25519",
		Life: "1y", Made: time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)})
	owner := s.Account(t, account.DefaultName).ID
	err := s.Server.Store.Update(t.Context(), func(tx *store.Tx) error {
		return tx.AddPublicKey(owner, store.PublicKey{ID: noMedia, Content: expired})
	})
	if err != nil {
		t.Fatal(err)
	}
	theirs := addKey(t, s.As(t, "other", account.Keys), publicKey)["publicKeyId"].(string)
	for name, c := range map[string]struct {
		key  string
		code int
	}{"expired": {noMedia, 95070}, "another account's": {theirs, 80000},
		"unknown": {"019a9f60-0000-7000-8000-000000000009", 80000}, "none": {"", 80000}} {
		t.Log(name)
		refused(t, s.Post(t, recording, encrypted(c.key, "")), 400, c.code, "/encryption/publicKeyId", c.key)
	}
	refused(t, s.Post(t, recording, servertest.Field("configuration", `{"encryption":{}}`)), 400, 10007, "publicKeyId")
	all := s.Post(t, recording, encrypted(noMedia, `,"priority":"urgent"`),
		servertest.Field("metadata", `{"externalId":""}`))
	if got := codes(all.JSON(t)["errors"]); !slices.Contains(got, 95070) || !slices.Contains(got, 10009) {
		t.Errorf("all at once: %v", got)
	}
	if listed, _ := page(t, s.Client, "/v3/media"); len(listed) != 0 || len(s.Blobs(t)) != 0 {
		t.Errorf("taken: %v, %v", listed, s.Blobs(t))
	}
}

func TestEncryptedRecordingsAreNeverSearched(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	ok(t, s.Do(t, http.MethodPut, searchFields, strings.NewReader(`{"fields":["title"]}`)))
	key := addKey(t, s.Client, publicKey)["publicKeyId"].(string)
	metadata := servertest.Field("metadata", `{"title":"sesame","externalId":"sesame"}`)
	id := s.Submit(t, recording, metadata,
		encrypted(strings.ToUpper(key),
			`,"searchability":{"searchable":true},"publish":{"enableAnalyticIndexing":"true"}`))
	item := s.Await(t, id)
	if got := codes(item["warnings"]); item["status"] != "finished" || !slices.Equal(got, []int{95017, 95017}) {
		t.Errorf("warnings %v of %v", got, item)
	}
	failed := s.Submit(t, servertest.File("media", "x.wav", []byte("no recording")), metadata, encrypted(key, ""))
	if item := s.Await(t, failed); item["status"] != "failed" {
		t.Fatal(item)
	}
	for _, below := range []string{"/transcript", "/transcript/srt", "/metadata"} {
		refused(t, s.Get(t, "/v3/media/"+failed+below), 404, 95071)
	}
	for range 2 {
		hidden(t, s, id, failed)
		if a := ok(t, statement(t, s.Client, `*`)).JSON(t); a["totalResults"] != 0. {
			t.Errorf("asked about many calls: %v", a)
		}
		if a := ok(t, s.Do(t, http.MethodPost, "/v3/analytics/test", strings.NewReader(`{"query":"*"}`))).JSON(
			t); a["calls"] != 0. {
			t.Errorf("a condition was tried on %v", a)
		}
		s.Idle(t)
	}
}

func TestARecordingThatIsKeptInTheClearIsNotEncryptedLater(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	key := addKey(t, s.Client, publicKey)["publicKeyId"].(string)
	id := s.Submit(t, recording)
	before := s.Await(t, id)
	form, contentType := servertest.Form(t, encrypted(key, ""))
	refused(t, s.Do(t, http.MethodPost, "/v3/media/"+id, bytes.NewReader(form), "Content-Type", contentType), 400,
		10007, "/encryption", "/v3/media")
	if after := ok(t, s.Get(t, "/v3/media/"+id)).JSON(t); !equal(t, after["transcript"], before["transcript"]) ||
		after["status"] != "finished" {
		t.Errorf("%v", after)
	}
}

func TestARepeatedUploadShowsNothingOfWhatIsSealed(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	key := addKey(t, s.Client, publicKey)["publicKeyId"].(string)
	form, contentType := servertest.Form(t, recording, servertest.Field("metadata", `{"title":"sesame"}`),
		encrypted(key, ""))
	post := func() map[string]any {
		return ok(t, s.Do(t, http.MethodPost, "/v3/media", bytes.NewReader(form), "Content-Type", contentType,
			"Idempotency-Key", "k")).JSON(t)
	}
	first := post()
	s.Await(t, first["mediaId"].(string))
	again := post()
	if at(t, first, "metadata", "title") != "sesame" || again["mediaId"] != first["mediaId"] ||
		again["metadata"] != nil || at(t, again, "_links", "metadata") != nil {
		t.Errorf("first %v, then %v", first, again)
	}
}

// A waiting job has its own copy of the key, so changes to the key do not affect it.
func TestWaitingRecordingsKeepTheirKeyAsItWas(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: func(c *config.Settings) { c.Role = config.RoleAPI }})
	made := addKey(t, s.Client, publicKey)
	before := time.Now().Add(-time.Second)
	id := s.Submit(t, recording, encrypted(made["publicKeyId"].(string), ""))
	s.Do(t, http.MethodDelete, publicKeys+"/"+made["publicKeyId"].(string), nil)
	want := plan.Key{ID: made["publicKeyId"].(string), Content: []byte(publicKey), Hash: made["publicKeyHash"].(string)}
	kept := s.Source(t, id).Definitions.Keys
	if len(kept) != 1 || kept[0].Checked.Before(before) || kept[0].Checked.After(time.Now()) {
		t.Fatalf("%+v", kept)
	}
	want.Checked = kept[0].Checked
	if !equal(t, kept[0], want) {
		t.Errorf("%+v", kept[0])
	}
}
