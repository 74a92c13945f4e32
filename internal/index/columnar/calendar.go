package columnar

import (
	"slices"
	"sort"
	"time"

	"parley/internal/query"
	"parley/internal/query/callset"
	"parley/internal/words/fault"
)

// Interval is the length of the buckets of a histogram, by the calendar of a time zone.
type Interval string

// The intervals. Weeks begin on Monday.
const (
	Hourly  Interval = "hour"
	Daily   Interval = "day"
	Weekly  Interval = "week"
	Monthly Interval = "month"
)

// Intervals are all intervals, from the shortest to the longest.
var Intervals = []Interval{Hourly, Daily, Weekly, Monthly}

// usualBuckets is how many buckets a histogram has at most whose interval is not given, unless they are months.
const usualBuckets = 100

// Scale is what a histogram is asked to show.
type Scale struct {
	Interval Interval // empty: the shortest with at most a hundred buckets
	Zone     *time.Location
}

// Bucket is the number of matching calls that were created from From to Until, exclusive.
type Bucket struct {
	From, Until time.Time
	Calls       int
}

// calendar is the buckets of a histogram.
type calendar struct {
	interval Interval
	starts   []time.Time // of the buckets, ascending
	end      time.Time
}

// newCalendar returns the buckets from the one of the first call to the one of the last.
func newCalendar(s Scale, first, last time.Time) (calendar, error) {
	if s.Interval != "" {
		c, ok := calendarOf(s, first, last, MaxBuckets)
		if !ok {
			return c, tooManyBuckets("/interval", s.Interval, first, last)
		}
		return c, nil
	}
	for _, s.Interval = range Intervals {
		if c, ok := calendarOf(s, first, last, usualBuckets); ok {
			return c, nil
		}
	}
	return newCalendar(s, first, last)
}

// tooManyBuckets is the error for an interval that is too short for a period.
func tooManyBuckets(place string, i Interval, first, last time.Time) error {
	return fault.New(fault.Invalid, fault.CodeQueryLimit,
		"%s: the interval %s would divide the time from %s to %s into more than %d buckets; use a longer interval, or "+
			"restrict the period", place, i, first.Format(time.DateOnly), last.Format(time.DateOnly), MaxBuckets)
}

// calendarOf returns the buckets from the one of the first call to the one of the last. It reports whether there are at
// most so many.
func calendarOf(s Scale, first, last time.Time, most int) (calendar, bool) {
	c := calendar{interval: s.Interval, end: s.start(first)}
	for !c.end.After(last) {
		if len(c.starts) == most {
			return c, false
		}
		c.starts = append(c.starts, c.end)
		c.end = s.next(c.end)
	}
	return c, true
}

// start returns the start of the bucket that an instant lies in.
func (s Scale) start(at time.Time) time.Time {
	at = at.In(s.Zone)
	y, m, d := at.Date()
	switch s.Interval {
	case Hourly:
		start := at.Add(-sinceHour(at))
		if change, _ := at.ZoneBounds(); change.After(start) { // the clock was changed within this hour
			return change
		}
		return start
	case Weekly:
		d -= (int(at.Weekday()) + 6) % 7
	case Monthly:
		d = 1
	}
	return query.Midnight(y, m, d, s.Zone)
}

// next returns the start of the bucket after the one that begins at the given time.
func (s Scale) next(start time.Time) time.Time {
	y, m, d := start.Date()
	switch s.Interval {
	case Hourly:
		return start.Add(time.Hour - sinceHour(start))
	case Daily:
		d++
	case Weekly:
		d += 7
	case Monthly:
		m++
	}
	return query.Midnight(y, m, d, s.Zone)
}

// sinceHour returns the time since the last full hour on the clock.
func sinceHour(at time.Time) time.Duration {
	return time.Duration(at.Minute())*time.Minute + time.Duration(at.Second())*time.Second +
		time.Duration(at.Nanosecond())
}

// count counts some calls of a part by bucket.
func (c *calendar) count(p *part, some callset.Set) []int {
	counts := make([]int, len(c.starts))
	if len(counts) == 0 {
		return counts
	}
	bucket := len(counts)
	for call := range some.All { // the newest first
		at := p.Created(call)
		if bucket == len(counts) {
			bucket = sort.Search(len(counts), func(i int) bool { return c.starts[i].After(at) }) - 1
		}
		for bucket > 0 && at.Before(c.starts[bucket]) {
			bucket--
		}
		counts[max(bucket, 0)]++
	}
	return counts
}

// buckets returns the buckets with their counts.
func (c *calendar) buckets(counts []int) []Bucket {
	all := make([]Bucket, len(counts))
	ends := append(slices.Clone(c.starts), c.end)
	for i, n := range counts {
		all[i] = Bucket{ends[i].UTC(), ends[i+1].UTC(), n}
	}
	return all
}
