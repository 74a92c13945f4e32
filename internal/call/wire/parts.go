package wire

// Parts is a set of parts of a transcript.
type Parts uint

const (
	partFrequencies Parts = 1 << iota
	partVolume
	partWords
	partTurns
	partActivity
	partPositions
	partText
)

// PartNames lists the names of the parts that an answer can leave out, as in the JSON: of words frq, v and p, of turns
// text, which the words say as well.
var PartNames = []string{"frq", "v", "words", "turns", "voiceActivity", "p", "text"}

// ParsePart returns the set with the part of a name.
func ParsePart(name string) (Parts, bool) {
	for i, n := range PartNames {
		if n == name {
			return 1 << i, true
		}
	}
	return 0, false
}
