package query

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"parley/internal/words/transcript"
)

// A script is a conversation, the values of its fields, and queries with their hits:
//
//	call 60s                        the length
//	speaker Agent agent             a name and, if it has one, a role
//	value metadata:region = "east"
//	1.0  Agent  Thank you           each word lasts 0.4 s and the next begins 0.5 s after it; ~3 is a pause of 3 more seconds
//	? Agent SAYS "thank you"        a query, on lines up to the first = line
//	= 1.0-1.9 Agent: Thank you      a hit, or "= yes" for a match without hits, or "= no"
//
// Empty lines and lines that begin with # are ignored.
type script struct {
	call   *transcript.Transcript
	values map[string]Value
	tracks map[string][]transcript.Word
	query  []string
	want   []string
}

func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) < 4 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			s := script{call: &transcript.Transcript{}, values: map[string]Value{},
				tracks: map[string][]transcript.Word{}}
			for _, line := range append(strings.Split(string(text), "\n"), "?") {
				if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
					s.read(t, line)
				}
			}
		})
	}
}

func (s *script) read(t *testing.T, line string) {
	t.Helper()
	switch kind, rest, _ := strings.Cut(line, " "); {
	case kind == "=":
		s.want = append(s.want, strings.TrimSpace(rest))
	case kind == "?":
		s.judge(t)
		s.query, s.want = []string{rest}, nil
	case len(s.query) > 0 && s.query[0] != "":
		s.query = append(s.query, line)
	case kind == "call":
		s.call.Length = duration(t, rest)
	case kind == "speaker":
		name, role, _ := strings.Cut(rest, " ")
		s.call.Speakers = append(s.call.Speakers,
			transcript.Speaker{Name: name, Role: transcript.RoleOf(role), Channel: len(s.call.Speakers)})
	case kind == "value":
		field, value, _ := strings.Cut(rest, " = ")
		s.values[field] = Text(strings.Trim(value, `"`))
		if n, err := strconv.ParseFloat(value, 64); err == nil {
			s.values[field] = Number(n)
		}
	default:
		s.say(t, kind, strings.Fields(rest))
	}
}

func duration(t *testing.T, text string) time.Duration {
	t.Helper()
	d, err := time.ParseDuration(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// say adds the words of a speaker.
func (s *script) say(t *testing.T, start string, words []string) {
	t.Helper()
	at := duration(t, start+"s")
	for speaker, k := range s.call.Speakers {
		if k.Name != words[0] {
			continue
		}
		for _, w := range words[1:] {
			if strings.HasPrefix(w, "~") {
				at += duration(t, w[1:]+"s")
				continue
			}
			word := strings.TrimRight(w, ".,?!")
			track := append(s.tracks[k.Name],
				transcript.Word{Text: word, Start: at, End: at + 400*time.Millisecond, Speaker: speaker})
			if word != w {
				track = append(track, transcript.Word{Text: w[len(word):], Kind: transcript.Punctuation,
					Start: at + 400*time.Millisecond, End: at + 400*time.Millisecond, Speaker: speaker})
			}
			s.tracks[k.Name] = track
			at += 500 * time.Millisecond
		}
		return
	}
	t.Fatalf("nobody is called %s", words[0])
}

// judge compares the hits of the query with the expected ones.
func (s *script) judge(t *testing.T) {
	t.Helper()
	text := strings.Join(s.query, "\n")
	if text == "" {
		return
	}
	var tracks [][]transcript.Word
	for _, k := range s.call.Speakers {
		tracks = append(tracks, s.tracks[k.Name])
	}
	s.call.Words = transcript.Merge(tracks...)
	c := Of(s.call, func(f Field) Value { return s.values[f.String()] })
	condition, err := ParseCondition(text, nil)
	if err != nil {
		t.Fatal(err)
	}
	ok, hits := Compile(condition).Find(c)
	var got []string
	for _, h := range hits {
		who := "-"
		if h.Speaker >= 0 {
			who = s.call.Speakers[h.Speaker].Name
		}
		got = append(got, strings.TrimSpace(fmt.Sprintf("%.1f-%.1f %s: %s", h.Start.Seconds(), h.End.Seconds(), who,
			c.Exact(h))))
	}
	if len(got) == 0 {
		got = []string{map[bool]string{true: "yes", false: "no"}[ok]}
	}
	spaces := regexp.MustCompile(` +`)
	if want := spaces.ReplaceAllString(strings.Join(s.want, "\n"), " "); strings.Join(got, "\n") != want {
		t.Errorf("? %s\n= %s\nwant\n= %s", text, strings.Join(got, "\n= "), strings.Join(s.want, "\n= "))
	}
}
