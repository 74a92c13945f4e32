package importer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"parley/internal/words/mark"
	"parley/internal/words/transcript"
)

// draft is a transcript under construction.
type draft struct {
	timed    bool
	speakers []transcript.Speaker
	index    map[string]int
	words    []transcript.Word
	missing  int    // words without times
	opening  string // ¿ or ¡ without a word; belongs to the next word
	opener   int    // speaker of the opening mark
}

// speaker returns the index of the speaker with the given name, and adds the speaker if necessary. channel is the
// number of the speaker's own channel, if any.
func (d *draft) speaker(name string, channel int) (int, error) {
	name = clean(name)
	if i, known := d.index[name]; known {
		return i, nil
	}
	switch {
	case len(d.speakers) == maxSpeakers:
		return 0, fmt.Errorf("more than %d speakers", maxSpeakers)
	case len(name) > maxText:
		return 0, fmt.Errorf("the name of the speaker %q is longer than %d bytes", clip(name), maxText)
	case d.index == nil:
		d.index = map[string]int{}
	}
	d.index[name] = len(d.speakers)
	d.speakers = append(d.speakers, transcript.Speaker{Name: name, Role: transcript.RoleOf(name), Channel: channel})
	return len(d.speakers) - 1, nil
}

// mono returns the speaker of a recording without speaker information.
func (d *draft) mono() (int, error) {
	return d.speaker(transcript.DefaultSpeaker, transcript.NoChannel)
}

// span is the time of a word as given by its format.
type span struct {
	start, end number
	unit       time.Duration
}

// times returns the start and end as given; the end may precede the start. If only one of them is present, it is used
// for both. given is false if neither is present.
func (s span) times() (start, end time.Duration, given bool, err error) {
	if !s.start.given && !s.end.given {
		return 0, 0, false, nil
	}
	if !s.start.given {
		s.start = s.end
	}
	if !s.end.given {
		s.end = s.start
	}
	if start, err = s.start.in(s.unit); err != nil {
		return 0, 0, false, err
	}
	end, err = s.end.in(s.unit)
	return start, end, err == nil, err
}

// confidence returns a confidence clamped to 0..1, or 1 if there is none.
func confidence(n number) float64 {
	if !n.given {
		return 1
	}
	return min(max(n.value, 0), 1)
}

// word adds a written word. It becomes spoken words, and separate entries for the punctuation on them.
func (d *draft) word(speaker int, written string, s span, c number) error {
	start, end, given, err := s.times()
	if err != nil {
		return err
	}
	w := transcript.Word{Start: start, End: end, Confidence: confidence(c), Speaker: speaker}
	return d.separate(w, clean(written), given)
}

// separate adds the words and marks of a text with the time of w.
func (d *draft) separate(w transcript.Word, written string, given bool) error {
	for _, part := range mark.Split(w, written) {
		switch {
		case part.Kind.Lasts():
			if err := d.add(part, given); err != nil {
				return err
			}
		case mark.Opening(part.Text):
			d.opening, d.opener = part.Text, w.Speaker
		default:
			d.mark(w.Speaker, part.Text)
		}
	}
	return nil
}

// add adds a spoken word; given reports whether it has times.
func (d *draft) add(w transcript.Word, given bool) error {
	switch {
	case len(d.words) >= maxWords:
		return fmt.Errorf("more than %d words and punctuation marks", maxWords)
	case len(w.Text) > maxText:
		return fmt.Errorf("the word %q is longer than %d bytes", clip(w.Text), maxText)
	}
	if d.opening != "" && d.opener == w.Speaker {
		w.Text = d.opening + w.Text
	}
	d.opening = ""
	if !given {
		d.missing++
		w.Start, w.End = -1, -1
	}
	d.words = append(d.words, w)
	return nil
}

// mark adds a punctuation mark after the speaker's last word. It drops a mark without a preceding word.
func (d *draft) mark(speaker int, text string) {
	if n := len(d.words); n > 0 && d.words[n-1].Speaker == speaker {
		at := max(d.words[n-1].Start, d.words[n-1].End)
		d.follow(transcript.Word{Text: text, Kind: transcript.Punctuation, Start: at, End: at, Speaker: speaker})
	}
}

// follow adds a mark unless the previous mark is the same one. If a dot follows a word such as p.m., the word loses its
// own dot.
func (d *draft) follow(m transcript.Word) {
	n := len(d.words)
	if n == 0 || n >= maxWords || len(m.Text) > maxText {
		return
	}
	switch last := &d.words[n-1]; {
	case last.Speaker != m.Speaker:
	case last.Kind == transcript.Punctuation && last.Text == m.Text:
		return
	case last.Kind == transcript.Spoken && m.Text == "." && len(last.Text) > 1 && last.Text != masked:
		last.Text = strings.TrimSuffix(last.Text, ".")
	}
	d.words = append(d.words, m)
}

// punctuation adds an entry that a format marks as punctuation. Any words in it become words.
func (d *draft) punctuation(speaker int, written string) error {
	return d.word(speaker, written, span{}, number{})
}

// transcript completes the draft. Words without times get times from their neighbours, or no word keeps a time.
func (d *draft) transcript() (*transcript.Transcript, error) {
	spoken := 0
	for _, w := range d.words {
		if w.Kind.Lasts() {
			spoken++
		}
	}
	if d.missing == spoken && spoken > 0 {
		d.timed = false
	}
	if d.timed && d.missing > 0 {
		fill(d.words)
	}
	t := &transcript.Transcript{Speakers: d.speakers, Words: d.words}
	if len(t.Speakers) == 0 {
		t.Speakers = []transcript.Speaker{{Name: transcript.DefaultSpeaker, Channel: transcript.NoChannel}}
	}
	if !d.timed {
		for i := range t.Words {
			t.Words[i].Start, t.Words[i].End = 0, 0
		}
		return t, nil
	}
	t.Words = ordered(t.Words, len(t.Speakers))
	for _, w := range t.Words {
		t.Length = max(t.Length, w.Start, w.End)
	}
	return t, nil
}

// fill distributes words without times between their neighbours, in proportion to their letters.
func fill(words []transcript.Word) {
	var before time.Duration
	for i := 0; i < len(words); {
		if words[i].Start >= 0 {
			before = max(before, words[i].Start, words[i].End)
			i++
			continue
		}
		end, letters := i, 0
		for end < len(words) && words[end].Start < 0 {
			letters += weight(words[end])
			end++
		}
		after := before
		if end < len(words) {
			after = max(before, words[end].Start)
		}
		past := 0
		for k := i; k < end; k++ {
			words[k].Start = before + (after-before)*time.Duration(past)/time.Duration(max(letters, 1))
			past += weight(words[k])
			words[k].End = before + (after-before)*time.Duration(past)/time.Duration(max(letters, 1))
		}
		i = end
	}
}

func weight(w transcript.Word) int {
	if w.Kind == transcript.Punctuation {
		return 0
	}
	return len(w.Text)
}

// ordered sorts words by start and keeps marks after their words. Words already in order are not changed.
func ordered(words []transcript.Word, speakers int) []transcript.Word {
	start := func(a, b transcript.Word) int { return cmp.Compare(a.Start, b.Start) }
	spoken := slices.DeleteFunc(slices.Clone(words), func(w transcript.Word) bool { return !w.Kind.Lasts() })
	if slices.IsSortedFunc(spoken, start) {
		return words
	}
	channels := make([][]transcript.Word, speakers)
	for _, w := range words {
		channels[w.Speaker] = append(channels[w.Speaker], w)
	}
	return transcript.Merge(channels...)
}

// clean removes invisible characters, except those that join letters, and replaces white space by single spaces.
func clean(s string) string {
	s = strings.Map(func(r rune) rune {
		unseen := unicode.Is(unicode.Cf, r) && !strings.ContainsRune(mark.Joiners, r)
		if unseen || unicode.IsControl(r) && !unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
	return strings.Join(strings.Fields(s), " ")
}
