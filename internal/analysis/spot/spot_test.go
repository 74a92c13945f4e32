package spot

import (
	"fmt"
	"math/rand"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"parley/internal/words/phrase"
	"parley/internal/words/transcript"
)

// said returns a transcript of lines "A text": words last 100 ms, and each line starts a second after the previous one.
func said(lines ...string) *transcript.Transcript {
	t := &transcript.Transcript{Speakers: []transcript.Speaker{{Name: "A"}, {Name: "B", Channel: 1}}}
	at := time.Duration(0)
	for _, line := range lines {
		speaker := strings.Index("AB", line[:1])
		for _, text := range strings.Fields(line[1:]) {
			kind, end := transcript.Spoken, at+100*time.Millisecond
			if strings.Trim(text, ".,?!") == "" {
				kind, end = transcript.Punctuation, at
			}
			if text == "####" {
				kind = transcript.Redacted
			}
			t.Words = append(t.Words, transcript.Word{Text: text, Kind: kind, Start: at, End: end, Speaker: speaker})
			at = end
		}
		at += time.Second
	}
	t.Length = at
	return t
}

func find(t *transcript.Transcript, groups ...Group) []Result {
	found, _ := Find(t, &Request{Index: NewIndex(groups)})
	return found
}

// lines formats the results, one line per keyword and speaker: keyword|speaker|exact at seconds, …
func lines(found []Result) []string {
	var all []string
	for _, g := range found {
		for _, k := range g.Keywords {
			for _, m := range k.Mentions {
				var at []string
				for _, o := range m.Occurrences {
					at = append(at, fmt.Sprintf("%s@%.1f-%.1f", o.Exact, o.Start.Seconds(), o.End.Seconds()))
				}
				all = append(all, fmt.Sprintf("%s|%d|%s", k.Text, m.Speaker, strings.Join(at, ",")))
			}
		}
	}
	return all
}

func TestEveryOccurrenceIsFoundBySpeakerWithItsWords(t *testing.T) {
	call := said("A I'd like to Cancel my account , please", "B Cancel? Follow-up on the refunds or refunding",
		"A follow up . cancel cancel cancel U.S.A.")
	for _, c := range []struct {
		keyword string
		want    []string
	}{
		{"cancel", []string{"cancel|0|Cancel@0.3-0.4,cancel@3.6-3.7,cancel@3.7-3.8,cancel@3.8-3.9",
			"cancel|1|Cancel?@1.7-1.8"}},
		{"CANCEL my Account", []string{"CANCEL my Account|0|Cancel my account@0.3-0.6"}},
		{"my account please", []string{"my account please|0|my account please@0.4-0.7"}},
		{"follow up", []string{"follow up|0|follow up@3.4-3.6", "follow up|1|Follow-up@1.8-1.9"}},
		{"follow-up", []string{"follow-up|0|follow up@3.4-3.6", "follow-up|1|Follow-up@1.8-1.9"}},
		{"refund*", []string{"refund*|1|refunds@2.1-2.2,refunding@2.3-2.4"}},
		{"refund", nil},
		{"cancel * account", []string{"cancel * account|0|Cancel my account@0.3-0.6"}},
		{"cancel cancel", []string{"cancel cancel|0|cancel cancel@3.6-3.8"}},
		{"usa", []string{"usa|0|U.S.A.@3.9-4.0"}},
		{"please cancel", nil}, // spans two turns
		{"i'd", []string{"i'd|0|I'd@0.0-0.1"}},
	} {
		if got := lines(find(call, Group{"g", []string{c.keyword}})); !slices.Equal(got, c.want) {
			t.Errorf("%q:\n got %q\nwant %q", c.keyword, got, c.want)
		}
	}
}

func TestScoreIsThePartOfTheKeywordsThatWasSaid(t *testing.T) {
	found := find(said("A one two"), Group{"half", []string{"one", "three", "two", "four"}},
		Group{"none", []string{"five"}}, Group{"all", []string{"two"}}, Group{Name: "empty"})
	var got []string
	for _, g := range found {
		got = append(got, fmt.Sprintf("%s %v %d", g.Name, g.Score, len(g.Keywords)))
	}
	if want := []string{"half 0.5 2", "none 0 0", "all 1 1", "empty 0 0"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestReplacementsOfRedactionAreNoKeywords(t *testing.T) {
	for _, hidden := range []string{"[redacted]", "####"} {
		call := said("A it is " + hidden + " thanks")
		want := []string{"is * thanks|0|is " + hidden + " thanks@0.1-0.4"}
		if got := lines(find(call, Group{"g",
			[]string{"redacted", "redact*", "is thanks", "is * thanks"}})); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", hidden, got, want)
		}
	}
}

func TestKeywordsThatAreNoPhraseOccurNowhere(t *testing.T) {
	if got := lines(find(said("A re nd !"), Group{"g", []string{"re*nd", "--", "re"}})); !slices.Equal(got,
		[]string{"re|0|re@0.0-0.1"}) {
		t.Errorf("%q", got)
	}
}

// naive matches one keyword after the other, as the query language does.
func naive(t *transcript.Transcript, keyword string) []string {
	p, err := phrase.Parse(keyword)
	if err != nil {
		return nil
	}
	by := make([][]string, len(t.Speakers))
	for _, turn := range t.Turns() {
		var words []string
		var origin []int
		for _, i := range turn.Words {
			if t.Words[i].Kind == transcript.Spoken {
				for _, w := range phrase.Words(t.Words[i].Text) {
					words, origin = append(words, w), append(origin, i)
				}
			}
		}
		for from := 0; ; {
			start, end, ok := phrase.Find(words, from, len(p.Places), 0, func(i int, w string) bool {
				return p.Places[i].Matches(w)
			})
			if !ok {
				break
			}
			from = end
			of := slices.Compact(slices.Clone(origin[start:end]))
			by[turn.Speaker] = append(by[turn.Speaker],
				fmt.Sprintf("%s@%.1f-%.1f", t.Text(of), t.Words[origin[start]].Start.Seconds(),
					t.Words[origin[end-1]].End.Seconds()))
		}
	}
	var all []string
	for speaker, at := range by {
		if at != nil {
			all = append(all, fmt.Sprintf("%s|%d|%s", keyword, speaker, strings.Join(at, ",")))
		}
	}
	return all
}

func TestTheTreeFindsWhatLookingForEachKeywordFinds(t *testing.T) {
	word := rapid.SampledFrom([]string{"a", "ab", "abc", "é", "éa", "a-b", "B", "'"})
	rapid.Check(t, func(t *rapid.T) {
		var call []string
		for range rapid.IntRange(1, 4).Draw(t, "lines") {
			call = append(call, rapid.SampledFrom([]string{"A ", "B "}).Draw(t, "speaker")+
				strings.Join(rapid.SliceOfN(word, 0, 8).Draw(t, "said"), " "))
		}
		place := rapid.SampledFrom([]string{"a", "ab", "b", "é", "a*", "ab*", "é*", "*", "A", "a-b", "--"})
		keywords := rapid.SliceOfN(rapid.Map(rapid.SliceOfN(place, 1, 3), func(p []string) string {
			return strings.Join(p, " ")
		}), 1, 6).Draw(t, "keywords")
		spoken := said(call...)
		var want []string
		for _, k := range keywords {
			want = append(want, naive(spoken, k)...)
		}
		if got := lines(find(spoken, Group{"g", keywords})); !slices.Equal(got, want) {
			t.Fatalf("%q in %q:\n got %q\nwant %q", keywords, call, got, want)
		}
	})
}

func FuzzNothingThatIsSaidOrLookedForPanics(f *testing.F) {
	f.Add("A hello there\nB hi", "hel* there\n*")
	f.Add("A [redacted] U.S.A. \xff", "\xff*\n* *\nusa")
	f.Fuzz(func(t *testing.T, text, keywords string) {
		var spoken []string
		for line := range strings.Lines(text) {
			spoken = append(spoken, "A"+line)
		}
		groups := []Group{{"g", strings.Split(keywords, "\n")}}
		call := said(spoken...)
		if again := find(call, groups...); !reflect.DeepEqual(find(call, groups...), again) {
			t.Fatalf("%v the second time", again)
		}
	})
}

// hour returns a call of an hour: 10,000 words with a realistic vocabulary size.
func hour() *transcript.Transcript {
	r := rand.New(rand.NewSource(1))
	zipf := rand.NewZipf(r, 1.2, 4, 20_000)
	var call []string
	for n := 0; n < 10_000; n += 10 {
		line := []string{"A"}
		if r.Intn(2) == 0 {
			line[0] = "B"
		}
		for range 10 {
			line = append(line, fmt.Sprintf("word%d", zipf.Uint64()))
		}
		call = append(call, strings.Join(line, " "))
	}
	return said(call...)
}

// many returns groups of phrases of one to three such words, a tenth of them with a wildcard.
func many(groups, keywords int) []Group {
	r := rand.New(rand.NewSource(2))
	list := make([]Group, groups)
	for i := range list {
		list[i].Name = fmt.Sprint("group", i)
		for range keywords {
			var words []string
			for range 1 + r.Intn(3) {
				words = append(words, fmt.Sprintf("word%d", r.Intn(20_000)))
			}
			if r.Intn(10) == 0 {
				words = append(words, "word1*")
			}
			list[i].Keywords = append(list[i].Keywords, strings.Join(words, " "))
		}
	}
	return list
}

func BenchmarkHour(b *testing.B) {
	call := hour()
	for _, size := range [][2]int{{1, 10}, {20, 100}, {300, 1000}} {
		groups := many(size[0], size[1])
		b.Run(fmt.Sprintf("groups=%d/keywords=%d/index", size[0], size[1]), func(b *testing.B) {
			for b.Loop() {
				NewIndex(groups)
			}
		})
		b.Run(fmt.Sprintf("groups=%d/keywords=%d/find", size[0], size[1]), func(b *testing.B) {
			r := &Request{Index: NewIndex(groups)}
			for b.Loop() {
				Find(call, r)
			}
		})
	}
}

// Groups that exceed the work limit are left out, and all other groups are found.
func TestGroupsThatAreTooMuchWorkAreLeftOutAndTheOthersAreFound(t *testing.T) {
	call := said("A" + strings.Repeat(" a", 3000) + " cancel my account")
	anything := Group{Name: "anything"}
	for n := range 30 {
		anything.Keywords = append(anything.Keywords, "*"+strings.Repeat(" *", n))
	}
	groups := []Group{{Name: "first", Keywords: []string{"cancel my account"}}, anything,
		{Name: "last", Keywords: []string{"nothing"}}}
	const most = 3_000_000
	found, undecided := Find(call, &Request{Index: NewIndex(groups), Most: most})
	if !reflect.DeepEqual(undecided, []string{"anything"}) {
		t.Errorf("undecided: %q", undecided)
	}
	if len(found) != 2 || found[0].Name != "first" || len(found[0].Keywords) != 1 || found[1].Name != "last" ||
		len(found[1].Keywords) != 0 {
		t.Errorf("%+v", found)
	}
	if found, undecided = Find(call, &Request{Index: NewIndex(groups[1:2]), Most: most}); len(found) != 0 ||
		len(undecided) != 1 {
		t.Errorf("one group: %d found, undecided %q", len(found), undecided)
	}
	if found, undecided = Find(call, &Request{Index: NewIndex(groups)}); len(found) != 3 || undecided != nil {
		t.Errorf("with all the work of a call: %d found, undecided %q", len(found), undecided)
	}
}
