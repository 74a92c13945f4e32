package detect

import (
	_ "embed"

	"parley/internal/words/phrase"
)

//go:embed givennames.txt
var givenNameList string

// givenNames are common first names in English-speaking countries, except those that are also ordinary words.
var givenNames = phrase.Set(givenNameList)
