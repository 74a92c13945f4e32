package stage

import (
	_ "embed"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
)

//go:embed talk.txt
var talkText string

// topic is one kind of conversation: ways to open it, and exchanges in any order.
type topic struct {
	name    string
	opening []string
	parts   [][]string // lines such as "A: Of course."
}

// topics reads talk.txt: topics by name, in their order.
var topics = sync.OnceValues(func() (names []string, all map[string]topic) {
	all = map[string]topic{}
	for section := range strings.SplitSeq(strings.TrimPrefix(talkText, "# "), "\n# ") {
		name, rest, _ := strings.Cut(section, "\n")
		t := topic{name: name}
		for i, block := range strings.Split(strings.TrimSpace(rest), "\n\n") {
			lines := strings.Split(block, "\n")
			if i == 0 && strings.HasPrefix(lines[0], "C: ") && strings.HasPrefix(lines[len(lines)-1], "C: ") {
				t.opening = lines
				continue
			}
			t.parts = append(t.parts, lines)
		}
		if all[name] = t; t.opening != nil {
			names = append(names, name)
		}
	}
	return names, all
})

// The values of generated calls.
var (
	firstNames = strings.Fields("Daniel Sarah Michael Jennifer Maria James Linda Robert Karen Olivia Kevin Angela George Nancy")
	lastNames  = strings.Fields("Carter Johnson Miller Garcia Thompson Anderson Martinez Walker Campbell Mitchell Parker Morris")
	agents     = strings.Fields("Laura Priya Tom Aisha Marcus Elena Joon Sofia Ben Chloe")
	teams      = []string{"North", "South", "Retention", "Technical"}
	campaigns  = []string{"spring", "loyalty", "win back"}
	days       = strings.Fields("Monday Tuesday Wednesday Thursday Friday")
)

// outcomes are those of generated calls, with the sections in which they end.
var outcomes = map[string]string{"resolved": "Good end", "unresolved": "Bad end", "callback": "Open end"}

// Line is what one speaker says without a break.
type Line struct {
	Speaker int // 0: agent, 1: caller
	Text    string
}

// Talk is a generated conversation.
type Talk struct {
	Topic, Outcome, Agent, Caller, Team, Campaign, Number string
	Lines                                                 []Line
}

// NewTalk generates conversation n, which is always the same.
func NewTalk(n int) Talk {
	names, all := topics()
	r := rand.New(rand.NewPCG(7, uint64(n)))
	pick := func(list []string) string { return list[r.IntN(len(list))] }
	t := Talk{Topic: pick(names), Agent: pick(agents), Caller: pick(firstNames) + " " + pick(lastNames),
		Campaign: pick(campaigns), Number: fmt.Sprint(100_000 + r.IntN(900_000))}
	t.Team = teams[int(t.Agent[0])%len(teams)]
	t.Outcome = []string{"resolved", "resolved", "resolved", "callback", "unresolved"}[r.IntN(5)]
	lines := []string{"A: Thank you for calling Northwind, this is " + t.Agent + ". How can I help you today?",
		pick(all[t.Topic].opening)}
	parts := append([][]string{}, all[t.Topic].parts...)
	parts = append(parts, all["Small talk"].parts[r.IntN(len(all["Small talk"].parts))])
	r.Shuffle(len(parts), func(i, k int) { parts[i], parts[k] = parts[k], parts[i] })
	for _, p := range parts[:3+r.IntN(len(parts)-3)] {
		lines = append(lines, p...)
	}
	ends := all[outcomes[t.Outcome]].parts
	lines = append(lines, ends[r.IntN(len(ends))]...)
	for _, line := range lines {
		fill := strings.NewReplacer("{amount}", fmt.Sprintf("%d dollars", 5+r.IntN(95)), "{name}", t.Caller, "{number}",
			digits(t.Number), "{day}", pick(days), "{agent}", t.Agent)
		speaker, text, _ := strings.Cut(line, ": ")
		t.Lines = append(t.Lines, Line{strings.Index("AC", speaker), fill.Replace(text)})
	}
	return t
}

// digits says the digits of a number.
func digits(number string) string {
	names := strings.Fields("zero one two three four five six seven eight nine")
	var said []string
	for _, d := range number {
		said = append(said, names[d-'0'])
	}
	return strings.Join(said, " ")
}
