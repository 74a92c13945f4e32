package wire

import (
	"reflect"
	"testing"
)

// nameless are the sections of an item that callbacks cannot include by name; without include they are there.
var nameless = map[string]bool{"Entities": true}

// What is found must be deliverable: a section that is added to the item and not to the table fails here.
func TestEverySectionOfAnItemCanBeIncluded(t *testing.T) {
	fields := reflect.TypeFor[Analyses]()
	for i := range fields.NumField() {
		name := fields.Field(i).Name
		var full Delivery
		fill(reflect.ValueOf(&full.Analyses).Elem().Field(i))
		reached := 0
		for _, add := range sections {
			var to Delivery
			if add(&to, &full); !reflect.ValueOf(to.Analyses).Field(i).IsZero() {
				reached++
			}
		}
		if want := map[bool]int{false: 1, true: 0}[nameless[name]]; reached != want {
			t.Errorf("%s is in %d sections, want %d", name, reached, want)
		}
	}
}

// fill makes a value that is not zero.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
	}
}
