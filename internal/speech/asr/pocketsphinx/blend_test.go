package pocketsphinx

import (
	"strings"
	"testing"

	"github.com/ebitengine/purego"

	"parley/internal/speech/asr"
)

func TestConversationsCountMoreOnCalls(t *testing.T) {
	reading := usual(asr.Source{Rate: 44100}).talk
	for name, s := range map[string]asr.Source{"stereo call": {Rate: 16000, Call: true, Other: 1},
		"telephone": {Rate: 8000}} {
		if got := usual(s).talk; got <= reading {
			t.Errorf("%s: share %.2f, that of a reading is %.2f", name, got, reading)
		}
	}
}

func TestVersionNamesTheModelOfConversations(t *testing.T) {
	if v := Describe().Version; !strings.HasSuffix(v, conversationSum()) || len(conversationSum()) != 8 {
		t.Errorf("version %q lacks the checksum %q", v, conversationSum())
	}
}

// TestBlendFollowsTheShares compares the library's scores of a word that is much more frequent in conversations.
func TestBlendFollowsTheShares(t *testing.T) {
	d := opened(t)
	defer d.close()
	d.language.weigh(usual(asr.Source{Rate: 44100}).talk)
	reading := d.score(t, "calling", "for", "you")
	d.language.weigh(usual(asr.Source{Rate: 8000}).talk)
	call := d.score(t, "calling", "for", "you")
	if call <= reading {
		t.Errorf("thank you for calling: score %d on calls, %d elsewhere", call, reading)
	}
}

// score returns the library's score of a word after two others, the nearest first.
func (d *decoder) score(t *testing.T, word, before, first string) int32 {
	t.Helper()
	var trigram func(model uintptr, word, before, first int32, used *int32) int32
	purego.RegisterLibFunc(&trigram, purego.RTLD_DEFAULT, "ngram_tg_score")
	id := func(w string) int32 { return d.lib.wordID(d.language.set, w) }
	var used int32
	return trigram(d.language.set, id(word), id(before), id(first), &used)
}

// TestClosedDecoderLetsGoOfItsModels checks for leaks: a decoder is closed whenever the vocabulary changes, and
// models are large.
func TestClosedDecoderLetsGoOfItsModels(t *testing.T) {
	d := opened(t)
	first := d.language.set
	if _, err := d.expect([]term{{text: "Zap", ways: []string{"Z AE P"}}}); err != nil {
		t.Fatal(err)
	}
	models := append([]uintptr{first, d.language.set}, d.language.models...) // blends release their models
	for _, m := range models {
		d.lib.retainModel(m)
	}
	d.close()
	for i, m := range models {
		if left := d.lib.freeModel(m); left != 0 {
			t.Errorf("model %d of %d has %d references left", i+1, len(models), left)
		}
	}
}
