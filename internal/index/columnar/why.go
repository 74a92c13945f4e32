package columnar

import (
	"cmp"
	"context"
	"time"

	"parley/internal/call/fact"
	"parley/internal/host/memory"
	"parley/internal/query"
	"parley/internal/storage/store"
	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/media"
	"parley/internal/words/transcript"
)

// Why is what a call has of each part of a condition.
type Why struct {
	Part       *WhyPart
	Incomplete bool // some misses are left out because finding them would take too much work
	Took       time.Duration
}

// WhyPart is a part of a condition with hits that can be shown.
type WhyPart struct {
	*query.Reason
	Hits   []Hit
	Misses [][]Hit // of each miss
	Parts  []*WhyPart
}

// wordsAround is how many words of its turn a Hit has before and after the matched ones.
const wordsAround = 8

// Why tells why a finished call meets a condition, or not. NotFound if the account has no such call with a result.
func (x *Index) Why(ctx context.Context, a account.ID, id media.ID, o *query.Outline) (*Why, error) {
	began := time.Now()
	ctx, end, err := x.enter(ctx, a)
	if err != nil {
		return nil, err
	}
	defer end()
	why, err := x.why(ctx, a, id, o)
	if err != nil {
		return nil, x.ended(ctx, err, "ask for parts of the condition")
	}
	why.Took = time.Since(began)
	return why, nil
}

func (x *Index) why(ctx context.Context, a account.ID, id media.ID, o *query.Outline) (why *Why, err error) {
	types, err := x.Types(ctx, a)
	if err != nil {
		return nil, err
	}
	items, err := store.Read(ctx, x.Store, func(tx *store.Tx) ([]store.Analytic, error) {
		return tx.AnalyticOf(a, []media.ID{id})
	})
	if err != nil {
		return nil, err
	}
	if len(items) == 0 || items[0].Result == nil {
		return nil, fault.New(fault.NotFound, fault.CodeNotFinished, "media %s has no result", id)
	}
	err = x.work(ctx, a, func(stop stop) (err error) {
		why, err = x.whyItem(ctx, &items[0], types, o, stop)
		return err
	})
	return why, err
}

// whyItem evaluates a condition on an item.
func (x *Index) whyItem(ctx context.Context, item *store.Analytic, types Types, o *query.Outline, stop stop) (*Why, error) {
	part, end := memory.Part(ctx)
	defer end()
	open, err := decode(part, x, item, stop)
	if err == nil {
		err = cmp.Or(memory.Take(part, aroundWord*int64(len(open.Transcript.Words))), stop())
	}
	if err != nil {
		return nil, err
	}
	values := fact.Of(&fact.Call{Media: &item.Media, Transcript: open.Transcript, Findings: open.Findings})
	s := shower{query.Of(open.Transcript, types.values(values.Value)), open.Transcript}
	s.call.Stopped = func() bool {
		err = stop()
		return err != nil
	}
	q := query.Inquiry{Call: s.call}
	for _, e := range values {
		q.Fields = append(q.Fields, e.Field)
	}
	reason, complete := q.Why(o)
	switch {
	case err != nil:
		return nil, err
	case reason == nil:
		return nil, fault.New(fault.Invalid, fault.CodeQueryLimit,
			"evaluating each part of the condition on this call takes too long; ask for parts of the condition")
	}
	return &Why{Part: s.part(reason), Incomplete: !complete}, nil
}

// shower makes hits that can be shown.
type shower struct {
	call *query.Conversation
	said *transcript.Transcript
}

// hit returns a hit of a condition.
func (s *shower) hit(condition string, h query.Hit) Hit {
	shown := Hit{Condition: condition, Start: h.Start, End: h.End, Turn: h.Turn + 1, Text: s.call.Exact(h),
		Speaker: nameOf(s.said, h.Speaker)}
	if s.call.Length > 0 {
		shown.Ratio = float64(h.Start) / float64(s.call.Length)
	}
	shown.Before, shown.After = s.call.Around(h, wordsAround)
	return shown
}

func (s *shower) places(hits []query.Hit) (all []Hit) {
	for _, h := range hits {
		all = append(all, s.hit("", h))
	}
	return all
}

func (s *shower) part(r *query.Reason) *WhyPart {
	p := &WhyPart{Reason: r, Hits: s.places(r.Hits)}
	for _, m := range r.Misses {
		p.Misses = append(p.Misses, s.places(m.Hits))
	}
	for _, below := range r.Parts {
		p.Parts = append(p.Parts, s.part(below))
	}
	return p
}
