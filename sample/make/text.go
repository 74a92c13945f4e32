package main

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// turn is what one speaker says without a break. The fields with JSON names are the reference transcript.
type turn struct {
	Speaker string `json:"speaker"`
	StartMs int64  `json:"startMs"`
	EndMs   int64  `json:"endMs"`
	Text    string `json:"text"`
	channel int
	offset  time.Duration
}

const defaultOffset = 450 * time.Millisecond

var line = regexp.MustCompile(`^(\w+)(?: \[(-?\d+)\])?: (.+)$`)

// parse reads call.txt.
func parse(text string) ([]turn, error) {
	var turns []turn
	for n, l := range strings.Split(text, "\n") {
		if l == "" || strings.HasPrefix(l, "#") {
			continue
		}
		m := line.FindStringSubmatch(l)
		if m == nil {
			return nil, fmt.Errorf("call.txt:%d: want Speaker [offset]: words", n+1)
		}
		t := turn{Speaker: m[1], Text: m[3], channel: -1, offset: defaultOffset}
		for c, v := range voices {
			if v.speaker == t.Speaker {
				t.channel = c
			}
		}
		if t.channel < 0 {
			return nil, fmt.Errorf("call.txt:%d: no voice for %s", n+1, t.Speaker)
		}
		if ms, err := strconv.Atoi(m[2]); err == nil {
			t.offset = time.Duration(ms) * time.Millisecond
		}
		turns = append(turns, t)
	}
	return turns, nil
}

func writeReference(path string, turns []turn) error {
	data, err := json.MarshalIndent(map[string]any{"turns": turns}, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(data, '\n'), 0o644)
}
