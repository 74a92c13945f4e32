// Package mark takes what is written as one word apart into words and the marks on them. It sets no marks: that is
// what package punctuation does.
package mark

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"parley/internal/words/transcript"
)

// Split returns the words and marks of a text that is written for the word w, as copies of w; several words share its
// time by their letters. Where w ends before it starts all of them do. Marks follow the word before them. ¿ or ¡ on its
// own is a mark, too; see Opening.
func Split(w transcript.Word, written string) []transcript.Word {
	pieces := separate(written)
	letters, past := 0, 0
	for _, p := range pieces {
		letters += p.weight()
	}
	from, lasts, back := w.Start, max(w.End-w.Start, 0), min(w.End-w.Start, 0)
	at := max(w.Start, w.End)
	var all []transcript.Word
	for _, p := range pieces {
		if p.mark {
			sign := transcript.Word{Text: p.text, Kind: transcript.Punctuation, Start: at, End: at, Speaker: w.Speaker}
			all = append(all, sign)
			continue
		}
		w.Text = p.text
		w.Start = from + lasts*time.Duration(past)/time.Duration(letters)
		past += p.weight()
		at = from + lasts*time.Duration(past)/time.Duration(letters)
		w.End = at + back
		all = append(all, w)
	}
	return all
}

// Opening reports whether a mark is written onto the word after it.
func Opening(text string) bool { return strings.Trim(text, "¿¡") == "" }

// piece is one part of what was written as one word.
type piece struct {
	text string
	mark bool // else it is spoken
}

// weight is how much of the time of several pieces is this one's.
func (p piece) weight() int {
	if p.mark {
		return 0
	}
	return len(p.text)
}

// longest is how many bytes of a written word are looked at: that takes their square. A longer one stays whole.
const longest = 2000

// mostMarks is how many marks of a word are kept.
const mostMarks = 8

// short are words that end in a full stop of their own and that a sentence usually goes on after.
var short = map[string]bool{
	"mr.": true, "mrs.": true, "ms.": true, "dr.": true, "st.": true, "ave.": true, "rd.": true, "blvd.": true,
	"apt.": true,
	"jr.":  true, "sr.": true, "inc.": true, "corp.": true, "ltd.": true, "vs.": true, "prof.": true, "dept.": true,
	"approx.": true, "ph.d.": true, "gov.": true, "sen.": true, "rev.": true, "capt.": true, "lt.": true, "sgt.": true,
	"mt.": true, "bros.": true, "sra.": true, "srta.": true, "dra.": true, "ud.": true, "uds.": true,
}

// separate takes a written word apart: "Contoso," is Contoso and a comma, and a text in a script without spaces is cut
// at its marks. Quotation marks and brackets around words go. What belongs to a word stays: the full stop of an
// abbreviation, decimal points, apostrophes, hyphens, ¿ and ¡, brackets around digits and around a whole word [noise].
func separate(written string) []piece {
	var all []piece
	marks := 0
	for _, part := range cut(written) {
		if len(part) > longest {
			return append(all, piece{part, false})
		}
		before, word, after := bare(part)
		for _, m := range before {
			all, marks = appendMark(all, m, marks)
		}
		if word != "" {
			all = append(all, pieceOf(word))
		}
		for _, m := range after {
			all, marks = appendMark(all, m, marks)
		}
	}
	return all
}

// pieceOf is the piece of a text that has no marks at its ends.
func pieceOf(text string) piece {
	return piece{text, Opening(text) || !Says(text)}
}

// appendMark adds a mark. Dots in a row are one mark, an ellipsis; of other marks the same one twice says it once.
func appendMark(all []piece, m string, marks int) ([]piece, int) {
	if n := len(all); n > 0 && all[n-1].mark && strings.Trim(all[n-1].text, ".") == "" && m == "." {
		if len(all[n-1].text) < mostMarks {
			all[n-1].text += m
		}
		return all, marks
	} else if marks == mostMarks || n > 0 && all[n-1] == (piece{m, true}) {
		return all, marks
	}
	return append(all, piece{m, true}), marks + 1
}

// bare takes the marks off both ends of a word. A text without a word in it is all marks.
func bare(text string) (before []string, word string, after []string) {
	if core := strings.TrimFunc(text, aside); tag(core) {
		from := strings.Index(text, core)
		return signs(text[:from]), core, signs(text[from+len(core):])
	}
	word = strings.Trim(text, Joiners)
	inQuotes := 0 // how many single quotation marks are open
	for {
		m, size := leading(word, len(before) > 0)
		if r, n := utf8.DecodeRuneInString(word); quoted(word) || strings.ContainsRune(singles, r) {
			size = n
			inQuotes++
		}
		if size == 0 {
			break
		}
		before, word = append(before, m...), word[size:]
	}
	for {
		m, size := trailing(word)
		if r, n := utf8.DecodeLastRuneInString(word); inQuotes > 0 && apostrophe(r) {
			size = n
			inQuotes--
		}
		if size == 0 {
			break
		}
		after, word = append(after, m...), word[:len(word)-size]
	}
	slices.Reverse(after)
	return before, word, after
}

// singles are the quotation marks that an apostrophe closes.
const singles = "‘‚‛"

// Joiners shape the letters beside them, and mean nothing at the end of a word.
const Joiners = "\u200c\u200d"

// aside reports whether a sign may stand beside a word without belonging to it.
func aside(r rune) bool { return marks(r) || quotes(r) || r == '(' || r == ')' }

// signs are the marks in a text that has nothing else in it.
func signs(text string) (all []string) {
	for _, r := range text {
		if marks(r) {
			all = append(all, string(r))
		}
	}
	return all
}

// leading returns how many bytes at the beginning of a word do not belong to it, and the mark that they are, if any.
// marked is whether a mark stands before.
func leading(word string, marked bool) (m []string, size int) {
	r, n := utf8.DecodeRuneInString(word)
	next, _ := utf8.DecodeRuneInString(word[n:])
	switch {
	case n == 0, opens(r) && !quotes(r) && belongs(word):
		return nil, 0
	case quotes(r), opens(r), closes(r), unicode.IsSpace(r):
		return nil, n
	case r == '.' && !marked && (unicode.IsLetter(next) || unicode.IsNumber(next)), dash(r) && unicode.IsNumber(next):
		return nil, 0 // .com, .5, –5
	case marks(r):
		return []string{string(r)}, n
	}
	return nil, 0
}

// trailing is leading for the end of a word.
func trailing(word string) (m []string, size int) {
	r, n := utf8.DecodeLastRuneInString(word)
	switch {
	case n == 0, closes(r) && !quotes(r) && closed(word):
		return nil, 0
	case quotes(r), opens(r), closes(r), unicode.IsSpace(r):
		return nil, n
	case r == '.' && (short[strings.ToLower(word)] || initials(word)):
		return nil, 0
	case marks(r):
		return []string{string(r)}, n
	}
	return nil, 0
}

// quoted reports whether a word that begins with an apostrophe is in single quotation marks: 'hello', but not 'n'.
func quoted(word string) bool {
	r, n := utf8.DecodeRuneInString(word)
	rest := strings.TrimRightFunc(word, aside)
	end, _ := utf8.DecodeLastRuneInString(rest)
	return apostrophe(r) && (len(word) == n || apostrophe(end) && utf8.RuneCountInString(rest) > 3)
}

func apostrophe(r rune) bool { return r == '\'' || r == '’' }

// belongs reports whether a bracket that begins a word is a part of it: it closes inside, as in (s)he, or has digits
// alone in it, as in (206)555-0147.
func belongs(word string) bool {
	end := strings.IndexFunc(word, closes)
	return end > 0 && (figures(word[:end]) || Says(word[end:]))
}

// closed is belongs for a bracket that ends a word.
func closed(word string) bool {
	from := strings.LastIndexFunc(word, opens)
	return from >= 0 && (figures(word[from:]) || Says(word[:from]))
}

// figures reports whether digits alone are said in a text.
func figures(text string) bool {
	return strings.ContainsFunc(text, unicode.IsNumber) && !strings.ContainsFunc(text, unicode.IsLetter)
}

// tag reports whether a word is in brackets that make it something else than what is said: [PII], <unk>.
func tag(word string) bool {
	return len(word) > 2 && (word[0] == '[' && word[len(word)-1] == ']' || word[0] == '<' && word[len(word)-1] == '>')
}

// cut takes a text apart at marks inside it that no space stands behind: of scripts without spaces, long dashes and
// ellipses. Each part but the last ends with its marks. Between digits a mark belongs to the number, and addresses
// stay whole.
func cut(text string) []string {
	if plain(text) || address(text) || tag(text) {
		return []string{text}
	}
	var parts []string
	from := 0
	before, behind := rune(0), false // what was said last, and whether a place to cut stands behind it
	for i, r := range text {
		switch {
		case breaks(r, text[i:]):
			behind = true
		case !marks(r) && !opens(r) && !closes(r) && !quotes(r):
			if behind && before != 0 && !(unicode.IsNumber(before) && unicode.IsNumber(r)) {
				at := i - len(openers(text[from:i]))
				parts, from = append(parts, text[from:at]), at
			}
			before, behind = r, false
		}
	}
	return append(parts, text[from:])
}

// plain reports whether a text has nothing but ASCII in it and no dots in a row.
func plain(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf || text[i] == '.' && i > 0 && text[i-1] == '.' {
			return false
		}
	}
	return true
}

// openers are the signs at the end of a text that belong to the word after it.
func openers(text string) string {
	return text[len(strings.TrimRightFunc(text, func(r rune) bool { return opens(r) })):]
}

// breaks reports whether words end at a sign wherever it stands.
func breaks(r rune, rest string) bool {
	wide := r >= 0x2E80 && (marks(r) || opens(r) || closes(r))
	return wide || r == '—' || r == '―' || r == '…' || r == '.' && strings.HasPrefix(rest, "..")
}

// address reports whether a text is an address of the web or of mail.
func address(text string) bool {
	return strings.Contains(text, "://") || strings.HasPrefix(text, "www.") || strings.Contains(text, "@")
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

// marks reports whether a sign is an entry of its own where it begins or ends a word.
func marks(r rune) bool {
	return unicode.Is(unicode.Terminal_Punctuation, r) || r == '…' || r == '‥' || r == '．' || dash(r)
}

func dash(r rune) bool { return r == '–' || r == '—' || r == '―' || r == '‒' }

func opens(r rune) bool  { return unicode.In(r, unicode.Ps, unicode.Pi) }
func closes(r rune) bool { return unicode.In(r, unicode.Pe, unicode.Pf) && !apostrophe(r) }

// quotes reports whether a sign is a quotation mark that is never an apostrophe.
func quotes(r rune) bool { return unicode.Is(unicode.Quotation_Mark, r) && !apostrophe(r) }

// Says reports whether anything in a text is said.
func Says(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		return unicode.In(r, unicode.L, unicode.N, unicode.Sc, unicode.So) || strings.ContainsRune("%&@#+=*", r)
	})
}
