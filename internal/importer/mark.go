package importer

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// marks are the signs that are entries of their own when they end a word.
const marks = ".,?!;:…。、？！，；："

// mostMarks is how many marks of a word are told apart.
const mostMarks = 8

// short are words that end in a full stop of their own.
var short = map[string]bool{
	"mr.": true, "mrs.": true, "ms.": true, "dr.": true, "st.": true, "ave.": true, "rd.": true, "blvd.": true, "apt.": true,
	"jr.": true, "sr.": true, "inc.": true, "corp.": true, "ltd.": true, "vs.": true, "prof.": true, "dept.": true, "approx.": true,
}

// split takes the punctuation off the end of a written word: "Contoso," is Contoso and a comma. A full stop that
// belongs to an abbreviation stays.
func split(written string) (word string, after []string) {
	word = written
	for word != "" && len(after) < mostMarks && !short[strings.ToLower(word)] && !initials(word) {
		last, size := utf8.DecodeLastRuneInString(word)
		if !strings.ContainsRune(marks, last) {
			break
		}
		word = word[:len(word)-size]
		switch {
		case last == '.' && len(after) > 0 && strings.Trim(after[0], ".") == "":
			after[0] += "." // an ellipsis is one mark
		default:
			after = append([]string{string(last)}, after...)
		}
	}
	if !strings.ContainsFunc(word, spoken) {
		if word != "" {
			after = append([]string{word}, after...)
		}
		return "", after
	}
	return word, after
}

// initials reports whether a word is letters with a full stop each, such as A.B.C. or p.m.
func initials(word string) bool {
	if len(word) < 4 {
		return false
	}
	letter := true
	for _, r := range word {
		if letter && !unicode.IsLetter(r) || !letter && r != '.' {
			return false
		}
		letter = !letter
	}
	return letter
}

// spoken reports whether a sign is said.
func spoken(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || strings.ContainsRune("%&@#$€£+=*", r) || unicode.Is(unicode.So, r)
}
