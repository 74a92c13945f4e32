package classify

import (
	"math"

	"github.com/kljensen/snowball/english"
)

// kind is a kind of feature. Each kind has the same total weight in a text, however many features of it occur.
type kind uint64

// The kinds. Words are English stems. Pairs are two stems near each other, in any order. Grams are substrings of words,
// which misheard, misspelt and inflected forms of a word share.
const (
	words kind = iota
	pairs
	grams
	kinds = 3
)

const (
	reach    = 8 // maximum distance of a pair, in words
	shortest = 3 // minimum length of a gram in letters, including the marks of the beginning and the end of a word
	longest  = 5
)

// reading is a text prepared for the extraction of features.
type reading struct {
	words []string // distinct, in order of first occurrence
	stems []uint64 // hash of the stem of each
	text  []int32  // the text, word by word, as indices into words
}

func read(text []string) *reading {
	r := &reading{text: make([]int32, len(text))}
	number := map[string]int32{}
	for i, w := range text {
		n, ok := number[w]
		if !ok {
			n = int32(len(r.words))
			number[w] = n
			r.words, r.stems = append(r.words, w), append(r.stems, hash(words, english.Stem(w, true)))
		}
		r.text[i] = n
	}
	return r
}

// each calls f with the hash of every feature of a kind and its number of occurrences.
func (r *reading) each(k kind, f func(feature uint64, times float32)) {
	if k == pairs {
		r.eachPair(f)
		return
	}
	times := make([]float32, len(r.words))
	for _, n := range r.text {
		times[n]++
	}
	for i, w := range r.words {
		if k == words {
			f(r.stems[i], times[i])
			continue
		}
		letters := []rune("^" + w + "$")
		for size := shortest; size <= min(longest, len(letters)); size++ {
			for at := 0; at+size <= len(letters); at++ {
				f(hash(grams, string(letters[at:at+size])), times[i])
			}
		}
	}
}

func (r *reading) eachPair(f func(uint64, float32)) {
	lower, upper := make([]uint64, len(r.stems)), make([]uint64, len(r.stems)) // bounds of the stems in a pair
	for i, s := range r.stems {
		lower[i], upper[i] = mix(s+uint64(pairs)), mix(s)
	}
	for i, n := range r.text {
		for _, m := range r.text[i+1 : min(i+1+reach, len(r.text))] {
			if r.stems[n] <= r.stems[m] {
				f(lower[n]^upper[m], 1)
			} else {
				f(lower[m]^upper[n], 1)
			}
		}
	}
}

// hash returns the mixed FNV-1a hash of a text and its kind. Among models of a million features, one in 30 million has
// a collision.
func hash(k kind, text string) uint64 {
	h := uint64(14695981039346656037) + uint64(k)
	for i := range len(text) {
		h = (h ^ uint64(text[i])) * 1099511628211
	}
	return mix(h)
}

// mix spreads a number over all bits: the finaliser of MurmurHash3 by Austin Appleby, public domain.
func mix(h uint64) uint64 {
	h = (h ^ h>>33) * 0xff51afd7ed558ccd
	h = (h ^ h>>33) * 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

// vocabulary is the set of features of a model.
type vocabulary struct {
	hashes [kinds][]uint64 // ascending
	rarity []float32       // of each feature, kind after kind: the square root of the inverse document frequency
	first  [kinds]int      // number of the first feature of each kind
	places [kinds]places
}

func newVocabulary(hashes [kinds][]uint64, rarity []float32) *vocabulary {
	v := &vocabulary{hashes: hashes, rarity: rarity}
	for k, list := range hashes {
		if k > 0 {
			v.first[k] = v.first[k-1] + len(hashes[k-1])
		}
		v.places[k] = place(list)
	}
	return v
}

// vector is a sparse feature vector of a text: the numbers of its features and their values.
type vector struct {
	features []int32
	values   []float32
}

// common is the value of the bias feature, which every text has; it has the highest feature number.
const common = .3

// vector returns the feature vector of a text. The features of each kind together have the length 1.
func (v *vocabulary) vector(r *reading) vector {
	var x vector
	times := make([]float32, len(v.rarity))
	for k := range kind(kinds) {
		begin := len(x.features)
		r.each(k, func(feature uint64, n float32) {
			at := v.places[k].find(v.hashes[k], feature)
			if at < 0 {
				return
			}
			at += v.first[k]
			if times[at] == 0 {
				x.features = append(x.features, int32(at))
			}
			times[at] += n
		})
		x.values = append(x.values, v.weighed(x.features[begin:], times)...)
	}
	x.features, x.values = append(x.features, int32(len(v.rarity))), append(x.values, common)
	return x
}

func (v *vocabulary) weighed(features []int32, times []float32) []float32 {
	values, length := make([]float32, len(features)), 0.0
	for i, f := range features {
		value := (1 + math.Log(float64(times[f]))) * float64(v.rarity[f])
		values[i], length = float32(value), length+value*value
	}
	for i := range values {
		values[i] /= float32(math.Sqrt(length))
	}
	return values
}

// places is a hash table with open addressing. Its entries are indices plus one; 0 is free.
type places []int32

func place(hashes []uint64) places {
	size := 4
	for size < 2*len(hashes) {
		size *= 2
	}
	p := make(places, size)
	for i, h := range hashes {
		at := h & uint64(size-1)
		for p[at] != 0 {
			at = (at + 1) & uint64(size-1)
		}
		p[at] = int32(i + 1)
	}
	return p
}

// find returns the index of a hash, or -1 if it is absent.
func (p places) find(hashes []uint64, h uint64) int {
	for at := h & uint64(len(p)-1); p[at] != 0; at = (at + 1) & uint64(len(p)-1) {
		if i := int(p[at] - 1); hashes[i] == h {
			return i
		}
	}
	return -1
}
