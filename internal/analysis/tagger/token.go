package tagger

import (
	"strings"
	"unicode"

	"parley/internal/words/phrase"
)

// contractions maps words without an apostrophe to the words that they stand for.
var contractions = map[string]string{
	"cannot": "can not", "gonna": "going to", "wanna": "want to", "gotta": "got to", "lemme": "let me",
	"gimme": "give me",
	"dunno": "do not know", "outta": "out of", "dont": "do not", "doesnt": "does not", "didnt": "did not",
	"cant": "can not",
	"isnt": "is not", "arent": "are not", "wasnt": "was not", "werent": "were not", "couldnt": "could not",
	"wouldnt":  "would not",
	"shouldnt": "should not", "hasnt": "has not", "havent": "have not", "hadnt": "had not", "im": "i am",
	"ive":   "i have",
	"youre": "you are", "youve": "you have", "theyre": "they are", "theyve": "they have", "weve": "we have",
	"thats": "that 's", "whats": "what 's", "theres": "there 's",
	"can't": "can not", "won't": "will not", "shan't": "shall not", "ain't": "is not",
}

// endings are the suffixes that are split off words.
var endings = []struct{ text, token string }{
	{"n't", "not"}, {"'m", "am"}, {"'re", "are"}, {"'ve", "have"}, {"'ll", "will"}, {"'d", "'d"}, {"'s", "'s"},
}

// Tokens returns the words of a sentence, folded and with contractions split.
func Tokens(words []string) []Token {
	tokens := make([]Token, 0, len(words)+len(words)/8)
	for i, w := range words {
		text := strings.ReplaceAll(phrase.Fold(w), "’", "'")
		text = strings.TrimFunc(text, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsNumber(r) && r != '$'
		})
		if several, ok := contractions[text]; ok {
			for part := range strings.FieldsSeq(several) {
				tokens = append(tokens, Token{Text: part, Word: i})
			}
			continue
		}
		tokens = appendSplit(tokens, text, i)
	}
	return tokens
}

func appendSplit(tokens []Token, text string, word int) []Token {
	if strings.Contains(text, "'") {
		for _, e := range endings {
			if stem, ok := strings.CutSuffix(text, e.text); ok && stem != "" {
				return append(appendSplit(tokens, stem, word), Token{Text: e.token, Word: word})
			}
		}
	}
	return append(tokens, Token{Text: text, Word: word})
}
