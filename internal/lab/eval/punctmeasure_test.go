package eval_test

import (
	"context"
	"os"
	"testing"
	"time"

	"parley/internal/lab/eval"
	"parley/internal/speech/audio"
	"parley/internal/speech/punctuation"
	"parley/internal/words/transcript"
)

func restore(t *testing.T) eval.Punctuate {
	t.Helper()
	r, err := punctuation.Load()
	if err != nil {
		t.Fatal(err)
	}
	return func(in *transcript.Transcript) *transcript.Transcript { return punctuation.Apply(in, r) }
}

func TestRestoredPunctuationBeatsPausesAlone(t *testing.T) {
	if os.Getenv("PARLEY_SOAK") == "" {
		t.Skip("PARLEY_SOAK is not set: recognition of four minutes of speech takes a while")
	}
	dir := pick(t, recordings(t), "azure_reading_audio", "telco_account_update")
	table, err := eval.RestorePunctuation(context.Background(), dir, &audio.Decoder{}, pool(t), 15*time.Second,
		restore(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("\n%s", table)
	total := table.Total()
	for of, c := range map[string]eval.Condition{"reference": total.Given, "recognised": total.Heard} {
		restored, pauses := c.Restored.Micro().F1(), 0.0
		for _, s := range c.ByPause {
			pauses = max(pauses, s.Micro().F1())
		}
		if restored < 0.6 || restored < pauses+0.08 {
			t.Errorf("F1 of all marks on %s words: %.3f restored, %.3f by pauses", of, restored, pauses)
		}
	}
}

func TestFolderWithoutPunctuatedReferencesIsAnError(t *testing.T) {
	if _, err := eval.RestorePunctuation(context.Background(), t.TempDir(), &audio.Decoder{}, nil, time.Second,
		nil); err == nil {
		t.Error("no error")
	}
}
