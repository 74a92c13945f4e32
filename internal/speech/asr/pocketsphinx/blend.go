package pocketsphinx

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"os"

	"parley/internal/speech/asr"
	"parley/internal/words/fault"
)

// File formats of ngram_model_read.
const (
	arpa   = 1 // NGRAM_ARPA
	packed = 2 // NGRAM_BIN
)

const (
	search      = "spoken"     // name of the search with the decoder's own models
	withTerms   = "with-terms" // name of the search that includes the terms of vocabularies
	averageWord = 1.0 / 20_000 // probability of a word of a vocabulary of 20,000
)

// blend is an interpolated set of language models: the general one, that of conversations, and that of terms, in this
// order. It is owned by the search that uses it.
type blend struct {
	lib    *library
	set    uintptr
	models []uintptr
	talk   float64 // weight of the conversation model
}

// names are the names of the models in a blend, in this order.
var names = [...]string{"general", "conversation", "terms"}

// shares returns the weights of the models. PocketSphinx applies them to scores already raised to the power of the
// language weight, and adds these up. The result is close to the largest weighted probability rather than to their
// sum. Models with weight 0 are excluded.
func shares(talk float64) [len(names)]float32 {
	return [...]float32{
		float32(math.Pow(1-talk, languageWeight)),
		float32(math.Pow(talk, languageWeight)),
		0.2, // the probabilities of the terms already include their weight
	}
}

const languageWeight = 6.5 // PocketSphinx's -lw

// blend combines several language models into one and takes ownership of them. Terms added to the decoder's own model
// would get word numbers beyond the range for which the model was built; its bigram search, which interpolates
// between numbers, would then read out of bounds and crash the process. So terms get a separate model.
func (d *decoder) blend(models ...uintptr) (*blend, error) {
	talk := usual(asr.Source{}).talk
	named, weights := cStrings(names[:len(models)]), shares(talk)
	set := d.lib.blendModels(d.config, &models[0], &named[0], &weights[0], int32(len(models)))
	if set == 0 {
		return nil, failed("PocketSphinx cannot interpolate %d language models", len(models))
	}
	return &blend{d.lib, set, models, talk}, nil
}

// weigh sets the weight of the conversation model.
func (b *blend) weigh(talk float64) {
	b.talk = talk
	named, weights := cStrings(names[:len(b.models)]), shares(b.talk)
	b.lib.weigh(b.set, &named[0], &weights[0])
}

// use makes the decoder search with a blend, which the search then owns.
func (d *decoder) use(name string, b *blend) error {
	defer d.lib.freeModel(b.set) // the search holds a reference
	if d.lib.setModel(d.ps, name, b.set) < 0 || d.lib.setSearch(d.ps, name) < 0 {
		return failed("PocketSphinx rejected an interpolation of %d language models", len(b.models))
	}
	d.language = b
	return nil
}

// blendWith returns a blend of the decoder's models and a model of the terms.
func (d *decoder) blendWith(terms []term) (*blend, error) {
	path, err := modelFile(terms)
	if err != nil {
		return nil, err
	}
	defer os.Remove(path)
	custom := d.lib.readModel(d.config, path, arpa, d.lib.logMath(d.ps))
	if custom == 0 {
		return nil, failed("PocketSphinx cannot read a language model of %d terms", len(terms))
	}
	defer d.lib.freeModel(custom) // the blend holds a reference
	return d.blend(append(d.language.models[:2:2], custom)...)
}

// modelFile writes the language model of the terms to a temporary file and returns its path.
func modelFile(terms []term) (path string, err error) {
	file, err := os.CreateTemp("", "parley-terms-*.arpa")
	if err == nil {
		err = writeModel(file, terms)
		file.Close()
	}
	if err != nil {
		return "", fault.New(fault.Unavailable, fault.CodeUnavailable, "temporary file for a language model: %w", err)
	}
	return file.Name(), nil
}

// writeModel writes a language model that gives each term the probability of an average word times its boost, in any
// context. PocketSphinx misreads models with unigrams only, so the model includes a bigram and a trigram.
func writeModel(to io.Writer, terms []term) error {
	w := bufio.NewWriter(to)
	fmt.Fprintf(w, "\\data\\\nngram 1=%d\nngram 2=2\nngram 3=1\n\n\\1-grams:\n-99 </s> 0\n-99 <s> 0\n", len(terms)+2)
	for i, t := range terms {
		fmt.Fprintf(w, "%.4f %s 0\n", math.Log10(averageWord*boost(t.weight)), entry(i))
	}
	fmt.Fprint(w, "\n\\2-grams:\n-99 </s> <s> 0\n-99 <s> </s> 0\n\n\\3-grams:\n-99 <s> </s> <s>\n\n\\end\\\n")
	return w.Flush()
}
