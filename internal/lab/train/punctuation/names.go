package main

import (
	"slices"
	"strings"
	"unicode"
)

// nameHead is the header comment of the list.
const nameHead = "# Words that the training texts write with a capital inside sentences. Made by the program in " +
	"train.\n"

// Minimum number of occurrences of a name, and minimum percentage of them with a capital.
const (
	nameCount = 3
	nameShare = 95
)

// ordinary are words that occur in the dialogues only in names (of cinemas and films), but are usually not names.
var ordinary = strings.Fields(
	`academy beach bond boulevard brasserie butte cafe captain castro cedar celebration central century club colonial
	concord countdown creek crest crown crystal darjeeling decaf disguise downhill eastern frontier furious galleria gems gentlemen gretel grudge
	hills holiday hood hustlers indulgent jewels joker kingdom knives lake landmark mad meadows meridian mercado mills mountain multiplex north
	oak palace parasite paramount photograph pix plaza plumbing polish potter promenade qualifier quays rabbit rapids ridge rio robin rooibos sabbath
	scriptural sea seal senator shutter sid spring strand sunny tangerine tanner tap temperance tomatoes towne toy ultraplex uncut underwater united
	vars valley villa vista wars weathering west western aster astra attr ace caro cima coho inf jin las los mon sat sun sea wed fri tue thu fran americanos
	angels art bakery battery darkness east escape fire fork gold grand hill level needles possession south trees union village wood`)

// learnNames lists the words that dialogues capitalise inside sentences.
func learnNames(talks []talk) string {
	forms, total := map[string]map[string]int{}, map[string]int{}
	for _, t := range talks {
		if t.printed {
			continue
		}
		for _, u := range t.turns {
			for i, w := range u.written {
				if i == 0 || u.marks[i-1] != 0 || !strings.EqualFold(w, u.words[i]) {
					continue
				}
				if forms[u.words[i]] == nil {
					forms[u.words[i]] = map[string]int{}
				}
				forms[u.words[i]][w]++
				total[u.words[i]]++
			}
		}
	}
	var names []string
	for word, seen := range forms {
		form, n := mostFrequent(seen)
		if n >= nameCount && n*100 >= nameShare*total[word] && named(form) && !slices.Contains(ordinary, word) {
			names = append(names, form)
		}
	}
	slices.Sort(names)
	return nameHead + strings.Join(names, "\n") + "\n"
}

// mostFrequent returns the most frequent form; of equally frequent ones, the first in alphabetical order.
func mostFrequent(seen map[string]int) (string, int) {
	form, n := "", 0
	for f, k := range seen {
		if k > n || k == n && f < form {
			form, n = f, k
		}
	}
	return form, n
}

// named reports whether a form looks like a name: more than one letter, first letter capital, not all capitals, no
// contraction.
func named(form string) bool {
	runes := []rune(form)
	return len(runes) > 2 && unicode.IsUpper(runes[0]) && form != strings.ToUpper(form) && !strings.Contains(form, "'")
}
