package phrase

// Field says in which text of a call words stand.
type Field uint8

// The fields.
const (
	Transcript Field = iota
	Title
	Description
	fields // how many there are
)

// Fields is a set of fields.
type Fields uint8

// Everywhere is all fields.
const Everywhere Fields = 1<<fields - 1

// Only returns the set of one field.
func Only(f Field) Fields { return 1 << f }

// Has reports whether a field is in the set.
func (fs Fields) Has(f Field) bool { return fs&(1<<f) != 0 }

// Need is words without which a call cannot match, for an index to look up candidates by. It may ask for less than the
// query, never for more. It is one of the types below.
type Need interface{ need() }

type (
	// NeedAll asks for each of its elements. Without any it asks for nothing: every call is a candidate.
	NeedAll []Need
	// NeedSome asks for at least one of its elements.
	NeedSome []Need
	// NeedRun asks for words that follow each other in one of the fields. Its patterns are Exact, but the last may be
	// Prefix.
	NeedRun struct {
		Fields   Fields
		Patterns []Pattern
	}
)

func (NeedAll) need()  {}
func (NeedSome) need() {}
func (NeedRun) need()  {}

// Nothing reports whether a need asks for nothing.
func Nothing(n Need) bool {
	switch n := n.(type) {
	case NeedAll:
		for _, one := range n {
			if !Nothing(one) {
				return false
			}
		}
		return true
	case NeedSome:
		for _, one := range n {
			if Nothing(one) {
				return true
			}
		}
	}
	return false
}

// Need returns what a phrase in one of some fields asks for: words without gaps between them together, others each by
// itself.
func (p Phrase) Need(in Fields) Need {
	var all NeedAll
	run := NeedRun{Fields: in}
	end := func() {
		if len(run.Patterns) > 0 {
			all = append(all, run)
		}
		run.Patterns = nil
	}
	for _, place := range p.Places {
		if place.Kind == Any {
			end()
			continue
		}
		run.Patterns = append(run.Patterns, place)
		if place.Kind == Prefix || p.Slop > 0 {
			end()
		}
	}
	end()
	return all
}
