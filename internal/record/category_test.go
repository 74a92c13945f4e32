package record

import (
	"os"
	"reflect"
	"testing"
	"time"

	"parley/internal/analysis/category"
	"parley/internal/definition"
)

var knownCategory = definition.Category{
	Name: "at-risk", Description: "wants to leave", Query: `caller SAYS "größer"`, Notes: "n", Tags: []string{"a", "b"}, Version: "1.0",
}

func TestCategoriesOfVersion1StayReadable(t *testing.T) {
	c := codec(t)
	if os.Getenv("PARLEY_GOLDEN") == "write" {
		write(t, "category.v1", c.EncodeCategory(knownCategory))
	}
	if got, err := c.DecodeCategory(read(t, "category.v1")); err != nil || !reflect.DeepEqual(got, knownCategory) {
		t.Errorf("%v, %+v", err, got)
	}
	for _, data := range [][]byte{nil, read(t, "group.v1"), c.seal(categoryKind, categoryVersion+1, []byte("{}")), c.seal(categoryKind, 1, []byte("["))} {
		if got, err := c.DecodeCategory(data); err == nil {
			t.Errorf("%q is read as %+v", data, got)
		}
	}
}

func TestJudgementsAreKept(t *testing.T) {
	c := codec(t)
	o := analysed()
	o.Categories = []category.Found{{Name: "praise"}, {Name: "at-risk", Matched: true, Hits: []category.Hit{{Speaker: 1, Start: time.Second, End: 2 * time.Second, Exact: "bye now"}, {Speaker: -1}}}}
	if got, err := c.DecodeResult(c.EncodeResult(o)); err != nil || !reflect.DeepEqual(got, o) {
		t.Errorf("%v, %+v", err, got.Findings)
	}
	o.Categories = []category.Found{}
	if got, err := c.DecodeResult(c.EncodeResult(o)); err != nil || got.Categories == nil {
		t.Errorf("%v, %v; want none, and not absent", err, got.Categories)
	}
}

func TestSavedQueriesOfVersion1StayReadable(t *testing.T) {
	c := codec(t)
	known := definition.Query{Name: "calls", Description: "d", Query: "*"}
	if os.Getenv("PARLEY_GOLDEN") == "write" {
		write(t, "query.v1", c.EncodeQuery(known))
	}
	if got, err := c.DecodeQuery(read(t, "query.v1")); err != nil || got != known {
		t.Errorf("%v, %+v", err, got)
	}
	for _, data := range [][]byte{nil, read(t, "category.v1"), c.seal(queryKind, queryVersion+1, []byte("{}")), c.seal(queryKind, 1, []byte("["))} {
		if got, err := c.DecodeQuery(data); err == nil {
			t.Errorf("%q is read as %+v", data, got)
		}
	}
}
