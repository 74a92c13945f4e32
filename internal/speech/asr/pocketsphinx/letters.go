package pocketsphinx

import "strings"

// graphemes maps letter groups to their usual sounds in English, longest match first. It is the last resort for words
// unknown to the dictionary and to espeak-ng. Except for the silent final e it ignores context.
var graphemes = map[string]string{
	"tion": "SH AH N", "sion": "ZH AH N", "ough": "AO", "augh": "AO", "eigh": "EY",
	"tch": "CH", "sch": "S K", "igh": "AY", "dge": "JH", "que": "K", "eau": "OW", "air": "EH R", "ear": "IH R",
	"oor": "AO R", "our": "AW ER",
	"ch": "CH", "sh": "SH", "th": "TH", "ph": "F", "wh": "W", "ck": "K", "ng": "NG", "qu": "K W", "gh": "G", "kn": "N",
	"wr": "R", "rh": "R", "dg": "JH", "ai": "EY", "ay": "EY", "ea": "IY", "ee": "IY", "ei": "EY", "ey": "IY",
	"ie": "IY", "oa": "OW", "oe": "OW", "oi": "OY", "oy": "OY", "oo": "UW", "ou": "AW", "ow": "OW", "au": "AO",
	"aw": "AO", "ue": "UW", "ui": "UW", "ew": "Y UW", "ar": "AA R", "er": "ER", "ir": "ER", "or": "AO R", "ur": "ER",
	"le": "AH L", "ce": "S", "ci": "S IH", "cy": "S IY", "ge": "JH", "gi": "JH IH", "bb": "B", "cc": "K", "dd": "D",
	"ff": "F", "gg": "G", "ll": "L", "mm": "M", "nn": "N", "pp": "P", "rr": "R", "ss": "S", "tt": "T", "zz": "Z",
	"a": "AE", "b": "B", "c": "K", "d": "D", "e": "EH", "f": "F", "g": "G", "h": "HH", "i": "IH", "j": "JH", "k": "K",
	"l": "L", "m": "M", "n": "N", "o": "AA", "p": "P", "q": "K", "r": "R", "s": "S", "t": "T", "u": "AH", "v": "V",
	"w": "W", "x": "K S", "y": "IY", "z": "Z",
	"A": "EY", "I": "AY", "O": "OW", "U": "Y UW", // lengthened by a silent e
}

const longestGrapheme = 4

// byLetters returns the phones of a lower-case word from its spelling; empty if it contains anything other than a–z.
func byLetters(word string) string {
	if n := len(word); n > 3 && word[n-1] == 'e' && !strings.ContainsRune("aeiouyl", rune(word[n-2])) {
		word = longBeforeE(word[:n-1])
	}
	return greedy(word, graphemes, longestGrapheme)
}

// longBeforeE capitalises the vowel that a silent e lengthens: base → bAs.
func longBeforeE(stem string) string {
	i := len(stem) - 2
	if i < 0 || !strings.ContainsRune("aiou", rune(stem[i])) || i > 0 &&
		strings.ContainsRune("aeiou", rune(stem[i-1])) {
		return stem
	}
	return stem[:i] + strings.ToUpper(stem[i:i+1]) + stem[i+1:]
}

// greedy rewrites a text by a table, using the longest match at each position; empty if nothing matches.
func greedy(text string, table map[string]string, longest int) string {
	var phones []string
	for len(text) > 0 {
		n := min(longest, len(text))
		p, known := table[text[:n]]
		for !known && n > 1 {
			n--
			p, known = table[text[:n]]
		}
		if !known {
			return ""
		}
		if p != "" {
			phones = append(phones, p)
		}
		text = text[n:]
	}
	return strings.Join(phones, " ")
}
