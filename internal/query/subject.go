package query

import (
	"strings"
	"time"

	"parley/internal/words/phrase"
	"parley/internal/words/transcript"
)

// Subject is the input of a matcher: one call. Its words are numbers of the lexicon that the matcher was built with.
type Subject struct {
	Length   time.Duration
	Speakers []transcript.Speaker
	Turns    []Turn // ordered by start; each has words
	Parts    []Part // the texts that Contains looks at
	Words    []uint32
	// Open is called before Length, Speakers, Turns, Parts and Words are looked at, and puts them there. If it is nil,
	// all are there.
	Open func()
	// Search, if set, is asked for plain phrases first.
	Search Search
	// Read is called before Words[:until] are looked at, and puts them there. If it is nil, all are there.
	Read func(until int)
	// Time returns the start and end of a word by its index in Words. It is called only for words whose time is
	// needed.
	Time func(word int) (start, end time.Duration)
	// Value returns the value of a field. If it is nil, no field of the call has a value.
	Value func(f Field) Value
	// Budget, if set, limits the work of an evaluation. Once it is exhausted, the evaluation stops and its result is
	// invalid. A Subject with a budget must not be evaluated concurrently.
	Budget *Budget
	// Stopped is called every few milliseconds during the evaluation, at fixed amounts of work. Once it returns
	// true, the evaluation stops and its result is invalid. If it is nil, the evaluation is never stopped.
	Stopped func() bool

	cut []Turn // buffer reused by CutTurns
}

// Budget is the work that an evaluation may do. It counts work and not time, so that results are reproducible. One
// unit is roughly the cost of comparing a word with one place of a phrase: some nanoseconds.
type Budget struct{ Left int64 }

// Spend deducts work and reports whether the budget was sufficient. A nil Budget is unlimited.
func (b *Budget) Spend(work int) bool {
	if b == nil {
		return true
	}
	b.Left -= int64(work)
	return b.Left >= 0
}

// Turn is a run of words by one speaker: Words[From:To]. A phrase never matches across turns.
type Turn struct {
	Speaker  int // index into Speakers
	From, To int
}

// Part is a text of a call: Words[From:To]. A phrase never matches across parts.
type Part struct {
	Field    phrase.Field
	From, To int
}

// Length limits of turns in calls with a single speaker.
const (
	LeastTurn = 10 * time.Second
	MostTurn  = 20 * time.Second
)

// CutTurns splits the turns of a call with a single speaker, which would otherwise be one turn. A turn longer than most
// is cut at its longest pause that overlaps the interval from least to most after its start, or at most if there is no
// such pause. Calls of several speakers are not changed. Callers that fill a Subject call CutTurns, with LeastTurn and
// MostTurn by default.
func (s *Subject) CutTurns(least, most time.Duration) {
	if len(s.Speakers) != 1 {
		return
	}
	s.cut = s.cut[:0]
	for _, t := range s.Turns {
		for at := s.turnEnd(t, least, most); at < t.To; at = s.turnEnd(t, least, most) {
			s.cut = append(s.cut, Turn{t.Speaker, t.From, at})
			t.From = at
		}
		s.cut = append(s.cut, t)
	}
	s.Turns, s.cut = s.cut, s.Turns
}

// turnEnd returns the index of the first word after the turn.
func (s *Subject) turnEnd(t Turn, least, most time.Duration) int {
	begin, end := s.Time(t.From)
	if _, last := s.Time(t.To - 1); last <= begin+most {
		return t.To
	}
	at, longest := 0, time.Duration(0)
	for i := t.From + 1; i < t.To; i++ {
		start, next := s.Time(i)
		if pause := start - end; pause > longest && start >= begin+least && end <= begin+most {
			at, longest = i, pause
		}
		if start >= begin+most {
			if at == 0 {
				at = i
			}
			return at
		}
		end = max(end, next)
	}
	if at == 0 {
		return t.To
	}
	return at
}

// speaking returns by index which speakers a name refers to: the speakers of that name, else those of the role that the
// name denotes. If there are none and the call has several speakers, the order of speaking decides: the first to speak
// is the agent, the second the caller.
func (s *Subject) speaking(who Speaker) []bool {
	meant := make([]bool, len(s.Speakers))
	found := false
	mark := func(is func(k transcript.Speaker) bool) {
		for i, k := range s.Speakers {
			if !found && is(k) {
				meant[i] = true
			}
		}
		for _, m := range meant {
			found = found || m
		}
	}
	name, role := foldName(string(who)), transcript.RoleOf(string(who))
	mark(func(k transcript.Speaker) bool { return k.Name == string(who) || foldName(k.Name) == name })
	if role != transcript.NoRole {
		mark(func(k transcript.Speaker) bool { return k.Role == role })
	}
	switch i := s.byOrder(role); {
	case found:
	case len(s.Speakers) == 1 && name == foldName(transcript.DefaultSpeaker):
		meant[0] = true
	case i >= 0:
		meant[i] = true
	}
	return meant
}

func foldName(name string) string { return phrase.Fold(strings.TrimSpace(name)) }

// byOrder returns the speaker of a role by the order of speaking: the first to speak of those who do not have the
// other role. If neither role is known, the first to speak is the agent. It returns -1 if there is no such speaker.
func (s *Subject) byOrder(role transcript.Role) int {
	if role == transcript.NoRole || len(s.Speakers) < 2 {
		return -1
	}
	other := s.other(role)
	for _, t := range s.Turns {
		if t.Speaker != other {
			return t.Speaker
		}
	}
	return -1
}

// other returns the speaker who has the other role, or -1.
func (s *Subject) other(role transcript.Role) int {
	for i, k := range s.Speakers {
		if k.Role != role && k.Role != transcript.NoRole {
			return i
		}
	}
	if role == transcript.Caller && len(s.Turns) > 0 { // no agent is known, so the first to speak is the agent
		return s.Turns[0].Speaker
	}
	return -1
}
