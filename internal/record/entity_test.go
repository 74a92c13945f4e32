package record

import (
	"reflect"
	"testing"
	"time"

	"parley/internal/analysis/entity"
)

func TestEntitiesAreKept(t *testing.T) {
	c := codec(t)
	for _, want := range [][]entity.Entity{{}, {
		{Type: entity.Person, Text: "Zoë", Speaker: 1, Start: 250 * time.Millisecond, End: 900 * time.Millisecond},
		{Type: entity.Amount, Text: "two hundred forty", Formatted: "$240.00", Start: 1, End: 2, Money: &entity.Money{Whole: 240, Centi: 5}},
	}} {
		o := known()
		o.Entities = want
		if got, err := c.DecodeResult(c.EncodeResult(o)); err != nil || !reflect.DeepEqual(got, o) {
			t.Errorf("%v, %+v", err, got)
		}
	}
}
