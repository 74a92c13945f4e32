package pocketsphinx

import "math"

// prediction computes the probability of words with all models of a blend.
type prediction struct {
	blend *blend
	ids   map[string][]int32 // numbers of each word by model, −1 if unknown
}

func (b *blend) predictor() predictor {
	p := &prediction{blend: b, ids: map[string][]int32{}}
	return p.of
}

// least is the probability of a word that is in none of the models.
const least = 1e-12

// of implements predictor. It interpolates the models' probabilities linearly, unlike the search, which only has
// powers of them. The probability by the term model is added as a preference.
func (p *prediction) of(word, before, first string) float64 {
	shares := [len(names)]float64{1 - p.blend.talk, p.blend.talk, 1}
	sum := least
	for i := range p.blend.models {
		sum += shares[i] * p.model(i, word, before, first)
	}
	return math.Log(sum)
}

// model returns the probability by model i.
func (p *prediction) model(i int, word, before, first string) float64 {
	id := p.id(word)[i]
	if id < 0 {
		return 0
	}
	var history [2]int32
	count := int32(0)
	for _, w := range []string{before, first} {
		if w == "" {
			break
		}
		history[count] = p.id(w)[i]
		if history[count] < 0 {
			break
		}
		count++
	}
	var used int32
	return math.Exp(float64(p.blend.lib.probability(p.blend.models[i], id, &history[0], count, &used)) * math.Log(
		logBase))
}

// id returns the numbers of a word in the models.
func (p *prediction) id(word string) []int32 {
	ids, known := p.ids[word]
	if !known {
		for _, m := range p.blend.models {
			id := p.blend.lib.wordID(m, word)
			if id == p.blend.lib.unknownID(m) {
				id = -1
			}
			ids = append(ids, id)
		}
		p.ids[word] = ids
	}
	return ids
}
