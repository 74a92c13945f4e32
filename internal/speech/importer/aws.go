package importer

import (
	"cmp"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"time"

	"parley/internal/words/transcript"
)

// awsItem is a word or a punctuation mark of AWS Transcribe; times are in seconds.
type awsItem struct {
	Type         string `json:"type"`
	Start        number `json:"start_time"`
	End          number `json:"end_time"`
	Speaker      string `json:"speaker_label"`
	Channel      string `json:"channel_label"`
	Alternatives few[struct {
		Content    string `json:"content"`
		Confidence number `json:"confidence"`
	}] `json:"alternatives"`
}

const awsPunctuation = "punctuation"

// readTranscribe reads the result of a transcription job. Speakers are the channels if there are separate ones, else
// the speaker labels at the words or, in older results, in a separate list.
func readTranscribe(d *draft, raw []byte) error {
	results := keys(keys(raw)["results"])
	channels := keys(results["channel_labels"])["channels"]
	if channels != nil {
		return each(channels, "results.channel_labels.channels", func(i int, c struct {
			Label string          `json:"channel_label"`
			Items json.RawMessage `json:"items"`
		}) error {
			speaker, err := d.speaker(label(cmp.Or(c.Label, "ch_"+strconv.Itoa(i))), i)
			if err != nil {
				return err
			}
			return each(c.Items, "items", func(_ int, item awsItem) error { return d.awsItem(speaker, item) })
		})
	}
	who, err := labels(keys(results["speaker_labels"])["segments"])
	if err != nil {
		return err
	}
	now := ""
	return each(results["items"], "results.items", func(_ int, item awsItem) error {
		if l := cmp.Or(item.Speaker, who[item.Start]); l != "" && item.Start.given {
			now = l
		}
		speaker, err := d.labelled(now, transcript.NoChannel)
		if err != nil {
			return err
		}
		return d.awsItem(speaker, item)
	})
}

// labels maps the start times of words to their speakers.
func labels(segments json.RawMessage) (map[number]string, error) {
	who := map[number]string{}
	err := each(segments, "results.speaker_labels.segments", func(_ int, s struct {
		Speaker string          `json:"speaker_label"`
		Items   json.RawMessage `json:"items"`
	}) error {
		return each(s.Items, "items", func(_ int, i struct {
			Start   number `json:"start_time"`
			Speaker string `json:"speaker_label"`
		}) error {
			who[i.Start] = cmp.Or(i.Speaker, s.Speaker)
			return nil
		})
	})
	return who, err
}

// labelled returns the speaker with a label such as spk_0; an empty label means the only speaker. channel is the number
// of the speaker's own channel, if any.
func (d *draft) labelled(l string, channel int) (int, error) {
	if l == "" {
		return d.mono()
	}
	return d.speaker(label(l), channel)
}

func (d *draft) awsItem(speaker int, item awsItem) error {
	if len(item.Alternatives) == 0 {
		return errors.New("alternatives is missing or empty")
	}
	said := item.Alternatives[0]
	if item.Type == awsPunctuation {
		return d.punctuation(speaker, said.Content)
	}
	return d.word(speaker, said.Content, span{item.Start, item.End, time.Second}, said.Confidence)
}

// label converts labels to display names: spk_0 is Speaker 1, ch_1 Channel 2, AGENT Agent.
func label(l string) string {
	for prefix, name := range map[string]string{"spk_": "Speaker ", "ch_": "Channel ", "SPEAKER_": "Speaker "} {
		if n, err := strconv.Atoi(strings.TrimPrefix(l, prefix)); err == nil && strings.HasPrefix(l, prefix) && n >= 0 {
			return name + strconv.Itoa(n+1)
		}
	}
	if transcript.RoleOf(l) != transcript.NoRole {
		return l[:1] + strings.ToLower(l[1:])
	}
	return l
}

// readCallAnalytics reads a Call Analytics result. It has two parties with a channel each; times are in milliseconds.
func readCallAnalytics(d *draft, raw []byte) error {
	return each(keys(raw)["Transcript"], "Transcript", func(_ int, turn struct {
		Role  string          `json:"ParticipantRole"`
		Items json.RawMessage `json:"Items"`
	}) error {
		speaker, err := d.speaker(label(cmp.Or(turn.Role, "Speaker")), len(d.speakers))
		if err != nil {
			return err
		}
		return each(turn.Items, "Items", func(_ int, item struct {
			Type       string
			Content    string
			Confidence number
			Begin      number `json:"BeginOffsetMillis"`
			End        number `json:"EndOffsetMillis"`
		}) error {
			if item.Type == awsPunctuation {
				return d.punctuation(speaker, item.Content)
			}
			return d.word(speaker, item.Content, span{item.Begin, item.End, time.Millisecond}, item.Confidence)
		})
	})
}

// readPostCall reads a result of AWS's post-call analytics sample; times are in seconds.
func readPostCall(d *draft, raw []byte) error {
	top := keys(raw)
	names := map[string]string{}
	about := keys(top["ConversationAnalytics"])
	err := each(about["SpeakerLabels"], "ConversationAnalytics.SpeakerLabels",
		func(_ int, l struct{ Speaker, DisplayText string }) error {
			names[l.Speaker] = l.DisplayText
			return nil
		})
	if err != nil {
		return err
	}
	return each(top["SpeechSegments"], "SpeechSegments", func(_ int, s struct {
		SegmentSpeaker string
		WordConfidence json.RawMessage
	}) error {
		speaker, err := d.labelled(cmp.Or(names[s.SegmentSpeaker], s.SegmentSpeaker), transcript.NoChannel)
		if err != nil {
			return err
		}
		return each(s.WordConfidence, "WordConfidence", func(_ int, w struct {
			Text       string
			Confidence number
			StartTime  number
			EndTime    number
		}) error {
			return d.word(speaker, w.Text, span{w.StartTime, w.EndTime, time.Second}, w.Confidence)
		})
	})
}
