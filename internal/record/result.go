package record

import (
	"fmt"

	"parley/internal/fault"
	"parley/internal/result"
)

// resultVersion is the format that EncodeResult writes; see transcriptVersion. A result holds its transcript
// in that transcript format which was current then.
// Version 2 added what the analyses found.
const resultVersion = 2

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

// DecodeResult returns the result of a record. A record of a later format is a *NewerError.
func (c *Codec) DecodeResult(data []byte) (*result.Open, error) {
	version, content, err := c.open(resultKind, resultVersion, data)
	if err != nil {
		return nil, err
	}
	r := reader{b: content}
	o := &result.Open{Transcript: readTranscript(&r)}
	o.Warnings = readList(&r, func() fault.Problem {
		return fault.Problem{Code: int(r.int()), Message: r.text()}
	})
	var found string
	if version >= 2 {
		found = r.text()
	}
	if err := r.done(); err != nil {
		return nil, fmt.Errorf("result record: %w", err)
	}
	if version >= 2 {
		if o.Findings, err = decodeFindings([]byte(found)); err != nil {
			return nil, fmt.Errorf("result record: %w", err)
		}
	}
	return o, nil
}
