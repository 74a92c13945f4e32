package formatting

import (
	"slices"
	"strconv"
	"strings"

	"parley/internal/words/numeral"
)

// longestCode is the maximum number of chunks of a number read digit by digit.
const longestCode = 32

// chunk is a spoken part of a number: one digit, a pair, several hundred, double four.
type chunk struct {
	digits   string
	from, to int
	split    bool // forty one: may also be 40 1
	round    bool // a whole hundred or thousand
}

// code parses a number spoken digit by digit, in pairs, or mixed, as one word: phone, card and account numbers,
// years, three sixty five.
func (s *sentence) code(i int) match {
	if m := s.spaced(i); m.next > 0 {
		return m
	}
	chunks := s.chunks(i, false)
	if text := s.telephone(i, chunks); text != "" {
		return covering(text, chunks)
	}
	if text := tollFree(chunks); text != "" {
		return covering(text, chunks)
	}
	chunks = s.trimmed(chunks)
	if !s.plausible(i, chunks) {
		return match{}
	}
	return covering(s.written(i, joinDigits(chunks)), chunks)
}

// covering returns the match of one word for all chunks.
func covering(text string, chunks []chunk) match {
	return one(text, chunks[0].from, chunks[len(chunks)-1].to)
}

// spaced parses a number whose groups are separated by commas, if it is a phone, card or social security number.
func (s *sentence) spaced(i int) match {
	if !s.commas {
		return match{}
	}
	chunks := s.chunks(i, true)
	if len(chunks) == 0 || !s.separated(chunks) {
		return match{}
	}
	if text := s.telephone(i, chunks); text != "" {
		return covering(text, chunks)
	}
	digits := joinDigits(chunks)
	if len(digits) == 16 || len(digits) == 15 || len(digits) == 9 && s.near(i, 8, social) {
		return covering(s.written(i, digits), chunks)
	}
	return match{}
}

// separated reports whether a comma lies between the chunks.
func (s *sentence) separated(chunks []chunk) bool {
	for k := 1; k < len(chunks); k++ {
		if chunks[k].from > chunks[k-1].to {
			return true
		}
	}
	return false
}

// chunks parses consecutive chunks at i, across commas if commas is set.
func (s *sentence) chunks(i int, commas bool) []chunk {
	var chunks []chunk
	for n := i; len(chunks) < longestCode; {
		c := s.chunk(n)
		if c.to == n {
			break
		}
		chunks = append(chunks, c)
		n = c.to
		if commas && s.at(n).Class == comma {
			n++
		}
	}
	return s.withoutTime(s.withoutCry(chunks))
}

// withoutTime removes a time of day at the end: one, seven thirty p m.
func (s *sentence) withoutTime(chunks []chunk) []chunk {
	k := len(chunks)
	if k == 0 {
		return nil
	}
	if _, n := s.half(chunks[k-1].to); n == chunks[k-1].to {
		return chunks
	}
	for k--; k > 0 && s.clock(chunks[k-1].from).next > chunks[len(chunks)-1].to; k-- {
	}
	return chunks[:k]
}

// withoutCry removes a final "oh" that begins the next sentence: five five five, oh I see.
func (s *sentence) withoutCry(chunks []chunk) []chunk {
	if k := len(chunks) - 1; k >= 0 && s.is(chunks[k].from, "oh", "o") && s.has(chunks[k].to, subject) {
		return chunks[:k]
	}
	return chunks
}

func (s *sentence) chunk(i int) chunk {
	t, next := s.at(i), s.at(i+1)
	c := chunk{from: i, to: i}
	switch {
	case t.Class == numeral.Repeat && (next.Class == numeral.Digit || next.Class == numeral.Oh):
		c.digits, c.to = strings.Repeat(strconv.Itoa(next.Value), t.Value), i+2
	case t.Class == numeral.Oh, t.Class == numeral.Digit && t.Value == 0:
		c.digits, c.to = "0", i+1
	default:
		v, n := s.small(i)
		if v == 0 {
			return c
		}
		c.digits, c.to, c.split = strconv.Itoa(v), n, n == i+2
		if end := s.at(n); end.In(numeral.Hundred, numeral.Scale) && end.Value <= 1000 && t.Class != numeral.Ten {
			c.digits, c.to, c.round = c.digits+end.Zeros(), n+1, true
		}
	}
	return c
}

func joinDigits(chunks []chunk) string {
	var b strings.Builder
	for _, c := range chunks {
		b.WriteString(c.digits)
	}
	return b.String()
}

// trimmed cuts the chunks before the first round one, which begins another number.
func (s *sentence) trimmed(chunks []chunk) []chunk {
	if k := slices.IndexFunc(chunks, func(c chunk) bool { return c.round }); k >= 0 {
		return chunks[:k]
	}
	return chunks
}

// plausible reports whether the chunks are one number: three digits or more, with three others after an initial "oh";
// two digits only after a label.
func (s *sentence) plausible(i int, chunks []chunk) bool {
	if len(chunks) == 0 {
		return false
	}
	n := len(joinDigits(chunks))
	switch {
	case s.at(i).Class == numeral.Oh:
		return n >= 4
	case len(chunks) == 1:
		return s.at(i).Class == numeral.Repeat && (n >= 3 || s.has(i-1, label))
	case n == 2:
		return s.has(i-1, label) || s.is(i-1, "is", "in", "number") && s.has(i-2, label)
	}
	return true
}

// written formats digits by their kind: 123-45-6789, 555-1212, or unchanged.
func (s *sentence) written(i int, digits string) string {
	switch {
	case len(digits) == 9 && s.near(i, 8, social):
		return digits[:3] + "-" + digits[3:5] + "-" + digits[5:]
	case len(digits) == 7 && s.near(i, 8, phone) && !s.near(i, 8, account):
		return digits[:3] + "-" + digits[3:]
	}
	return digits
}

// telephone formats chunks as a number of the North American plan, or returns "". A pair such as fifty eight counts
// as 50 8 only if that is needed for ten digits.
func (s *sentence) telephone(i int, chunks []chunk) string {
	if s.near(i, 6, account) || len(chunks) < 3 {
		return ""
	}
	for _, digits := range readings(chunks) {
		if text := numeral.Telephone(digits); text != "" {
			return text
		}
	}
	if digits := joinDigits(chunks); chunks[len(chunks)-1].round && len(digits) == 7 && s.near(i, 8, phone) {
		return digits[:3] + "-" + digits[3:]
	}
	return ""
}

// readings returns the digit strings of the chunks with any subset of their pairs split. Readings without splits come
// first, then those whose groups begin with a chunk.
func readings(chunks []chunk) []string {
	var pairs []int
	for k, c := range chunks {
		if c.split {
			pairs = append(pairs, k)
		}
	}
	digits := joinDigits(chunks)
	if len(digits) > 11 || len(digits)+len(pairs) < 10 || len(pairs) > 6 {
		return nil
	}
	var aligned, other []string
	for mask := range 1 << len(pairs) {
		text, starts := split(chunks, pairs, mask)
		if n := len(text); n >= 10 && starts&(1<<(n-4)) != 0 && starts&(1<<(n-7)) != 0 {
			aligned = append(aligned, text)
		} else {
			other = append(other, text)
		}
	}
	if len(digits) >= 10 {
		return append([]string{digits}, append(aligned, other...)...)
	}
	return append(aligned, other...)
}

// split joins the digits of chunks, with the pairs in mask split into tens and ones; starts has a bit for each digit
// that begins a chunk.
func split(chunks []chunk, pairs []int, mask int) (digits string, starts int) {
	for k, p := 0, 0; k < len(chunks); k++ {
		starts |= 1 << len(digits)
		d := chunks[k].digits
		if p < len(pairs) && pairs[p] == k {
			if mask&(1<<p) != 0 {
				d = d[:1] + "0" + d[1:]
			}
			p++
		}
		digits += d
	}
	return digits, starts
}

// tollFree formats one eight hundred as 1-800.
func tollFree(chunks []chunk) string {
	if len(chunks) != 2 || chunks[0].digits != "1" {
		return ""
	}
	switch d := chunks[1].digits; d {
	case "800", "900":
		return "1-" + d
	}
	return ""
}

// joined parses numbers joined by dot, dash or slash: 8.1, 192.168.1.1, 94303-1234, 4/6/85.
func (s *sentence) joined(i int) match {
	if !s.signs {
		return match{}
	}
	for _, sign := range []struct{ name, written string }{{"dot", "."}, {"dash", "-"}, {"slash", "/"}} {
		text, n, parts := s.part(i), 0, 1
		if text.next == 0 {
			return match{}
		}
		written := text.pieces[0].text
		for n = text.next; s.is(n, sign.name); n = text.next {
			if text = s.part(n + 1); text.next == 0 {
				break
			}
			written += sign.written + text.pieces[0].text
			parts++
		}
		if parts > 1 && !(sign.name == "dash" && len(written) < 5) {
			return one(written, i, n)
		}
	}
	return match{}
}

// part parses a number between two signs, always in digits.
func (s *sentence) part(i int) match {
	if m := s.code(i); m.next > 0 {
		return m
	}
	if c, ok := s.cardinal(i); ok && !c.article {
		return one(strconv.Itoa(c.value), i, c.next)
	}
	if t := s.at(i); t.Class == numeral.Digit || t.Class == numeral.Oh {
		return one(strconv.Itoa(t.Value), i, i+1)
	}
	return match{}
}
