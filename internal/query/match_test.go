package query

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/internal/words/phrase"
	"parley/internal/words/transcript"
)

// condition parses a text that must be valid.
func condition(t testing.TB, text string) Condition {
	t.Helper()
	c, err := ParseCondition(text, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestProgramsMatchersAndConversationsAreSharedByGoroutines(t *testing.T) {
	d := &drawer{pick: func(n int) int { return n / 2 }}
	c := Of(d.call(), nil)
	p := Compile(condition(t, `* SAYS ("b*" && ("a" OR NOT "c")) AND (silence(1s) OR * SAYS "ab" FOLLOWED BY * SAYS "b")`))
	wantOK, want := p.Find(c)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 50 {
				if ok, hits := p.Find(c); ok != wantOK || !slices.Equal(hits, want) {
					t.Errorf("%v %v, want %v %v", ok, hits, wantOK, want)
				}
			}
		})
	}
	all.Wait()
}

func TestAHitThatLastsNoTimeDoesNotFollowItself(t *testing.T) {
	at := func(ms int) time.Duration { return time.Duration(ms) * time.Millisecond }
	call := &transcript.Transcript{Length: time.Minute, Speakers: make([]transcript.Speaker, 2),
		Words: []transcript.Word{{Text: "a", Start: at(5), End: at(5)}}}
	p := Compile(condition(t, `* SAYS "a" FOLLOWED BY * SAYS "a"`))
	if ok, hits := p.Find(Of(call, nil)); ok {
		t.Error(hits)
	}
	call.Words = append(call.Words, transcript.Word{Text: "a", Start: at(6), End: at(6), Speaker: 1})
	if ok, hits := p.Find(Of(call, nil)); !ok || len(hits) != 2 {
		t.Error(ok, hits)
	}
}

func TestHitsNameTheirCondition(t *testing.T) {
	call := &transcript.Transcript{Length: time.Minute, Speakers: make([]transcript.Speaker, 2),
		Words: []transcript.Word{{Text: "a", End: time.Second}, {Text: "b", Start: time.Second, End: 2 * time.Second}}}
	p := Compile(condition(t, `* SAYS ("a b" OR "B")/1[,50%] AND * SAYS "b"[0,]`))
	_, hits := p.Find(Of(call, nil))
	var got []string
	for _, h := range hits {
		got = append(got, p.Conditions()[h.Condition])
	}
	if want := []string{`* SAYS "a b"/1[, 50%]`, `* SAYS "b"/1[, 50%]`, `* SAYS "b"[0s, ]`}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestNeedIsWhatNoMatchLacks(t *testing.T) {
	type all = phrase.NeedAll
	run := func(patterns ...phrase.Pattern) phrase.NeedRun {
		return phrase.NeedRun{Fields: phrase.Only(phrase.Transcript), Patterns: patterns}
	}
	exact := func(words ...string) phrase.NeedRun {
		return run(mapped(words, func(w string) phrase.Pattern { return phrase.Pattern{Text: w} })...)
	}
	re := phrase.Pattern{Text: "re", Kind: phrase.Prefix}
	for text, want := range map[string]phrase.Need{
		`* SAYS "thank you"`:   all{exact("thank", "you")},
		`* SAYS "thank you"/2`: all{exact("thank"), exact("you")},
		`* SAYS "a re* b * c"`: all{run(phrase.Pattern{Text: "a"}, re),
			exact("b"), exact("c")},
		`* SAYS "re*" OR length > 1`: phrase.NeedSome{all{run(re)}, all(nil)},
		`* SAYS "a" && !"b" AND NOT * SAYS "c" AND silence(3s)`: all{all{all{exact("a")}, all(nil)}, all(nil),
			all(nil)},
		`* SAYS "a" FOLLOWED BY * SAYS "b" NOT FOLLOWED BY * SAYS "c"`: all{all{exact("a")}, all{exact("b")}},
	} {
		if got := Compile(condition(t, text)).Need(); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
}

func TestWhatIsCheapIsJudgedFirst(t *testing.T) {
	call := &transcript.Transcript{Length: time.Minute, Speakers: make([]transcript.Speaker, 2),
		Words: []transcript.Word{{Text: "a", End: time.Second}}}
	asked := 0
	c := Of(call, func(Field) Value { asked++; return Number(1) })
	for text, want := range map[string]int{
		`length = 1 AND * SAYS "b"`: 0, `silence(540m) AND length = 1 AND * SAYS "a"`: 1,
		`(length = 1 AND silence(1s)) OR NOT * SAYS "b"`: 0,
	} {
		m, err := Compile(condition(t, text)).Over(c)
		if err != nil {
			t.Fatal(err)
		}
		if asked = 0; m.Match(&c.Subject) != strings.Contains(text, "OR") || asked != want {
			t.Errorf("%s: %d fields were asked for, want %d", text, asked, want)
		}
	}
}

// Work that doubled with each level would never finish here.
func TestDeepConditionsAreCompiled(t *testing.T) {
	text := `* SAYS "a"`
	for range MaxDepth - 1 {
		text = "length > 1 AND (silence(1s) OR " + text + ")"
	}
	if p := Compile(condition(t, text)); p.String() != Print(condition(t, text)) {
		t.Error(p)
	}
}

func TestFieldsOfAProgramAreNamedOnce(t *testing.T) {
	p := Compile(condition(t, `wordCount > 1 AND (wordcount < 9 OR metadata:a:b = "x" OR sentiment IS NULL)`))
	var names []string
	for _, f := range p.Fields() {
		names = append(names, f.String())
	}
	if got := strings.Join(names, " "); got != "wordCount metadata:a:b metrics:call-sentiment" {
		t.Error(got)
	}
}

func TestValuesAreComparedAsWhatTheyAre(t *testing.T) {
	noon := Instant(time.Date(2026, 7, 30, 12, 0, 0, 0, time.UTC))
	for text, want := range map[string]struct {
		value Value
		holds bool
	}{
		`metadata:x = "2026-07-30T14:00:00+0200"`:                {noon, true},
		`metadata:x > "2026-07-30"`:                              {Text("2026-07-30T00:00:01Z"), true},
		`dateCreated BETWEEN "2026-07-30" AND "2026-07-31"`:      {noon, true},
		`dateCreated < "2026-07-30T12:00:00.5Z"`:                 {noon, true},
		`metadata:x > 9`:                                         {Text(" 10 "), true},
		`metadata:x > "9"`:                                       {Text("10"), false},
		`metadata:x > "9" `:                                      {Number(10), true},
		`metadata:x = "STRASSE"`:                                 {Text("Straße"), true},
		`metadata:x LIKE "%ß_e"`:                                 {Text("GROSSE"), false},
		`metadata:x LIKE "%ss_"`:                                 {Text("Große"), true},
		`metadata:x = true`:                                      {Text("True"), true},
		`metadata:x = 1`:                                         {Truth(true), true},
		`metadata:x = 5`:                                         {Text("0x5"), false},
		`metadata:x != 5`:                                        {Text("five"), true},
		`metadata:x <= 5`:                                        {Text("five"), false},
		`metadata:x != 5 OR metadata:x = 5`:                      {Value{}, false},
		`metadata:x NOT IN (5)`:                                  {Value{}, false},
		`NOT metadata:x IN (5)`:                                  {Value{}, true},
		`metadata:x LIKE "` + strings.Repeat("%a", 2000) + `b%"`: {Text(strings.Repeat("a", 4000)), false},
	} {
		call := Of(&transcript.Transcript{}, func(Field) Value { return want.value })
		if ok, _ := Compile(condition(t, text)).Find(call); ok != want.holds {
			t.Errorf("%.60s of %v: %v", text, want.value.Any(), ok)
		}
	}
}

var errLexicon = errors.New("away")

type broken struct{}

func (broken) Numbers(phrase.Pattern) ([]uint32, error) { return nil, errLexicon }

func TestErrorsOfTheLexiconAreReturned(t *testing.T) {
	if m, err := Compile(condition(t, `* SAYS "a"`)).Over(broken{}); !errors.Is(err, errLexicon) {
		t.Error(m, err)
	}
}

func TestSetsHoldExactlyTheirNumbers(t *testing.T) {
	for _, numbers := range [][]uint32{{5}, {0, 1, 63, 64, 200}, {7, 1 << 31}, {3, 4, 5, 1<<32 - 1}} {
		s := newSet(numbers)
		for _, n := range []uint32{0, 1, 2, 3, 4, 5, 6, 7, 8, 62, 63, 64, 65, 199, 200, 201, 1<<31 - 1, 1 << 31,
			1<<32 - 1} {
			if s.has(n) != slices.Contains(numbers, n) {
				t.Errorf("%v has %d: %v", numbers, n, s.has(n))
			}
		}
	}
}

// TestAPhraseInAPartIsFoundWhereTheTurnIsCut is about a call with one speaker, whose turn is divided for SAYS.
func TestAPhraseInAPartIsFoundWhereTheTurnIsCut(t *testing.T) {
	said := &transcript.Transcript{Speakers: []transcript.Speaker{{Name: "Agent"}}, Length: time.Minute}
	for i, w := range strings.Fields("thank you for calling now goodbye thank you") {
		at := time.Duration(i) * 5 * time.Second // cut between "calling" and "now"
		said.Words = append(said.Words, transcript.Word{Text: w, Start: at, End: at + time.Second})
	}
	call := Of(said, nil)
	for text, want := range map[string][]int{
		"thank you": {0, 6}, "calling now": {3}, "now goodbye": {4}, "goodbye now": nil, "you * *": {1},
	} {
		p, err := phrase.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		found, hits := Compile(Contains{In: phrase.Everywhere, What: p}).Find(call)
		if found != (want != nil) || len(hits) != len(want) {
			t.Fatalf("%s: %v, %+v", text, found, hits)
		}
		for i, h := range hits {
			turn := call.Turns[h.Turn]
			if h.From != want[i] || h.Start != time.Duration(h.From)*5*time.Second || h.From < turn.From || h.From >= turn.To {
				t.Errorf("%s: %+v in %+v", text, h, turn)
			}
		}
		if in, _ := Compile(Contains{In: phrase.Only(phrase.Title), What: p}).Find(call); in {
			t.Errorf("%s is in a title that the call does not have", text)
		}
	}
	cut, err := ParseCondition(`* SAYS "calling now"`, nil)
	if err != nil {
		t.Fatal(err)
	}
	if found, _ := Compile(cut).Find(call); found {
		t.Error("the turn is not cut")
	}
}
