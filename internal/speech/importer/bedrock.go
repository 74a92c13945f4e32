package importer

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"parley/internal/words/transcript"
)

// bedrockItem is a word or a punctuation mark of AWS Bedrock Data Automation. Times are in milliseconds; marks have
// none.
type bedrockItem struct {
	Content    string `json:"content"`
	Start      number `json:"start_timestamp_millis"`
	End        number `json:"end_timestamp_millis"`
	Confidence number `json:"confidence"`
}

// bedrockSegment is about one sentence of one speaker.
type bedrockSegment struct {
	Text    string          `json:"text"`
	Start   number          `json:"start_timestamp_millis"`
	End     number          `json:"end_timestamp_millis"`
	Items   json.RawMessage `json:"audio_item_indices"`
	Speaker struct {
		Label string `json:"speaker_label"`
	} `json:"speaker"`
	Channel struct {
		Label string `json:"channel_label"`
	} `json:"channel"`
}

// name returns the speaker's label, or else that of the channel.
func (s *bedrockSegment) name() string { return cmp.Or(s.Speaker.Label, s.Channel.Label) }

// readBedrock reads the standard output for audio: segments with items, or segments with text only.
func readBedrock(d *draft, raw []byte) error {
	top := keys(raw)
	var items []bedrockItem
	err := each(top["audio_items"], "audio_items", func(_ int, i bedrockItem) error {
		items = append(items, i)
		return nil
	})
	if err != nil {
		return err
	}
	own, err := ownChannels(top["audio_segments"])
	if err != nil {
		return err
	}
	return each(top["audio_segments"], "audio_segments", func(_ int, s bedrockSegment) error {
		speaker, err := d.labelled(s.name(), own.channel(s.name()))
		switch {
		case err != nil:
			return err
		case len(s.Items) == 0 || string(s.Items) == "null":
			return d.spread(speaker, s.Text, span{s.Start, s.End, time.Millisecond})
		}
		return each(s.Items, "audio_item_indices", func(_ int, index int) error {
			if index < 0 || index >= len(items) {
				return fmt.Errorf("the index %d is not in audio_items, which has %d elements", index, len(items))
			}
			i := items[index]
			return d.word(speaker, i.Content, span{i.Start, i.End, time.Millisecond}, i.Confidence)
		})
	})
}

// channels maps each speaker to its own channel; nil if speakers share channels.
type channels map[string]string

// ownChannels determines whether each speaker of the segments has a separate channel.
func ownChannels(segments json.RawMessage) (channels, error) {
	of, by := channels{}, map[string]string{}
	shared := false
	err := each(segments, "audio_segments", func(_ int, s bedrockSegment) error {
		name, label := s.name(), s.Channel.Label
		if before, known := of[name]; known && before != label || label == "" {
			shared = true
		}
		if before, known := by[label]; known && before != name {
			shared = true
		}
		of[name], by[label] = label, name
		return nil
	})
	if shared || len(of) < 2 || len(of) > maxSpeakers {
		return nil, err
	}
	return of, err
}

// channel returns the number of a speaker's own channel, such as 1 for ch_1.
func (c channels) channel(name string) int {
	var n int
	if _, err := fmt.Sscanf(strings.ToLower(c[name]), "ch_%d", &n); err != nil || n < 0 || n >= maxSpeakers {
		return transcript.NoChannel
	}
	return n
}
