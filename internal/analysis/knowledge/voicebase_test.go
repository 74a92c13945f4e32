package knowledge_test

import (
	"cmp"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley/internal/speech/importer"
	"parley/internal/words/phrase"
	"parley/internal/words/transcript"
)

// top is the number of keywords that are compared.
const top = 20

// theirs reads a result of VoiceBase V2: the words, and its own keywords, the most relevant first.
func theirs(t *testing.T, path string) (*transcript.Transcript, []string) {
	t.Helper()
	folder := os.Getenv("PARLEY_DATA")
	if folder == "" {
		t.Skip("PARLEY_DATA is not set; it names a folder of recordings and results for tests")
	}
	data, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(path)))
	if err != nil {
		t.Fatal(err)
	}
	given, err := importer.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	var kept struct {
		Media struct {
			Keywords struct {
				Latest struct{ Words []struct{ Name string } }
			}
		}
	}
	if err := json.Unmarshal(data, &kept); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, w := range kept.Media.Keywords.Latest.Words {
		names = append(names, w.Name)
	}
	return given.Transcript, names[:min(top, len(names))]
}

func TestOverlapWithVoiceBaseIsBeyondBaselines(t *testing.T) {
	for _, path := range []string{"audio/call_cable_sales_stereo.voicebase.json",
		"results_no_audio/voicebase_bookreview_v2.json"} {
		said, want := theirs(t, path)
		ours := texts(find(t, said).Keywords)
		rivals := map[string][]string{"term frequency": byFrequency(said), "RAKE": rake(said)}
		same, related := overlap(ours, want)
		t.Logf("%s: ours %d the same, %d related of %d\n ours   %s\n theirs %s", path, same, related, len(want),
			strings.Join(ours[:top], ", "), strings.Join(want, ", "))
		for name, list := range rivals {
			s, r := overlap(list, want)
			t.Logf("  %s: %d the same, %d related: %s", name, s, r, strings.Join(list[:top], ", "))
			if same <= s || related < r {
				t.Errorf("%s: %d the same and %d related, %s has %d and %d", path, same, related, name, s, r)
			}
		}
	}
}

// overlap counts the wanted keywords that are among the top, and those of which only a part or a longer keyword is.
func overlap(list, want []string) (same, related int) {
	list = list[:min(top, len(list))]
	for _, w := range want {
		if slices.ContainsFunc(list, func(k string) bool { return stem(k) == stem(w) }) {
			same++
		}
		if slices.ContainsFunc(list, func(k string) bool {
			return strings.Contains(stem(k), stem(w)) || strings.Contains(stem(w), stem(k))
		}) {
			related++
		}
	}
	return same, related
}

// stem folds a keyword and removes plural endings.
func stem(keyword string) string {
	words := phrase.Words(keyword)
	for i, w := range words {
		words[i] = strings.TrimSuffix(w, "s")
	}
	return " " + strings.Join(words, " ") + " "
}

func texts(keywords []transcript.Keyword) (list []string) {
	for _, k := range keywords {
		list = append(list, k.Text)
	}
	return list
}

// stopWords is a common list of stop words, shorter than that of the package, so that the baselines are as published.
var stopWords = strings.Fields(
	`a about above after again against all am an and any are aren't as at be because been before being below between both but by
	can can't cannot could couldn't did didn't do does doesn't doing don't down during each few for from further had hadn't has hasn't have haven't having he he'd
	he'll he's her here here's hers herself him himself his how how's i i'd i'll i'm i've if in into is isn't it it's its itself just let's me more most mustn't my
	myself no nor not now of off on once only or other ought our ours ourselves out over own same shan't she she'd she'll she's should shouldn't so some such than
	that that's the their theirs them themselves then there there's these they they'd they'll they're they've this those through to too under until up very was
	wasn't we we'd we'll we're we've were weren't what what's when when's where where's which while who who's whom why why's will with won't would wouldn't you
	you'd you'll you're you've your yours yourself yourselves`)

// runs returns the runs of words between stop words and punctuation.
func runs(t *transcript.Transcript) (all [][]string) {
	open := false
	for _, w := range t.Words {
		if w.Kind != transcript.Spoken {
			open = false
			continue
		}
		for _, f := range phrase.Words(w.Text) {
			if slices.Contains(stopWords, f) {
				open = false
				continue
			}
			if !open {
				all, open = append(all, nil), true
			}
			all[len(all)-1] = append(all[len(all)-1], f)
		}
	}
	return all
}

// byFrequency lists words by frequency.
func byFrequency(t *transcript.Transcript) []string {
	counts := map[string]float64{}
	for _, run := range runs(t) {
		for _, w := range run {
			counts[w]++
		}
	}
	return ordered(counts)
}

// rake ranks phrases by RAKE (Rose and others, "Automatic keyword extraction from individual documents", 2010).
func rake(t *transcript.Transcript) []string {
	degree, count, score := map[string]float64{}, map[string]float64{}, map[string]float64{}
	all := runs(t)
	for _, run := range all {
		for _, w := range run {
			degree[w] += float64(len(run))
			count[w]++
		}
	}
	for _, run := range all {
		sum := 0.
		for _, w := range run {
			sum += degree[w] / count[w]
		}
		score[strings.Join(run, " ")] = sum
	}
	return ordered(score)
}

func ordered(scores map[string]float64) []string {
	return slices.SortedFunc(maps.Keys(scores), func(a, b string) int {
		return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b))
	})
}
