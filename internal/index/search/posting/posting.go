// Package posting keeps, of a group of calls, which of them have a word: an inverted index in blocks of bytes that a
// database stores. A group, called a segment, numbers its calls from 0; segments are written once, merged, and written
// again without the calls that were deleted.
//
// A segment has keys and for each key the calls that have it: the words anywhere in a call, those of its title and of
// its description, and two and three words that follow each other. These are known by 18 bits of their hash alone, so
// that each takes one or two bytes a call; they leave few calls without a phrase among many that have its words.
//
// The package does no I/O and does not know what a query is.
package posting

// MostCalls is how many calls a segment can have.
const MostCalls = 1 << 16

// What keys begin with.
const (
	description = 'd'
	pair        = 'p'
	title       = 't'
	triple      = 'u'
	anywhere    = 'w'
)

// Anywhere is the key of a word wherever it stands in a call.
func Anywhere(word string) []byte { return append([]byte{anywhere}, word...) }

// InTitle is the key of a word in the title.
func InTitle(word string) []byte { return append([]byte{title}, word...) }

// InDescription is the key of a word in the description.
func InDescription(word string) []byte { return append([]byte{description}, word...) }

// Pair is the key of two words, by their numbers, one directly after the other.
func Pair(first, second uint32) []byte { return hashKey(pair, PairHash(first, second)) }

// Triple is the key of three words, by their numbers, directly after each other.
func Triple(first, second, third uint32) []byte {
	return hashKey(triple, TripleHash(first, second, third))
}

func hashKey(kind byte, hash uint32) []byte {
	return []byte{kind, byte(hash >> 16), byte(hash >> 8), byte(hash)}
}

// Hashes is how many hashes of pairs and triples there are. One that a phrase does not have stands in for it in a call
// of 1,500 words once in 200 times.
const Hashes = 1 << hashBits

const hashBits = 18

// PairHash is what a segment knows of two words that follow each other.
func PairHash(first, second uint32) uint32 {
	return uint32(mix(uint64(first)<<32|uint64(second)) >> (64 - hashBits))
}

// TripleHash is what a segment knows of three words that follow each other.
func TripleHash(first, second, third uint32) uint32 {
	return uint32(mix(mix(uint64(first)<<32|uint64(second))+uint64(third)) >> (64 - hashBits))
}

// mix spreads numbers over 64 bits, as SplitMix64 does (Steele, Lea and Flood, Fast splittable pseudorandom number
// generators, 2014), with one round less.
func mix(h uint64) uint64 {
	h *= 0x9e3779b97f4a7c15
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	return h ^ h>>27
}

// Word is one word of a call with its number.
type Word struct {
	Number uint32
	Text   string
}

// Call is what a segment is to know of one call. Nothing occurs twice in a list.
type Call struct {
	Words              []Word // of the transcript, the title and the description
	Title, Description []string
	Pairs, Triples     []uint32 // as PairHash and TripleHash make them
}
