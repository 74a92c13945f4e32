package codec

import (
	"fmt"
	"strings"
	"time"
	"unsafe"

	"parley/internal/words/packed"
	"parley/internal/words/transcript"
)

// transcriptVersion is the format that EncodeTranscript writes. A change needs a new decoder next to the old ones, a
// new number here and a golden file.
const transcriptVersion = 1

// EncodeTranscript encodes a transcript. Times are exact; confidence, volume and energy have four decimals, frequencies
// two. Voice features may be negative: supplied words can have such values until they are clamped.
func (c *Codec) EncodeTranscript(t *transcript.Transcript) []byte {
	var w writer
	writeTranscript(&w, t)
	return c.seal(transcriptKind, transcriptVersion, w.b)
}

// DecodeTranscript decodes a transcript. A record of a newer format is a *NewerError.
func (c *Codec) DecodeTranscript(data []byte) (*transcript.Transcript, error) {
	content, err := c.open(transcriptKind, transcriptVersion, data)
	if err != nil {
		return nil, err
	}
	r := reader{Reader: packed.Reader{Rest: content}}
	t := readTranscript(&r)
	if err := r.done(); err != nil {
		return nil, fmt.Errorf("transcript record: %w", err)
	}
	return t, nil
}

// writeTranscript writes columns rather than rows: similar values next to each other compress well.
func writeTranscript(w *writer, t *transcript.Transcript) {
	unit := timeUnit(t)
	w.text(t.Language)
	w.uint(uint64(unit))
	w.int(int64(t.Length / unit))
	w.uint(uint64(len(t.Speakers)))
	for _, s := range t.Speakers {
		w.text(s.Name)
		w.uint(uint64(s.Role))
		w.int(int64(s.Channel))
	}
	w.uint(uint64(len(t.Words)))
	writeWords(w, t.Words, unit)
}

// wordColumns is the number of columns of writeWords, each of at least one byte per word.
const wordColumns = 8

func writeWords(w *writer, words []transcript.Word, unit time.Duration) {
	var texts strings.Builder
	var before time.Duration
	for _, x := range words {
		w.uint(uint64(x.Kind))
	}
	for _, x := range words {
		w.uint(uint64(x.Speaker))
	}
	for _, x := range words {
		w.int(int64((x.Start - before) / unit))
		before = x.Start
	}
	for _, x := range words {
		w.int(int64((x.End - x.Start) / unit))
	}
	for _, x := range words {
		w.ten4(x.Confidence)
	}
	for _, x := range words {
		w.uint(uint64(len(x.Text)))
		texts.WriteString(x.Text)
	}
	w.text(texts.String())
	for _, x := range words {
		writeMarkers(w, x.Markers)
	}
	for _, x := range words {
		writeVoice(w, x.Voice)
	}
}

func writeMarkers(w *writer, markers []string) {
	w.uint(uint64(len(markers)))
	for _, m := range markers {
		w.text(m)
	}
}

func writeVoice(w *writer, v *transcript.Voice) {
	w.flag(v != nil)
	if v == nil {
		return
	}
	w.signed(v.Volume, 1e4)
	w.uint(uint64(len(v.Peaks)))
	for _, p := range v.Peaks {
		w.signed(p.Frequency, 100)
		w.signed(p.Energy, 1e4)
	}
}

// timeUnit returns the longest duration that divides all times, at least 1 ns. Most recognisers use frames of 10 ms,
// and small numbers compress better.
func timeUnit(t *transcript.Transcript) time.Duration {
	unit := divisor(0, t.Length)
	for _, w := range t.Words {
		if unit = divisor(divisor(unit, w.Start), w.End); unit == 1 {
			break
		}
	}
	return max(unit, 1)
}

func divisor(a, b time.Duration) time.Duration {
	for b != 0 {
		a, b = b, a%b
	}
	return a.Abs()
}

// Memory per decoded word: the word and, during decoding, the length of its text; and the additional memory per word
// with voice features.
const (
	wordMemory  = int64(unsafe.Sizeof(transcript.Word{})) + 8
	voiceMemory = int64(unsafe.Sizeof(transcript.Voice{}))
)

func readTranscript(r *reader) *transcript.Transcript {
	t := &transcript.Transcript{Language: r.text()}
	unit := time.Duration(r.Uvarint())
	t.Length = time.Duration(r.Varint()) * unit
	t.Speakers = readList(r, func() transcript.Speaker {
		return transcript.Speaker{Name: r.text(), Role: transcript.Role(r.Uvarint()), Channel: int(r.Varint())}
	})
	n := r.Count(wordColumns)
	if r.take(int64(n) * wordMemory); n > 0 && !r.Broken {
		t.Words = make([]transcript.Word, n)
	}
	readWords(r, t.Words, unit)
	for i := range t.Words {
		if s := t.Words[i].Speaker; s < 0 || s >= len(t.Speakers) {
			r.Break()
		}
	}
	return t
}

func readWords(r *reader, words []transcript.Word, unit time.Duration) {
	var before time.Duration
	for i := range words {
		words[i].Kind = transcript.Kind(r.Uvarint())
	}
	for i := range words {
		words[i].Speaker = int(r.Uvarint())
	}
	for i := range words {
		words[i].Start = before + time.Duration(r.Varint())*unit
		before = words[i].Start
	}
	for i := range words {
		words[i].End = words[i].Start + time.Duration(r.Varint())*unit
	}
	for i := range words {
		words[i].Confidence = r.ten4()
	}
	readTexts(r, words)
	for i := range words {
		words[i].Markers = readList(r, r.text)
	}
	for i := range words {
		words[i].Voice = readVoice(r)
	}
}

func readTexts(r *reader, words []transcript.Word) {
	lengths := make([]uint64, len(words))
	for i := range lengths {
		lengths[i] = r.Uvarint()
	}
	texts := r.text()
	for i, n := range lengths {
		if n > uint64(len(texts)) {
			r.Break()
			return
		}
		words[i].Text, texts = texts[:n], texts[n:]
	}
	if texts != "" {
		r.Break()
	}
}

func readVoice(r *reader) *transcript.Voice {
	if !r.flag() {
		return nil
	}
	r.take(voiceMemory)
	return &transcript.Voice{Volume: r.signed(1e4), Peaks: readList(r, func() transcript.Peak {
		return transcript.Peak{Frequency: r.signed(100), Energy: r.signed(1e4)}
	})}
}

// readList reads a list's length and its elements, nil for an empty list.
func readList[T any](r *reader, element func() T) []T {
	n := r.Count(1)
	if n == 0 {
		return nil
	}
	r.take(int64(n) * int64(unsafe.Sizeof(*new(T)))) // an element has at least one byte
	list := make([]T, 0, min(n, 4096))
	for range n {
		if r.Broken {
			return nil
		}
		list = append(list, element())
	}
	return list
}
