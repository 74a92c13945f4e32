package codec

import (
	"time"

	"parley/internal/analysis/category"
)

// categoryResult is the stored form of a category's result; times are in nanoseconds.
type categoryResult struct {
	Name    string `json:"name"`
	Matched bool   `json:"matched"`
	Hits    []hit  `json:"hits,omitempty"`
}

type hit struct {
	Speaker int           `json:"speaker"`
	Start   time.Duration `json:"start"`
	End     time.Duration `json:"end"`
	Exact   string        `json:"exact,omitempty"`
}

func newCategoryResult(f category.Result) categoryResult {
	return categoryResult{f.Name, f.Matched, each(f.Hits, func(h category.Hit) hit { return hit(h) })}
}

func (j categoryResult) decode() category.Result {
	return category.Result{Name: j.Name, Matched: j.Matched,
		Hits: each(j.Hits, func(h hit) category.Hit { return category.Hit(h) })}
}
