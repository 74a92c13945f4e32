package eval

import (
	"cmp"
	"slices"
	"time"

	"parley/internal/words/sound"
)

// SpeakerTurn is a stretch of one speaker's speech.
type SpeakerTurn struct {
	Speaker string
	sound.Segment
}

// Diarization compares found speaker turns with a reference. Times are speaker time: where two people speak at the same
// time, a second counts twice.
type Diarization struct {
	Speech     time.Duration // of the reference
	Missed     time.Duration // speech without a found speaker
	FalseAlarm time.Duration // found speakers where nobody speaks
	Confused   time.Duration // speech assigned to another speaker
}

// Rate returns the diarization error rate: all errors divided by the reference's speech; 0 if both are 0.
func (d Diarization) Rate() float64 {
	return float64(d.Missed+d.FalseAlarm+d.Confused) / float64(max(d.Speech, 1))
}

// ConfusionRate returns the share of the speech that was assigned to another speaker.
func (d Diarization) ConfusionRate() float64 { return float64(d.Confused) / float64(max(d.Speech, 1)) }

// Plus returns the sum of two measures.
func (d Diarization) Plus(o Diarization) Diarization {
	return Diarization{d.Speech + o.Speech, d.Missed + o.Missed, d.FalseAlarm + o.FalseAlarm, d.Confused + o.Confused}
}

// CompareTurns scores found turns against the reference as NIST's md-eval does. It maps speakers one to one so that
// they share the most time, regardless of the collar, and then ignores the time within a collar of each edge of a
// reference turn. Overlapping speech is scored.
func CompareTurns(reference, found []SpeakerTurn, collar time.Duration) Diarization {
	ref, hyp := speakersOf(reference), speakersOf(found)
	edges := append(edgesOf(reference, ref, 0), edgesOf(found, hyp, len(ref))...)
	shared := make([][]time.Duration, len(ref))
	for i := range shared {
		shared[i] = make([]time.Duration, len(hyp))
	}
	sweep(edges, len(ref)+len(hyp), func(length time.Duration, active []int) {
		for i := range ref {
			for j := range hyp {
				if active[i] > 0 && active[len(ref)+j] > 0 {
					shared[i][j] += length
				}
			}
		}
	})
	return compare(append(edges, collarsOf(reference, collar, len(ref)+len(hyp))...), len(ref), len(hyp),
		assign(shared))
}

// compare sums the errors outside the collars, which are the last of the counts.
func compare(edges []edge, refs, hyps int, partner []int) Diarization {
	var d Diarization
	sweep(edges, refs+hyps+1, func(length time.Duration, active []int) {
		if active[refs+hyps] > 0 {
			return
		}
		there, found, right := 0, 0, 0
		for i := range refs {
			if active[i] > 0 {
				there++
				if j := partner[i]; j >= 0 && active[refs+j] > 0 {
					right++
				}
			}
		}
		for _, n := range active[refs : refs+hyps] {
			found += min(n, 1)
		}
		d.Speech += time.Duration(there) * length
		d.Missed += time.Duration(max(there-found, 0)) * length
		d.FalseAlarm += time.Duration(max(found-there, 0)) * length
		d.Confused += time.Duration(min(there, found)-right) * length
	})
	return d
}

func speakersOf(turns []SpeakerTurn) []string {
	var names []string
	for _, t := range turns {
		names = append(names, t.Speaker)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// edge is a change of one count.
type edge struct {
	at     time.Duration
	count  int // index of the count
	change int
}

func edgesOf(turns []SpeakerTurn, speakers []string, first int) []edge {
	var edges []edge
	for _, t := range turns {
		i, _ := slices.BinarySearch(speakers, t.Speaker)
		edges = append(edges, edge{t.Start, first + i, 1}, edge{max(t.End, t.Start), first + i, -1})
	}
	return edges
}

func collarsOf(turns []SpeakerTurn, collar time.Duration, count int) []edge {
	var edges []edge
	for _, t := range turns {
		for _, at := range []time.Duration{t.Start, t.End} {
			edges = append(edges, edge{at - collar, count, 1}, edge{at + collar, count, -1})
		}
	}
	return edges
}

// sweep visits the intervals between edges with the current counts.
func sweep(edges []edge, counts int, visit func(length time.Duration, active []int)) {
	edges = slices.SortedFunc(slices.Values(edges), func(a, b edge) int { return cmp.Compare(a.at, b.at) })
	active := make([]int, counts)
	for i, e := range edges {
		active[e.count] += e.change
		if i+1 < len(edges) && edges[i+1].at > e.at {
			visit(edges[i+1].at-e.at, active)
		}
	}
}
