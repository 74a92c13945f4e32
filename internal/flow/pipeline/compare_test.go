package pipeline

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/internal/analysis/sentiment"
	"parley/internal/analysis/talk"
	"parley/internal/call/plan"
	"parley/internal/call/result"
	"parley/internal/speech/importer"
	"parley/internal/words/transcript"
)

// callAnalytics is the part of an AWS Call Analytics result that describes a call. Times are in ms.
type callAnalytics struct {
	Transcript []struct {
		ParticipantRole, Sentiment, Content string
		BeginOffsetMillis, EndOffsetMillis  int
	}
	ConversationCharacteristics struct {
		TotalConversationDurationMillis float64
		NonTalkTime                     struct {
			Instances       []struct{ DurationMillis float64 }
			TotalTimeMillis float64
		}
		Interruptions struct{ TotalCount, TotalTimeMillis float64 }
		TalkTime      struct {
			DetailsByParticipant map[string]struct{ TotalTimeMillis float64 }
		}
		TalkSpeed struct {
			DetailsByParticipant map[string]struct{ AverageWordsPerMinute float64 }
		}
		Sentiment struct{ OverallSentiment map[string]float64 }
	}
}

func cardCancelled(t *testing.T) (*transcript.Transcript, *callAnalytics) {
	t.Helper()
	data := os.Getenv("PARLEY_DATA")
	if data == "" {
		t.Skip("PARLEY_DATA is not set; it names a folder of recordings and results for tests")
	}
	raw, err := os.ReadFile(filepath.Join(data, "results_no_audio", "aws_call_analytics_card_cancel.json"))
	if err != nil {
		t.Fatal(err)
	}
	given, err := importer.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	theirs := &callAnalytics{}
	if err := json.Unmarshal(raw, theirs); err != nil {
		t.Fatal(err)
	}
	words := *given.Transcript
	words.Language = "en-US"
	return &words, theirs
}

func analyzed(t *testing.T, words *transcript.Transcript) (result.Findings, map[string]float64) {
	t.Helper()
	analyst, err := NewAnalyst()
	if err != nil {
		t.Fatal(err)
	}
	p := &plan.Plan{Language: "en-US", Sentiments: &plan.Sentiments{}}
	for _, g := range talk.Definitions {
		p.Metrics = append(p.Metrics, g.Name)
	}
	found, _ := analyst.analyze(words, p, analyst.sentences(words, p))
	values := map[string]float64{}
	for _, g := range found.Metrics {
		for _, m := range g.Metrics {
			values[m.Name] = m.Value
		}
	}
	return found, values
}

// The same words analyzed by another system. Differences above 5 % come from different definitions; the lines explain
// them, and the test checks that each difference is within its explanation.
func TestACallMeasuredByAnotherSystem(t *testing.T) {
	words, theirs := cardCancelled(t)
	_, ours := analyzed(t, words)
	c := theirs.ConversationCharacteristics
	length := words.Length.Seconds()
	talking := (1 - ours["silence-ratio"]) * length
	for _, row := range []struct {
		name           string
		ours, theirs   float64
		lowest, higher float64 // bounds of our value divided by theirs
		why            string
	}{
		{"length, s", length, c.TotalConversationDurationMillis / 1000, .99, 1.01, ""},
		{"silences of more than 4 s", ours["silence-incidents"], float64(len(c.NonTalkTime.Instances)), 1, 1, ""},
		{"agent talks, s", ours["agent-talk-ratio"] * talking,
			c.TalkTime.DetailsByParticipant["AGENT"].TotalTimeMillis / 1000, .90, 1,
			"there pauses of up to about 2 s within a turn are talk, here those below .3 s"},
		{"caller talks, s", ours["caller-talk-ratio"] * talking,
			c.TalkTime.DetailsByParticipant["CUSTOMER"].TotalTimeMillis / 1000, .80, 1,
			"the same; the caller spells a name, with pauses between the letters"},
		{"agent's part of all talk", ours["agent-talk-ratio"] / (ours["agent-talk-ratio"] + ours["caller-talk-ratio"]),
			c.TalkTime.DetailsByParticipant["AGENT"].TotalTimeMillis / (c.TalkTime.DetailsByParticipant["AGENT"].TotalTimeMillis + c.TalkTime.DetailsByParticipant["CUSTOMER"].TotalTimeMillis), .95, 1.05, ""},
		{"nobody talks, s", ours["silence-ratio"] * length, c.NonTalkTime.TotalTimeMillis / 1000, 6, 8.5,
			"there only the one long silence counts, here every pause between words"},
		{"talking at once, times", ours["overtalk-incidents"], c.Interruptions.TotalCount, 5, 7,
			"there turns of 2 s and more that cut into another's, here every overlap, \"okay\" and \"mhm\" too"},
		{"talking at once, s", ours["overtalk-ratio"] * length, c.Interruptions.TotalTimeMillis / 1000, .85, 1.15,
			"there four overlaps of turns with their pauses, here all overlaps of words: near each other by chance"},
		{"agent, words a minute", ours["agent-talk-rate"],
			c.TalkSpeed.DetailsByParticipant["AGENT"].AverageWordsPerMinute, .95, 1.12,
			"pauses above 1 s are left out here"},
		{"caller, words a minute", ours["caller-talk-rate"],
			c.TalkSpeed.DetailsByParticipant["CUSTOMER"].AverageWordsPerMinute, .75, .90,
			"115 a minute of 108 s are 207 words, the file has 179: one [PII] may stand for a number or a spelled name"},
	} {
		ratio := row.ours / row.theirs
		t.Logf("%-28s %8.2f %8.2f %+6.0f %%  %s", row.name, row.ours, row.theirs, 100*(ratio-1), row.why)
		if ratio < row.lowest || ratio > row.higher {
			t.Errorf("%s: %.2f, the other system has %.2f: a ratio of %.2f, want %.2f to %.2f", row.name, row.ours,
				row.theirs, ratio, row.lowest, row.higher)
		}
		if row.why == "" && math.Abs(ratio-1) > .05 {
			t.Errorf("%s differs by more than 5 %%, and nothing explains it", row.name)
		}
	}
}

// The other system labels each turn positive, negative or neutral, and scores each party from -5 to 5.
func TestTheMoodOfACallAsAnotherSystemSeesIt(t *testing.T) {
	words, theirs := cardCancelled(t)
	found, ours := analyzed(t, words)
	overall := theirs.ConversationCharacteristics.Sentiment.OverallSentiment
	t.Logf("agent %+.2f, there %+.2f of 1; caller %+.2f, there %+.2f", ours["agent-sentiment"], overall["AGENT"]/5,
		ours["caller-sentiment"], overall["CUSTOMER"]/5)
	if ours["agent-sentiment"] <= ours["caller-sentiment"] {
		t.Errorf("the agent's mood is %.2f, not above the caller's, %.2f", ours["agent-sentiment"],
			ours["caller-sentiment"])
	}
	if ours["caller-intra-call-change-in-sentiment"] >= 0 {
		t.Errorf("the caller's bag was stolen and the cards are cancelled in the end: the change is %.2f, want less than 0", ours["caller-intra-call-change-in-sentiment"])
	}
	same, opposite := 0, 0
	for _, turn := range theirs.Transcript {
		score := moodOf(found.Sentiments, words.Speakers, turn.ParticipantRole, turn.BeginOffsetMillis,
			turn.EndOffsetMillis)
		want := map[string]int{"POSITIVE": 1, "NEGATIVE": -1}[turn.Sentiment]
		have := 0
		switch {
		case score > .1:
			have = 1
		case score < -.1:
			have = -1
		}
		t.Logf("%-8s %+.2f  %s", strings.ToLower(turn.Sentiment), score, fmt.Sprintf("%.110s", turn.Content))
		if have == want {
			same++
		}
		if have*want < 0 {
			opposite++
		}
	}
	t.Logf("%d of %d turns alike, %d opposite", same, len(theirs.Transcript), opposite)
	if opposite > 1 || same*4 < len(theirs.Transcript)*3 {
		t.Errorf("%d of %d turns alike, %d opposite; want three quarters, and one", same, len(theirs.Transcript),
			opposite)
	}
}

// moodOf returns the mean score of a speaker's sentences that begin in a turn.
func moodOf(sentences []sentiment.Sentence, speakers []transcript.Speaker, role string, from, to int) float64 {
	sum, n := 0., 0.
	for _, s := range sentences {
		at := int(s.Start / time.Millisecond)
		if strings.EqualFold(speakers[s.Speaker].Name, role) && at >= from && at <= to {
			sum, n = sum+s.Score, n+1
		}
	}
	return sum / max(n, 1)
}
