package wire

// Parts is a set of parts of a transcript.
type Parts uint

const (
	partFrequencies Parts = 1 << iota
	partVolume
	partWords
	partTurns
	partActivity
)

// PartNames lists the names of the parts that an answer can leave out, as in the JSON.
var PartNames = []string{"frq", "v", "words", "turns", "voiceActivity"}

// ParsePart returns the set with the part of a name.
func ParsePart(name string) (Parts, bool) {
	for i, n := range PartNames {
		if n == name {
			return 1 << i, true
		}
	}
	return 0, false
}
