package detect

import (
	"time"

	"parley/internal/words/numeral"
	"parley/internal/words/transcript"
)

// Find returns the regions that each detector of the request finds: one list per detector, in the order of the request,
// each sorted by words. Regions of one detector do not overlap.
//
// The transcript may be raw or formatted. Numbers in words are understood in English only.
func Find(t *transcript.Transcript, r *Request) [][]Region {
	all := make([][]Region, len(r.Detectors))
	if len(all) == 0 {
		return all
	}
	c := read(t, !r.FiguresOnly)
	c.findCues()
	chunks := c.chunks()
	groups := c.groups(chunks)
	c.judge(groups)
	for i, asked := range r.Detectors {
		d, _ := ByName(asked.Detector)
		all[i] = c.regions(c.things(d, chunks, groups), asked.Level)
	}
	return all
}

func (c *call) things(d Detector, chunks []chunk, groups []group) []finding {
	switch d.Name {
	case PCI:
		return c.numbers(groups, map[kind]Class{card: d.Classes[0], expiry: d.Classes[0], security: d.Classes[0]})
	case SSN:
		return c.numbers(groups, map[kind]Class{social: d.Classes[0]})
	case Number:
		return c.everyNumber(d.Classes[0], chunks, groups)
	case PII:
		return c.personal(d.Classes, groups)
	}
	return nil
}

func (c *call) numbers(groups []group, classes map[kind]Class) []finding {
	var all []finding
	for i := range groups {
		if class, ok := classes[groups[i].kind]; ok {
			all = append(all, c.number(&groups[i], class))
		}
	}
	return all
}

// number returns a group with all its words. If digits are missing, it includes words at the ends that may be misheard
// digits.
func (c *call) number(g *group, class Class) finding {
	f := finding{class: class, wide: g.margin(), reach: g.kind == card || g.kind == expiry || g.kind == security ||
		g.kind == social}
	for _, k := range g.chunks {
		for _, it := range k.items {
			if inside := it.from >= k.from && it.to <= k.to; inside || c.borders(&k) {
				f.parts, f.weak = append(f.parts, it.span), append(f.weak, it.weak)
			}
		}
	}
	return f
}

// margin returns the number of words on each side of a number that belong to its region: a constant for cards;
// otherwise the number of missing digits, which may have been recognised as other words.
func (g *group) margin() int {
	missing := 0
	switch g.kind {
	case card, expiry, security:
		return marginWords
	case social:
		missing = 9 - len(g.main)
		if g.tail {
			missing = 4 - len(g.main)
		}
	case phone:
		if missing = 10 - len(g.main); missing == 3 {
			missing = 0 // a number without area code
		}
	}
	return min(max(missing, 0), marginWords)
}

// breath is the shortest pause that ends a sentence.
const breath = 300 * time.Millisecond

// borders reports whether the words at the ends of a chunk that may be misheard digits stand where a digit can stand:
// no adjacent word continues the sentence.
func (c *call) borders(k *chunk) bool {
	turn, n := c.tokens[k.from].turn, k.wide.to
	for c.inTurn(n, turn).is(hesitation) {
		n++
	}
	if k.wide.to > k.to && c.inTurn(n, turn).turn >= 0 && c.tokens[k.wide.to-1].is(glue) &&
		c.start(n)-c.end(k.wide.to-1) < breath {
		return false
	}
	before := c.inTurn(k.wide.from-1, turn)
	return !c.tokens[k.wide.from].is(glue) || before.turn < 0 || before.Class != numeral.Other ||
		before.is(glue|hesitation|joint)
}

// everyNumber returns all numbers of at least two digits, and the parts of longer ones.
func (c *call) everyNumber(class Class, chunks []chunk, groups []group) []finding {
	var all []finding
	parts := map[int]bool{} // keyed by the first token of a chunk: it is one of several
	for _, g := range groups {
		digits := 0
		for _, k := range g.chunks {
			digits += len(k.digits)
		}
		for _, k := range g.chunks {
			parts[k.from] = len(g.chunks) > 1 && digits >= shortestEcho || g.kind != unknown
		}
	}
	for _, k := range chunks {
		if own := c.tokens[k.from].figure.form != mailbox; own && len(k.digits) > 1 || k.dated || k.amount ||
			parts[k.from] {
			all = append(all, c.number(&group{chunks: []chunk{k}}, class))
		}
	}
	return all
}
