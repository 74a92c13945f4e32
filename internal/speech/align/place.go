package align

import (
	"time"

	"parley/internal/words/sound"
)

// placed is a token of the text with its time.
type placed struct {
	start, end time.Duration
	word       int // that was heard, or None: the time is estimated
}

// place gives every token of the path a time: that of the heard token, if it is the same word; else its share of
// the speech between its neighbours.
func place(path [][]said, heard []token, r *Request) [][]placed {
	var flat []said
	for _, way := range path {
		flat = append(flat, way...)
	}
	times := make([]placed, len(flat))
	last := None // heard token before the run
	for i := 0; i < len(flat); {
		if flat[i].same {
			last = flat[i].heard
			times[i] = placed{heard[last].start, heard[last].end, heard[last].word}
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
	var all [][]placed
	for _, way := range path {
		all, times = append(all, times[:len(way):len(way)]), times[len(way):]
	}
	return all
}

// room returns where the words of a run may lie: on what was heard and did not fit, else where somebody speaks,
// else anywhere between its neighbours.
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

// add adds the part of a segment that lies in the gap and behind the others.
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

// spread lays a run of tokens over the room, each as long as it has letters.
func spread(run []said, times []placed, free []sound.Segment) {
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
		times[i] = placed{in(free, start, false), in(free, portion(total, past, all), true), None}
	}
}

// weight is how long a token takes: its letters and something for being a word at all.
func weight(text string) int { return 2 + len(text) }

// in returns the time at an offset into the room; at a border the end of the earlier part or the start of the later.
func in(free []sound.Segment, offset time.Duration, end bool) time.Duration {
	for _, s := range free {
		if d := s.Duration(); offset < d || end && offset == d {
			return s.Start + offset
		}
		offset -= s.Duration()
	}
	return free[len(free)-1].End
}

// portion returns part of the whole of a duration.
func portion(d time.Duration, part, whole int) time.Duration {
	return min(time.Duration(float64(d)*float64(part)/float64(whole)), d)
}
