package codec

import (
	"fmt"

	"parley/internal/call/result"
	"parley/internal/words/fault"
	"parley/internal/words/packed"
)

// resultVersion is the format that EncodeResult writes; see transcriptVersion. A result contains its transcript in the
// current transcript format, so a change of that format also changes this version.
const resultVersion = 1

// EncodeResult returns the record of a result, with its transcript in the format of EncodeTranscript.
func (c *Codec) EncodeResult(o *result.Open) []byte {
	var w writer
	writeTranscript(&w, o.Transcript)
	w.uint(uint64(len(o.Warnings)))
	for _, p := range o.Warnings {
		w.int(int64(p.Code))
		w.text(p.Message)
	}
	w.text(string(encodeFindings(o.Findings)))
	return c.seal(resultKind, resultVersion, w.b)
}

// findingsByte is the maximum memory per byte of encoded findings while they are decoded. Their converted form in an
// answer takes as much. Measured by BenchmarkMemoryOfFindings.
const findingsByte = 8

// DecodeResult decodes a result. A record of a newer format is a *NewerError.
func (c *Codec) DecodeResult(data []byte) (*result.Open, error) {
	return c.DecodeResultWithin(data, nil)
}

// DecodeResultWithin is DecodeResult with memory accounting. It calls hold with the bytes that it is about to allocate,
// slightly more than the result finally needs, and with a negative number for bytes that it releases. If hold returns
// an error, decoding stops with it. Calls are at most some ten thousand words apart.
func (c *Codec) DecodeResultWithin(data []byte, hold func(bytes int64) error) (*result.Open, error) {
	if hold == nil {
		hold = func(int64) error { return nil }
	}
	unpacked := Size(data)
	if err := hold(unpacked); err != nil {
		return nil, err
	}
	content, err := c.open(resultKind, resultVersion, data)
	if err != nil {
		return nil, err
	}
	r := reader{Reader: packed.Reader{Rest: content}, hold: hold}
	o := &result.Open{Transcript: readTranscript(&r)}
	o.Warnings = readList(&r, func() fault.Problem {
		return fault.Problem{Code: int(r.Varint()), Message: r.text()}
	})
	found := r.text()
	r.take(findingsByte * int64(len(found)))
	r.settle()
	if err := r.done(); err != nil {
		return nil, fmt.Errorf("result record: %w", err)
	}
	if o.Findings, err = decodeFindings([]byte(found)); err != nil {
		return nil, fmt.Errorf("result record: %w", err)
	}
	return o, hold(-unpacked)
}
