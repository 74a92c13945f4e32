package detect

import (
	"strings"

	"parley/internal/words/numeral"
)

// misheard is the class of words that sound like a digit: for, to, ate.
const misheard = numeral.Classes

// role is the function of a word next to numbers. A word may have several roles.
type role uint16

// The roles.
const (
	hesitation role = 1 << iota // does not end a number: uh
	joint                       // between the parts of a number: dash
	glue                        // carries no information: okay, and the next
	correction                  // revokes what came before: no, sorry
	unit                        // makes the number before it an amount: dollars
	thing                       // makes "one" before it a pronoun: moment
	pointer                     // makes "one" after it a pronoun: this
	meta                        // the number before it counts digits: digits
	stop                        // is never a part of a name
	filler                      // said before every digit of a number: press
)

// entry is the lexicon entry of a word.
type entry = numeral.Word[role]

// roleWords lists the words of each role.
var roleWords = map[role]string{
	hesitation: `uh um er ah hmm hm mm eh uhm erm like`,
	joint:      `dash hyphen space slash dot point comma minus stroke`,
	glue: `and then so is it it's its that that's thats the a an number numbers digit digits first last rest followed by after again yes yeah
		yep yup uh-huh uhuh uhhuh mm-hmm mmhmm mhm huh okay ok right alright all good great perfect thanks thank you sure got go ahead on continue next sorry
		pardon repeat please sir ma'am maam let me see let's oh correct no not nope i i'm i've mean was said say says one wait hold just now also are be been
		to for of my your his her our what have has had read reading back with in at as this these those there here we you they he she
		do did does can could would will still only uh um er ah hmm hm mm eh well or but second sec moment minute cool fine wonderful
		excellent ready next other set group part more from start starts starting begins beginning ends ending end give gave tell told hear heard
		dash hyphen space slash dot point comma k yours mine exactly absolutely certainly lovely beautiful awesome ending ma miss
		mister double triple new when up out if how don't didn't sounds sound`,
	correction: `no sorry nope wait actually correction oops scratch wrong rather mistake pardon excuse`,
	unit: `percent dollars dollar cents cent bucks buck euros euro pounds pound degrees miles mile kilometers feet foot inches minutes minute hours hour days day
		weeks week months month years year megabytes megabit megabits megs gigabytes gigs gigabit times people o'clock am pm a.m p.m a.m. p.m. points million billion grand
		quarter quarters percentage items units copies tickets rooms bedrooms bedroom bathrooms floors kids children users lines channels`,
	thing: `of more moment second sec minute time thing way another day last question other hundred or person who that thing's guy place
		month week year else side reason option issue problem`,
	pointer: `this that the another which no any every each other old new right wrong good same only big little nice best better
		first next last some these those main different`,
	meta: `digit digits number numbers zeros zeroes`,
	stop: `a about account actually after again all already also always am an and any anything are as at available back be because been before being
		but by call called calling came can card checking come could did do does doing don't done for from get getting give glad go going gone
		gonna good got had happy has have having he hello help her here hi him his hold how however i i'd i'll i'm i've if in interested into is
		it it's its just know let like little looking look made make making may maybe me mean might more much must my need never nice no not now of off oh
		okay ok on one only or other our out over please probably ready really regarding right said same say see she should so some
		something sorry speaking still sure take than thank thanks that that's the their them then there these they thing this those time to today told
		too trying two uh um under up us very wait want wanted was we we're well were what what's when where which who why will with would wrong yeah yes yep
		yet you you're your ma'am sir spelled spelling email phone number address date social security last first middle name names
		correct perfect great fine alright afraid aware able unable new old having tired done born located living
		calls line customer service support department company agent representative manager supervisor recorded absolutely certainly
		every everything nothing someone anyone somebody nobody everyone where's here's there's isn't wasn't won't can't doesn't didn't couldn't
		going definitely honestly currently um hmm ah er`,
}

// sounds lists the words that recognisers write for a digit.
var sounds = map[string]string{
	"1": "won wan", "2": "to too tu tw", "3": "tree free thee", "4": "for fore forth", "5": "fife hive five's",
	"6": "sex sicks sick sics six's", "7": "seben sven",
	"8": "ate aid hate", "9": "nein nigh mine nine's", "0": "hero nero",
}

// lexicon holds all known words.
var lexicon = compile()

func compile() map[string]entry {
	words := numeral.Lexicon(roleWords)
	for word, e := range words {
		if !spoken(e.Entry) {
			words[word] = entry{Roles: e.Roles}
		}
	}
	for value, names := range sounds {
		for name := range strings.FieldsSeq(names) {
			words[name] = entry{Entry: numeral.Entry{Class: misheard, Value: int(value[0] - '0')},
				Roles: words[name].Roles}
		}
	}
	return words
}

// spoken reports whether a word can stand for digits or part of a date. Millions cannot: they make amounts.
func spoken(e numeral.Entry) bool {
	switch e.Class {
	case numeral.Article, numeral.Point, numeral.Decade:
		return false
	case numeral.Ordinal:
		return e.Value < 100
	}
	return e.Value <= 1000
}
