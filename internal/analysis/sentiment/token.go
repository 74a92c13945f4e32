package sentiment

import (
	"regexp"
	"strings"
)

// tokens are the words, faces and marks that carry sentiment.
var tokens = regexp.MustCompile(`[A-Za-z]+(?:'[a-z]+)?|[:;=]-?[)(dpDP]|<3|[!?]`)

// addresses are left out: what they are made of says nothing.
var addresses = regexp.MustCompile(`https?\S+|@\w+`)

// informal texts are judged by a lexicon that was made for them: faces, tags, handles, what is typed and not said.
var informal = regexp.MustCompile(`[:;=]-?[)(DPp]|<3|@\w|#\w|http|!!|\bRT\b|\b(lol|lmao|omg|haha\w*|u|ur|thx)\b`)

func tokensOf(text string) (written, folded []string) {
	written = tokens.FindAllString(addresses.ReplaceAllString(strings.ReplaceAll(text, "’", "'"), " "), -1)
	folded = make([]string, len(written))
	for i, t := range written {
		folded[i] = strings.ToLower(t)
	}
	return written, folded
}

func set(words string) map[string]bool {
	s := map[string]bool{}
	for _, w := range strings.Fields(words) {
		s[w] = true
	}
	return s
}

// Words that turn round, strengthen or weaken what follows them.
var (
	negations = set(`not no never cannot without hardly barely nothing none nobody neither nor ain't lack lacks lacking
		rarely seldom`)
	boosters = set(`very really extremely so absolutely completely incredibly highly totally truly insanely too most
		remarkably especially quite pretty deeply utterly exceptionally amazingly`)
	unreal  = set(`if could would should might may unless whether supposed`)
	dampers = set(`somewhat slightly little kinda sorta almost marginally partly occasionally`)
)

func negates(word string) bool { return negations[word] || strings.HasSuffix(word, "n't") }

// refuses reports whether a word denies a verb: "no" alone may be a plain answer.
func refuses(word string) bool { return word != "no" && negates(word) }
