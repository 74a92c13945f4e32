package phrase

// Field is a text of a call in which words occur.
type Field uint8

// The fields.
const (
	Transcript Field = iota
	Title
	Description
	fields // number of fields
)

// Fields is a set of fields.
type Fields uint8

// Everywhere is the set of all fields.
const Everywhere Fields = 1<<fields - 1

// Only returns the set of one field.
func Only(f Field) Fields { return 1 << f }

// Has reports whether a field is in the set.
func (fs Fields) Has(f Field) bool { return fs&(1<<f) != 0 }

// All yields the fields of the set.
func (fs Fields) All(yield func(Field) bool) {
	for f := range fields {
		if fs.Has(f) && !yield(f) {
			return
		}
	}
}

// Need describes words without which a call cannot match; an index uses it to find candidates. It may be weaker than
// the query, never stronger. It is one of the types below.
type Need interface{ need() }

type (
	// NeedAll requires each of its elements. An empty one requires nothing: every call is a candidate.
	NeedAll []Need
	// NeedSome requires at least one of its elements.
	NeedSome []Need
	// NeedRun requires consecutive words in one of the fields. Its patterns are Exact; the last one may be Prefix.
	NeedRun struct {
		Fields   Fields
		Patterns []Pattern
	}
)

func (NeedAll) need()  {}
func (NeedSome) need() {}
func (NeedRun) need()  {}

// Need returns the requirement of a phrase in one of some fields: each run of words without gaps as a unit, and other
// words separately.
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
