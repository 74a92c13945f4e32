package codec

import (
	"fmt"

	"parley/internal/call/result"
	"parley/internal/words/fault"
)

// resultVersion is the format that EncodeResult writes; see transcriptVersion. A result holds its transcript
// in the transcript format of that time, so that a change of that format changes this one, too.
const resultVersion = 1

// EncodeResult returns the record of a result, its transcript kept as by EncodeTranscript.
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

// findingsByte is how much memory a byte of findings takes at most while they are read, and as much as what is made of
// them for answers, measured (BenchmarkMemoryOfFindings).
const findingsByte = 8

// DecodeResult returns the result of a record. A record of a later format is a *NewerError.
func (c *Codec) DecodeResult(data []byte) (*result.Open, error) {
	return c.DecodeResultWithin(data, nil)
}

// DecodeResultWithin is DecodeResult for those who count memory: hold is called with what is about to be taken, some
// bytes more than what is kept in the end, and with a negative number for what is given back. Its error ends the work.
// It is called again and again, some ten thousand words apart at most.
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
	r := reader{b: content, hold: hold}
	o := &result.Open{Transcript: readTranscript(&r)}
	o.Warnings = readList(&r, func() fault.Problem {
		return fault.Problem{Code: int(r.int()), Message: r.text()}
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
