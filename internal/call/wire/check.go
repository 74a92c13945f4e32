package wire

import (
	"parley/internal/words/fault"
)

// QueryCheck is the answer about a query that was parsed but not run.
type QueryCheck struct {
	Valid    bool      `json:"valid"`
	Printed  string    `json:"printed,omitempty"` // the normal form, if it is valid
	Problems []Problem `json:"problems"`
	Outline  *Outline  `json:"outline,omitempty"` // of its condition, if it is valid
}

// NewCheck returns the answer about a valid query.
func NewCheck(printed string, outline *Outline) QueryCheck {
	return QueryCheck{Valid: true, Printed: printed, Problems: []Problem{}, Outline: outline}
}

// NewMistakes returns the answer about a query with mistakes.
func NewMistakes(problems []fault.Problem) QueryCheck {
	return QueryCheck{Problems: errorsOf(problems)}
}

// ConditionPlace is a condition and its place in a text.
type ConditionPlace struct {
	Kind   string `json:"kind"`
	Text   string `json:"text"` // its normal form
	Line   int    `json:"line"`
	Column int    `json:"column"` // in UTF-16 code units
	Length int    `json:"length"`
}

// Outline is a condition with its place in a text, and its parts.
type Outline struct {
	ConditionPlace
	MustNot bool      `json:"mustNot,omitempty"` // a side of NOT FOLLOWED BY
	Parts   []Outline `json:"parts,omitempty"`
}
