package detect

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"parley/internal/words/list"
	"parley/internal/words/numeral"
)

// group is a list of chunks that may form one number, said over several turns, with echoes and corrections.
type group struct {
	chunks    []chunk
	main      string // the digits of the party who says most of them, after corrections
	most      int    // the maximum number of digits
	kind      kind
	sure      bool // the check digit is correct
	phone     bool // in one reading the digits are a telephone number
	continued bool // directly follows another group
	tail      bool // only the last digits were asked for
	said      kind // the kind named by the words around it
	weight    float64
}

func (g *group) span() span {
	return span{g.chunks[0].from, g.chunks[len(g.chunks)-1].to}
}

// longestPause is the longest pause between two parts of a number.
const longestPause = 40 * time.Second

// mostChunks is the maximum number of chunks of a number; the next chunk starts another number.
const mostChunks = 48

// longestOpen is the maximum number of digits of a card that is not yet valid: some may be misheard or repeated.
const longestOpen = 20

// The maximum number of words between two parts of a number, without and with information.
const (
	mostGlue    = 24
	mostForeign = 5
	mostBetween = 10
)

// groups joins the chunks of one number and decides the kind of each group.
func (c *call) groups(chunks []chunk) []group {
	var all []group
	var open *group
	hint := unknown
	tail := false
	for i, k := range chunks {
		if k.ranged && (hint == unknown || hint == private) {
			open = nil
		}
		if k.amount || k.opaque {
			if digits, ok := c.disguised(chunks, i); ok {
				k.amount, k.opaque, k.counted, k.digits = false, false, false, digits
			}
		}
		if k.amount || k.counted || len(k.digits) == 0 {
			continue
		}
		if open != nil && !(tail && open.span().to != k.from && len(open.chunks) == 1 &&
			len(open.chunks[0].digits) >= shortestEcho) && c.joins(open, &k, hint) {
			open.chunks = append(open.chunks, k)
			continue
		}
		all = append(all, group{chunks: []chunk{k}})
		open = &all[len(all)-1]
		e := c.around(k.span, 0)
		hint, tail = e.best(), e.tail
		if k.opaque || k.ranged {
			open = nil
		}
	}
	return all
}

// mostBeside is the maximum number of chunks on each side that are combined with a chunk.
const mostBeside = 18

// disguised returns the digits of a chunk that looks like an amount, a time or a name but is a number or part of one:
// together with its neighbours it is a valid card number, or it has the number of digits that was asked for, with or
// without its decimals.
func (c *call) disguised(chunks []chunk, i int) (digits string, ok bool) {
	loose := func(k *chunk) bool { return c.written(k) && k.to == k.from+1 && c.tokens[k.from].figure.loose }
	counts := c.inTurn(chunks[i].to, c.tokens[chunks[i].from].turn).is(unit) && len(chunks[i].digits) < shortestShape
	if !loose(&chunks[i]) || counts {
		return "", false
	}
	from, to := i, i+1
	for from > 0 && i-from < mostBeside && c.beside(&chunks[from-1], &chunks[from]) {
		from--
	}
	for to < len(chunks) && to-i < mostBeside && c.beside(&chunks[to-1], &chunks[to]) {
		to++
	}
	wanted := c.around(span{chunks[from].from, chunks[to-1].to}, 0).best()
	for _, digits := range []string{chunks[i].digits, c.tokens[chunks[i].from].figure.whole} {
		parts := append(list.Map(chunks[from:i], func(k chunk) string { return k.digits }), digits)
		for _, k := range chunks[i+1 : to] {
			parts = append(parts, k.digits)
		}
		if checked(parts) || fits(wanted, len(strings.Join(parts, ""))) {
			return digits, true
		}
	}
	return "", false
}

// fits reports whether a number of kind k can have this many digits.
func fits(k kind, digits int) bool {
	switch k {
	case card:
		return digits >= fewestOfCard
	case social:
		return digits == 9
	case phone:
		return digits == 10 || digits == 11
	}
	return false
}

// beside reports whether two numbers in figures are adjacent.
func (c *call) beside(a, b *chunk) bool {
	if !c.written(a) || !c.written(b) || c.tokens[a.from].turn != c.tokens[b.from].turn {
		return false
	}
	for i := a.to; i < b.from; i++ {
		if !c.tokens[i].is(hesitation | joint) {
			return false
		}
	}
	return true
}

// joins reports whether a chunk continues the number of a group.
func (c *call) joins(g *group, k *chunk, hint kind) bool {
	last := &g.chunks[len(g.chunks)-1]
	gap := span{last.to, k.from}
	if k.opaque || len(g.chunks) == mostChunks || k.dated != last.dated ||
		c.start(k.from)-c.end(last.to-1) > longestPause {
		return false
	}
	parted, foreign := c.parted(gap, hint)
	if parted || c.defined(k) || looksDated(k.digits) && len(k.digits) > 6 && hint != birth || foreign > 0 &&
		(hint == private || hint == unknown || g.complete(hint)) {
		return false
	}
	glued := 0
	for i := gap.from; i < gap.to; i++ {
		switch t := &c.tokens[i]; {
		case t.is(hesitation | joint):
		case t.is(glue), t.Class != numeral.Other, t.is(correction):
			glued++
		default:
			foreign++
		}
	}
	if c.tokens[k.from].turn != c.tokens[last.from].turn && len(k.digits) == 1 && !c.alone(k) {
		return false
	}
	whole, small := g.complete(hint), k.small()
	if foreign > 0 && (c.written(last) && c.written(k) && c.tokens[k.from].turn == c.tokens[last.from].turn ||
		(hint == unknown || hint == private) && last.small()) {
		return false
	}
	if whole && hint != card && len(k.digits) >= another && !strings.Contains(g.digits(), k.digits) {
		return false
	}
	if foreign == 0 {
		return glued <= mostGlue && !(whole && small)
	}
	return foreign <= mostForeign && glued+foreign <= mostBetween && (!small || c.alone(k)) && !whole
}

// defined reports whether the words before a chunk start another number: "the number is".
func (c *call) defined(k *chunk) bool {
	turn := c.tokens[k.from].turn
	is, number := c.inTurn(k.from-1, turn).text, c.inTurn(k.from-2, turn).text
	return (is == "is" || is == "it's") && number == "number"
}

// another is the number of consecutive digits, after a complete number, that makes another number.
const another = 7

// digits returns the digits of all chunks, as said.
func (g *group) digits() string {
	return strings.Join(g.parts(func(k chunk) string { return k.digits }), "")
}

// parts returns a text of each chunk.
func (g *group) parts(of func(chunk) string) []string {
	return list.Map(g.chunks, of)
}

// small reports whether a chunk is a single short number, which may count or measure anything.
func (k *chunk) small() bool {
	return len(k.digits) < 2 || k.strong == 1 && (len(k.digits) < 3 || k.round)
}

// written reports whether a chunk is in figures.
func (c *call) written(k *chunk) bool { return c.tokens[k.from].Class == numeral.Figures }

// leads reports whether only words without information precede a chunk in its turn.
func (c *call) leads(k *chunk) bool {
	turn := c.tokens[k.from].turn
	return !slices.ContainsFunc(c.tokens[c.turns[turn].from:k.from], informative)
}

// informative reports whether a token carries information.
func informative(t token) bool {
	return t.Class == numeral.Other && !t.is(glue|hesitation|joint|correction)
}

// alone reports whether the rest of a chunk's turn carries no information.
func (c *call) alone(k *chunk) bool {
	turn := c.turns[c.tokens[k.from].turn]
	return c.leads(k) && !slices.ContainsFunc(c.tokens[k.to:turn.to], informative)
}

// complete reports whether a number of kind k has all its digits, not counting digits that repeat the previous ones.
func (g *group) complete(k kind) bool {
	parts := withoutEchoes(g.parts(func(k chunk) string { return k.digits }))
	n := len(strings.Join(parts, ""))
	switch k {
	case card:
		return n > longestOpen || checked(parts)
	case social:
		return n >= 9
	case phone:
		return n >= 10
	case unknown, private:
		return n >= 16
	}
	return true
}

// readings returns the possible readings of the digits of a group, each as the digits of its chunks: those of each
// speaker, as said and as corrected; those of all speakers; without repetitions. The first reading is that of the party
// who says most.
func (c *call) readings(g *group) [][]string {
	var all [][]string
	best, most := 0, 0
	speakers := map[int]bool{}
	for _, k := range g.chunks {
		who := c.speaker(k.from)
		if speakers[who] {
			continue
		}
		speakers[who] = true
		corrected := c.said(g, func(k *chunk) bool { return c.speaker(k.from) == who }, true)
		if n := len(strings.Join(corrected, "")); n > most {
			best, most = len(all), n
		}
		all = append(all, corrected, c.said(g, func(k *chunk) bool { return c.speaker(k.from) == who }, false))
	}
	all[0], all[best] = all[best], all[0]
	everybody := c.said(g, func(*chunk) bool { return true }, true)
	return append(all, everybody, withoutEchoes(everybody), withoutEchoes(all[0]), c.apart(g), c.wholes(g), g.loose())
}

// said returns the digits of the chunks that of accepts. If correct is set, a chunk after a correction replaces the
// same number of digits before it.
func (c *call) said(g *group, of func(*chunk) bool, correct bool) []string {
	var parts []string
	for i := range g.chunks {
		k := &g.chunks[i]
		if !of(k) {
			continue
		}
		if n := len(parts); correct && n > 0 && c.corrects(k) {
			if last := parts[n-1]; len(last) > len(k.digits) {
				parts[n-1] = last[:len(last)-len(k.digits)]
			} else {
				parts = parts[:n-1]
			}
		}
		parts = append(parts, k.digits)
	}
	return parts
}

// corrects reports whether the words before a chunk revoke the previous digits.
func (c *call) corrects(k *chunk) bool {
	turn := c.tokens[k.from].turn
	for i := k.from - 1; i >= k.from-5; i-- {
		t := c.inTurn(i, turn)
		if t.is(correction) {
			return true
		}
		if t.numeric() {
			return false
		}
	}
	return false
}

// withoutEchoes drops chunks that repeat the end of the digits before them.
func withoutEchoes(parts []string) []string {
	var kept []string
	text := ""
	for _, p := range parts {
		if len(p) > 1 && strings.HasSuffix(text, p) {
			continue
		}
		kept, text = append(kept, p), text+p
	}
	return kept
}

// apart returns the digits with every pair read as tens and ones: 401 for "forty one".
func (c *call) apart(g *group) []string {
	return g.parts(func(k chunk) string {
		digits := ""
		for _, it := range k.items {
			if it.from >= k.from && it.to <= k.to {
				digits += cmp.Or(it.split, it.digits)
			}
		}
		return digits
	})
}

// wholes returns the digits without decimals.
func (c *call) wholes(g *group) []string {
	return g.parts(func(k chunk) string {
		if t := &c.tokens[k.from]; t.Class == numeral.Figures && k.to == k.from+1 {
			return t.figure.whole
		}
		return k.digits
	})
}

// loose returns the digits, including words at the ends of chunks that may be digits.
func (g *group) loose() []string {
	return g.parts(func(k chunk) string { return k.loose })
}

// once returns the first half of digits if both halves are equal, else all digits.
func once(digits string) string {
	if n := len(digits) / 2; digits[:n] == digits[n:] {
		return digits[:n]
	}
	return digits
}

// checked reports whether consecutive chunks form a valid number of a payment card.
func checked(parts []string) bool {
	for i := range parts {
		text := ""
		for _, p := range parts[i:] {
			if text += p; len(text) > 19 {
				break
			}
			if len(text) >= 13 && valid(text) {
				return true
			}
		}
	}
	return false
}
