package segment

import (
	"parley/internal/query"
	"parley/internal/query/callset"
	"parley/internal/words/phrase"
)

// Lists answers for one question which calls have words. It implements query.Index, and is not safe for concurrent use.
type Lists struct {
	*Segment
	meant map[query.Speaker][]meant // by cast
}

// meant is the bits of lists of words by which a speaker that a name refers to says the word: certainly, or perhaps.
type meant struct {
	known     bool
	sure, may byte
}

// Lists returns the lists of the segment.
func (s *Segment) Lists() *Lists { return &Lists{s.worded(), map[query.Speaker][]meant{}} }

// Saying implements query.Index.
func (l *Lists) Saying(run phrase.NeedRun, who query.Speaker) (sure, may callset.Set) {
	if l.version < voices {
		return callset.New(l.calls), l.running(run.Patterns, phrase.Transcript, l.having)
	}
	if len(run.Patterns) == 1 {
		return l.by(run.Patterns[0], who)
	}
	may = l.running(run.Patterns, phrase.Transcript, func(p phrase.Pattern) callset.Set {
		_, may := l.by(p, who)
		return may
	})
	return callset.New(l.calls), may
}

// by returns the calls in which a speaker says a word that a pattern matches.
func (l *Lists) by(p phrase.Pattern, who query.Speaker) (sure, may callset.Set) {
	sure, may = callset.New(l.calls), callset.New(l.calls)
	numbers, _ := l.Numbers(p)
	c := l.casts()
	known := l.meant[who]
	if known == nil {
		known = make([]meant, len(c.all))
		l.meant[who] = known
	}
	for _, n := range numbers {
		l.entries(int(n), func(call int, bits byte) {
			m := &known[c.place(call)]
			if !m.known {
				*m = meantBy(&c.all[c.place(call)], who)
			}
			if bits&m.sure != 0 {
				sure.Add(call)
			}
			if bits&m.may != 0 {
				may.Add(call)
			}
		})
	}
	return sure, may
}

// meantBy returns the bits of the speakers that a name refers to.
func meantBy(c *query.Cast, who query.Speaker) meant {
	m, others := meant{known: true}, true
	for k, is := range c.Meant(who) {
		if is {
			m.may |= voice(k)
		}
		others = others && (is || voice(k) != another)
	}
	if m.sure = m.may; !others {
		m.sure &^= another
	}
	return m
}
