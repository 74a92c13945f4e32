package talk

import (
	"bufio"
	"strings"
	"testing"
	"time"

	"parley/internal/words/transcript"
)

// TestMetricsOfACallInTurns: half a minute in which both talk as much.
//
//	          0         1         2
//	          012345678901234567890123456789
//	agent     ab.c...........de....f........   talks 0–2 3–4 15–17 21–22: 6 s
//	caller    ....gh.....i....jk.......l....   talks 4–6 11–12 16–18 25–26: 6 s
//	both                      ^                16–17, the agent had begun at 15
//	somebody  0–2 3–6 11–12 15–18 21–22 25–26: 11 s; silent 2–3 6–11 12–15 18–21 22–25 26–30 (exactly 4 s)
func TestMetricsOfACallInTurns(t *testing.T) {
	check(t, drawing{
		length:    30 * time.Second,
		agent:     "ab.c...........de....f........",
		caller:    "....gh.....i....jk.......l....",
		tone:      [2]string{"1@100 1@100 2@900 2@120 3@150 3@150", "2@200 2@220 - 1@400 1@230 1@40"},
		sentences: "A.5 C-.8 A0 C.2 C.6 A.3 A1",
	}, `
		overtalk-incidents                 1
		agent-overtalk-incidents           0
		caller-overtalk-incidents          1     began at 16, after the agent's 15
		overtalk-ratio                     .03   1 / 30
		agent-overtalk-ratio               0
		caller-overtalk-ratio              .03
		call-sentiment                     .26   1.8 / 7
		start-sentiment                    -.1   (.5 − .8 + 0) / 3
		end-sentiment                      .63   (.6 + .3 + 1) / 3
		call-change-in-sentiment           -.73  start − end
		agent-sentiment                    .45   1.8 / 4
		agent-start-sentiment              .25   two of four: (.5 + 0) / 2
		agent-end-sentiment                .65   (.3 + 1) / 2
		agent-intra-call-change-in-sentiment  -.4
		caller-sentiment                   0     (−.8 + .2 + .6) / 3
		caller-start-sentiment             -.8
		caller-end-sentiment               .6
		caller-intra-call-change-in-sentiment  -1.4
		agent-intra-call-change-in-pitch   1.5   e, f: 150; a, b: 100
		agent-intra-call-change-in-relative-voice-volume-energy  3   3 / 1
		agent-relative-voice-volume-energy  .46  2 / 4.33
		agent-voice-dynamism-std-dev-score  .82  √(4/6)
		caller-intra-call-change-in-pitch  1.1   five words have a voice; k 230 (l is too low); g, h: 210
		caller-intra-call-change-in-relative-voice-volume-energy  .5   k, l: 1; g, h: 2
		caller-relative-voice-volume-energy  .18  1.4 / 7.57
		caller-voice-dynamism-std-dev-score  .49  √(1.2/5)
		agent-talk-ratio                   .55   6 / 11
		caller-talk-ratio                  .55   6 / 11
		silence-ratio                      .63   19 / 30
		silence-incidents                  1     6–11; 26–30 is exactly 4 s
		agent-talk-rate                    50    a b c d f in 0–4 (a pause of 1 s counts) 15–17 21–22 less 16–17: 5 in 6 s
		caller-talk-rate                   60    g h i k l in 6 s less 1 s
		agent-to-caller-talk-rate-ratio    .83   50 / 60
		agent-intra-call-change-in-talk-rate   1.33  f in 1 s: 60; a b c in 4 s: 45
		caller-intra-call-change-in-talk-rate  1     l in 1 s; g h in 2 s
		agent-average-streak               2.333  0–4 15–17 21–22: 4, 2, 1
		agent-longest-streak               4
		agent-median-streak                2
		caller-average-streak              1.5   2, 1, 2, 1
		caller-longest-streak              2
		caller-median-streak               1.5
		average-streak                     1.857  13 / 7
		longest-streak                     4
		median-streak                      2`)
}

// TestMetricsOfOvertalk: both begin at once; the caller talks inside what the agent says; a pause of
// exactly 3 s; one begins where the other ends.
//
//	          0         1         2
//	          012345678901234567890123
//	agent     aabbccdd...eeff.........   talks 0–8 11–15: 12 s
//	caller    gg..hh.........ii.....j.   talks 0–2 4–6 15–17 22–23: 7 s
//	both      ^^  ^^                     0–2 at once, 4–6 within the agent's
//	somebody  0–8 11–17 22–23: 15 s
func TestMetricsOfOvertalk(t *testing.T) {
	check(t, drawing{
		length:    24 * time.Second,
		agent:     "aabbccdd...eeff.........",
		caller:    "gg..hh.........ii.....j.",
		sentences: "C-.5",
	}, `
		overtalk-incidents                 2
		agent-overtalk-incidents           0
		caller-overtalk-incidents          1     4–6; 0–2 is nobody's
		overtalk-ratio                     .17   4 / 24
		agent-overtalk-ratio               0
		caller-overtalk-ratio              .08   2 / 24
		call-sentiment                     -.5
		start-sentiment                    -.5
		end-sentiment                      -.5
		call-change-in-sentiment           0
		agent-sentiment                    0
		agent-start-sentiment              0
		agent-end-sentiment                0
		agent-intra-call-change-in-sentiment  0
		caller-sentiment                   -.5
		caller-start-sentiment             -.5
		caller-end-sentiment               -.5
		caller-intra-call-change-in-sentiment  0
		agent-intra-call-change-in-pitch   0     no voice features
		agent-intra-call-change-in-relative-voice-volume-energy  0
		agent-relative-voice-volume-energy  0
		agent-voice-dynamism-std-dev-score  0
		caller-intra-call-change-in-pitch  0
		caller-intra-call-change-in-relative-voice-volume-energy  0
		caller-relative-voice-volume-energy  0
		caller-voice-dynamism-std-dev-score  0
		agent-talk-ratio                   .8    12 / 15
		caller-talk-ratio                  .47   7 / 15
		silence-ratio                      .38   9 / 24
		silence-incidents                  1     17–22
		agent-talk-rate                    30    b d e f in 12 s less 4 s
		caller-talk-rate                   40    i j in 7 s less 4 s
		agent-to-caller-talk-rate-ratio    .75
		agent-intra-call-change-in-talk-rate   0  silent in the last third
		caller-intra-call-change-in-talk-rate  0  only in overtalk in the first third: x / 0
		agent-average-streak               6     0–8 and, after 3 s, 11–15
		agent-longest-streak               8
		agent-median-streak                6
		caller-average-streak              3     0–6 15–17 22–23
		caller-longest-streak              6
		caller-median-streak               2
		average-streak                     4.2   21 / 5
		longest-streak                     8
		median-streak                      4`)
}

// TestMetricsOfOneWord: the agent says nothing, the caller one word.
//
//	agent     ..........
//	caller    ....a.....   silent 0–4 (exactly 4 s) and 5–10
func TestMetricsOfOneWord(t *testing.T) {
	check(t, drawing{
		length: 10 * time.Second,
		caller: "....a.....",
		tone:   [2]string{"", "2@180"},
	}, `
		overtalk-incidents                 0
		agent-overtalk-incidents           0
		caller-overtalk-incidents          0
		overtalk-ratio                     0
		agent-overtalk-ratio               0
		caller-overtalk-ratio              0
		call-sentiment                     0
		start-sentiment                    0
		end-sentiment                      0
		call-change-in-sentiment           0
		agent-sentiment                    0
		agent-start-sentiment              0
		agent-end-sentiment                0
		agent-intra-call-change-in-sentiment  0
		caller-sentiment                   0
		caller-start-sentiment             0
		caller-end-sentiment               0
		caller-intra-call-change-in-sentiment  0
		agent-intra-call-change-in-pitch   1     fewer than three words: no change
		agent-intra-call-change-in-relative-voice-volume-energy  1
		agent-relative-voice-volume-energy  0
		agent-voice-dynamism-std-dev-score  0
		caller-intra-call-change-in-pitch  1
		caller-intra-call-change-in-relative-voice-volume-energy  1
		caller-relative-voice-volume-energy  .26  2 / 7.57
		caller-voice-dynamism-std-dev-score  0
		agent-talk-ratio                   0
		caller-talk-ratio                  1
		silence-ratio                      .9
		silence-incidents                  1     5–10; 0–4 is exactly 4 s
		agent-talk-rate                    0
		caller-talk-rate                   60
		agent-to-caller-talk-rate-ratio    0
		agent-intra-call-change-in-talk-rate   0
		caller-intra-call-change-in-talk-rate  0
		agent-average-streak               0
		agent-longest-streak               0
		agent-median-streak                0
		caller-average-streak              1
		caller-longest-streak              1
		caller-median-streak               1
		average-streak                     1
		longest-streak                     1
		median-streak                      1`)
}

// TestMetricsOfNothingSaid: every metric except those of silence is 0.
func TestMetricsOfNothingSaid(t *testing.T) {
	got := values(Measure(drawing{length: 5 * time.Second}.request(t)))
	for name, value := range got {
		want := map[string]float64{"silence-ratio": 1, "silence-incidents": 1}[name]
		if value != want {
			t.Errorf("%s = %v, want %v", name, value, want)
		}
	}
	if len(got) != len(Names()) {
		t.Errorf("%d metrics, want %d", len(got), len(Names()))
	}
}

// TestStereoMetricsAreZeroOnOtherCalls: if the parties share a channel, all other metrics are as on stereo.
func TestStereoMetricsAreZeroOnOtherCalls(t *testing.T) {
	d := drawing{
		length: 30 * time.Second,
		agent:  "ab.c...........de....f........", caller: "....gh.....i....jk.......l....",
		tone: [2]string{"1@100 1@100 2@200 2@120 3@150 3@150", ""}, sentences: "A.5 C-.8 A0",
	}
	stereo := values(Measure(d.request(t)))
	d.mono = true
	mono := values(Measure(d.request(t)))
	for _, g := range Definitions {
		for _, m := range g.Metrics {
			want := stereo[m.Name]
			if m.Stereo {
				want = 0
			}
			if mono[m.Name] != want {
				t.Errorf("%s = %v on a mono call, want %v", m.Name, mono[m.Name], want)
			}
		}
	}
}

// TestOnlyGroupsAskedForAreMeasured with all their metrics.
func TestOnlyGroupsAskedForAreMeasured(t *testing.T) {
	r := drawing{length: time.Second, agent: "a"}.request(t)
	for _, g := range Definitions {
		r.Groups = []string{g.Name}
		got := Measure(r)
		if len(got) != 1 || got[0].Name != g.Name || len(got[0].Metrics) != len(g.Metrics) {
			t.Errorf("%s: %v, want %d metrics of it alone", r.Groups, got, len(g.Metrics))
		}
	}
}

// check compares all metrics with a table of name, value and remark.
func check(t *testing.T, d drawing, table string) {
	t.Helper()
	got := values(Measure(d.request(t)))
	lines := bufio.NewScanner(strings.NewReader(strings.TrimSpace(table)))
	n := 0
	for lines.Scan() {
		f := strings.Fields(lines.Text())
		value, known := got[f[0]]
		if want := number(t, f[1]); !known || value != want {
			t.Errorf("%s = %v, want %v %s", f[0], value, want, strings.Join(f[2:], " "))
		}
		n++
	}
	if n != len(Names()) {
		t.Errorf("the table has %d metrics, want all %d", n, len(Names()))
	}
}

func TestWhatIsUnknownIsMeasuredAsNothing(t *testing.T) {
	for _, b := range []Basis{{}, {Stereo: true}, {Voiced: true, Scored: true},
		{Stereo: true, Voiced: true, Scored: true}} {
		unknown := b.Unknown()
		for _, g := range Definitions {
			for _, m := range g.Metrics {
				want := m.Stereo && !b.Stereo || g.Name == "sentiment" && !b.Scored ||
					g.Name == "talk-style-tone-and-volume" && !b.Voiced
				if unknown[m.Name] != want {
					t.Errorf("%+v: %s is unknown: %v", b, m.Name, unknown[m.Name])
				}
			}
		}
	}
	said := &transcript.Transcript{Speakers: []transcript.Speaker{{Channel: transcript.NoChannel}},
		Length: 10 * time.Second, Words: []transcript.Word{{Start: time.Second, End: 5 * time.Second}}}
	unknown := Basis{}.Unknown()
	for _, g := range Measure(&Request{Transcript: said,
		Groups: []string{"overtalk", "sentiment", "talk-style-tone-and-volume", "talk-time-and-rate"}}) {
		for _, m := range g.Metrics {
			if unknown[m.Name] && m.Value != 0 {
				t.Errorf("%s is %v", m.Name, m.Value)
			}
		}
	}
}
