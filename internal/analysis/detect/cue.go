package detect

import (
	"math"
	"sort"
	"strings"

	"parley/internal/words/numeral"
	"parley/internal/words/phrase"
)

// kind is the meaning of a number.
type kind uint8

// The kinds.
const (
	unknown  kind = iota
	card          // number of a payment card
	expiry        // month and year in which a card expires
	security      // the digits on the back of a card, a PIN
	social        // social security number
	phone
	birth   // date of birth
	private // another labelled number: account, order, zip code
	price
	kinds
)

// cue is a phrase that names the kind of a number near it.
type cue struct {
	span
	kind     kind
	strength float64
	tail     bool // only the last digits follow, as after "ending in"
}

// cuePhrases lists the phrases of each kind, the unambiguous ones first. If several match at one place, the longest
// wins.
var cuePhrases = map[kind][2]string{
	card: {`credit card|debit card|card number|card numbers|visa|visa card|mastercard|master card|amex|american express|discover card|diners club|credit card number|
		debit card number|sixteen digit|sixteen digits|16 digit|16 digits|fifteen digits|long number|bank card|gift card|charge card|payment card|number on the card|number on the front|
		digits on the card|digits of the card|digits on the front|card no|cc number|card details|card information|numbers on the front|
		numbers on the card|number on your card|number of the card|number off the card|numbers off the card|maestro|union pay|jcb`, `card|cards|cc|plastic|discover`},
	expiry: {`expiration|expiration date|expiry|expiry date|expires|expire|exp|exp date|expires on|expired|expiring|valid through|valid thru|valid until|valid till|valid to|is it valid|
		good through|good thru|good until|card expires|expiration month|expirations`, `valid`},
	security: {`cvv|cvc|cvv2|cvc2|cbc|cbb|cvb|cbv|c b c|c b b|c v b|c v v|c v c|c v v two|cid|security code|security codes|security number|verification code|verification number|verification value|three digit code|
		four digit code|3 digit code|4 digit code|three digit number|three digit security code|three digits on the back|three numbers on the back|three digit number on the back|3 digits on the back|numbers on the back|code on the back|
		number on the back|digits on the back|back of the card|back of your card|back of it|four digits on the front|card code|pin|pin number|pin code|c c v|ccv|
		signature strip|three on the back|csc|back of that card|flip side|flip it over`, `on the back|the back|the code|three digits|3 digits|three numbers|three digit|four digit`},
	social: {`social security|social security number|social|ssn|s s n|socials|taxpayer id|tax id|tax payer|taxpayer identification number|itin|last four of your social|social security card`, `sosh`},
	phone: {`phone number|telephone number|cell number|cell phone|mobile number|phone|telephone|cellphone|callback number|call back number|contact number|best number|call me at|
		call you at|reach me at|reach you at|reach you|reach me|call me back|call you back|call back|callback|fax|fax number|home number|work number|area code|text me|text you|text the|text it to|text to|send a text to|sms|text me at|text you at|dial|
		number to call|number to reach|number you're calling from|number i'm calling from|calling from|number this is about|number i called from|calling from number|toll free|office number|whatsapp|messages|cell|mobile|landline|best number to reach you|
		good number|number in case|in case we get disconnected|registered mobile|give us a call at|give me a call at|ring me|give me a ring|give us a ring|be reached at|reached at|direct number|direct line|our number|main number|her number is|his number is|their number is|new number is`,
		`call|office|number at|registered|contact|reach|calling`},
	birth: {`date of birth|birth date|birthdate|birthday|dob|d o b|born|born on|birth|born in|month day and year|year of birth|d.o.b`, ``},
	private: {`email|e-mail|email address|account number|order number|tracking number|confirmation number|reference number|member number|membership number|policy number|routing number|invoice number|
		case number|ticket number|claim number|serial number|zip code|postal code|zip|loan number|customer number|customer id|member id|employee id|confirmation code|
		model number|flight number|booking number|booking reference|id number|group number|part number|license plate|driver's license|drivers license|license number|
		passport number|purchase order|apt|po box|po number|p o number|vin|vin number|imei|meter number|meter reading|store number|house number|suite|apartment|extension|
		ext|badge number|incident number|item number|sku|promo code|coupon code|room number|work order|rewards number|loyalty number|frequent flyer|bank account|
		checking account|savings account|product code|ip address|mac address|reservation number|prescription number|rx number|case id|request number|service request|
		transaction number|transaction id|check number|gift code|ticket id|sort code|iban|swift|number of points`,
		`id|member|membership|ticket|customer|loan|model|flight|booking|number ends|account|tracking|confirmation|passport|routing|barcode|upc|version|street|avenue|address|highway|reservation|voucher|reference|case|invoice|order|policy|claim|serial`},
	price: {`happy birthday|happy belated birthday|total is|total of|total comes to|comes to|comes out to|balance of|balance is|amount of|amount due|payment of|pay|charge of|charged|fee of|price is|price of|costs|
		cost is|credit of|refund of|deposit of|limit of|monthly payment|down payment|payment is|owe|minimum payment|subtotal`, `price|cost|total|balance|amount|payment|fee|refund`},
}

// tails lists phrases that only the last digits of a number follow.
const tails = `ending in|ends in|ending with|ends with|last four|last 4|last four digits|last 4 digits|ending|last three|last three digits|final four|final four digits|last five|last five digits`

// cueWords maps the first word of a cue to its cues.
var cueWords = compileCues()

type cuePhrase struct {
	words    []string
	kind     kind
	strength float64
	tail     bool
}

const (
	clear = 3.
	vague = 1.
)

func compileCues() map[string][]cuePhrase {
	found := map[string][]cuePhrase{}
	add := func(list string, p cuePhrase) {
		for text := range strings.SplitSeq(list, "|") {
			p.words = strings.Fields(text)
			if len(p.words) > 0 {
				found[p.words[0]] = append(found[p.words[0]], p)
			}
		}
	}
	for k, lists := range cuePhrases {
		add(lists[0], cuePhrase{kind: k, strength: clear})
		add(lists[1], cuePhrase{kind: k, strength: vague})
	}
	add(tails, cuePhrase{tail: true})
	return found
}

func (c *call) findCues() {
	for i := 0; i < len(c.tokens); {
		best, at := 0, cue{}
		for _, p := range cueWords[c.cueWord(i)] {
			if n := c.stands(i, p.words); n > 0 &&
				(len(p.words) > best || len(p.words) == best && p.strength > at.strength) {
				best, at = len(p.words), cue{span{i, i + n}, p.kind, p.strength, p.tail}
			}
		}
		if best == 1 && c.amid(i) {
			best, at = 0, cue{}
		}
		if best > 0 {
			c.cues = append(c.cues, at)
			c.silence(at.span)
		}
		i = max(i+1, at.to)
	}
}

// amid reports whether a word stands between digits and is therefore probably misheard.
func (c *call) amid(i int) bool {
	turn, before, behind := c.tokens[i].turn, i-1, i+1
	for c.inTurn(before, turn).is(hesitation) {
		before--
	}
	for c.inTurn(behind, turn).is(hesitation) {
		behind++
	}
	return c.inTurn(before, turn).spoken() && c.inTurn(behind, turn).spoken()
}

// spoken reports whether a token is certainly a spoken number.
func (t *token) spoken() bool {
	return t.numeric() && t.Class != numeral.Figures || t.Class == numeral.Oh
}

// silence marks the words of a cue as no numbers: "the last four", "sixteen digits".
func (c *call) silence(s span) {
	for i := s.from; i < s.to; i++ {
		if t := &c.tokens[i]; t.Class != numeral.Figures {
			t.entry = entry{Roles: t.Roles | glue}
		} else if len(t.figure.digits) < 3 {
			t.figure.form, t.Class = mixed, numeral.Other
		}
	}
}

// cueWord returns the word at i in the form used in cues: without a possessive.
func (c *call) cueWord(i int) string {
	return strings.TrimSuffix(c.tokens[i].text, "'s")
}

// stands returns the number of tokens that match words at i, skipping hesitations; 0 if they do not match.
func (c *call) stands(i int, words []string) int {
	n := i
	for k, w := range words {
		for k > 0 && n < len(c.tokens) && n < i+8 && c.tokens[n].is(hesitation) {
			n++
		}
		if n >= len(c.tokens) || c.tokens[n].turn != c.tokens[i].turn || c.tokens[n].is(filler) || c.cueWord(n) != w {
			return 0
		}
		n++
	}
	return n - i
}

// reach is the maximum distance of a cue before a number, in tokens.
const reach = 60

// evidence holds the weights of the kinds, from the words around a number.
type evidence struct {
	weight [kinds]float64
	tail   bool
}

// best returns the kind with the largest weight.
func (e *evidence) best() kind {
	best := unknown
	for k := range kinds {
		if e.weight[k] > e.weight[best] {
			best = k
		}
	}
	return best
}

// around weighs the cues around a number: those before it, from token since on; those among its tokens; and those
// shortly after it in the same turn.
func (c *call) around(s span, since int) *evidence {
	e := &evidence{}
	turn := c.tokens[s.to-1].turn
	for i := c.cueBefore(s.from - reach); i < len(c.cues) && c.cues[i].from < s.to+8; i++ {
		q := &c.cues[i]
		distance, factor := 0, 1.
		switch {
		case q.to <= s.from:
			distance = c.distance(q.to, s.from)
			if q.from < since {
				continue
			}
		case q.from >= s.to:
			if !c.named(s.to, q.from, turn) {
				continue
			}
			distance, factor = q.from-s.to, .45
			if c.tokens[q.from].word == c.tokens[s.to-1].word {
				factor = 2 * clear // as in 555-0147-fax
			}
		}
		if q.tail {
			e.tail = e.tail || q.to <= s.from && distance <= 6 || q.from >= s.from && q.to <= s.to
			continue
		}
		e.weight[q.kind] = math.Max(e.weight[q.kind], factor*q.strength/(1+float64(distance)/8))
	}
	return e
}

// namers are the words between a number and a cue after it: "is my social", "that's the card".
var namers = phrase.Set(`is that's thats that was it's its for as`)

// named reports whether a cue after a number names it.
func (c *call) named(from, cue, turn int) bool {
	if cue == from && cue < len(c.tokens) && c.tokens[cue].word == c.tokens[from-1].word {
		return true // as in 555-0147-fax
	}
	if c.tokens[cue].turn != turn || cue == from || !namers[c.tokens[from].text] || c.tokens[from-1].ends {
		return false
	}
	for i := from; i < cue; i++ {
		t := &c.tokens[i]
		if !t.In(numeral.Other, misheard) || t.ends || t.text == "and" || t.text == "what" || t.text == "what's" {
			return false
		}
	}
	return true
}

// distance counts the tokens between two tokens, without hesitations; numbers count twice.
func (c *call) distance(from, to int) int {
	n := 0
	for i := from; i < to; i++ {
		switch t := &c.tokens[i]; {
		case t.is(hesitation):
		case t.numeric():
			n += 2
		default:
			n++
		}
	}
	return n
}

// cueBefore returns the index of the first cue that ends after a token.
func (c *call) cueBefore(token int) int {
	return sort.Search(len(c.cues), func(i int) bool { return c.cues[i].to > token })
}

// parted reports whether a cue among tokens clearly starts something other than a number of kind k. vaguely counts the
// ambiguous cues that may do so.
func (c *call) parted(s span, k kind) (clearly bool, vaguely int) {
	for i := c.cueBefore(s.from); i < len(c.cues) && c.cues[i].from < s.to; i++ {
		switch q := &c.cues[i]; {
		case q.from < s.from:
		case q.tail:
			return true, 0
		case q.kind == k:
		case q.strength == clear:
			return true, 0
		default:
			vaguely++
		}
	}
	return false, vaguely
}
