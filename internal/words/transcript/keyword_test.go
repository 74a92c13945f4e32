package transcript

import (
	"reflect"
	"testing"
)

func TestMentionsAreOfOneSpeakerEachInTheOrderOfSpeakers(t *testing.T) {
	o := func(text string) Occurrence { return Occurrence{Exact: text} }
	got := Mentions([]int{2, 0, 2, 0}, []Occurrence{o("a"), o("b"), o("c"), o("b")})
	if want := []Mention{{0, []Occurrence{o("b"), o("b")}}, {2, []Occurrence{o("a"), o("c")}}}; !reflect.DeepEqual(got,
		want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := Mentions(nil, nil); got != nil {
		t.Errorf("of nothing: %v", got)
	}
}
