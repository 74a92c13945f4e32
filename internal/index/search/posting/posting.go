// Package posting implements an inverted index of a group of calls in blocks of bytes, for storage in a database. A
// group, called a segment, numbers its calls from 0; segments are written once, merged, and rewritten without deleted
// calls.
//
// A segment maps keys to calls: words anywhere in a call, words of its title and of its description, and pairs and
// triples of consecutive words. Pairs and triples are stored by 18 bits of their hash only, so that each takes one or
// two bytes per call; of the many calls with the words of a phrase, they leave few without the phrase.
//
// The package does no I/O and does not know what a query is.
package posting

// MostCalls is the maximum number of calls in a segment.
const MostCalls = 1 << 16

// The first byte of keys, by kind.
const (
	description = 'd'
	pair        = 'p'
	title       = 't'
	triple      = 'u'
	anywhere    = 'w'
)

// Anywhere returns the key of a word in any position of a call.
func Anywhere(word string) []byte { return append([]byte{anywhere}, word...) }

// InTitle returns the key of a word in the title.
func InTitle(word string) []byte { return append([]byte{title}, word...) }

// InDescription returns the key of a word in the description.
func InDescription(word string) []byte { return append([]byte{description}, word...) }

// Pair returns the key of two consecutive words, given by number.
func Pair(first, second uint32) []byte { return hashKey(pair, PairHash(first, second)) }

// Triple returns the key of three consecutive words, given by number.
func Triple(first, second, third uint32) []byte {
	return hashKey(triple, TripleHash(first, second, third))
}

func hashKey(kind byte, hash uint32) []byte {
	return []byte{kind, byte(hash >> 16), byte(hash >> 8), byte(hash)}
}

// Hashes is the number of hash values of pairs and triples. In a call of 1,500 words, a hash that does not occur in it
// collides with one that does with a probability of about 1 in 200.
const Hashes = 1 << hashBits

const hashBits = 18

// PairHash returns the hash of two consecutive words.
func PairHash(first, second uint32) uint32 {
	return uint32(mix(uint64(first)<<32|uint64(second)) >> (64 - hashBits))
}

// TripleHash returns the hash of three consecutive words.
func TripleHash(first, second, third uint32) uint32 {
	return uint32(mix(mix(uint64(first)<<32|uint64(second))+uint64(third)) >> (64 - hashBits))
}

// mix spreads numbers over 64 bits. It is SplitMix64 (Steele, Lea and Flood, Fast splittable pseudorandom number
// generators, 2014) with one round less.
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

// Call is the index data of one call. Lists must not contain duplicates.
type Call struct {
	Words              []Word // of the transcript, the title and the description
	Title, Description []string
	Pairs, Triples     []uint32 // as PairHash and TripleHash make them
}
