package dialogue

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"parley/internal/words/numeral"
)

// Spelling is one way of writing a number in figures, as the words of a supplied transcript.
type Spelling struct {
	Name    string
	Words   []string
	Fillers string // words between the digits that carry no digits
	English bool   // in English words, which are understood only in English calls
}

// Has reports whether a word of the spelling carries digits.
func (s Spelling) Has(word string) bool {
	return !slices.Contains(strings.Fields(s.Fillers), word) && strings.ContainsFunc(word, func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.In(r, unicode.So, unicode.Mn) || r >= firstTag
	})
}

// firstTag is the first of the invisible Unicode tag characters, which mirror ASCII.
const firstTag = '\U000E0000'

// digitSets are characters for 0 to 9 that are not decimal digits of a script.
var digitSets = map[string]string{
	"superscript":               "⁰ ¹ ² ³ ⁴ ⁵ ⁶ ⁷ ⁸ ⁹",
	"subscript":                 "₀ ₁ ₂ ₃ ₄ ₅ ₆ ₇ ₈ ₉",
	"circled":                   "⓪ ① ② ③ ④ ⑤ ⑥ ⑦ ⑧ ⑨",
	"negative circled":          "⓿ ❶ ❷ ❸ ❹ ❺ ❻ ❼ ❽ ❾",
	"double circled":            "0 ⓵ ⓶ ⓷ ⓸ ⓹ ⓺ ⓻ ⓼ ⓽",
	"sans-serif circled":        "🄋 ➀ ➁ ➂ ➃ ➄ ➅ ➆ ➇ ➈",
	"negative sans circled":     "🄌 ➊ ➋ ➌ ➍ ➎ ➏ ➐ ➑ ➒",
	"parenthesised":             "0 ⑴ ⑵ ⑶ ⑷ ⑸ ⑹ ⑺ ⑻ ⑼",
	"with a full stop":          "🄀 ⒈ ⒉ ⒊ ⒋ ⒌ ⒍ ⒎ ⒏ ⒐",
	"with a comma":              "🄁 🄂 🄃 🄄 🄅 🄆 🄇 🄈 🄉 🄊",
	"keycaps":                   "0️⃣ 1️⃣ 2️⃣ 3️⃣ 4️⃣ 5️⃣ 6️⃣ 7️⃣ 8️⃣ 9️⃣",
	"underlined":                "0̲ 1̲ 2̲ 3̲ 4̲ 5̲ 6̲ 7̲ 8̲ 9̲",
	"struck out":                "0̶ 1̶ 2̶ 3̶ 4̶ 5̶ 6̶ 7̶ 8̶ 9̶",
	"ideographs":                "〇 一 二 三 四 五 六 七 八 九",
	"ideographs of accountants": "零 壹 贰 叁 肆 伍 陆 柒 捌 玖",
	"ideographs of both kinds":  "〇 壹 二 叁 四 伍 六 柒 八 玖",
	"ideographs of Japan":       "零 壱 弐 参 四 伍 六 七 八 九",
	"Korean":                    "공 일 이 삼 사 오 육 칠 팔 구",
	"Korean with the old zero":  "영 일 이 삼 사 오 륙 칠 팔 구",
	"Hiragana":                  "ぜろ いち に さん よん ご ろく なな はち きゅう",
	"Katakana":                  "ゼロ イチ ニ サン ヨン ゴ ロク ナナ ハチ キュウ",
	"Braille":                   "⠼⠚ ⠼⠁ ⠼⠃ ⠼⠉ ⠼⠙ ⠼⠑ ⠼⠋ ⠼⠛ ⠼⠓ ⠼⠊",
	"Braille of mathematics":    "⠼⠴ ⠼⠂ ⠼⠆ ⠼⠒ ⠼⠲ ⠼⠢ ⠼⠖ ⠼⠶ ⠼⠦ ⠼⠔",
	"Brahmi":                    "0 𑁒 𑁓 𑁔 𑁕 𑁖 𑁗 𑁘 𑁙 𑁚",
	"Rumi":                      "0 𐹠 𐹡 𐹢 𐹣 𐹤 𐹥 𐹦 𐹧 𐹨",
	"Suzhou":                    "〇 〡 〢 〣 〤 〥 〦 〧 〨 〩",
	"counting rods":             "〇 𝍠 𝍡 𝍢 𝍣 𝍤 𝍥 𝍦 𝍧 𝍨",
	"counting rods of tens":     "〇 𝍩 𝍪 𝍫 𝍬 𝍭 𝍮 𝍯 𝍰 𝍱",
	"Roman numerals":            "0 Ⅰ Ⅱ Ⅲ Ⅳ Ⅴ Ⅵ Ⅶ Ⅷ Ⅸ",
	"small Roman numerals":      "0 ⅰ ⅱ ⅲ ⅳ ⅴ ⅵ ⅶ ⅷ ⅸ",
	"Ethiopic":                  "0 ፩ ፪ ፫ ፬ ፭ ፮ ፯ ፰ ፱",
	"Mayan":                     "𝋠 𝋡 𝋢 𝋣 𝋤 𝋥 𝋦 𝋧 𝋨 𝋩",
	"circled ideographs":        "〇 ㊀ ㊁ ㊂ ㊃ ㊄ ㊅ ㊆ ㊇ ㊈",
	"ideographs in parentheses": "〇 ㈠ ㈡ ㈢ ㈣ ㈤ ㈥ ㈦ ㈧ ㈨",
	"Medefaidrin":               "𖺀 𖺁 𖺂 𖺃 𖺄 𖺅 𖺆 𖺇 𖺈 𖺉",
	"above letters":             "꣠ ꣡ ꣢ ꣣ ꣤ ꣥ ꣦ ꣧ ꣨ ꣩",
}

// separators are the texts between the groups of a number, or between its digits.
var separators = map[string]string{
	"nothing": "", "hyphen": "-", "dot": ".", "slash": "/", "underscore": "_", "comma": ",", "space": " ",
	"two spaces": "  ", "colon": ":", "bar": "|",
	"star": "*", "plus": "+", "equals": "=", "tilde": "~", "backslash": `\`, "apostrophe": "'", "semicolon": ";",
	"arrow":          ">",
	"no-break space": "\u00a0", "narrow no-break space": "\u202f", "thin space": "\u2009", "hair space": "\u200a",
	"figure space":      "\u2007",
	"ideographic space": "\u3000", "zero-width space": "\u200b", "zero-width non-joiner": "\u200c",
	"zero-width joiner": "\u200d",
	"word joiner":       "\u2060", "soft hyphen": "\u00ad", "byte order mark": "\ufeff", "right-to-left mark": "\u200f",
	"invisible times": "\u2062",
	"hyphen sign":     "‐", "non-breaking hyphen": "‑", "figure dash": "‒", "en dash": "–", "em dash": "—",
	"bar dash": "―", "minus": "−",
	"full-width hyphen": "－", "small hyphen": "﹣", "middle dot": "·", "bullet": "•", "katakana dot": "・",
	"full-width comma": "，", "Arabic comma": "،",
	"Arabic thousands": "٬", "ideographic comma": "、", "ideographic full stop": "。", "full-width full stop": "．",
	"full-width slash": "／", "ellipsis": "…",
	"low line": "＿", "letter x": "x", "division slash": "∕", "fraction slash": "⁄", "hyphenation point": "‧",
}

// Spellings returns the number in every supported spelling, always in the same order: the digits of every script and
// form, with every separator, in one word and in several, next to punctuation and inside other words. groups are the
// lengths of its parts.
func Spellings(number string, groups []int) []Spelling {
	s := &speller{number: number}
	for _, n := range groups {
		s.groups, number = append(s.groups, number[:n]), number[n:]
	}
	s.digits()
	s.separated()
	s.thousands()
	s.glued()
	s.apart()
	s.inWords()
	s.mixed()
	s.mailed()
	s.amounts()
	s.filled()
	return s.all
}

type speller struct {
	number string
	groups []string
	all    []Spelling
}

func (s *speller) add(name string, words ...string) {
	s.all = append(s.all, Spelling{Name: name, Words: words})
}

// digits writes the number in each set of digits: as one word, in groups, and digit by digit.
func (s *speller) digits() {
	sets := map[string][]string{}
	for name, signs := range digitSets {
		sets[name] = strings.Fields(signs)
	}
	for _, r := range scripts10() {
		var set []string
		for d := range rune(10) {
			set = append(set, string(r+d))
		}
		sets["script "+string(r)] = set
	}
	sets["tags"] = nil
	for d := range rune(10) {
		sets["tags"] = append(sets["tags"], string(firstTag+'0'+d))
	}
	for _, name := range slices.Sorted(maps.Keys(sets)) {
		set := sets[name]
		in := func(digits string) string {
			var b strings.Builder
			for _, d := range digits {
				b.WriteString(set[d-'0'])
			}
			return b.String()
		}
		var groups, digits []string
		for _, g := range s.groups {
			groups = append(groups, in(g))
		}
		for _, d := range s.number {
			digits = append(digits, in(string(d)))
		}
		s.add(name, in(s.number))
		s.add(name+" with hyphens", strings.Join(groups, "-"))
		s.add(name+" in groups", groups...)
		s.add(name+" digit by digit", digits...)
		s.add(name+" and figures", append([]string{groups[0]}, s.groups[1:]...)...)
		s.add(name+" among letters", "卡号是"+in(s.number)+"谢谢")
	}
}

// scripts10 returns the zeros of all sets of decimal digits in Unicode.
func scripts10() (zeros []rune) {
	n := 0
	for r := rune(0x80); r <= unicode.MaxRune; r++ {
		if unicode.Is(unicode.Nd, r) {
			if n%10 == 0 {
				zeros = append(zeros, r)
			}
			n++
		}
	}
	return zeros
}

// separated writes the number with each separator between its groups and between its digits.
func (s *speller) separated() {
	for _, name := range slices.Sorted(maps.Keys(separators)) {
		sep := separators[name]
		s.add(name+" between groups", strings.Join(s.groups, sep))
		if name != "letter x" {
			s.add(name+" between digits", strings.Join(strings.Split(s.number, ""), sep))
		}
		s.add(name+" after groups", strings.Split(strings.Join(s.groups, sep+"\x00"), "\x00")...)
		if sep != "" && name != "letter x" {
			s.add(name+" as a word", strings.Split(strings.Join(s.groups, "\x00"+sep+"\x00"), "\x00")...)
		}
	}
}

// thousands writes the number in the notation of amounts.
func (s *speller) thousands() {
	for _, sep := range []string{",", ".", "'", "’", " ", "\u202f", "٬", "，"} {
		number := numeral.Group(s.number, sep)
		s.add("thousands with "+sep, number)
		s.add("thousands with "+sep+" in words", strings.Split(number, sep)...)
	}
	var fours []string
	for _, g := range s.groups {
		if len(g) == 4 {
			g = g[:1] + "," + g[1:]
		}
		fours = append(fours, g)
	}
	s.add("groups with thousands", fours...)
}

// glued writes the number with text before and after it in the same word.
func (s *speller) glued() {
	for _, sep := range []string{"", "-", ".", " "} {
		form := strings.Join(s.groups, sep)
		for _, around := range []string{
			"#N", "(N)", "[N", "“N”", "\"N\",", "N.", "N!", "N?", "N...",
			"…N", "'N'", "no:N", "is=N", "NThanks", "isN.Thanks",
			"myNnow", "*N*", "<N", "N/", "¿N?", "「N」", "N。",
			"~N~", "N—thanks", "ok—N", "N;", "=N", "\u200bN\u200b", "№N",
		} {
			s.add(fmt.Sprintf("glued %s with %q", around, sep), strings.Replace(around, "N", form, 1))
		}
	}
}

// english adds a spelling in English words, in lower case and in capitals.
func (s *speller) english(name, fillers string, all ...string) {
	capital := make([]string, len(all))
	for i, w := range all {
		capital[i] = strings.ToUpper(w)
	}
	for suffix, list := range map[string][]string{"": all, " in capitals": capital} {
		said := fillers + " " + strings.ToUpper(fillers)
		s.all = append(s.all, Spelling{Name: name + suffix, Words: list, Fillers: said, English: true})
	}
}

// inWords joins the words of the digits with each separator: all of them, those of each group, and next to other words.
func (s *speller) inWords() {
	all := numeral.Spell(s.number, "zero")
	var camel []string
	for _, w := range all {
		camel = append(camel, strings.ToUpper(w[:1])+w[1:])
	}
	for _, name := range slices.Sorted(maps.Keys(separators)) {
		sep := separators[name]
		if name == "letter x" {
			continue
		}
		var groups []string
		for _, g := range s.groups {
			groups = append(groups, strings.Join(numeral.Spell(g, "zero"), sep))
		}
		s.english("words with "+name, "", strings.Join(all, sep))
		s.english("words in groups with "+name, "", groups...)
		s.english("words with "+name+" beside others", "", "is"+sep+strings.Join(all, sep)+sep+"thanks")
		s.add("words with capitals and "+name, strings.Join(camel, sep))
		s.all[len(s.all)-1].English = true
	}
}

// mixed writes every second digit as a word, in one word and in several, or in another set of digits.
func (s *speller) mixed() {
	for _, sep := range []string{"", "-", "/", ".", " "} {
		var all []string
		for i, w := range numeral.Spell(s.number, "zero") {
			if i%2 == 0 {
				w = s.number[i : i+1]
			}
			all = append(all, w)
		}
		s.english("figures and words with "+sep, "", strings.Join(all, sep))
	}
	for _, name := range slices.Sorted(maps.Keys(digitSets)) {
		set := strings.Fields(digitSets[name])
		var all []string
		for i, d := range s.number {
			sign := string(d)
			if i%2 == 0 {
				sign = set[d-'0']
			}
			all = append(all, sign)
		}
		s.add("figures mixed with "+name, all...)
		s.add("figures mixed with "+name+" in one word", strings.Join(all, ""))
	}
}

// mailed writes the number as the mailbox of an email address.
func (s *speller) mailed() {
	for _, sep := range []string{"", "-", ".", "_"} {
		box := strings.Join(s.groups, sep)
		for _, around := range []string{
			"N@example.com", "N@mail.example.co.uk.", "<N@example.com>", "joe.N@example.com", "N+me@example.com",
			"N@x.io,",
		} {
			s.add(fmt.Sprintf("mailbox %s with %q", around, sep), strings.Replace(around, "N", box, 1))
		}
		mailbox := strings.Join(numeral.Spell(s.number, "zero"), sep)
		s.english(fmt.Sprintf("mailbox in words with %q", sep), "", mailbox+"@example.com")
	}
	last := len(s.groups) - 1
	s.add("mailbox of the last group", append(slices.Clone(s.groups[:last]), s.groups[last]+"@example.com")...)
}

// amounts writes the number as an amount of money, a percentage or a decimal.
func (s *speller) amounts() {
	for _, number := range []string{s.number, numeral.Group(s.number, ",")} {
		for _, around := range []string{
			"N.00", "N%", "$N", "$N.00", "€N", "N€", "£N.50", "N.0", "+N", "-N.00", "N.00.", "¥N", "(N.00)",
		} {
			s.add("amount "+around, strings.Replace(around, "N", number, 1))
		}
	}
}

// filled writes the number digit by digit with fillers between, the same or different ones.
func (s *speller) filled() {
	for _, filler := range []string{
		"press", "digit", "number", "then", "and", "next", "and then", "comma", "followed by", "hit the", "key",
		"button",
		"after that", "press then hit", "digit and number", "next then and also", "and press", "then comes", "dann",
		"y luego",
	} {
		list := strings.Fields(filler)
		var same, turns []string
		for i, d := range s.number {
			same = append(append(same, list...), string(d))
			turns = append(turns, list[i%len(list)], string(d))
		}
		s.all = append(s.all, Spelling{Name: "before each digit: " + filler, Words: same, Fillers: filler})
		s.all = append(s.all, Spelling{Name: "before the digits in turn: " + filler, Words: turns, Fillers: filler})
		var spoken []string
		for _, w := range numeral.Spell(s.number, "zero") {
			spoken = append(append(spoken, list...), w)
		}
		s.english("before each word: "+filler, filler, spoken...)
	}
}

// apart splits the number into words that do not match its groups.
func (s *speller) apart() {
	for _, n := range []int{1, 2, 3, 5, 6} {
		var words []string
		for rest := s.number; rest != ""; {
			k := min(n, len(rest))
			words, rest = append(words, rest[:k]), rest[k:]
		}
		s.add("in words of "+string(rune('0'+n)), words...)
	}
}
