package punctuation

import "strings"

// set returns the set of the words in a text.
func set(words string) map[string]bool {
	s := map[string]bool{}
	for _, w := range strings.Fields(words) {
		s[w] = true
	}
	return s
}

// openers may precede the first word that determines the kind of a sentence.
var openers = set(`and but so or well okay ok oh yes yeah yep no now then great perfect awesome alright right sure
	hi hello hey thanks please also actually um uh er mhm hmm`)

// functionWords each form a class of their own.
var functionWords = set(`a an the and but so or nor if because as than that which who whom whose what when where why how while though
	although unless until since i you he she it we they me him her us them my your his its our their this these those there here
	am is are was were be been being do does did have has had will would can could shall should may might must
	i'm you're he's she's it's we're they're i'll you'll he'll she'll it'll we'll they'll i've you've we've they've i'd you'd he'd she'd we'd they'd
	that's there's here's what's who's where's how's let's don't doesn't didn't can't couldn't won't wouldn't isn't aren't wasn't weren't haven't hasn't hadn't shouldn't
	not no yes yeah okay ok oh well please thanks thank hello hi hey right sure great perfect sorry um uh also too very just then now
	of in on at by for with from to into onto about over under after before between through during without within
	up down out off again like any some all each every both more most other another such only own same
	mr mrs miss ms dr sir madam`)

// numberWords form one class, together with digits.
var numberWords = set(`zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
	eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million first second third fourth fifth
	sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth thirtieth`)

// digits are the words of numbers spoken digit by digit.
var digits = set("zero oh o one two three four five six seven eight nine double triple")

var (
	auxiliaries = set(`am is are was were do does did have has had will would can could shall should may might must
		isn't aren't wasn't weren't don't doesn't didn't haven't hasn't won't wouldn't can't couldn't shouldn't`)
	subjects   = set(`i you he she it we they there this that these those my your his her its our their the any anyone anything someone`)
	questioner = set(`what which who whom whose when where why how what's who's where's how's`)
)

// inverts reports whether two adjacent words look like the beginning of a question.
func inverts(first, second string) bool {
	return auxiliaries[first] && subjects[second] || questioner[first] && (auxiliaries[second] || !subjects[second])
}

// endings are word endings that indicate a part of speech, longer ones first.
var endings = strings.Fields("'s tion ment ness able ing est ful ous ive ly ed er al es s y")

// class returns the class of a folded word: the word itself for a function word, else number, letter or an ending.
func class(word string) string {
	switch {
	case functionWords[word]:
		return word
	case numberWords[word] || strings.ContainsAny(word, "0123456789"):
		return "#number"
	case len(word) == 1:
		return "#letter"
	}
	for _, e := range endings {
		if len(word) > len(e)+2 && strings.HasSuffix(word, e) {
			return "#" + e
		}
	}
	return "#other"
}
