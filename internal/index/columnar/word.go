package columnar

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"strings"
	"sync"

	"parley/internal/host/memory"
	"parley/internal/query"
	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/phrase"
)

// Word is a word with the number of calls that have it.
type Word struct {
	Text  string
	Calls int
}

// Words returns the words with a prefix that occur in the most calls, at most so many: in transcripts of calls that
// statements cover. Words that are in as many calls are sorted. The error is Invalid if the prefix is not the beginning
// of one word.
func (x *Index) Words(ctx context.Context, a account.ID, prefix string, most int) (words []Word, left LeftOut,
	err error) {
	if prefix, err = folded(prefix); err != nil {
		return nil, left, err
	}
	left, err = x.complete(ctx, a, func(q *question) error {
		if err := x.Calls.Load(q.ctx, a, q.parts...); err != nil {
			return err
		}
		part, end := memory.Part(q.ctx)
		defer end()
		return q.work(part, func(stop stop) (err error) {
			words, err = q.words(part, prefix, most, stop)
			return err
		})
	})
	return words, left, err
}

// folded returns the prefix of a word in the form that words are compared in.
func folded(prefix string) (string, error) {
	words := phrase.Words(prefix)
	switch {
	case len(words) == 1:
		return words[0], nil
	case prefix == "":
		return "", nil
	case len(words) == 0:
		return "", fault.New(fault.Invalid, fault.CodeParameter,
			"prefix %.80q contains no letter or digit; give the beginning of a word", prefix)
	}
	return "", fault.New(fault.Invalid, fault.CodeParameter,
		"prefix %.80q is %d words; give the beginning of one word, such as %s", prefix, len(words), words[len(words)-1])
}

// complete runs a function that looks at all calls that statements cover, for completion, and counts the others.
func (x *Index) complete(ctx context.Context, a account.ID, f func(*question) error) (left LeftOut, err error) {
	ctx, end, err := x.enter(ctx, a)
	if err != nil {
		return left, err
	}
	defer end()
	q := &question{x: x, ctx: ctx, owner: a, sel: &query.Select{}}
	err = q.prepare(nil)
	defer func() { runtime.KeepAlive(q.parts) }() // keeps their mapped memory alive as well
	if err == nil {
		err = f(q)
	}
	if err == nil {
		left, err = q.leftOut()
	}
	return left, x.ended(ctx, cmp.Or(err, q.readError()), "give a longer prefix")
}

// words returns the words with a prefix that the most calls have. Of the largest part it takes the most frequent ones: so
// many calls as the last of them has must have each word of the answer. Such a word is in many calls of some part, so
// that the texts of others need not be read.
func (q *question) words(ctx context.Context, prefix string, most int, stop stop) ([]Word, error) {
	if len(q.parts) == 0 {
		return []Word{}, nil
	}
	largest := slices.MaxFunc(q.parts, func(a, b *part) int { return cmp.Compare(a.Len(), b.Len()) })
	some, err := q.candidates(ctx, []*part{largest}, prefix, 1, stop)
	if err != nil {
		return nil, err
	}
	found, err := q.frequent(some[:min(len(some), most)], most, stop)
	if err != nil {
		return nil, err
	}
	least := 1
	if len(found) == most {
		least = max((found[most-1].Calls+len(q.parts)-1)/len(q.parts), 1)
	}
	all, err := q.candidates(ctx, q.parts, prefix, least, stop)
	if err != nil {
		return nil, err
	}
	return q.frequent(all, most, stop)
}

// aroundText is the memory of a word in a map and in a list, in bytes, in addition to its text.
const aroundText = 100

// candidates returns the words with a prefix that at least so many calls of one of some parts may have, each with an
// upper bound of its calls in these parts, in descending order.
func (q *question) candidates(ctx context.Context, parts []*part, prefix string, least int, stop stop) ([]Word, error) {
	type bound struct{ calls, parts int }
	bounds := map[string]bound{}
	for _, p := range parts {
		size, n := int64(0), 0
		for word, calls := range p.Beginning(prefix, least) {
			b, there := bounds[string(word)]
			bounds[string(word)] = bound{b.calls + calls, b.parts + 1}
			if !there {
				size += int64(len(word)) + aroundText
			}
			if n++; n%1000 == 0 {
				if err := stop(); err != nil {
					return nil, err
				}
			}
		}
		if err := cmp.Or(p.Err(), stop(), memory.Take(ctx, size)); err != nil {
			return nil, err
		}
	}
	all := make([]Word, 0, len(bounds))
	for text, b := range bounds {
		all = append(all, Word{text, b.calls + (len(parts)-b.parts)*(least-1)})
	}
	slices.SortFunc(all, moreFrequent)
	return all, nil
}

// moreFrequent orders words by the calls that have them, and then by themselves.
func moreFrequent(a, b Word) int {
	return cmp.Or(cmp.Compare(b.Calls, a.Calls), cmp.Compare(a.Text, b.Text))
}

// frequent returns the words of a list of candidates that the most calls have. It counts them in the order of the list,
// that of their upper bounds, until no other one can be among the most frequent.
func (q *question) frequent(candidates []Word, most int, stop stop) ([]Word, error) {
	found := []Word{}
	for _, w := range candidates {
		if len(found) == most && moreFrequent(w, found[most-1]) > 0 {
			break
		}
		n, err := q.having(w.Text)
		if err = cmp.Or(err, stop()); err != nil {
			return nil, err
		}
		if w.Calls = n; n == 0 {
			continue
		}
		place, _ := slices.BinarySearchFunc(found, w, moreFrequent)
		found = slices.Insert(found, place, w)
		found = found[:min(len(found), most)]
	}
	return found, nil
}

// having counts the calls that have a word.
func (q *question) having(word string) (n int, err error) {
	need := phrase.NeedRun{Fields: phrase.Only(phrase.Transcript), Patterns: []phrase.Pattern{{Text: word}}}
	for _, p := range q.parts {
		set, _ := p.Having(need)
		set.And(p.Visible)
		n += set.Len()
		if err := p.Err(); err != nil {
			return 0, err
		}
	}
	return n, nil
}

// FieldValues returns the most frequent values of a field among the calls that statements cover, at most so many.
// Values that do not begin with the prefix, ignoring case, are not counted at all.
func (x *Index) FieldValues(ctx context.Context, a account.ID, f query.Field, prefix string, most int) (values Facet,
	left LeftOut, err error) {
	if ranged(f) || f.Type() == query.IsInstant {
		return values, left, fault.New(fault.Invalid, fault.CodeParameter,
			"field: %s has a value of its own in nearly each call; use GET /v3/analytics/distributions for numbers, or "+
				"GROUP BY in a statement", f.String())
	}
	left, err = x.complete(ctx, a, func(q *question) error {
		c, folded, mu := newValueCount(f, q.types), phrase.Fold(prefix), sync.Mutex{}
		err := q.each(q.ctx, len(q.parts), func(i int, stop stop) (Plan, error) {
			all, none := c.in(q.parts[i], q.parts[i].Visible)
			all = slices.DeleteFunc(all, func(one counted) bool { return !begins(one.value, folded) })
			mu.Lock()
			defer mu.Unlock()
			before := c.size
			c.add(all, none)
			return Plan{}, cmp.Or(stop(), memory.Take(q.ctx, c.size-before), c.tooMany())
		})
		if err != nil {
			return err
		}
		return q.work(q.ctx, func(stop) error {
			values = c.facet(most)
			return nil
		})
	})
	return values, left, err
}

// begins reports whether a value begins with a folded prefix.
func begins(v query.Value, prefix string) bool {
	if prefix == "" {
		return true
	}
	text, _ := v.As("varchar").Any().(string)
	return strings.HasPrefix(phrase.Fold(text), prefix)
}
