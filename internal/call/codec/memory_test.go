package codec

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"parley/internal/analysis/category"
	"parley/internal/analysis/entity"
	"parley/internal/analysis/sentiment"
	"parley/internal/analysis/spot"
	"parley/internal/analysis/verbnoun"
	"parley/internal/call/result"
	"parley/internal/testkit/verify"
	"parley/internal/words/transcript"
)

// long returns a result of this many words, with the minimum of data per word that a client can send, or with a lot.
func long(words, peaks int) *result.Open {
	t := &transcript.Transcript{Language: "en-US", Speakers: []transcript.Speaker{{Name: "A"}, {Name: "B", Channel: 1}}}
	for i := range words {
		at := time.Duration(i) * time.Millisecond
		w := transcript.Word{Text: "a", Start: at, End: at + time.Millisecond, Speaker: i % 2}
		if peaks > 0 {
			w.Text, w.Markers = fmt.Sprint("word", i%997), []string{"x"}
			w.Voice = &transcript.Voice{Volume: 1, Peaks: make([]transcript.Peak, peaks)}
		}
		t.Words = append(t.Words, w)
	}
	return &result.Open{Transcript: t}
}

// findingsOf returns findings, a few for each second of a call.
func findingsOf(seconds int) (f result.Findings) {
	for i := range seconds {
		from, to := time.Duration(i)*time.Second, time.Duration(i+1)*time.Second
		f.Sentiments = append(f.Sentiments, sentiment.Sentence{Start: from, End: to})
		f.Entities = append(f.Entities,
			entity.Entity{Type: "PERSON", Text: "Bo", Start: from, End: to, Money: &entity.Money{}})
		f.Pairs = append(f.Pairs, verbnoun.Pair{Start: from, End: to, Verb: "be", Noun: "it"})
	}
	f.Categories = []category.Result{{Name: "c", Hits: make([]category.Hit, seconds)}}
	mentions := []transcript.Mention{{Occurrences: make([]transcript.Occurrence, seconds)}}
	f.Spotting = []spot.Result{{Name: "g", Keywords: []transcript.Keyword{{Text: "k", Mentions: mentions}}}}
	return f
}

// counted decodes a result and returns the peak and the final memory as reported to hold.
func counted(t testing.TB, c *Codec, data []byte) (o *result.Open, most, held int64) {
	o, err := c.DecodeResultWithin(data, func(bytes int64) error {
		held += bytes
		most = max(most, held)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return o, most, held
}

// liveHeap returns the size of the live heap in bytes.
func liveHeap() int64 {
	runtime.GC()
	runtime.GC() // the second collection frees the content of pools
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func TestWhatIsCountedIsNoLessThanWhatADecodedResultTakes(t *testing.T) {
	verify.Long(t)
	c := codec(t)
	sizes := map[string]*result.Open{
		"short words": long(200_000, 0), "voice features": long(20_000, 30), "findings": long(0, 0),
	}
	sizes["findings"].Findings = findingsOf(20_000)
	for name, o := range sizes {
		data := c.EncodeResult(o)
		got, most, held := counted(t, c, data)
		live := liveHeap()
		runtime.KeepAlive(got)
		got = nil
		live -= liveHeap()
		if live > held || held > most || most > 12*live {
			t.Errorf("%s: %d bytes are live; %d are counted, %d at most", name, live, held, most)
		}
	}
}

func TestDecodingEndsWhereItsMemoryIsRefused(t *testing.T) {
	c, full := codec(t), errors.New("full")
	data := c.EncodeResult(long(20_000, 30))
	_, whole, _ := counted(t, c, data)
	if unpacked := Size(data); whole < 4*unpacked {
		t.Fatalf("%d bytes are counted, of %d that are unpacked", whole, unpacked)
	}
	for limit := int64(0); limit < whole; limit += whole / 20 {
		held, refused := int64(0), 0
		_, err := c.DecodeResultWithin(data, func(bytes int64) error {
			if held+bytes > limit {
				refused++
				return full
			}
			held += bytes
			return nil
		})
		if !errors.Is(err, full) || refused != 1 {
			t.Errorf("within %d bytes of %d: %v, refused %d times", limit, whole, err, refused)
		}
	}
}

// BenchmarkMemoryOfFindings reports the memory per encoded byte of findings.
func BenchmarkMemoryOfFindings(b *testing.B) {
	for _, one := range []string{"all", "sentiments", "entities", "pairs", "categories", "spotting"} {
		f := findingsOf(20_000)
		all := f
		switch one {
		case "sentiments":
			f = result.Findings{Sentiments: all.Sentiments}
		case "entities":
			f = result.Findings{Entities: all.Entities}
		case "pairs":
			f = result.Findings{Pairs: all.Pairs}
		case "categories":
			f = result.Findings{Categories: all.Categories}
		case "spotting":
			f = result.Findings{Spotting: all.Spotting}
		}
		data := encodeFindings(f)
		b.Run(one, func(b *testing.B) {
			b.ReportAllocs()
			before := liveHeap()
			var got result.Findings
			for b.Loop() {
				got, _ = decodeFindings([]byte(strings.Clone(string(data))))
			}
			b.ReportMetric(float64(liveHeap()-before)/float64(len(data)), "live/byte")
			b.ReportMetric(float64(len(data)), "bytes")
			runtime.KeepAlive(got)
		})
	}
}
