package align

import (
	"slices"
	"time"

	"parley/internal/words/sound"
)

// timing is a token of the text with its time.
type timing struct {
	start, end time.Duration
	word       int // index of the heard word, or None if the time is estimated
}

// place assigns a time to every token of the path: the time of the heard token if it is the same word, else a share
// of the speech between its neighbours.
func place(path [][]choice, heard []token, r *Request) [][]timing {
	flat := slices.Concat(path...)
	times := make([]timing, len(flat))
	last := None // last heard token before the run
	for i := 0; i < len(flat); {
		if flat[i].same {
			last = flat[i].heard
			times[i] = timing{heard[last].start, heard[last].end, heard[last].word}
			i++
			continue
		}
		end := i
		for end < len(flat) && !flat[end].same {
			end++
		}
		next := len(heard)
		if end < len(flat) {
			next = flat[end].heard
		}
		spread(flat[i:end], times[i:end], room(heard, last, next, r))
		i = end
	}
	var all [][]timing
	for _, way := range path {
		all, times = append(all, times[:len(way):len(way)]), times[len(way):]
	}
	return all
}

// room returns where the words of a run may be placed: on heard words that did not match, else on speech, else
// anywhere between the neighbours.
func room(heard []token, last, next int, r *Request) []sound.Segment {
	gap := sound.Segment{Start: 0, End: r.Length}
	if last >= 0 {
		gap.Start = heard[last].end
	}
	if next < len(heard) {
		gap.End = heard[next].start
	}
	gap.End = max(gap.End, gap.Start)
	var free []sound.Segment
	for _, t := range heard[last+1 : next] {
		free = add(free, sound.Segment{Start: t.start, End: t.end}, gap)
	}
	if len(free) > 0 {
		return free
	}
	for _, s := range r.Speech {
		free = add(free, s, gap)
	}
	if len(free) > 0 {
		return free
	}
	return []sound.Segment{gap}
}

// add appends the part of a segment that lies in the gap and after the other segments.
func add(free []sound.Segment, s, gap sound.Segment) []sound.Segment {
	s.Start, s.End = max(s.Start, gap.Start), min(s.End, gap.End)
	if n := len(free); n > 0 {
		s.Start = max(s.Start, free[n-1].End)
	}
	if s.End <= s.Start {
		return free
	}
	return append(free, s)
}

// spread distributes a run of tokens over the free segments, in proportion to their length in letters.
func spread(run []choice, times []timing, free []sound.Segment) {
	var total time.Duration
	for _, s := range free {
		total += s.Duration()
	}
	all, past := 0, 0
	for _, t := range run {
		all += weight(t.text)
	}
	for i, t := range run {
		start := portion(total, past, all)
		past += weight(t.text)
		times[i] = timing{in(free, start, false), in(free, portion(total, past, all), true), None}
	}
}

// weight is the relative duration of a token: its length plus a constant per word.
func weight(text string) int { return 2 + len(text) }

// in returns the time at an offset into the free segments. At a border it returns the end of the earlier segment if
// end is set, else the start of the later one.
func in(free []sound.Segment, offset time.Duration, end bool) time.Duration {
	for _, s := range free {
		if d := s.Duration(); offset < d || end && offset == d {
			return s.Start + offset
		}
		offset -= s.Duration()
	}
	return free[len(free)-1].End
}

// portion returns d*part/whole.
func portion(d time.Duration, part, whole int) time.Duration {
	return min(time.Duration(float64(d)*float64(part)/float64(whole)), d)
}
