package formatting

import "parley/internal/words/numeral"

// Token classes of punctuation.
const (
	stop = numeral.Classes + iota
	comma
)

// role is the effect of a word on adjacent numbers.
type role uint32

// The roles.
const (
	unit      role = 1 << iota // a number before it is written in digits, however small
	label                      // a number after it is written in digits, however small: room, press
	period                     // a price refers to it: a month, each
	price                      // an amount of money follows soon
	phone                      // a phone number follows soon
	account                    // a number that is not a phone number follows soon
	social                     // a social security number follows soon
	clockPre                   // a time follows
	clockPost                  // a time precedes it
	street                     // ends an address
	closes                     // begins something new: not a noun
	subject                    // a person who may, or who says oh
	weekday
	counted  // counted in round numbers: fifteen twenty minutes
	calendar // a year follows
	sign     // joins adjacent numbers
)

// entry is the grammar's data on a word.
type entry = numeral.Word[role]

// roleWords lists the words of each role.
var roleWords = map[role]string{
	unit: `percent dollars dollar cents cent bucks euros euro degrees degree miles mile kilometers kilometer meters meter
		centimeters millimeters feet foot inches inch yards pounds pound ounces ounce grams gram kilograms kilos liters gallons
		megabytes megabyte gigabytes gigabyte terabytes terabyte kilobytes gigs megs megabits gigabits mbps gigahertz megahertz
		hertz watts volts amps o'clock`,
	label: `extension room suite apartment unit press option channel chapter page gate flight route highway interstate version
		windows zip code form building terminal pin`,
	period: `each apiece monthly yearly annually`,
	price: `cost costs price priced total balance comes charge charged charges pay paid paying payment owe owed fee due amount bill
		billed subtotal rate`,
	phone: `phone call cell cellphone telephone fax mobile dial reach callback text`,
	account: `account card order tracking confirmation member membership policy reference routing serial case ticket claim
		invoice id loan customer`,
	social:    `social ssn`,
	clockPre:  `at by until till before after since`,
	clockPost: `tonight tomorrow today showing showings showtime showtimes show eastern pacific central sharp slot appointment screening time times`,
	street: `street avenue road lane drive boulevard court circle parkway highway terrace plaza trail st ave rd blvd
		avenues streets`,
	closes: `a an the and or but so if at in on by to for from of is was are were will would works work through until till this that
		i we you they he she it my our your their please thank thanks yes no okay ok sir ma'am uh um with before after then as
		because when which each even plus not if next last`,
	subject: `i you we they he she it that this there my yeah yes ok okay no wait well sorry right god man boy sure great it's
		that's i'm i've what so thank thanks see good let's`,
	weekday:  `monday tuesday wednesday thursday friday saturday sunday`,
	counted:  `minutes minute days hours hour seconds weeks months years people percent dollars bucks miles times feet pounds degrees users`,
	sign:     `dot dash slash`,
	calendar: `in since by until before after year of from late early`,
}

// lexicon contains every word known to the grammar.
var lexicon = numeral.Lexicon(roleWords)
