package query

import (
	"strings"
	"time"

	"parley/internal/words/phrase"
	"parley/internal/words/transcript"
)

// Subject is one call as a matcher sees it. Its words are numbers of the lexicon that the matcher was made with.
type Subject struct {
	Length   time.Duration
	Speakers []transcript.Speaker
	Turns    []Turn // ordered by start, none empty
	Words    []uint32
	// Time returns when a word was said, by its place in Words. It is called only for words that matter.
	Time func(word int) (start, end time.Duration)
	// Value returns what a field holds. nil is a call none of whose fields has a value.
	Value func(f Field) Value
	// Budget, where it is given, is used up by judging: once nothing is left the rest is not judged, and what is
	// returned does not count. A Subject with a budget is judged by one goroutine at a time.
	Budget *Budget
	// Stopped is asked every few milliseconds while the call is judged: as often for the same work, however fast it is
	// done. Once it is true the rest is not judged, and what is returned does not count. nil is never.
	Stopped func() bool

	cut []Turn // memory of CutTurns
}

// Budget is work that may be done, counted and not timed, so that the same is always judged alike. A unit is about what
// it takes to look at a word for one place of a phrase: some nanoseconds.
type Budget struct{ Left int64 }

// Spend takes work from what is left, and reports whether something was. A nil Budget has no end.
func (b *Budget) Spend(work int) bool {
	if b == nil {
		return true
	}
	b.Left -= int64(work)
	return b.Left >= 0
}

// Turn is words that one speaker says, From to To, To not included. A phrase never goes across turns.
type Turn struct {
	Speaker  int // index into Speakers
	From, To int
}

// Where the turns of a single speaker end.
const (
	LeastTurn = 10 * time.Second
	MostTurn  = 20 * time.Second
)

// CutTurns cuts the turns of a call with a single speaker, who would have one turn only: what is longer than
// most is cut at the longest pause of which some lies between least and most after its start, and at most where there
// is none. Calls of several speakers stay as they are. Whoever fills a Subject calls it, with LeastTurn and MostTurn
// unless another setting is asked for.
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

// turnEnd returns the first word that does not belong to the turn any more.
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

// speaking returns which speakers are meant: those of the name, else those of the role that the name stands
// for, else, of several, the first to speak as agent and the second as caller.
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
	name, role := spoken(string(who)), transcript.RoleOf(string(who))
	mark(func(k transcript.Speaker) bool { return k.Name == string(who) || spoken(k.Name) == name })
	if role != transcript.NoRole {
		mark(func(k transcript.Speaker) bool { return k.Role == role })
	}
	switch i := s.byOrder(role); {
	case found:
	case len(s.Speakers) == 1 && name == spoken(transcript.DefaultSpeaker):
		meant[0] = true
	case i >= 0:
		meant[i] = true
	}
	return meant
}

func spoken(name string) string { return phrase.Fold(strings.TrimSpace(name)) }

// byOrder returns who plays a role by the order of speaking: of those who have not the other role the first to speak,
// who is the agent where neither role is known. It is -1 where nobody does.
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

// other returns who has the other role, -1 for nobody.
func (s *Subject) other(role transcript.Role) int {
	for i, k := range s.Speakers {
		if k.Role != role && k.Role != transcript.NoRole {
			return i
		}
	}
	if role == transcript.Caller && len(s.Turns) > 0 { // no agent is known: the first to speak is
		return s.Turns[0].Speaker
	}
	return -1
}
