// Package entity finds what conversations name: persons, places, organizations, amounts of money, numbers, phone
// numbers, times of day and dates. English.
//
// Numbers are found as they are written (package formatting), and told as they are said. Names are those of a
// gazetteer, and words where a name must stand ("my name is …", "thank you for calling …"); what is a name and an
// ordinary word needs a capital or such a place. Words need no capitals or marks, but they help.
//
// It does not write numbers, hides nothing (package detect finds what must be hidden), and does not tell which entities
// are the same.
package entity

import (
	"time"

	"parley/internal/words/transcript"
)

// Type is a kind of entity, as the wire has it.
type Type string

// The types.
const (
	Location     Type = "location"
	Person       Type = "person"
	Organization Type = "organization"
	Amount       Type = "money"
	Number       Type = "number"
	Phone        Type = "phone"
	Time         Type = "time"
	Date         Type = "date"
)

// Request says what is known.
type Request struct {
	Gazetteer *Gazetteer
	Spoken    *transcript.Transcript // the words before numbers were written; nil: not known
}

// Entity is one place where something is named.
type Entity struct {
	Type       Type
	Text       string // as it is said
	Formatted  string // as one writes it; empty for names
	Speaker    int    // index into Transcript.Speakers
	Start, End time.Duration
	Money      *Money // of amounts
}

// Money is an amount in a currency.
type Money struct{ Whole, Centi int64 }

// Find returns the entities of a transcript in which numbers are written as figures, in the order in which they are
// said.
func Find(t *transcript.Transcript, r *Request) []Entity {
	found := []Entity{}
	said := newSaid(r.Spoken)
	cased := hasCapitals(t)
	for _, turn := range t.Turns() {
		s := &stretch{gazetteer: r.Gazetteer, tokens: tokens(t, turn.Words), cased: cased}
		s.names = make([]known, len(s.tokens))
		for _, h := range s.hits() {
			found = append(found, s.entity(t, turn.Speaker, h, said))
		}
	}
	order(found)
	return found
}
