package asr

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"time"

	"parley/internal/words/fault"
)

// format is the version of the encoding of stored recognitions.
const format = 1

// record is the stored form of a Recognition. Times are in microseconds.
type record struct {
	Format   int          `json:"format"`
	Words    []wordRecord `json:"words,omitempty"`
	Warnings []string     `json:"warnings,omitempty"`
	Voice    []byte       `json:"voice,omitempty"`
}

type wordRecord struct {
	Text       string  `json:"t"`
	Start      int64   `json:"s"`
	End        int64   `json:"e"`
	Confidence float64 `json:"c"`
	Punctuated string  `json:"p,omitempty"`
}

// Encode encodes a recognition for storage; Decode is its inverse.
func Encode(r *Recognition) []byte {
	k := record{Format: format, Warnings: r.Warnings, Voice: r.Voice}
	for _, w := range r.Words {
		k.Words = append(k.Words, wordRecord{w.Text, w.Start.Microseconds(), w.End.Microseconds(), w.Confidence,
			w.Punctuated})
	}
	data, err := json.Marshal(k)
	if err != nil {
		panic(err) // only for a confidence of NaN or infinity, which recognisers must not return
	}
	return data
}

// Decode decodes the output of Encode. It rejects other data.
func Decode(data []byte) (*Recognition, error) {
	var k record
	if err := json.Unmarshal(data, &k); err != nil {
		return nil, fault.New(fault.Internal, fault.CodeInternal, "stored recognition: %w", err)
	}
	if k.Format != format {
		return nil, fault.New(fault.Internal, fault.CodeInternal,
			"stored recognition has format %d; this program reads format %d", k.Format, format)
	}
	r := &Recognition{Warnings: k.Warnings, Voice: k.Voice}
	for _, w := range k.Words {
		r.Words = append(r.Words, Word{
			Text: w.Text, Start: time.Duration(w.Start) * time.Microsecond,
			End:        time.Duration(w.End) * time.Microsecond,
			Confidence: w.Confidence, Punctuated: w.Punctuated,
		})
	}
	return r, nil
}

// Fingerprint identifies an engine's answer to a request, in hex: equal engine, model, version, options and audio
// give equal fingerprints. A stored result may be reused for the same fingerprint.
func Fingerprint(i Info, r Request) string {
	pcm := r.PCM
	r.PCM = nil
	options, err := json.Marshal(struct {
		Format                 int
		Engine, Model, Version string
		Request                Request
	}{format, i.Engine, i.Model, i.Version, r})
	if err != nil {
		panic(err) // only for a weight of NaN or infinity, which vocabularies reject
	}
	h := sha256.New()
	binary.Write(h, binary.LittleEndian, uint64(len(options)))
	h.Write(options)
	if pcm != nil {
		binary.Write(h, binary.LittleEndian, uint64(pcm.Rate))
		binary.Write(h, binary.LittleEndian, pcm.Samples)
	}
	return hex.EncodeToString(h.Sum(nil))
}
