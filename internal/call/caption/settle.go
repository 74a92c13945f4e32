package caption

import "time"

// settle sets the times of each speaker's cues: whole milliseconds, no overlaps, long enough to read. The cues of one
// speaker are in order.
func settle(cues []Cue, length time.Duration) {
	end := length
	bySpeaker := map[int][]*Cue{}
	for i := range cues {
		c := &cues[i]
		c.Start, c.End = c.Start.Truncate(time.Millisecond), c.End.Truncate(time.Millisecond)
		end = max(end, c.End)
		bySpeaker[c.Speaker] = append(bySpeaker[c.Speaker], c)
	}
	for _, own := range bySpeaker {
		settleSpeaker(own, end.Truncate(time.Millisecond))
	}
}

// settleSpeaker adjusts the ends of cues, and their starts only if the words themselves overlap or the media ends. A
// cue that is too short is extended, at most to the next cue; the last one may start earlier instead.
func settleSpeaker(cues []*Cue, mediaEnd time.Duration) {
	free := time.Duration(0) // end of the previous cue
	for i, c := range cues {
		limit := mediaEnd
		if i+1 < len(cues) {
			limit = cues[i+1].Start
		} else {
			c.Start = min(c.Start, mediaEnd-shortest)
		}
		c.Start = max(c.Start, free)
		c.End = min(max(c.End, c.Start+shortest), c.Start+longest, limit)
		c.End = max(c.End, c.Start+time.Millisecond)
		free = c.End
	}
}
