// Package detect finds sensitive numbers and personal data in transcripts: payment cards, social security numbers,
// contact details and names.
//
// Digits may be said one by one, in pairs, doubled, in chunks over several turns with the other party's echoes between
// them, corrected, or written in figures. The package does not redact: it returns the words that it found.
package detect

import "time"

// Detector is a built-in detector.
type Detector struct {
	ID          string // UUID
	Name        string // such as PCI
	Version     string // numbers and dots
	DisplayName string
	Classes     []Class
}

// Class is one kind of finding of a detector.
type Class struct {
	Number int
	Label  string
}

// The names of the detectors.
const (
	PCI    = "PCI"
	SSN    = "SSN"
	Number = "Number"
	PII    = "PII"
)

// Detectors returns all built-in detectors.
func Detectors() []Detector {
	return []Detector{
		{"69629a8d-9e34-4bfa-a303-1639f383977a", PCI, "1.0.0", "Payment cards", []Class{{1, "pci"}}},
		{"c4a74bde-99a8-404a-a80c-5b9eb05f8aa4", SSN, "1.0.0", "Social security numbers", []Class{{1, "ssn"}}},
		{"1a6ab14e-17d1-42af-821d-850322e64a61", Number, "1.0.0", "Numbers", []Class{{1, "number"}}},
		{"1d8dd285-4f8c-428a-9149-1dde36f29a5c", PII, "1.0.0", "Personal data",
			[]Class{{1, "phone"}, {2, "email"}, {3, "name"}, {4, "birthdate"}}},
	}
}

// ByName returns the detector with exactly this name.
func ByName(name string) (Detector, bool) {
	for _, d := range Detectors() {
		if d.Name == name {
			return d, true
		}
	}
	return Detector{}, false
}

// Level selects the words of a number that a region covers.
type Level int

// The levels, the widest first.
const (
	EntireRegion    Level = iota // all words from the first digit to the last; for cards also a few words on both sides
	ProbableNumbers              // words of the number, including words that were probably misheard
	NumbersOnly                  // only words that are certainly part of the number
)

// LevelParameter is the name of the detector parameter for the level.
const LevelParameter = "detectionLevel"

// Levels returns the names of the levels, as used in configurations, in their order.
func Levels() []string { return []string{"entireRegion", "probableNumbers", "numbersOnly"} }

// LevelOf returns the level with this name, or EntireRegion for any other text.
func LevelOf(name string) Level {
	for i, known := range Levels() {
		if known == name {
			return Level(i)
		}
	}
	return EntireRegion
}

// Choice is one detector with its parameters.
type Choice struct {
	Detector string // its name, such as PCI
	Level    Level
}

// Request lists the detectors to run.
type Request struct {
	Detectors   []Choice
	FiguresOnly bool // the language is not English: only figures are read, not number words
}

// Occurrence is an interval of time in which a speaker said something that a detector looks for.
type Occurrence struct {
	Class      Class
	Speaker    int // index into Transcript.Speakers: who says most of it
	Start, End time.Duration
}

// Region is an occurrence with its words: all from First to Last, whoever says them.
type Region struct {
	Occurrence
	First, Last int   // indices into Transcript.Words, both included
	Speakers    []int // who says some of it, ascending
}

// Each returns one occurrence of the region per speaker who says part of it.
func (r *Region) Each() []Occurrence {
	all := make([]Occurrence, len(r.Speakers))
	for i, speaker := range r.Speakers {
		all[i] = r.Occurrence
		all[i].Speaker = speaker
	}
	return all
}
