package detect

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"parley/internal/words/numeral"
	"parley/internal/words/phrase"
)

// personal returns telephone numbers, email addresses, names and dates of birth.
func (c *call) personal(classes []Class, groups []group) []finding {
	var all []finding
	add := func(class Class, spans []span) {
		for _, s := range spans {
			all = append(all, finding{class: class, parts: []span{s}, weak: []bool{false}})
		}
	}
	add(classes[1], c.emails()) // before the numbers in their mailboxes
	all = append(all, c.numbers(groups, map[kind]Class{phone: classes[0], birth: classes[3]})...)
	if c.english {
		add(classes[2], c.names())
	}
	return all
}

// The maximum lengths of the parts of an email address, in words.
const (
	longestMailbox = 16
	longestHost    = 8
)

// emails returns email addresses: j.smith@example.com, j smith at example dot com.
func (c *call) emails() []span {
	var all []span
	for i := range c.tokens {
		switch t := &c.tokens[i]; {
		case t.Class == numeral.Figures && t.figure.form == email:
			all = append(all, span{i, i + 1})
		case t.text == "at" && c.english:
			if end := c.host(i + 1); end > i+1 {
				all = append(all, span{c.mailbox(i), end})
			}
		}
	}
	return all
}

// providers are hosts that people name without their top-level domain.
var providers = strings.Fields("gmail yahoo hotmail outlook icloud aol comcast verizon msn protonmail")

// domains are common top-level domains.
var domains = strings.Fields("com org net edu gov mil us uk ca co io info biz tv me ai dev app de fr au eu")

// host returns the end of the host that begins at a token, or the token itself if there is no host.
func (c *call) host(i int) int {
	turn, end := c.at(i-1).turn, i
	for n := i; n < i+longestHost && c.inTurn(n, turn).turn >= 0; n++ {
		t := &c.tokens[n]
		last := t.text[strings.LastIndexByte(t.text, '.')+1:]
		switch {
		case slices.Contains(providers, t.text):
			end = n + 1
		case slices.Contains(domains, last) &&
			(len(last) < len(t.text) || c.at(n-1).text == "dot" || c.at(n-1).text == "period"):
			end = n + 1
		case end > i && t.text != "dot" && t.text != "period":
			return end
		case t.is(unit) || t.Class == numeral.Month:
			return end
		}
	}
	return end
}

// mailbox returns the start of the mailbox whose "at" is token at.
func (c *call) mailbox(at int) int {
	turn, from := c.tokens[at].turn, at
	for i := at - 1; i >= at-longestMailbox && c.inTurn(i, turn).turn >= 0; i-- {
		t := &c.tokens[i]
		said := !t.In(numeral.Other, misheard) || utf8.RuneCountInString(t.text) == 1 ||
			t.text == "dot" || t.text == "underscore" || t.text == "dash" || t.text == "hyphen"
		if t.is(hesitation) {
			continue
		}
		if !said && (t.is(glue) || t.is(stop) || t.text == "email" || t.text == "e-mail" || t.text == "address") {
			break
		}
		from = i
	}
	return from
}

// namePhrases precede a name: certainly, or only if the next word alone is recognised as a name.
var (
	surely = split(`my name is|my name's|name is|name's|first name is|last name is|first name|last name|surname is|maiden name is|maiden name|name on the account is|name on the card is|
		speaking with|speaking to|talking to|talking with|mister|mr|mrs|missus|full name is|my name`)
	maybe    = split(`this is|i'm|i am|thank you|thanks|hi|hello|hey|dear|it's|it is|ask for|ms|miss|doctor|dr|husband|wife|son|daughter|manager|agent|ma'am`)
	nameAsks = split(`your name|your name please|full name|first and last name|first and last name please|name on the account|name on the card|name on the|what name is|under which name|who am i speaking with|who am i speaking to|
		who i'm speaking with|who do i have the pleasure of speaking with|and you are|name please|last name|first name|who is calling|who's calling|what name|whose name|who is this|who's this|what name is it|under what name|who am i talking to|whose name is it|am i speaking to|am i speaking with|am i talking to|maiden name|your full name|
		name of the account holder|name as it appears|spell your name`)
)

func split(text string) map[string][][]string {
	found := map[string][][]string{}
	for phrase := range strings.SplitSeq(text, "|") {
		words := strings.Fields(phrase)
		found[words[0]] = append(found[words[0]], words)
	}
	return found
}

// afterPhrase returns the token after the longest of some phrases at a token, or the token itself if none matches.
func (c *call) afterPhrase(i int, phrases map[string][][]string) int {
	end := i
	for _, words := range phrases[c.tokens[i].text] {
		if n := c.stands(i, words); n > 0 {
			end = max(end, i+n)
		}
	}
	return end
}

// names returns names of people, recognised by the words around them.
func (c *call) names() []span {
	var all []span
	add := func(s span) {
		if s.to > s.from {
			all = append(all, s)
		}
	}
	for i := range c.tokens {
		if n := c.afterPhrase(i, surely); n > i {
			add(c.name(n, c.tokens[i].turn, false))
		}
		if n := c.afterPhrase(i, maybe); n > i {
			add(c.name(n, c.tokens[i].turn, true))
		}
		if n := c.afterPhrase(i, nameAsks); n > i {
			add(c.answer(n, c.tokens[i].turn))
		}
	}
	return all
}

// longestAsk is the maximum number of words between the request for a name and the end of the question: "under which
// the booking is".
const longestAsk = 6

// answer returns the name in the answer to a question for it: at the beginning of the next turn, or a known name
// directly after the question.
func (c *call) answer(i, turn int) span {
	for c.inTurn(i, turn).is(glue|hesitation) || c.inTurn(i, turn).is(stop) && c.tokens[i].text != "" {
		i++
	}
	if rest := c.turns[turn].to - i; rest > longestAsk || turn+1 >= len(c.turns) || rest > 0 && c.known(i) {
		s := c.name(i, turn, true)
		if s.to > 0 || turn+1 >= len(c.turns) || c.start(c.turns[turn+1].from) > c.start(i) {
			return s
		}
	}
	next := c.turns[turn+1]
	i = next.from
	for i < next.to && i < next.from+8 &&
		(c.tokens[i].is(glue|hesitation|stop) || c.tokens[i].text == "name" || c.tokens[i].text == "speaking") {
		i++
	}
	s := c.name(i, turn+1, false)
	if s.to < next.to && s.to-s.from == 1 && !c.known(s.from) && !c.tokens[s.to].is(stop|glue) {
		return span{}
	}
	return s
}

// longestName is the maximum number of words of a name, not counting spelled letters.
const longestName = 3

// name returns the words of a name that starts at a token. If known is set, the first word must be a common first name
// or be capitalised as described at capital.
func (c *call) name(i, turn int, known bool) span {
	from := i
	for c.inTurn(from, turn).is(hesitation) {
		from++
	}
	to := from
	for to < from+longestName && c.nameLike(to, turn) && (to == from || !c.tokens[to-1].ends) {
		to++
	}
	if to == from || known && !c.known(from) && !c.introduced(from, to, turn) {
		return c.spelled(from, turn, span{})
	}
	if known && to > from+1 && !c.capital(from+1) && c.capital(from) {
		to = from + 1
	}
	return c.spelled(to, turn, span{from, to})
}

// closers follow the name when a speaker introduces himself.
var closers = phrase.Set(`calling from with speaking here and i i'm my in on again`)

// introduced reports whether "this is" precedes the words and nothing that continues them follows.
func (c *call) introduced(from, to, turn int) bool {
	next := c.inTurn(to, turn)
	return to-from < longestName && c.inTurn(from-1, turn).text == "is" && c.inTurn(from-2, turn).text == "this" &&
		(next.turn < 0 || closers[next.text])
}

// spelled extends a name by the letters that spell it.
func (c *call) spelled(i, turn int, s span) span {
	letters, end := 0, i
	for n := i; n < i+24 && c.inTurn(n, turn).turn >= 0; n++ {
		switch t := &c.tokens[n]; {
		case utf8.RuneCountInString(t.text) == 1 && t.Class != numeral.Figures:
			letters, end = letters+1, n+1
		case !t.is(hesitation) && t.text != "that's" && t.text != "spelled" && t.text != "double" && t.text != "as" &&
			t.text != "in":
			n = i + 24
		}
	}
	switch {
	case letters < 3:
		return s
	case s.to == 0:
		return span{i, end}
	}
	return span{s.from, end}
}

// nameLike reports whether a token can be a part of a name.
func (c *call) nameLike(i, turn int) bool {
	t := c.inTurn(i, turn)
	return t.turn >= 0 && t.Class == numeral.Other && len(t.text) > 1 && !t.is(stop|glue|unit|joint|thing|correction) &&
		strings.IndexFunc(t.text, func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' && r != '-' }) < 0
}

// known reports whether a token alone is recognised as a name.
func (c *call) known(i int) bool { return givenNames[c.tokens[i].text] || c.capital(i) }

// capital reports whether a word is capitalised inside a sentence, and either follows "I" or "I'm" or has a neighbour
// that is not capitalised. The second condition excludes texts that capitalise every word.
func (c *call) capital(i int) bool {
	if i == 0 || c.tokens[i-1].turn != c.tokens[i].turn || c.tokens[i-1].ends {
		return false
	}
	upper := func(i int) bool {
		r, _ := utf8.DecodeRuneInString(c.t.Words[c.tokens[i].word].Text)
		return unicode.IsUpper(r)
	}
	return upper(i) && (!upper(i-1) || c.tokens[i-1].text == "i'm" || c.tokens[i-1].text == "i" ||
		i+1 < len(c.tokens) && !upper(i+1))
}
