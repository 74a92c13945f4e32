package sentiment

import (
	"regexp"
	"slices"
	"strings"

	"parley/internal/words/phrase"
)

// tokens matches the words, numbers, emoticons and punctuation of a text.
var tokens = regexp.MustCompile(`[A-Za-z]+(?:'[a-z]+)?|[0-9]+|[:;=]-?[)(dpDP]|<3|[!?]`)

// addresses matches URLs and handles, which are ignored because their words carry no sentiment.
var addresses = regexp.MustCompile(`https?\S+|@\w+`)

// refusal matches a "no" that is an answer and does not negate the words after it.
var refusal = regexp.MustCompile(`(?i)\bno\s*[,.;:]`)

// drawn matches typed text that is not spoken: emoticons, tags, handles, exclamations.
var drawn = regexp.MustCompile(`[:;=]-?['(]?[)(dDpP]|<3|@\w|#\w|http|!`)

// slang lists words that are common in typed text and rare in speech.
var slang = phrase.Set(`rt lol lmao omg haha hahaha hahahaha u ur thx tho ya yay ugh aww awww xd cuz pls plz luv wtf tweet tweets
	tweeted twitter facebook sooo soooo`)

// typed reports whether a text looks typed. Such texts are scored with a lexicon for informal text.
func typed(text string, written []string) bool {
	if strings.ContainsAny(text, ":;=<@#!") && drawn.MatchString(text) {
		return true
	}
	return slices.ContainsFunc(written, func(w string) bool {
		return slang[w] || len(w) > 1 && slang[strings.ToLower(w)]
	})
}

// tokensOf returns the words, numbers, emoticons and punctuation of a text, as written and in lower case.
func tokensOf(text string) (written, folded []string) {
	text = strings.ReplaceAll(text, "’", "'")
	if strings.ContainsAny(text, "@:") {
		text = addresses.ReplaceAllString(text, " ")
	}
	if strings.ContainsAny(text, ",.;:") {
		text = refusal.ReplaceAllString(text, "nope ")
	}
	written = tokens.FindAllString(text, -1)
	folded = make([]string, len(written))
	for i, t := range written {
		folded[i] = strings.ToLower(t)
	}
	return written, folded
}

// strengths maps words to the amount by which they strengthen or weaken the words after them.
var strengths = strength(`absolutely amazingly awfully completely considerable considerably decidedly deeply enormous enormously
	entirely especially exceptional exceptionally extreme extremely fabulously fully greatly highly hugely incredible incredibly
	insanely intensely major majorly more most particularly pretty purely quite really remarkably so substantially thoroughly too
	total totally tremendous tremendously truly unbelievably unusually utter utterly very`,
	`almost barely hardly kinda less little marginal marginally occasional occasionally partly scarce scarcely slight
	slightly somewhat sorta`)

func strength(up, down string) map[string]float64 {
	s := map[string]float64{}
	for w := range phrase.Set(up) {
		s[w] = boost
	}
	for w := range phrase.Set(down) {
		s[w] = -boost
	}
	return s
}

var (
	negations = phrase.Set(`no cannot neither never none nor not nothing nobody nowhere without rarely seldom aint arent cant couldnt didnt
		doesnt dont hadnt hasnt havent isnt wasnt werent wont wouldnt shouldnt`)
	unreal  = phrase.Set(`if could would should might may unless whether supposed`)
	copulas = phrase.Set(`is are was were am be been i'm it's that's he's she's they're we're you're what's there's
		isn't wasn't aren't weren't isnt wasnt arent werent`)
	names = phrase.Set(`the this these those of my its to`)
)

func negates(word string) bool { return negations[word] || strings.HasSuffix(word, "n't") }

// refuses reports whether a word negates a verb. "no" does not count: it may be a plain answer.
func refuses(word string) bool { return word != "no" && negates(word) }
