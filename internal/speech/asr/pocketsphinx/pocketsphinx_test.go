package pocketsphinx_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"parley/internal/host/sandbox"
	"parley/internal/speech/asr"
	"parley/internal/speech/asr/line"
	"parley/internal/speech/asr/pocketsphinx"
	"parley/internal/testkit/asrtest"
	"parley/internal/testkit/flite"
	"parley/internal/testkit/sandboxtest"
	"parley/internal/testkit/verify"
	"parley/internal/words/fault"
	"parley/internal/words/sound"
	"parley/internal/words/vocabulary"
)

// The test binary is also the child process.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == "engine" {
		if err := pocketsphinx.Main(context.Background(), os.Stdin, os.Stdout, pocketsphinx.Config{}); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	sandboxtest.Main(m)
}

func recognizer(t *testing.T) *pocketsphinx.Recognizer {
	t.Helper()
	r, err := pocketsphinx.New(pocketsphinx.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// say synthesises speech, with a pause before the first word, as in chunks.
func say(t *testing.T, text string) *sound.PCM {
	t.Helper()
	return &sound.PCM{Rate: flite.Rate, Samples: append(make([]int16, flite.Rate/5), flite.Say(t, "rms", text)...)}
}

func heard(t *testing.T, r asr.Recognizer, q asr.Request) string {
	t.Helper()
	found, err := r.Recognize(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, w := range found.Words {
		words = append(words, w.Text)
	}
	return strings.Join(words, " ")
}

func TestRecognizerHoldsTheContract(t *testing.T) {
	verify.Long(t)
	asrtest.Run(t, recognizer(t), pocketsphinx.MaxChunk, say(t, "how old is the brooklyn bridge"))
}

func TestChildHoldsTheContract(t *testing.T) {
	verify.Long(t)
	p := line.NewPool(line.Config{
		Command: []string{os.Args[0], "engine"}, Children: 2,
		Limits: sandbox.Limits{Memory: pocketsphinx.MemoryLimit, Nice: 5, Access: pocketsphinx.Access},
	})
	defer p.Close()
	asrtest.Run(t, p, pocketsphinx.MaxChunk, say(t, "how old is the brooklyn bridge"))
}

func TestClearSpeechIsRecognised(t *testing.T) {
	got := heard(t, recognizer(t), asr.Request{PCM: say(t, "how old is the brooklyn bridge")})
	if want := "how old is the brooklyn bridge"; got != want {
		t.Errorf("heard %q, want %q", got, want)
	}
}

func TestCustomTermsAreHeardAndForgotten(t *testing.T) {
	verify.Long(t)
	r := recognizer(t)
	pcm := say(t, "please open the parlexo dashboard in contoso manager today")
	plain := heard(t, r, asr.Request{PCM: pcm})
	custom := []vocabulary.Vocabulary{{Terms: []vocabulary.Term{
		{Text: "Parlexo", SoundsLike: []string{"par lex oh"}}, {Text: "Contoso Manager"}, {Text: "日本"},
	}}}
	found, err := r.Recognize(context.Background(), asr.Request{PCM: pcm, Vocabulary: custom})
	if err != nil {
		t.Fatal(err)
	}
	got := heard(t, r, asr.Request{PCM: pcm, Vocabulary: custom})
	for _, want := range []string{"Parlexo", "Contoso Manager"} {
		if strings.Contains(plain, want) || !strings.Contains(got, want) {
			t.Errorf("heard %q without and %q with the term %q", plain, got, want)
		}
	}
	if len(found.Warnings) != 1 || !strings.Contains(found.Warnings[0], "日本") {
		t.Errorf("warnings %q, want one about the term that cannot be said", found.Warnings)
	}
	if again := heard(t, r, asr.Request{PCM: pcm}); again != plain {
		t.Errorf("heard %q after a request with a vocabulary, %q before", again, plain)
	}
}

// TestAVocabularyAtItsLimitsIsUsed uses so many terms with such high weights that terms often follow each other. The
// library then evaluates word pairs for which its model was not built.
func TestAVocabularyAtItsLimitsIsUsed(t *testing.T) {
	verify.Long(t)
	var terms []vocabulary.Term
	for i := range vocabulary.MaxTerms - 2 {
		terms = append(terms, vocabulary.Term{Text: fmt.Sprintf("Product %d", i), Weight: vocabulary.MaxWeight})
	}
	terms = append(terms, vocabulary.Term{Text: "Parlexo", Weight: 5}, vocabulary.Term{Text: "Contoso", Weight: 5})
	pcm := say(t, "please open the parlexo contoso dashboard in contoso and parlexo today product five")
	r := recognizer(t)
	for range 3 {
		found, err := r.Recognize(context.Background(),
			asr.Request{PCM: pcm, Vocabulary: []vocabulary.Vocabulary{{Terms: terms}}})
		if err != nil || len(found.Warnings) > 0 {
			t.Fatal(err, found)
		}
		if got := heard(t, r, asr.Request{PCM: pcm,
			Vocabulary: []vocabulary.Vocabulary{{Terms: terms}}}); !strings.Contains(got, "Parlexo") ||
			!strings.Contains(got, "Contoso") {
			t.Errorf("heard %q", got)
		}
	}
}

func TestOtherLanguagesAreRefused(t *testing.T) {
	pcm := &sound.PCM{Rate: 16000, Samples: make([]int16, 16000)}
	_, err := recognizer(t).Recognize(context.Background(), asr.Request{PCM: pcm, Language: "es-LA"})
	if !fault.Is(err, fault.Invalid) {
		t.Errorf("error %v, want Invalid", err)
	}
}

func TestMissingModelIsUnavailableWithTheRemedy(t *testing.T) {
	empty := pocketsphinx.Config{ModelDir: t.TempDir()}
	_, checked := pocketsphinx.Check(empty)
	_, opened := pocketsphinx.New(empty)
	for _, err := range []error{checked, opened} {
		if !fault.Is(err, fault.Unavailable) || !strings.Contains(err.Error(), "pocketsphinx-en-us") {
			t.Errorf("error %v, want Unavailable that names the package", err)
		}
	}
}

func TestChildWithoutModelSaysWhatToInstall(t *testing.T) {
	var out bytes.Buffer
	err := pocketsphinx.Main(context.Background(), strings.NewReader(""), &out,
		pocketsphinx.Config{ModelDir: t.TempDir()})
	if err == nil || !strings.Contains(out.String(), "pocketsphinx-en-us") ||
		!strings.Contains(out.String(), `"unavailable"`) {
		t.Errorf("error %v, answer %q", err, out.String())
	}
}
