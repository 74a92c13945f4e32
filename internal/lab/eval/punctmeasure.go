package eval

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"parley/internal/speech/asr"
	"parley/internal/speech/audio"
	"parley/internal/words/sound"
	"parley/internal/words/transcript"
)

// Punctuate adds punctuation and capitals to words without any.
type Punctuate func(*transcript.Transcript) *transcript.Transcript

// RestorePunctuation recognises every recording below dir that has a punctuated reference text. It punctuates the
// recognised words and, to simulate perfect recognition, the reference words with the times of the recognised words
// with which they align. It skips calls with one channel per speaker, because their references have no turns. longest
// is the engine's preferred chunk length. Rows are sorted by the names of the sets. If the error is Failures or that of
// ctx, the table has the recordings that could be measured.
func RestorePunctuation(
	ctx context.Context, dir string, decoder *audio.Decoder, recognizer asr.Recognizer, longest time.Duration,
	punctuate Punctuate,
) (PunctuationTable, error) {
	recordings, err := Find(dir)
	if err != nil {
		return nil, err
	}
	recordings = slices.DeleteFunc(recordings, func(r Recording) bool { return r.Call || !punctuated(r.Text) })
	if len(recordings) == 0 {
		return nil, fmt.Errorf("no recording with a punctuated reference in %s", dir)
	}
	var table PunctuationTable
	err = each(ctx, recordings, func(r Recording) error {
		heard, length, err := listen(ctx, r.Path, decoder, recognizer, longest)
		if err == nil {
			table = table.add(measurePunctuation(r, heard, length, punctuate))
		}
		return err
	})
	return table, err
}

func punctuated(words []string) bool {
	for _, w := range words {
		if MarkOf(w) >= 0 {
			return true
		}
	}
	return false
}

// listen recognises one recording as one channel.
func listen(
	ctx context.Context, path string, decoder *audio.Decoder, recognizer asr.Recognizer, longest time.Duration,
) ([]asr.Word, time.Duration, error) {
	media, err := load(ctx, path, decoder, false)
	if err != nil {
		return nil, 0, err
	}
	chunks := asr.Chunks([][]sound.Segment{media.speech().Chunks(0, longest)})
	heard, err := media.recognize(ctx, recognizer, chunks)
	if err != nil {
		return nil, 0, err
	}
	var words []asr.Word
	for i, chunk := range chunks {
		words = append(words, chunk.Place(heard[i])...)
	}
	return words, media.channels[0].Duration(), nil
}

func measurePunctuation(r Recording, heard []asr.Word, length time.Duration, punctuate Punctuate) PunctuationRow {
	row := PunctuationRow{Set: r.Set, Words: len(r.Text)}
	given := reading(r.Text, heard, length)
	row.Given = conditionOf(r.Text, given, punctuate)
	row.Heard = conditionOf(r.Text, spoken(heard, length), punctuate)
	row.Pauses = pausesOf(r.Text, given)
	return row
}

// conditionOf scores both methods of punctuation on a transcript.
func conditionOf(reference []string, t *transcript.Transcript, punctuate Punctuate) Condition {
	restored := written(punctuate(t))
	c := Condition{Restored: Punctuation(reference, restored), Inner: InnerPunctuation(reference, restored)}
	for i := range c.ByPause {
		c.ByPause[i] = Punctuation(reference, written(atPauses(t, threshold(i))))
	}
	return c
}

// spoken returns a transcript of the recognised words.
func spoken(heard []asr.Word, length time.Duration) *transcript.Transcript {
	t := &transcript.Transcript{Speakers: []transcript.Speaker{{Name: transcript.DefaultSpeaker,
		Channel: transcript.NoChannel}}, Length: length}
	for _, w := range heard {
		t.Words = append(t.Words, transcript.Word{Text: w.Text, Start: w.Start, End: w.End, Confidence: w.Confidence})
	}
	return t
}

// reading returns a transcript of the reference words, in lower case and without punctuation, with the times of the
// recognised words with which they align. Words between those share the remaining time.
func reading(reference []string, heard []asr.Word, length time.Duration) *transcript.Transcript {
	bare, texts := plainWords(reference), make([]string, len(heard))
	for i, w := range heard {
		texts[i] = w.Text
	}
	ref, hyp := Normalize(bare), Normalize(texts)
	timed := make([]asr.Word, len(bare))
	known := make([]bool, len(bare))
	for _, p := range Align(ref, hyp) {
		if p.Reference < 0 || p.Heard < 0 {
			continue
		}
		r, h := ref[p.Reference].Word, heard[hyp[p.Heard].Word]
		if !known[r] {
			timed[r].Start, known[r] = h.Start, true
		}
		timed[r].End = h.End
	}
	share(timed, known, length)
	for i := range timed {
		timed[i].Text, timed[i].Confidence = bare[i], 1
	}
	return spoken(timed, length)
}

// share distributes the time between words with known times equally among the words without.
func share(words []asr.Word, known []bool, length time.Duration) {
	for i := 0; i < len(words); {
		if known[i] {
			i++
			continue
		}
		from, to, n := time.Duration(0), length, 1
		if i > 0 {
			from = words[i-1].End
		}
		for i+n < len(words) && !known[i+n] {
			n++
		}
		if i+n < len(words) {
			to = max(words[i+n].Start, from)
		}
		for k := range n {
			words[i+k].Start = from + (to-from)*time.Duration(k)/time.Duration(n)
			words[i+k].End = from + (to-from)*time.Duration(k+1)/time.Duration(n)
		}
		i += n
	}
}

// plainWords returns the words as a recogniser would output them, except for numbers: lower case, no punctuation,
// compounds split.
func plainWords(written []string) []string {
	var plain []string
	for _, w := range written {
		for _, p := range strings.FieldsFunc(strings.ToLower(strings.ReplaceAll(w, "’", "'")), separates) {
			if p = strings.TrimFunc(p, func(r rune) bool {
				return !unicode.IsLetter(r) && !unicode.IsDigit(r)
			}); p != "" {
				plain = append(plain, p)
			}
		}
	}
	return plain
}

// written returns a transcript's words with their punctuation.
func written(t *transcript.Transcript) []string {
	var words []string
	for _, w := range t.Words {
		if n := len(words); w.Kind == transcript.Punctuation && n > 0 {
			words[n-1] += w.Text
		} else {
			words = append(words, w.Text)
		}
	}
	return words
}

// atPauses ends a sentence at every pause of at least the given length: the baseline.
func atPauses(t *transcript.Transcript, pause time.Duration) *transcript.Transcript {
	out := *t
	out.Words = nil
	for i, w := range t.Words {
		out.Words = append(out.Words, w)
		if i+1 == len(t.Words) || t.Words[i+1].Start-w.End >= pause {
			out.Words = append(out.Words, transcript.Word{Text: ".", Kind: transcript.Punctuation, Start: w.End,
				End: w.End})
		}
	}
	return &out
}
