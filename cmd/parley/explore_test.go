package main

import (
	"strings"
	"testing"

	"parley/internal/testkit/servertest"
)

func TestManyCallsAreExplored(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	u := at(t, s)
	words := `{"words":[{"w":"Caller","m":"turn","s":0,"e":900},{"w":"router","s":0,"e":200},{"w":"broken","s":200,"e":500}]}`
	id := s.Submit(t, servertest.File("media", "a.wav", call(1)), servertest.Field("transcript", words),
		servertest.Field("metadata", `{"title":"A call","extended":{"team":"north"}}`),
		servertest.Field("configuration",
			`{"metrics":[{"metricGroupName":"talk-time-and-rate"}],"publish":{"enableAnalyticIndexing":true}}`))
	other := s.Submit(t, servertest.File("media", "b.wav", call(2)))
	s.Await(t, id)
	s.Await(t, other)

	r := u.types("", "explore", `* SAYS "router broken"`, "--facet", "metadata:team", "--facet", "length", "--zone",
		"Europe/Berlin", "--interval", "month")
	has(t, r.out, id, "A call", "Caller: router broken", "METADATA:TEAM", "north", "LENGTH", "MONTH")
	has(t, r.err, "1 of 2 calls")
	if r.code != 0 || strings.Contains(r.out, other) {
		t.Errorf("%+v", r)
	}
	if found := u.document("explore", "--words", "title:call", "--json"); found["totalResults"] != 1.0 {
		t.Errorf("%v", found)
	}
	if found := u.document("explore", "length < 1", "--words", "title:call", "--json"); found["totalResults"] != 0.0 {
		t.Errorf("%v", found)
	}
	first := u.document("explore", "--limit", "1", "--json")
	if next := u.document("explore", "--before", first["next"].(string), "--json"); next["next"] != nil ||
		len(next["rows"].([]any)) != 1 {
		t.Errorf("%v", next)
	}
	has(t, u.must("schema", "fields"), "FIELD", "metadata:team", "varchar", "north")
	has(t, u.must("schema", "words", "ROU"), "WORD", "router")
	has(t, u.must("schema", "values", "metadata:team", "no"), "north")
	has(t, u.must("distributions", "length > 0"), "MEDIAN", "wordCount", "silence-ratio")
	for _, args := range [][]string{{"explore", "lenght > 3"}, {"explore", "lenght > 3", "--words", "x"},
		{"explore", "--facet", "lenght"}, {"schema", "values", "lenght"}, {"distributions", "lenght > 3"},
		{"explore", "--interval", "year"}} {
		if r := u.types("", args...); r.code != 2 {
			t.Errorf("%v: %+v", args, r)
		}
	}
	if r := u.types("", "explore", "--zone", "Mars"); r.code != 1 || !strings.Contains(r.err, "Europe/Berlin") {
		t.Errorf("%+v", r)
	}
}
