package talk

import "parley/internal/words/list"

// GroupDefinition describes a metric group.
type GroupDefinition struct {
	Name    string
	Metrics []Definition
}

// Definition describes a metric.
type Definition struct {
	Name        string
	Unit        string // unit of the value; "ratio" for fractions
	Stereo      bool   // 0 unless every speaker has a channel
	Description string
	of          func(*call) float64
}

// Sentiment is the group that requires sentence scores.
const Sentiment = "sentiment"

// Tone is the group that requires voice features.
const Tone = "talk-style-tone-and-volume"

// Basis describes the input available for the metrics of a call.
type Basis struct {
	Stereo bool // every speaker has a channel
	Voiced bool // some word has voice features
	Scored bool // sentences have scores
}

// Unknown returns the names of the metrics that lack their input; Measure returns 0 for them.
func (b Basis) Unknown() map[string]bool {
	unknown := map[string]bool{}
	for _, g := range Definitions {
		for _, m := range g.Metrics {
			if m.Stereo && !b.Stereo || g.Name == Tone && !b.Voiced || g.Name == Sentiment && !b.Scored {
				unknown[m.Name] = true
			}
		}
	}
	return unknown
}

// Definitions lists all metric groups, in documented order.
var Definitions = []GroupDefinition{
	{"overtalk", []Definition{
		{"overtalk-incidents", "count", false, "How often agent and caller talked at the same time.",
			func(c *call) float64 { return float64(len(c.overtalk)) }},
		{"agent-overtalk-incidents", "count", true, "How often the agent began talking while the caller was talking.",
			func(c *call) float64 { return c.count(byAgent) }},
		{"caller-overtalk-incidents", "count", true, "How often the caller began talking while the agent was talking.",
			func(c *call) float64 { return c.count(byCaller) }},
		{"overtalk-ratio", "ratio", true, "The part of the call in which both talked.",
			func(c *call) float64 { return c.share(byAgent, byCaller, together) }},
		{"agent-overtalk-ratio", "ratio", true,
			"The part of the call in which both talked and the caller had begun first.",
			func(c *call) float64 { return c.share(byAgent) }},
		{"caller-overtalk-ratio", "ratio", true,
			"The part of the call in which both talked and the agent had begun first.",
			func(c *call) float64 { return c.share(byCaller) }},
	}},
	{Sentiment, []Definition{
		{"call-sentiment", "score", false, "The mean score of all sentences, -1 to 1.",
			func(c *call) float64 { return score(c.scores) }},
		{"start-sentiment", "score", false, "The mean score of the first third of the sentences.",
			func(c *call) float64 { return score(first(c.scores)) }},
		{"end-sentiment", "score", false, "The mean score of the last third of the sentences.",
			func(c *call) float64 { return score(last(c.scores)) }},
		{"call-change-in-sentiment", "score", false, "Start minus end, -2 to 2: positive where the call became worse.",
			func(c *call) float64 { return sentimentChange(c.scores) }},
		{"agent-sentiment", "score", true, "The mean score of the agent's sentences.",
			func(c *call) float64 { return score(c.agent.scores) }},
		{"agent-start-sentiment", "score", true, "The mean score of the first third of the agent's sentences.",
			func(c *call) float64 { return score(first(c.agent.scores)) }},
		{"agent-end-sentiment", "score", true, "The mean score of the last third of the agent's sentences.",
			func(c *call) float64 { return score(last(c.agent.scores)) }},
		{"agent-intra-call-change-in-sentiment", "score", true, "The agent's start minus end.",
			func(c *call) float64 { return sentimentChange(c.agent.scores) }},
		{"caller-sentiment", "score", true, "The mean score of the caller's sentences.",
			func(c *call) float64 { return score(c.caller.scores) }},
		{"caller-start-sentiment", "score", true, "The mean score of the first third of the caller's sentences.",
			func(c *call) float64 { return score(first(c.caller.scores)) }},
		{"caller-end-sentiment", "score", true, "The mean score of the last third of the caller's sentences.",
			func(c *call) float64 { return score(last(c.caller.scores)) }},
		{"caller-intra-call-change-in-sentiment", "score", true, "The caller's start minus end.",
			func(c *call) float64 { return sentimentChange(c.caller.scores) }},
	}},
	{Tone, []Definition{
		{"agent-intra-call-change-in-pitch", "ratio", true,
			"The mean pitch of the last third of the agent's words divided by that of the first third; 1 is no change.",
			func(c *call) float64 { return c.toneChange(c.agent, pitches) }},
		{"agent-intra-call-change-in-relative-voice-volume-energy", "ratio", true,
			"The mean volume of the last third of the agent's words divided by that of the first third; 1 is no " +
				"change.",
			func(c *call) float64 { return c.toneChange(c.agent, volumes) }},
		{"agent-relative-voice-volume-energy", "ratio", true, "The mean volume of the agent's words divided by 4.33.",
			func(c *call) float64 { return round(mean(volumes(c.agent.words))/agentVolume, 2) }},
		{"agent-voice-dynamism-std-dev-score", "score", true,
			"The standard deviation of the volume of the agent's words.",
			func(c *call) float64 { return round(deviation(volumes(c.agent.words)), 2) }},
		{"caller-intra-call-change-in-pitch", "ratio", true,
			"The mean pitch of the last third of the caller's words divided by that of the first third; 1 is no " +
				"change.",
			func(c *call) float64 { return c.toneChange(c.caller, pitches) }},
		{"caller-intra-call-change-in-relative-voice-volume-energy", "ratio", true,
			"The mean volume of the last third of the caller's words divided by that of the first third; 1 is no " +
				"change.",
			func(c *call) float64 { return c.toneChange(c.caller, volumes) }},
		{"caller-relative-voice-volume-energy", "ratio", true, "The mean volume of the caller's words divided by 7.57.",
			func(c *call) float64 { return round(mean(volumes(c.caller.words))/callerVolume, 2) }},
		{"caller-voice-dynamism-std-dev-score", "score", true,
			"The standard deviation of the volume of the caller's words.",
			func(c *call) float64 { return round(deviation(volumes(c.caller.words)), 2) }},
	}},
	{"talk-time-and-rate", []Definition{
		{"agent-talk-ratio", "ratio", true, "The part of the time that is not silent in which the agent talks.",
			func(c *call) float64 { return c.talkRatio(c.agent) }},
		{"caller-talk-ratio", "ratio", true, "The part of the time that is not silent in which the caller talks.",
			func(c *call) float64 { return c.talkRatio(c.caller) }},
		{"silence-ratio", "ratio", false, "The part of the call in which nobody talks.",
			func(c *call) float64 { return ratio(c.length-total(c.union), c.length) }},
		{"silence-incidents", "count", false, "How many silences are longer than 4 seconds.",
			func(c *call) float64 { return float64(silences(c.union, c.length, silence)) }},
		{"agent-talk-rate", "words per minute", true,
			"The agent's words per minute, overtalk and longer pauses removed.",
			func(c *call) float64 { return round(c.rate(c.agent, c.whole()), 0) }},
		{"caller-talk-rate", "words per minute", true,
			"The caller's words per minute, overtalk and longer pauses removed.",
			func(c *call) float64 { return round(c.rate(c.caller, c.whole()), 0) }},
		{"agent-to-caller-talk-rate-ratio", "ratio", true, "The agent's rate divided by the caller's.",
			func(c *call) float64 { return round(c.rate(c.agent, c.whole())/c.rate(c.caller, c.whole()), 2) }},
		{"agent-intra-call-change-in-talk-rate", "ratio", true,
			"The agent's rate in the last third of the call divided by that in the first third; 1 is no change.",
			func(c *call) float64 { return c.rateChange(c.agent) }},
		{"caller-intra-call-change-in-talk-rate", "ratio", true,
			"The caller's rate in the last third of the call divided by that in the first third; 1 is no change.",
			func(c *call) float64 { return c.rateChange(c.caller) }},
		{"agent-average-streak", "seconds", true, "The mean length of the agent's talking streaks.",
			func(c *call) float64 { return round(mean(c.agent.streaks), 3) }},
		{"agent-longest-streak", "seconds", true, "The agent's longest talking streak.",
			func(c *call) float64 { return round(longest(c.agent.streaks), 3) }},
		{"agent-median-streak", "seconds", true, "The median length of the agent's talking streaks.",
			func(c *call) float64 { return round(median(c.agent.streaks), 3) }},
		{"caller-average-streak", "seconds", true, "The mean length of the caller's talking streaks.",
			func(c *call) float64 { return round(mean(c.caller.streaks), 3) }},
		{"caller-longest-streak", "seconds", true, "The caller's longest talking streak.",
			func(c *call) float64 { return round(longest(c.caller.streaks), 3) }},
		{"caller-median-streak", "seconds", true, "The median length of the caller's talking streaks.",
			func(c *call) float64 { return round(median(c.caller.streaks), 3) }},
		{"average-streak", "seconds", false,
			"The mean length of all talking streaks: from a first word to a pause of 3 seconds or more.",
			func(c *call) float64 { return round(mean(c.streaks()), 3) }},
		{"longest-streak", "seconds", false, "The longest talking streak of all.",
			func(c *call) float64 { return round(longest(c.streaks()), 3) }},
		{"median-streak", "seconds", false, "The median length of all talking streaks.",
			func(c *call) float64 { return round(median(c.streaks()), 3) }},
	}},
}

// GroupNames returns the names of all groups, in the order of Definitions.
func GroupNames() []string {
	return list.Map(Definitions, func(g GroupDefinition) string { return g.Name })
}

// Names returns the names of all metrics, in the order of Definitions.
func Names() (names []string) {
	for _, g := range Definitions {
		for _, m := range g.Metrics {
			names = append(names, m.Name)
		}
	}
	return names
}
