package entity

import (
	"strings"

	"parley/internal/words/numeral"
	"parley/internal/words/phrase"
)

// longestName is the maximum number of words of a name.
const longestName = 5

// nameMatch is the gazetteer's result for the longest name at a position.
type nameMatch struct {
	is   NameKinds
	next int // the token after it; its first token if there is no name
}

// lookup returns the longest name in the gazetteer that starts at i.
func (s *stretch) lookup(i int) nameMatch {
	if i < 0 || i >= len(s.tokens) {
		return nameMatch{next: i}
	}
	return s.names[i]
}

func (s *stretch) search(i int) nameMatch {
	most := min(s.gazetteer.heads[s.form(i)], longestName)
	key, best := "", nameMatch{next: i}
	for n := 1; n <= most && s.form(i+n-1) != ""; n++ {
		if n > 1 {
			key += " "
		}
		key += strings.ReplaceAll(s.form(i+n-1), "-", " ")
		if is, ok := s.gazetteer.names[key]; ok && (len(key) > 2 || s.letters(i)) {
			best = nameMatch{is, i + n}
		}
	}
	return best
}

// letters reports whether a name of two letters is written in capitals: US, UK. Ordinary words in capitals do not
// count.
func (s *stretch) letters(i int) bool {
	text := strings.ReplaceAll(s.tokens[i].text, ".", "")
	return s.cased && text == strings.ToUpper(text) &&
		!s.is(i, "ok", "oh", "me", "in", "or", "hi", "id", "ma", "pa", "la", "de", "al", "am", "pm", "tv", "pc", "it",
			"ah", "mr", "ms", "dr")
}

// properAt reports whether the word at i is capitalised inside a sentence.
func (s *stretch) properAt(i int) bool {
	return s.form(i) != "" && s.tokens[i].capital && !s.tokens[i].opens && s.form(i) != "i" &&
		!strings.HasPrefix(s.form(i), "i'")
}

// small reports whether a word is in lower case in a transcript that capitalises names.
func (s *stretch) small(i int) bool { return s.cased && !s.tokens[i].capital }

// name parses persons, places and organizations.
func (s *stretch) name(i int) (hit, bool) {
	for _, kind := range []func(int) (hit, bool){s.answered, s.institution, s.person, s.listed, s.written} {
		if h, ok := kind(i); ok {
			return h, ok
		}
	}
	return hit{}, false
}

// function are words that neither start nor continue a name, though some may occur inside one.
var function = phrase.Set(`a an the and or but so if i i'm i've i'd i'll me my mine you you're you've your he he's his him she she's her it it's its we we're our us they they're their them this that
	these those there here is are was were be been am do does did don't have has had can could will would shall should may might must not no yes yeah okay ok um uh well just now then to of in on
	at by for from with about as into over up down out off what who whom which when where why how please thanks thank speaking calling again right all any some each also too very really
	let's let get got go going know think want need like call called said says say today tomorrow spelled spell actually both still ever never only what's that's there's everything everyone something`)

// departments are words that follow "this is Tom from" but are not names of organizations.
var departments = phrase.Set(`billing sales support service accounting technical tech customer marketing work home school office here corporate collections dispatch shipping management headquarters human hr security reception claims fraud retention
	maintenance warehouse downtown upstairs`)

// cues are phrases, keyed by their last word.
type cues map[string][][]string

func phrases(list ...string) cues {
	c := cues{}
	for _, p := range list {
		f := strings.Fields(p)
		last := f[len(f)-1]
		c[last] = append(c[last], f[:len(f)-1])
	}
	return c
}

// Phrases that precede names.
var (
	answering  = phrases("for calling", "you've reached", "you have reached", "welcome to", "have reached")
	presenting = phrases("this is", "it's", "is", "i'm", "i am", "name's")
	presented  = phrases("this is", "name is")
	naming     = phrases("last name is", "first name is", "my name is", "my name's", "her name is", "his name is",
		"your name is", "the name is", "name is actually",
		"last name's", "first name's", "behalf of")
	called     = phrases("name is", "name was", "name's", "name of", "named", "name to", "name as", "name", "names")
	being      = phrases("this is", "i am", "i'm", "it's", "is this")
	conversing = phrases("speak with", "speak to", "spoke with", "spoke to", "speaking with", "speaking to", "talk to",
		"talk with", "talking to", "talking with",
		"talked to", "talked with", "ask for", "asked for", "told by", "transfer me to")
	thanking = phrases("thank you")
	dealing  = phrases("account with", "work for", "works for", "works at", "work at", "switched to", "switch to")
)

// before reports whether one of the given phrases ends just before i.
func (s *stretch) before(i int, c cues) bool {
	for _, front := range c[s.form(i-1)] {
		at, k := i-1-len(front), 0
		for k < len(front) && s.form(at+k) == front[k] {
			k++
		}
		if k == len(front) {
			return true
		}
	}
	return false
}

// answered parses the organization in "thank you for calling …" and "this is Tom with …".
func (s *stretch) answered(i int) (hit, bool) {
	sure := s.before(i, answering)
	if !sure && !(s.is(i-1, "with", "from") && i >= 2 && s.named(i-2) && s.before(s.begin(i-2), presenting)) {
		return hit{}, false
	}
	start := i
	if s.is(i, "the") {
		start++
	}
	next := start
	for next < len(s.tokens) && next < start+4 && s.form(next) != "" && !function[s.form(next)] && !s.introduces(next) {
		next = max(next+1, s.company(next))
	}
	if next == start || departments[s.form(start)] || !sure && start > i || s.lookup(start).is&Place != 0 &&
		s.lookup(start).next == next && !sure {
		return hit{}, false
	}
	if s.cased && !s.tokens[start].capital {
		return hit{}, false
	}
	return hit{from: start, to: next, kind: Organization}, true
}

// company returns the end of the organization in the gazetteer at i; i if there is none.
func (s *stretch) company(i int) int {
	if k := s.lookup(i); k.is&Company != 0 {
		return k.next
	}
	return i
}

// introduces reports whether a person's name that does not belong to the words before it starts at i.
func (s *stretch) introduces(i int) bool {
	k := s.lookup(i)
	return s.before(i, presented) && k.next > i
}

// named reports whether the word at i is or may be a person's name.
func (s *stretch) named(i int) bool {
	k := s.lookup(i)
	return s.form(i) != "" && (k.is&(FirstName|Surname) != 0 || s.properAt(i))
}

// begin returns the start of the name that ends at i: its first name.
func (s *stretch) begin(i int) int {
	if i > 0 && s.named(i-1) && !function[s.form(i-1)] {
		return i - 1
	}
	return i
}

// heads are the generic words that end the names of institutions.
var heads = phrase.Set(`university college hospital bank insurance airlines airways clinic school institute foundation museum inc llc corporation corp ltd plumbing electric communications wireless
	motors industries pharmacy dental academy church library financial savings realty logistics`)

// middles are words between a name and a head.
var middles = phrase.Set("general high middle elementary state medical community federal memorial regional county " +
	"national city children's children public mutual life home credit first trust savings")

// institution parses Stanford University, Massachusetts General Hospital, University of Michigan.
func (s *stretch) institution(i int) (hit, bool) {
	if s.company(i) > i+1 {
		return hit{}, false
	}
	if s.is(i, "university", "bank", "college", "department", "church", "museum", "state", "city") && s.is(i+1, "of") {
		k := s.lookup(i + 2)
		if s.is(i, "state", "city") || k.next == i+2 || k.is&Place == 0 && !s.properAt(i+2) {
			return hit{}, false
		}
		return hit{from: i, to: k.next, kind: Organization}, true
	}
	next := i
	for next < len(s.tokens) && next < i+3 && s.namelike(next) {
		next++
	}
	if next == i {
		return hit{}, false
	}
	for next < len(s.tokens) && middles[s.form(next)] {
		next++
	}
	if !heads[s.form(next)] || s.small(i) {
		return hit{}, false
	}
	return hit{from: i, to: next + 1, kind: Organization}, true
}

// namelike reports whether a word is capitalised as a name, or is unambiguously a name.
func (s *stretch) namelike(i int) bool {
	if s.form(i) == "" || function[s.form(i)] || heads[s.form(i)] {
		return false
	}
	k := s.lookup(i)
	return s.properAt(i) || s.tokens[i].capital && k.next > i || k.next == i+1 && k.is&Common == 0 &&
		!middles[s.form(i)]
}

var (
	titles    = phrase.Set("mr mister mrs missus ms miss doctor dr sir madam professor captain officer judge")
	relatives = phrase.Set("wife husband son daughter brother sister friend colleague technician manager agent boss " +
		"assistant mother father driver partner neighbor supervisor cousin uncle aunt buddy")
	gods      = phrase.Set("god lord jesus christ")
	greetings = phrase.Set("hi hello hey thanks okay ok alright sure sorry yes no dear bye goodbye morning afternoon " +
		"evening")
)

// person parses a person where the context requires one, and first names anywhere.
func (s *stretch) person(i int) (hit, bool) {
	k := s.lookup(i)
	if k.next > i+1 && !function[s.form(i)] && k.is&Surname != 0 && k.is&(Place|Company) == 0 && !s.small(i) {
		return hit{from: i, to: k.next, kind: Person}, true
	}
	switch {
	case function[s.form(i)] && (s.form(i) != "will" || !s.properAt(i)), gods[s.form(i)]:
		return hit{}, false
	case s.mustBePerson(i) && !s.small(i) && !departments[s.form(i)]:
	case k.is&(FirstName|Surname) == 0 || s.small(i) || len(s.form(i)) < 3 && !s.properAt(i):
		return hit{}, false
	case k.is&Common == 0 && k.is&FirstName != 0 && k.is&(Place|Company) == 0:
	case k.is&(Place|Company) == 0 && s.properAt(i) && (k.is&FirstName != 0 || !k.common()):
	case !s.mayBePerson(i):
		return hit{}, false
	}
	return hit{from: i, to: s.surname(i), kind: Person}, true
}

// mustBePerson reports whether the context requires the words at i to be a name, known or not.
func (s *stretch) mustBePerson(i int) bool {
	if titles[s.form(i-1)] && !s.is(i-1, "sir", "madam", "miss", "doctor", "officer", "judge") {
		return true
	}
	known := s.lookup(i).is&(FirstName|Surname) != 0 || s.properAt(i)
	if titles[s.form(i-1)] {
		return known
	}
	if s.before(i, naming) {
		return true
	}
	return known && s.before(i, called)
}

// mayBePerson reports whether an ambiguous name is a person here.
func (s *stretch) mayBePerson(i int) bool {
	next := i + 1
	if s.lookup(next).is&Surname != 0 && !function[s.form(next)] {
		next++
	}
	followed := s.ends(next) || s.is(next, "with", "from", "the", "calling", "again", "speaking", "here", "at", "in",
		"and", "i", "this", "i'm", "let", "what", "how", "can", "is", "please", "there", "to", "about", "on", "that",
		"who", "it's")
	switch {
	case s.before(i, being):
		return followed && (!s.lookup(i).common() ||
			s.is(next, "with", "from", "calling", "again", "speaking", "here", "the", "at", "in") || s.ends(next) &&
			!s.is(i-1, "it's"))
	case s.before(i, conversing):
		return followed
	case s.before(i, thanking), greetings[s.form(i-1)], relatives[s.form(i-1)]:
		return followed && (!s.lookup(i).common() || relatives[s.form(i-1)] || s.properAt(i) || s.ends(next) ||
			s.is(next, "let", "this", "it's", "i'm", "how"))
	}
	return false
}

func (k nameMatch) common() bool { return k.is&Common != 0 }

// surname returns the end of the name that begins at i. A surname may follow a first name; other words only if the name
// is said alone.
func (s *stretch) surname(i int) int {
	next := i + 1
	if k := s.lookup(i); k.next > next && k.is&Surname != 0 {
		next = k.next
	}
	for next < len(s.tokens) && next < i+3 && s.form(next) != "" && !function[s.form(next)] &&
		!greetings[s.form(next)] && len(s.form(next)) > 1 {
		k := s.lookup(next)
		proper := s.properAt(next) && k.is&(Place|Company) == 0
		listed := k.is&(Surname|FirstName) != 0 && !s.small(next) && k.next == next+1
		alone := s.ends(next+1) || function[s.form(next+1)]
		if !proper && !(listed && (alone || !k.common())) &&
			!(k.next == next && alone && s.mustBePerson(i) && !s.cased) {
			break
		}
		next++
	}
	return next
}

var (
	business = phrase.Set("from with at through by to for use using calling called bank my your a an our via like and or")
	branded  = phrase.Set("card account store bank customer subscription bill policy credit app dealer dealership gift " +
		"stock phone agent website")
)

// listed parses places and organizations of the gazetteer.
func (s *stretch) listed(i int) (hit, bool) {
	k := s.lookup(i)
	if k.next == i || s.small(i) || k.is&(Place|Company) == 0 {
		return s.initials(i)
	}
	kind := Location
	if k.is&Company != 0 && (k.is&Place == 0 || business[s.form(i-1)] && !s.is(i-1, "to")) {
		kind = Organization
	}
	single := k.next == i+1
	switch {
	case !single || !k.common() && len(s.form(i)) > 2:
	case s.properAt(i):
	case kind == Location && s.is(i-1, "in", "from") &&
		(s.ends(k.next) || s.lookup(k.next).is&Place != 0 && !function[s.form(k.next)] || function[s.form(k.next)] &&
			!s.is(k.next, "the", "my")):
	case kind == Organization && (s.is(i-1, "with", "at", "from", "for", "through") &&
		(s.ends(k.next) || function[s.form(k.next)] && !s.is(k.next, "the", "my", "of")) ||
		s.is(i-1, "my", "your", "a", "an", "the") && branded[s.form(k.next)]):
	case kind == Organization && s.before(i, dealing):
	default:
		return s.initials(i)
	}
	return hit{from: i, to: k.next, kind: kind}, true
}

// initials parses organizations that are spelled letter by letter: i r s, a t and t.
func (s *stretch) initials(i int) (hit, bool) {
	joined, next := "", i
	for next < len(s.tokens) && next < i+5 && (len(s.form(next)) == 1 || s.is(next, "and") && next > i) {
		joined += map[bool]string{true: "&", false: s.form(next)}[s.is(next, "and")]
		next++
		if next < i+2 || len(s.form(next)) == 1 && next < i+5 {
			continue
		}
		for _, key := range []string{joined, strings.ReplaceAll(joined, "&", " ")} {
			if s.gazetteer.names[key]&Company != 0 {
				return hit{from: i, to: next, kind: Organization}, true
			}
		}
	}
	return hit{}, false
}

// written parses names that only a capital reveals, by the word before them.
func (s *stretch) written(i int) (hit, bool) {
	if !s.cased || !s.properAt(i) || s.lookup(i).next > i && s.lookup(i).common() {
		return hit{}, false
	}
	next := i
	for next < len(s.tokens) && next < i+3 && s.properAt(next) {
		next++
	}
	switch {
	case s.is(i-1, "in", "near"):
		return hit{from: i, to: next, kind: Location}, true
	case next > i+1 && s.is(i-1, "by"):
		return hit{from: i, to: next, kind: Person}, true
	case next > i+1 && s.is(i-1, "with", "from", "at", "for"):
		return hit{from: i, to: next, kind: Organization}, true
	}
	return hit{}, false
}

var ways = phrase.Set("street avenue road drive lane boulevard court way terrace parkway highway circle square " +
	"plaza st ave rd blvd dr ln")

// fewWords is the maximum number of words of the name of a street.
const fewWords = 4

// street parses an address, such as 45 Oak Avenue, and a street after "at" or "on", such as Fifth Street.
func (s *stretch) street(i int) (hit, bool) {
	at := i
	said := s.entry(i)
	house := numeral.IsDigits(s.form(i)) && len(s.form(i)) < 6 || said.Class == numeral.Digit && said.Value > 1
	if house {
		at++
	}
	next := at
	for next < len(s.tokens) && next < at+fewWords && s.form(next) != "" && !ways[s.form(next)] &&
		!function[s.form(next)] {
		next++
	}
	if next == at || !ways[s.form(next)] {
		return hit{}, false
	}
	if !house && !(next == at+1 && s.is(at-1, "on", "at") && s.is(next, "street", "avenue", "boulevard", "road")) ||
		house && next > at+1 && s.is(next, "drive", "court", "way", "square") && !s.properAt(next) &&
			s.lookup(at).next == at {
		return hit{}, false
	}
	return hit{from: i, to: next + 1, kind: Location, formatted: s.joined(i, next+1)}, true
}
