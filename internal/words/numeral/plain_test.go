package numeral

import (
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// The table of numerals is generated from the Unicode Character Database; it must agree with the normal forms of the
// same characters.
func TestSignsForNumbersHaveTheValuesOfTheirNormalForms(t *testing.T) {
	compared := 0
	for r := rune(0x80); r <= unicode.MaxRune; r++ {
		form := strings.Trim(norm.NFKC.String(string(r)), "().,")
		if !unicode.IsNumber(r) || len(form) > 2 || strings.Trim(form, "0123456789") != "" {
			continue
		}
		compared++
		if got, ok := numeralOf(r); !ok || got != form {
			t.Errorf("%U %c is %q, want %q", r, r, got, form)
		}
	}
	if compared < 150 {
		t.Errorf("%d signs compared", compared)
	}
}

func TestEverySignForADigitIsReadAsOne(t *testing.T) {
	for sign, want := range map[string]string{
		"𑁒𑁚": "19", "𐹠𐹨": "19", "〡〩〇": "190", "❶❾": "19", "➀➈": "19", "⑴⑼": "19", "⒈⒐": "19", "🯱🯹": "19", "ⅠⅨ": "19",
		"𝍠𝍩": "11", "1️⃣9️⃣": "19", "፩፱": "19", "㊀㊈": "19", "𝋠𝋩": "09", "⚀⚅": "16", "↊": "2", "⓫": "11", "½": "1⁄2",
	} {
		if got := plain(sign); got != norm.NFKC.String(want) {
			t.Errorf("%s is read as %q, want %q", sign, got, want)
		}
	}
}

// A digit in one word can be a letter in another.
func TestLettersThatAreDigitsAreReadAsDigitsInNumbersAlone(t *testing.T) {
	for _, c := range []struct {
		words   string
		english bool
		want    string
	}{
		{"四九 二九", false, "49 29"},
		{"四 九 二", false, "四 九 二"},
		{"四 九 二", true, "4 9 2"},
		{"卡号是四九二九吗", false, "卡号是4929吗"},
		{"五四运动", false, "五四运动"},
		{"구이 와 오이", false, "구이 와 오이"},
		{"사 구 이 구", false, "4 9 2 9"},
		{"にほん に いく", false, "にほん に いく"},
		{"よんきゅうにきゅう", false, "4929"},
		{"⠼⠙⠊ ⠼⠃⠊", false, "49 29"},
		{"四9-二9", false, "49-29"},
	} {
		words := strings.Fields(c.words)
		digitLetters(words, c.english)
		if got := strings.Join(words, " "); got != c.want {
			t.Errorf("%s is read as %s, want %s", c.words, got, c.want)
		}
	}
}
