package formatting

import (
	"slices"
	"strings"
	"unicode"

	"parley/internal/words/transcript"
)

// Mask replaces a disallowed word.
const Mask = "..."

// disallowed are vulgar words and slurs: each line is a stem and its allowed endings ("-" for none). Only whole words
// match, so Scunthorpe and cocktails pass. Mild words (damn, hell, crap, bloody), words that usually mean something
// else (dick and dyke are names, cock and tit birds, prick and screw actions) and medical words are allowed.
const disallowed = `
	fuck - s ed er ers ing in face head wit up ups able ery off
	motherfuck - s ed er ers ing in
	mothafuck a as er ers in
	clusterfuck - s
	mindfuck - s
	unfuck - ing able
	shit - s ted ter ters ting tin ty tier tiest head heads hole holes faced show load loads
	bullshit - s ted ter ting
	horseshit -
	dipshit - s
	batshit -
	apeshit -
	chickenshit -
	ass - es hole holes hat hats wipe wipes
	arse - s hole holes
	jackass - es
	dumbass - es
	smartass - es
	badass - es
	fatass - es
	asshat - s
	bitch - es ed ing in y ier
	bastard - s
	cunt - s
	twat - s
	piss - ed es er ing y
	pussy -
	pussies -
	dickhead - s
	dickwad - s
	cocksuck er ers ing
	blowjob - s
	handjob - s
	jizz -
	tits -
	titties -
	slut - s ty
	whore - s
	wank - s ed er ers ing
	bollocks -
	bugger - s ed
	douchebag - s
	shithouse -
	nigg er ers a as az
	fag - s got gots
	chinaman -
	spic - s
	kike - s
	gook - s
	wetback - s
	raghead - s
	towelhead - s
	tranny -
	trannies -
	retard - s
`

// profane is the set of all disallowed words.
var profane = inflected(disallowed)

func inflected(list string) map[string]bool {
	words := map[string]bool{}
	for line := range strings.Lines(list) {
		forms := strings.Fields(line)
		for _, ending := range forms[min(1, len(forms)):] {
			words[forms[0]+strings.TrimPrefix(ending, "-")] = true
		}
	}
	return words
}

// Profane reports whether a word is disallowed. It ignores case, letters that differ only in case folding,
// surrounding punctuation and a possessive 's.
func Profane(word string) bool {
	word = strings.TrimFunc(word, func(r rune) bool { return !unicode.IsLetter(r) })
	if len(word) < 3 {
		return false
	}
	folded := strings.ReplaceAll(strings.Map(simple, word), "’", "'")
	folded = strings.TrimSuffix(folded, "'s")
	if profane[folded] {
		return true
	}
	first, second, hyphened := strings.Cut(folded, "-")
	return hyphened && (profane[first+second] || profane[first] || profane[second])
}

// simple folds a letter. It also maps the long s and the Kelvin sign to s and k.
func simple(r rune) rune { return unicode.ToLower(unicode.ToUpper(r)) }

// masked returns the transcript with each disallowed word masked.
func masked(t *transcript.Transcript) *transcript.Transcript {
	masked := *t
	masked.Words = slices.Clone(t.Words)
	for i := range masked.Words {
		if w := &masked.Words[i]; w.Kind == transcript.Spoken && Profane(w.Text) {
			w.Text = Mask
		}
	}
	return &masked
}
