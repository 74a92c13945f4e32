// Package mark splits a written word into words and punctuation marks. It does not add punctuation; package punctuation
// does.
package mark

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"parley/internal/words/phrase"
	"parley/internal/words/transcript"
)

// Split returns the words and marks of the text written for word w, as copies of w. Several words divide its time in
// proportion to their letters. If w ends before it starts, so do all copies. A mark follows its word. A separate ¿ or ¡
// is a mark, too; see Opening.
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

// Opening reports whether a mark is written directly before the next word.
func Opening(text string) bool { return strings.Trim(text, "¿¡") == "" }

// piece is one part of a written word.
type piece struct {
	text string
	mark bool // else a spoken word
}

// weight is the piece's share of the time of all pieces.
func (p piece) weight() int {
	if p.mark {
		return 0
	}
	return len(p.text)
}

// longest is the size in bytes above which a written word is not split, because the cost grows with its square.
const longest = 2000

// mostMarks bounds the marks kept per word.
const mostMarks = 8

// short lists abbreviations that end in a full stop and rarely end a sentence.
var short = phrase.Set(`mr. mrs. ms. dr. st. ave. rd. blvd. apt. jr. sr. inc. corp. ltd. vs. prof. dept. approx. ph.d.
	gov. sen. rev. capt. lt. sgt. mt. bros. sra. srta. dra. ud. uds.`)

// separate splits a written word: "Contoso," becomes Contoso and a comma, and text in a script without spaces is split
// at its marks. It drops quotation marks and brackets around words. It keeps what is part of a word: the full stop of
// an abbreviation, decimal points, apostrophes, hyphens, ¿ and ¡, brackets around digits and around a whole word
// [noise].
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

// pieceOf returns the piece for a text without marks at its ends.
func pieceOf(text string) piece {
	return piece{text, Opening(text) || !Says(text)}
}

// appendMark adds a mark. Consecutive dots form one mark, an ellipsis; other marks that repeat are kept once.
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

// bare strips the marks from both ends of a word. A text without letters or digits is all marks.
func bare(text string) (before []string, word string, after []string) {
	if core := strings.TrimFunc(text, aside); tag(core) {
		from := strings.Index(text, core)
		return signs(text[:from]), core, signs(text[from+len(core):])
	}
	word = strings.Trim(text, Joiners)
	inQuotes := 0 // open single quotation marks
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

// Joiners affect how adjacent letters are shaped and have no meaning at the end of a word.
const Joiners = "\u200c\u200d"

// aside reports whether a character may be adjacent to a word without being part of it.
func aside(r rune) bool { return marks(r) || quotes(r) || r == '(' || r == ')' }

// signs returns the marks of a text that contains nothing else.
func signs(text string) (all []string) {
	for _, r := range text {
		if marks(r) {
			all = append(all, string(r))
		}
	}
	return all
}

// leading returns how many leading bytes of a word are not part of it, and the mark that they form, if any. marked
// reports whether a mark precedes.
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

// belongs reports whether an opening bracket is part of the word: it closes inside the word, as in (s)he, or encloses
// only digits, as in (206)555-0147.
func belongs(word string) bool {
	end := strings.IndexFunc(word, closes)
	return end > 0 && (figures(word[:end]) || Says(word[end:]))
}

// closed is belongs for a closing bracket at the end of a word.
func closed(word string) bool {
	from := strings.LastIndexFunc(word, opens)
	return from >= 0 && (figures(word[from:]) || Says(word[:from]))
}

// figures reports whether digits are the only spoken characters of a text.
func figures(text string) bool {
	return strings.ContainsFunc(text, unicode.IsNumber) && !strings.ContainsFunc(text, unicode.IsLetter)
}

// tag reports whether a word is a bracketed tag rather than speech: [PII], <unk>.
func tag(word string) bool {
	return len(word) > 2 && (word[0] == '[' && word[len(word)-1] == ']' || word[0] == '<' && word[len(word)-1] == '>')
}

// cut splits a text at inner marks without a following space: those of scripts without spaces, long dashes and
// ellipses. Each part but the last ends with its marks. Marks between digits belong to the number, and addresses stay
// whole.
func cut(text string) []string {
	if plain(text) || address(text) || tag(text) {
		return []string{text}
	}
	var parts []string
	from := 0
	before, behind := rune(0), false // previous spoken character, and whether a possible split follows it
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

// plain reports whether a text is ASCII only and has no consecutive dots.
func plain(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf || text[i] == '.' && i > 0 && text[i-1] == '.' {
			return false
		}
	}
	return true
}

// openers returns the characters at the end of a text that belong to the next word.
func openers(text string) string {
	return text[len(strings.TrimRightFunc(text, func(r rune) bool { return opens(r) })):]
}

// breaks reports whether a character ends a word in any position.
func breaks(r rune, rest string) bool {
	wide := r >= 0x2E80 && (marks(r) || opens(r) || closes(r))
	return wide || r == '—' || r == '―' || r == '…' || r == '.' && strings.HasPrefix(rest, "..")
}

// address reports whether a text is a web or e-mail address.
func address(text string) bool {
	return strings.Contains(text, "://") || strings.HasPrefix(text, "www.") || strings.Contains(text, "@")
}

// initials reports whether a word consists of letters with a full stop after each, such as A.B.C. or p.m.
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

// marks reports whether a character at the start or end of a word becomes an entry of its own.
func marks(r rune) bool {
	return unicode.Is(unicode.Terminal_Punctuation, r) || r == '…' || r == '‥' || r == '．' || dash(r)
}

func dash(r rune) bool { return r == '–' || r == '—' || r == '―' || r == '‒' }

func opens(r rune) bool  { return unicode.In(r, unicode.Ps, unicode.Pi) }
func closes(r rune) bool { return unicode.In(r, unicode.Pe, unicode.Pf) && !apostrophe(r) }

// quotes reports whether a character is a quotation mark that is never used as an apostrophe.
func quotes(r rune) bool { return unicode.Is(unicode.Quotation_Mark, r) && !apostrophe(r) }

// Says reports whether a text contains a spoken character.
func Says(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		return unicode.In(r, unicode.L, unicode.N, unicode.Sc, unicode.So) || strings.ContainsRune("%&@#+=*", r)
	})
}
