// Package entity finds named entities in English conversations: persons, places, organizations, amounts of money,
// numbers, phone numbers, times of day and dates.
//
// It finds numbers in their written form (package formatting) and returns them as they were said. Names come from a
// gazetteer, or from the context ("my name is …", "thank you for calling …"). A name that is also an ordinary word
// needs a capital or such a context. Capitals and punctuation help but are not required.
//
// The package does not format numbers, does not redact (package detect finds sensitive data), and does not resolve
// coreferences.
package entity

import (
	"cmp"
	"slices"
	"time"

	"parley/internal/words/transcript"
)

// Type is a kind of entity, with the value used on the wire.
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

// Request is the input of Find other than the transcript.
type Request struct {
	Gazetteer *Gazetteer
	Spoken    *transcript.Transcript // the transcript before numbers were formatted; nil: unknown
}

// Entity is one mention of an entity.
type Entity struct {
	Type       Type
	Text       string // as said
	Formatted  string // the normalized form; empty for names
	Speaker    int    // index into Transcript.Speakers
	Start, End time.Duration
	Money      *Money // of type money only
}

// Money is an amount in a currency.
type Money struct{ Whole, Centi int64 }

// Find returns the entities of a formatted transcript, in the order in which they are said.
func Find(t *transcript.Transcript, r *Request) []Entity {
	found := []Entity{}
	said := newSpokenWords(r.Spoken)
	cased := hasCapitals(t)
	for _, turn := range t.Turns() {
		s := &stretch{gazetteer: r.Gazetteer, tokens: tokens(t, turn.Words), cased: cased}
		for i := range s.tokens {
			s.names = append(s.names, s.search(i))
		}
		for _, h := range s.hits() {
			found = append(found, s.entity(t, turn.Speaker, h, said))
		}
	}
	slices.SortStableFunc(found, func(a, b Entity) int { return cmp.Compare(a.Start, b.Start) })
	return found
}
