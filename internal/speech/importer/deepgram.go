package importer

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"parley/internal/words/transcript"
)

// readDeepgram reads results.channels[].alternatives[0].words[]; times are in seconds. With several channels each one
// is a speaker. Otherwise the words have speaker numbers, or no speaker at all.
func readDeepgram(d *draft, raw []byte) error {
	channels := keys(keys(raw)["results"])["channels"]
	count := 0
	for range elements(channels) {
		count++
	}
	return each(channels, "results.channels", func(i int, c struct {
		Alternatives few[struct {
			Words json.RawMessage `json:"words"`
		}] `json:"alternatives"`
	}) error {
		if len(c.Alternatives) == 0 {
			return nil
		}
		return each(c.Alternatives[0].Words, "alternatives[0].words", func(_ int, w deepgramWord) error {
			speaker, err := d.deepgramSpeaker(w, i, count)
			if err != nil {
				return err
			}
			return d.word(speaker, cmp.Or(w.Punctuated, w.Word), span{w.Start, w.End, time.Second}, w.Confidence)
		})
	})
}

type deepgramWord struct {
	Word       string `json:"word"`
	Punctuated string `json:"punctuated_word"`
	Start      number `json:"start"`
	End        number `json:"end"`
	Confidence number `json:"confidence"`
	Speaker    number `json:"speaker"`
}

func (d *draft) deepgramSpeaker(w deepgramWord, channel, channels int) (int, error) {
	switch {
	case channels > 1:
		return d.speaker("Channel "+strconv.Itoa(channel+1), channel)
	case !w.Speaker.given:
		return d.mono()
	}
	return d.speaker(fmt.Sprintf("Speaker %d", int(w.Speaker.value)+1), transcript.NoChannel)
}
