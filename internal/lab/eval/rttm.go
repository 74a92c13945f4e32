package eval

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"parley/internal/words/sound"
)

// ReadRTTM reads speech segments in NIST's Rich Transcription Time Marked format.
func ReadRTTM(r io.Reader) ([]sound.Segment, error) {
	turns, err := ReadTurns(r)
	var segments []sound.Segment
	for _, t := range turns {
		segments = append(segments, t.Segment)
	}
	return segments, err
}

// ReadTurns reads speaker turns in NIST's Rich Transcription Time Marked format. The speaker of a turn without a name
// is "".
func ReadTurns(r io.Reader) ([]SpeakerTurn, error) {
	var turns []SpeakerTurn
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) == 0 || fields[0] != "SPEAKER" {
			continue
		}
		t, err := readTurn(fields)
		if err != nil {
			return nil, fmt.Errorf("RTTM line %q %w", lines.Text(), err)
		}
		turns = append(turns, t)
	}
	return turns, lines.Err()
}

func readTurn(fields []string) (SpeakerTurn, error) {
	if len(fields) < 5 {
		return SpeakerTurn{}, fmt.Errorf("has too few fields")
	}
	start, err1 := strconv.ParseFloat(fields[3], 64)
	length, err2 := strconv.ParseFloat(fields[4], 64)
	if err1 != nil || err2 != nil || !(start >= 0 && length >= 0 && start+length < 1e7) {
		return SpeakerTurn{}, fmt.Errorf("has invalid times")
	}
	from := time.Duration(start * float64(time.Second))
	t := SpeakerTurn{Segment: sound.Segment{Start: from, End: from + time.Duration(length*float64(time.Second))}}
	if len(fields) > 7 {
		t.Speaker = fields[7]
	}
	return t, nil
}
