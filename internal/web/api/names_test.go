package api_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"parley/internal/testkit/flite"
	"parley/internal/testkit/servertest"
	"parley/internal/testkit/verify"
)

func read(t *testing.T, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// beginning returns the first seconds of a recording as a WAV file.
func beginning(t *testing.T, recording, seconds string) []byte {
	t.Helper()
	file := filepath.Join(t.TempDir(), "beginning.wav")
	if out, err := exec.Command("ffmpeg", "-nostdin", "-v", "error", "-t", seconds, "-i", recording,
		file).CombinedOutput(); err != nil {
		t.Fatalf("ffmpeg (install the package ffmpeg): %v %s", err, out)
	}
	return read(t, file)
}

// heard submits a recording, which must finish, and returns its words.
func heard(t *testing.T, s *servertest.Server, wav []byte, configuration string) string {
	t.Helper()
	id := s.Submit(t, servertest.File("media", "call.wav", wav), servertest.Field("configuration", configuration))
	item := s.Await(t, id)
	if item["status"] != "finished" || item["warnings"] != nil {
		t.Fatalf("%v: %v %v", item["status"], item["errors"], item["warnings"])
	}
	return string(ok(t, s.Get(t, "/v3/media/"+id+"/transcript/text")).Body)
}

// right checks that names are recognised with a vocabulary and not without it.
func right(t *testing.T, without, with string, names ...string) {
	t.Helper()
	t.Logf("without: %swith: %s", without, with)
	for _, name := range names {
		if strings.Contains(strings.ToLower(without), strings.ToLower(name)) {
			t.Errorf("%s is heard without the vocabulary, so this shows nothing: %s", name, without)
		}
		if !strings.Contains(with, name) {
			t.Errorf("%s is not heard with the vocabulary: %s", name, with)
		}
	}
}

func TestProductNamesThatWereWrongAreRightWithAVocabulary(t *testing.T) {
	verify.Long(t)
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Real: true})
	speech := flite.File(t, "slt", "Thank you for calling Quillmont. I would like to return my zephyrix headset, "+
		"and buy a Brandovia tablet.")
	ok(t, save(t, s.Client, "products",
		`{"terms":[{"term":"Quillmont","soundsLike":["quill mont"]},{"term":"Zephyrix","weight":1},{"term":"Brandovia"}]}`))
	ok(t, save(t, s.Client, "greetings",
		`{"vocabularyType":"scripts","scripts":[{"script":"Thank you for calling Quillmont, home of the Zephyrix headset."}]}`))
	plain := heard(t, s, speech, "{}")
	right(t, plain, heard(t, s, speech, `{"vocabularies":[{"vocabularyName":"products"}]}`), "Quillmont", "Zephyrix",
		"Brandovia")
	right(t, plain, heard(t, s, speech, `{"vocabularies":[{"vocabularyName":"greetings"}]}`), "Quillmont", "Zephyrix")
}

func TestNameInARealCallThatWasWrongIsRightWithAVocabulary(t *testing.T) {
	verify.Long(t)
	t.Parallel()
	dir := os.Getenv("PARLEY_DATA")
	if dir == "" {
		t.Skip("PARLEY_DATA is not set: it names the folder of real recordings that this test needs")
	}
	s := servertest.Start(t, servertest.Options{Real: true})
	ok(t, save(t, s.Client, "companies", `{"terms":[{"term":"Contoso"}]}`))
	call := beginning(t, filepath.Join(dir, "audio", "telco_account_update.wav"), "14")
	right(t, heard(t, s, call, "{}"), heard(t, s, call, `{"vocabularies":[{"vocabularyName":"companies"}]}`), "Contoso")
}
