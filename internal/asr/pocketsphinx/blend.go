package pocketsphinx

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"os"

	"parley/internal/fault"
)

const (
	arpa        = 1            // NGRAM_ARPA
	general     = "default"    // the name that PocketSphinx gives to the model it was started with
	withTerms   = "with-terms" // the search with the blended model
	averageWord = 1.0 / 20_000 // probability of a word of a vocabulary of 20,000
)

// shares of the general model and of that of the terms. PocketSphinx applies them to scores that the language
// weight has raised to a power, so they hardly matter: what counts is in the probabilities.
var shares = [2]float32{0.8, 0.2}

// blend returns a language model of the decoder's own and of custom terms. Terms added to its own model would
// get numbers beyond those that the model was built for; its search for word pairs, which interpolates
// between numbers, then reads beyond its memory and takes the process down. So they have a model to themselves.
// The caller gives it to a decoder or frees it.
func (d *decoder) blend(terms []term) (uintptr, error) {
	path, err := modelFile(terms)
	if err != nil {
		return 0, err
	}
	defer os.Remove(path)
	custom := d.lib.readModel(d.config, path, arpa, d.lib.logMath(d.ps))
	if custom == 0 {
		return 0, fault.New(fault.Internal, fault.CodeEngineFailed, "PocketSphinx cannot read a language model of %d terms", len(terms))
	}
	models := [2]uintptr{d.lib.retainModel(d.lib.modelOfSet(d.lib.model(d.ps, search), general)), custom}
	names := [2]*byte{&[]byte("general\x00")[0], &[]byte("terms\x00")[0]}
	set := d.lib.blendModels(d.config, &models[0], &names[0], &shares[0], 2)
	if set == 0 {
		d.lib.freeModel(models[0])
		d.lib.freeModel(models[1])
		return 0, fault.New(fault.Internal, fault.CodeEngineFailed, "PocketSphinx cannot blend in a language model of %d terms", len(terms))
	}
	return set, nil
}

// modelFile writes the model of the terms to a temporary file and returns its path.
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

// writeModel writes a language model in which each term is as likely as an average word, times its boost,
// whatever was before it. PocketSphinx misreads models of single words alone, so it has a pair and a triple too.
func writeModel(to io.Writer, terms []term) error {
	w := bufio.NewWriter(to)
	fmt.Fprintf(w, "\\data\\\nngram 1=%d\nngram 2=2\nngram 3=1\n\n\\1-grams:\n-99 </s> 0\n-99 <s> 0\n", len(terms)+2)
	for i, t := range terms {
		fmt.Fprintf(w, "%.4f %s 0\n", math.Log10(averageWord*boost(t.weight)), entry(i))
	}
	fmt.Fprint(w, "\n\\2-grams:\n-99 </s> <s> 0\n-99 <s> </s> 0\n\n\\3-grams:\n-99 <s> </s> <s>\n\n\\end\\\n")
	return w.Flush()
}
