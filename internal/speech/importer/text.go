package importer

import (
	"errors"
	"regexp"
	"strings"
	"unicode"

	"parley/internal/words/transcript"
)

// prefix is a speaker's name at the start of a line: up to four words, the first with a capital, and a colon.
var prefix = regexp.MustCompile(`^\s*(\p{Lu}[\p{L}\p{N}.'’_-]*(?: [\p{L}\p{N}.'’()_-]+){0,3})\s*:(?:\s+|$)`)

// text parses plain text. A line may start with the name of its speaker; other lines belong to the previous speaker.
func text(s string) (*Result, error) {
	if strings.ContainsRune(s, 0) {
		return nil, errors.New("the file is neither text nor JSON")
	}
	d := &draft{}
	now := -1
	for line := range strings.Lines(s) {
		name, rest := who(line)
		var err error
		if name != "" {
			now, err = d.speaker(name, transcript.NoChannel)
		} else if now < 0 && strings.TrimSpace(rest) != "" {
			now, err = d.mono()
		}
		if err != nil {
			return nil, err
		}
		for w := range strings.FieldsSeq(rest) {
			if err := d.word(now, w, span{}, number{}); err != nil {
				return nil, err
			}
		}
	}
	t, err := d.transcript()
	if err != nil {
		return nil, err
	}
	if len(t.Words) == 0 {
		return nil, errors.New("the text has no words")
	}
	return &Result{Transcript: t, Format: "text"}, nil
}

// who splits the speaker's name off the start of a line.
func who(line string) (name, rest string) {
	if m := prefix.FindStringSubmatch(line); m != nil && digits(m[1]) <= mostDigits {
		return m[1], line[len(m[0]):]
	}
	if before, after, found := strings.Cut(line, ":"); found && transcript.RoleOf(before) != transcript.NoRole {
		return strings.TrimSpace(before), after
	}
	return "", line
}

// mostDigits is the maximum number of digits in a speaker's name. A longer number is speech and must not be displayed
// as a name.
const mostDigits = 4

func digits(s string) (n int) {
	for _, r := range s {
		if unicode.IsNumber(r) {
			n++
		}
	}
	return n
}
