package codec

import "time"

// pair is the stored form of a verbnoun.Pair; times are in nanoseconds.
type pair struct {
	Speaker  int           `json:"speaker"`
	Start    time.Duration `json:"start"`
	End      time.Duration `json:"end"`
	Verb     string        `json:"verb"`
	Noun     string        `json:"noun"`
	VerbNeg  string        `json:"verbNeg,omitempty"`
	NounNeg  string        `json:"nounNeg,omitempty"`
	Question bool          `json:"question,omitempty"`
}
