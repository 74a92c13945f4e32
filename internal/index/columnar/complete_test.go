package columnar_test

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"parley/internal/index/columnar"
	"parley/internal/query"
	"parley/internal/words/phrase"
)

// completions compares words and values that begin alike.
func (m *market) completions() {
	m.t.Helper()
	prefix, most := []string{"", "Th", m.corpus.Word(20)[:2], "zz", "TEAM 1"}[m.r.IntN(5)], 1+m.r.IntN(12)
	folded, word := strings.ToLower(prefix), strings.TrimSuffix(prefix, " 1")
	counts, values := map[string]int{}, map[string]int{}
	for _, k := range m.visible() {
		words := map[string]bool{}
		for _, text := range k.texts() {
			for _, w := range text.words {
				words[w] = words[w] || text.field == phrase.Transcript
			}
		}
		for w, said := range words {
			if said && strings.HasPrefix(w, strings.ToLower(word)) {
				counts[w]++
			}
		}
		if team := k.subject.Value(fieldOf(m.t, "metadata:team")).Any().(string); strings.HasPrefix(team, folded) {
			values[team]++
		}
	}
	top := func(counts map[string]int) (all []columnar.Word) {
		for text, n := range counts {
			all = append(all, columnar.Word{Text: text, Calls: n})
		}
		slices.SortFunc(all, func(a, b columnar.Word) int {
			return cmp.Or(cmp.Compare(b.Calls, a.Calls), cmp.Compare(a.Text, b.Text))
		})
		return all[:min(len(all), most)]
	}
	words, _, err := m.index.Words(m.t.Context(), m.a, word, most)
	if want := top(counts); err != nil || !slices.Equal(words, want) {
		m.t.Fatalf("words %s*: %v, want %v (%v)", prefix, words, want, err)
	}
	facet, _, err := m.index.FieldValues(m.t.Context(), m.a, fieldOf(m.t, "metadata:team"), prefix, most)
	var got []columnar.Word
	for _, v := range facet.Values {
		got = append(got, columnar.Word{Text: v.Value.(string), Calls: v.Calls})
	}
	if want := top(values); err != nil || !slices.Equal(got, want) || facet.Others != len(values)-len(want) {
		m.t.Fatalf("values %s*: %v and %d others, want %v (%v)", prefix, got, facet.Others, want, err)
	}
}

// distributions compares counts and quantiles of numbers, asked twice.
func (m *market) distributions() {
	m.t.Helper()
	all := conditions(m.corpus)
	where := parse(m.t, all[m.r.IntN(len(all))]).Where
	numbers, matched := map[string][]float64{}, 0
	for _, k := range m.visible() {
		if ok, _ := query.Compile(where).Find(k.subject); !ok {
			continue
		}
		matched++
		for _, name := range []string{"length", "wordCount", "turnCount", "sentiment"} {
			f := fieldOf(m.t, name)
			if n, ok := k.subject.Value(f).Number(); ok {
				numbers[f.String()] = append(numbers[f.String()], n)
			}
		}
	}
	for range 2 {
		got, err := m.index.Distributions(m.t.Context(), m.a, where)
		if err != nil || got.Calls != matched || len(got.All) != len(numbers) {
			m.t.Fatalf("%s: %d calls and %d fields, want %d and %d (%v)", query.Print(where), got.Calls, len(got.All), matched,
				len(numbers), err)
		}
		for _, d := range got.All {
			want := numbers[d.Field.String()]
			slices.Sort(want)
			if d.Calls != len(want) || len(d.Quantiles) != 101 {
				m.t.Fatalf("%s: %s: %d of %d", query.Print(where), d.Field, d.Calls, len(want))
			}
			for p, q := range d.Quantiles {
				at := float64(p) / 100 * float64(len(want)-1)
				low, high := want[int(at)], want[min(int(at)+1, len(want)-1)]
				if w := low + (at-math.Floor(at))*(high-low); math.Abs(q-w) > 1e-9*max(1, math.Abs(w)) {
					m.t.Fatalf("%s: %s: %d %% is %v, want %v", query.Print(where), d.Field, p, q, w)
				}
			}
		}
	}
}
