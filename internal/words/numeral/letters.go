package numeral

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// letterDigits are digits that are letters or words as well, each with how it is written: Chinese and Japanese
// ideographs, the readings of digits in Korean and Japanese, Braille.
var letterDigits = compileLetterDigits()

// letterDigit is a character or a digit of several.
type letterDigit struct {
	digit    byte // 0: none
	phonetic bool // written as it sounds, as other words are, too
	letter   bool // no digit, and more than a mark
	mark     bool // belongs to digits and is nothing by itself
}

// How the digits are read, by their value. Katakana are read as Hiragana.
var (
	hangul = [10]string{"영 공 령", "일", "이", "삼", "사", "오", "육 륙", "칠", "팔", "구"}
	kana   = [10]string{
		"ぜろ れい まる", "いち", "に", "さん", "し よん", "ご", "ろく", "しち なな", "はち", "きゅう きゅー く",
	}
)

// braille are the digits from 0 on, in the upper cells and in the lower ones of mathematics.
var braille = [...]string{"⠚⠁⠃⠉⠙⠑⠋⠛⠓⠊", "⠴⠂⠆⠒⠲⠢⠖⠶⠦⠔"}

// numberSign stands before digits in Braille.
const numberSign = '⠼'

// longestReading is how many characters a digit has at most.
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

// How many digits that are letters make a number: in the midst of other letters, and as whole words.
const (
	fewestAmid         = 3
	fewestPhoneticAmid = 6
	fewestWhole        = 4
)

// digitLetters writes in figures the digits that are letters in the words of a turn: those of words that consist of
// nothing else, if there are several or the language is English, which has no such letters; and longer runs inside
// other words.
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

// lettered counts the digits of a word; whole reports whether it has no other letters.
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

// inFigures writes a word with figures in place of digits that are letters: all of them, or those of runs that are long
// enough to be a number.
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

// Where digits begin that are letters, and where the cells of Braille end.
const (
	firstLetterDigit = '\u2800'
	lastCell         = '\u28ff'
)

// hiragana writes Katakana as Hiragana.
func hiragana(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'ァ' && r <= 'ヶ' {
			return r - 'ァ' + 'ぁ'
		}
		return r
	}, text)
}
