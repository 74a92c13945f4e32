package importer

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"
	"unicode"

	"parley/internal/words/transcript"
)

// whisperWord is a word, or a piece of one from whisper.cpp; the first piece of a word starts with a space.
type whisperWord struct {
	Word        string `json:"word"`
	Start       number `json:"start"`
	End         number `json:"end"`
	Probability number `json:"probability"`
	Score       number `json:"score"` // WhisperX
	Speaker     string `json:"speaker"`
}

// whisperSegment is a stretch of text; times are in seconds.
type whisperSegment struct {
	Text    string          `json:"text"`
	Start   number          `json:"start"`
	End     number          `json:"end"`
	Words   json.RawMessage `json:"words"`
	Speaker string          `json:"speaker"`
}

// readWhisper reads verbose_json: words inside segments, words beside a punctuated text, or segments with text only.
func readWhisper(d *draft, raw []byte) error {
	top := keys(raw)
	if top["words"] != nil && !has(first(top["segments"]), "words") {
		return readBareWords(d, top)
	}
	return each(top["segments"], "segments", func(_ int, s whisperSegment) error {
		var words []whisperWord
		err := each(s.Words, "words", func(_ int, w whisperWord) error { words = append(words, w); return nil })
		switch {
		case err != nil:
			return err
		case len(words) == 0:
			return d.stretch(s)
		}
		return d.whisperWords(words, s.Speaker)
	})
}

// whisperWords adds the words of a segment. If any piece starts with a space, pieces without one continue the
// previous word.
func (d *draft) whisperWords(pieces []whisperWord, segment string) error {
	spaced := slices.ContainsFunc(pieces, func(w whisperWord) bool { return strings.HasPrefix(w.Word, " ") })
	var words []whisperWord
	for i, w := range pieces {
		if i == 0 || !spaced || strings.HasPrefix(w.Word, " ") {
			words = append(words, w)
			continue
		}
		open := &words[len(words)-1]
		open.Word, open.End = open.Word+w.Word, w.End
		open.Probability.value = min(open.Probability.value, w.Probability.value)
	}
	for i, w := range words {
		if err := d.whisperWord(w, segment); err != nil {
			return at("words", i, err)
		}
	}
	return nil
}

func (d *draft) whisperWord(w whisperWord, segment string) error {
	speaker, err := d.labelled(cmp.Or(w.Speaker, segment), transcript.NoChannel)
	if err != nil {
		return err
	}
	if !w.Probability.given {
		w.Probability = w.Score
	}
	return d.word(speaker, w.Word, span{w.Start, w.End, time.Second}, w.Probability)
}

// stretch adds a text with a single start and end.
func (d *draft) stretch(s whisperSegment) error {
	speaker, err := d.labelled(s.Speaker, transcript.NoChannel)
	if err != nil {
		return err
	}
	return d.spread(speaker, s.Text, span{s.Start, s.End, time.Second})
}

// spread adds a text and distributes its time over the words by letters.
func (d *draft) spread(speaker int, text string, whole span) error {
	words := strings.Fields(text)
	letters, past := 0, 0
	for _, w := range words {
		letters += len(w)
	}
	at := func(n int) number {
		share := float64(n) / float64(max(letters, 1))
		return number{whole.start.value + share*max(whole.end.value-whole.start.value, 0), whole.start.given}
	}
	for _, w := range words {
		one := span{at(past), at(past + len(w)), whole.unit}
		past += len(w)
		if err := d.word(speaker, w, one, number{}); err != nil {
			return err
		}
	}
	return nil
}

// readBareWords reads OpenAI's format, whose words have no punctuation; the text beside them has it.
func readBareWords(d *draft, top map[string]json.RawMessage) error {
	var text string
	if raw := top["text"]; raw != nil {
		if err := json.Unmarshal(raw, &text); err != nil {
			return err
		}
	}
	written := strings.Fields(text)
	return each(top["words"], "words", func(_ int, w whisperWord) error {
		w.Word, written = asWritten(w.Word, written)
		return d.whisperWord(w, "")
	})
}

// lookAhead is the maximum number of words of the text that may be skipped to find a word.
const lookAhead = 4

// asWritten returns a word as written in the text, and the rest of the text.
func asWritten(word string, text []string) (string, []string) {
	for i, w := range text[:min(lookAhead, len(text))] {
		if folded(w) == folded(word) {
			return w, text[i+1:]
		}
	}
	return word, text
}

func folded(w string) string {
	return strings.ToLower(strings.TrimFunc(w, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r)
	}))
}

// readWhisperCPP reads the output file of whisper.cpp's command line; times are in milliseconds. Words are built from
// the tokens, or from the text of the segments if there are no tokens.
func readWhisperCPP(d *draft, raw []byte) error {
	type offsets struct {
		From number `json:"from"`
		To   number `json:"to"`
	}
	return each(keys(raw)["transcription"], "transcription", func(_ int, s struct {
		Text    string  `json:"text"`
		Offsets offsets `json:"offsets"`
		Speaker string  `json:"speaker"`
		Tokens  few[struct {
			Text    string  `json:"text"`
			Offsets offsets `json:"offsets"`
			P       number  `json:"p"`
		}] `json:"tokens"`
	}) error {
		seconds := func(n number) number { return number{n.value / 1000, n.given} }
		segment := whisperSegment{Text: s.Text, Start: seconds(s.Offsets.From), End: seconds(s.Offsets.To),
			Speaker: s.Speaker}
		var pieces []whisperWord
		for _, t := range s.Tokens {
			if !strings.HasPrefix(t.Text, "[_") { // [_BEG_], [_TT_150]
				pieces = append(pieces, whisperWord{Word: t.Text, Start: seconds(t.Offsets.From),
					End: seconds(t.Offsets.To), Probability: t.P})
			}
		}
		if len(pieces) == 0 {
			return d.stretch(segment)
		}
		return d.whisperWords(pieces, s.Speaker)
	})
}
