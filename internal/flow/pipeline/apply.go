package pipeline

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"reflect"
	"slices"
	"time"

	"parley/internal/analysis/category"
	"parley/internal/call/fact"
	"parley/internal/call/result"
	"parley/internal/query"
	"parley/internal/storage/job"
	"parley/internal/storage/store"
	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/list"
	"parley/internal/words/media"
)

// KindApply is the job that re-evaluates a category on calls published before.
const KindApply = "apply"

// together is how many results are replaced in one transaction.
const together = 20

// lag is how far the index of calls may be behind while a category is applied.
type lag struct {
	most  int           // calls that are not in it as they are
	pause time.Duration // while there are as many: then it is looked again
}

// usualLag is less than what makes questions over many calls fail: they read those calls from the database.
var usualLag = lag{1000, time.Second}

// Apply evaluates a category on all that an account has published, in batches: each batch replaces its results and
// records its progress in one transaction, so that another worker can continue from there.
func (p *Pipeline) Apply(ctx context.Context, j job.Job) error {
	apply, err := p.beginApply(ctx, j)
	if apply == nil || err != nil {
		return err
	}
	condition, err := query.ParseCondition(apply.Condition, nil)
	if err != nil {
		return p.complete(ctx, j, endApply(apply.ID, store.ApplyFailed))
	}
	program := query.Compile(condition)
	for place := apply.Place; ; {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		allowed := cmp.Or(p.lag, usualLag)
		behind, err := store.Read(ctx, p.Store, func(tx *store.Tx) (bool, error) {
			return tx.Behind(apply.Account, allowed.most)
		})
		if err != nil {
			return err
		}
		if behind {
			return p.Store.PutOffJob(ctx, j, allowed.pause, j.Payload) // its worker may be the one that catches up
		}
		next, err := p.applySome(ctx, j, apply, program, place)
		if err != nil {
			return err
		}
		if next == "" {
			return p.complete(ctx, j, endApply(apply.ID, store.ApplyFinished))
		}
		place = next
	}
}

// beginApply loads the state of the evaluation; nil if it no longer exists.
func (p *Pipeline) beginApply(ctx context.Context, j job.Job) (*store.Apply, error) {
	apply, err := store.Read(ctx, p.Store, func(tx *store.Tx) (store.Apply, error) { return tx.Apply(j.Subject) })
	if fault.Is(err, fault.NotFound) {
		return nil, nil
	}
	return &apply, err
}

// endApply records the end of an evaluation.
func endApply(id, status string) func(*store.Tx) error {
	return func(tx *store.Tx) error { return tx.EndApply(id, status) }
}

// judgment is an item and its new result.
type judgment struct {
	read    store.AnalyticItem
	matched bool
	result  []byte // nil if unchanged
}

// errAgain means that an item changed while it was evaluated.
var errAgain = errors.New("pipeline: an item changed while it was evaluated")

// applySome evaluates the next batch and returns its last item, "" when no items are left.
func (p *Pipeline) applySome(
	ctx context.Context, j job.Job, apply *store.Apply, program *query.Program, place media.ID,
) (media.ID, error) {
	job.Progress(ctx)
	for {
		some, last, err := p.judgeSome(ctx, apply, program, place)
		if err != nil || last == "" {
			return "", err
		}
		err = p.fenced(ctx, j, func(tx *store.Tx) error {
			matched := 0
			for _, k := range some {
				if k.matched {
					matched++
				}
				if k.result == nil {
					continue
				}
				if same, err := tx.ReplaceResult(apply.Account, k.read, k.result); err != nil {
					return err
				} else if !same {
					return errAgain
				}
			}
			if err := tx.Progressed(j); err != nil {
				return err
			}
			return tx.AdvanceApply(apply.ID, last, len(some), matched)
		})
		if errors.Is(err, errAgain) {
			continue
		}
		return last, err
	}
}

// judgeSome evaluates the items that follow a given one. last is the last item evaluated, "" when no items are left.
func (p *Pipeline) judgeSome(
	ctx context.Context, apply *store.Apply, program *query.Program, place media.ID,
) (some []judgment, last media.ID, err error) {
	var items []store.Analytic
	var listed []store.AnalyticItem
	err = p.Store.View(ctx, func(tx *store.Tx) (err error) {
		if listed, err = tx.AnalyticItems(apply.Account, place, together); err != nil {
			return err
		}
		ids := list.Map(listed, func(l store.AnalyticItem) media.ID { return l.Media })
		items, err = tx.AnalyticOf(apply.Account, ids)
		return err
	})
	if err != nil || len(listed) == 0 {
		return nil, "", err
	}
	some = make([]judgment, len(items))
	for i := range items {
		if some[i], err = p.judgeOne(ctx, apply.Category, program, &items[i]); err != nil {
			return nil, "", err
		}
	}
	return some, listed[len(listed)-1].Media, nil
}

// judgeOne evaluates one item. An item that cannot be read, or is too much work, stays unchanged. The error is the
// cause of the end of ctx.
func (p *Pipeline) judgeOne(
	ctx context.Context, name string, program *query.Program, item *store.Analytic,
) (judgment, error) {
	k := judgment{read: store.AnalyticItem{Media: item.Media.ID, Change: item.Change}}
	open, err := p.Codec.DecodeResult(item.Result)
	if err != nil {
		p.Log.LogAttrs(ctx, slog.LevelError, "decoding a result failed", slog.String("media", string(item.Media.ID)),
			slog.Any("error", err))
		return k, nil
	}
	values := fact.Of(&fact.Call{Media: &item.Media, Transcript: open.Transcript, Findings: open.Findings})
	found, undecided, err := judgeFairly(ctx, &category.Request{
		Transcript: open.Transcript, Value: values.Value,
		Categories: []category.Category{{Name: name, Program: program}},
	})
	if err != nil {
		return k, err
	}
	if undecided != nil {
		p.Log.LogAttrs(ctx, slog.LevelWarn, "category evaluation exceeded the work limit",
			slog.String("media", string(item.Media.ID)))
		return k, nil
	}
	k.matched = found[0].Matched
	if slices.ContainsFunc(open.Categories, func(c category.Result) bool { return reflect.DeepEqual(c, found[0]) }) {
		return k, nil
	}
	open.Categories = withCategory(open.Findings, found[0])
	k.result = p.Codec.EncodeResult(open)
	return k, nil
}

// withCategory returns the categories of a result, sorted by name, with one of them replaced by its current outcome.
func withCategory(f result.Findings, c category.Result) []category.Result {
	all := slices.DeleteFunc(slices.Clone(f.Categories), func(k category.Result) bool { return k.Name == c.Name })
	all = append(all, c)
	slices.SortStableFunc(all, func(a, b category.Result) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

// BeginApply starts the evaluation of a category on everything that its account has published.
func BeginApply(
	ctx context.Context, db *store.Store, owner account.ID, category, condition string,
) (a store.Apply, err error) {
	err = db.Update(ctx, func(tx *store.Tx) error {
		if a, err = tx.BeginApply(owner, category, condition); err != nil {
			return err
		}
		_, err := tx.Enqueue(job.Spec{Kind: KindApply, Account: string(a.Account), Subject: a.ID,
			Priority: int(media.Low), MaxAttempts: 5})
		return err
	})
	return a, err
}
