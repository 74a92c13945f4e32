package numeral

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// letterDigits maps characters and readings that denote digits but are also letters or words: Chinese and Japanese
// ideographs, Korean and Japanese readings of digits, Braille.
var letterDigits = compileLetterDigits()

// letterDigit is a character, or a digit of several characters.
type letterDigit struct {
	digit    byte // 0: none
	phonetic bool // written as pronounced, like ordinary words
	letter   bool // not a digit, and not only a mark
	mark     bool // part of a number, without meaning by itself
}

// The readings of the digits, by value. Katakana are converted to Hiragana before the lookup.
var (
	hangul = [10]string{"영 공 령", "일", "이", "삼", "사", "오", "육 륙", "칠", "팔", "구"}
	kana   = [10]string{
		"ぜろ れい まる", "いち", "に", "さん", "し よん", "ご", "ろく", "しち なな", "はち", "きゅう きゅー く",
	}
)

// braille lists the digits from 0 on, in the upper cells and in the lower cells of mathematical notation.
var braille = [...]string{"⠚⠁⠃⠉⠙⠑⠋⠛⠓⠊", "⠴⠂⠆⠒⠲⠢⠖⠶⠦⠔"}

// numberSign precedes digits in Braille.
const numberSign = '⠼'

// longestReading is the maximum number of characters of a digit.
const longestReading = 3

func compileLetterDigits() map[string]letterDigit {
	all := map[string]letterDigit{}
	for value := range byte(10) {
		for _, r := range ideographs[value] {
			all[string(r)] = letterDigit{digit: '0' + value}
		}
		for _, reading := range strings.Fields(hangul[value] + " " + kana[value]) {
			all[reading] = letterDigit{digit: '0' + value, phonetic: true}
		}
	}
	for _, cells := range braille {
		for value, r := range []rune(cells) {
			all[string(r)] = letterDigit{digit: '0' + byte(value)}
		}
	}
	return all
}

// The minimum number of letter digits that form a number: within other letters, and as whole words.
const (
	fewestAmid         = 3
	fewestPhoneticAmid = 6
	fewestWhole        = 4
)

// digitLetters converts letter digits in the words of a turn to 0–9: in words of nothing but letter digits if there are
// several, or if the language is English, which has no such letters; and in longer runs inside other words.
func digitLetters(words []string, english bool) {
	for i := 0; i < len(words); {
		end, digits := i, 0
		for end < len(words) {
			n, whole := lettered(words[end])
			if !whole {
				break
			}
			digits, end = digits+n, end+1
		}
		all := english || digits >= fewestWhole
		for ; i < end; i++ {
			words[i] = inFigures(words[i], all)
		}
		if i < len(words) {
			words[i] = inFigures(words[i], false)
			i++
		}
	}
}

// lettered counts the letter digits of a word; whole reports whether it has no other letters.
func lettered(word string) (digits int, whole bool) {
	for word != "" {
		d, size := letterAt(word)
		switch {
		case d.digit != 0:
			digits++
		case d.letter:
			return digits, false
		}
		word = word[size:]
	}
	return digits, true
}

// inFigures converts the letter digits of a word: all of them, or only runs long enough to be a number.
func inFigures(word string, all bool) string {
	if ascii(word) {
		return word
	}
	var out, run strings.Builder
	from, digits, fewest := 0, 0, fewestAmid
	flush := func(to int) {
		if all || digits >= fewest {
			out.WriteString(run.String())
		} else {
			out.WriteString(word[from:to])
		}
		run.Reset()
		from, digits, fewest = to, 0, fewestAmid
	}
	for at := 0; at < len(word); {
		d, size := letterAt(word[at:])
		switch {
		case d.digit != 0:
			run.WriteByte(d.digit)
			digits++
		case d.letter:
			flush(at)
			from = at + size
			out.WriteString(word[at:from])
		case !d.mark:
			run.WriteString(word[at : at+size])
		}
		if d.phonetic {
			fewest = fewestPhoneticAmid
		}
		at += size
	}
	flush(len(word))
	return out.String()
}

// letterAt reads the first digit or character of a text.
func letterAt(text string) (d letterDigit, size int) {
	r, size := utf8.DecodeRuneInString(text)
	switch {
	case r >= '0' && r <= '9':
		return letterDigit{digit: byte(r)}, size
	case r < firstLetterDigit:
		return letterDigit{letter: unicode.IsLetter(r)}, size
	case r == numberSign:
		return letterDigit{mark: true}, size
	}
	end := 0
	for n := 0; n < longestReading && end < len(text); n++ {
		_, width := utf8.DecodeRuneInString(text[end:])
		end += width
		if known, ok := letterDigits[hiragana(text[:end])]; ok {
			d, size = known, end
		}
	}
	d.letter = d.digit == 0 && (unicode.IsLetter(r) || r > firstLetterDigit && r <= lastCell)
	return d, size
}

// The lowest letter digit, and the last Braille cell.
const (
	firstLetterDigit = '\u2800'
	lastCell         = '\u28ff'
)

// hiragana converts Katakana to Hiragana.
func hiragana(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'ァ' && r <= 'ヶ' {
			return r - 'ァ' + 'ぁ'
		}
		return r
	}, text)
}
