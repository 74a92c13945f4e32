package sample

import (
	"bytes"
	"encoding/binary"
	"math"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/internal/host/sandbox"
)

const (
	rate  = 16000
	frame = 20 * time.Millisecond
	loud  = 150.0 // root mean square of a frame with speech
)

func turns(t *testing.T) []Turn {
	t.Helper()
	list, err := Turns()
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// energies decodes the call and returns the root mean square of each frame of each channel.
func energies(t *testing.T) [2][]float64 {
	t.Helper()
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		t.Fatal("ffmpeg is missing; install Debian's package ffmpeg")
	}
	var out bytes.Buffer
	cmd := sandbox.Command(t.Context(), "ffmpeg", "-v", "error", "-i", "-", "-f", "s16le", "-")
	cmd.Stdin, cmd.Stdout = bytes.NewReader(Call()), &out
	if err := sandbox.Run(cmd, sandbox.Limits{CPU: time.Minute, Access: sandbox.Access{Trusted: true}}); err != nil {
		t.Fatal(err)
	}
	const samples = rate * int(frame) / int(time.Second)
	var frames [2][]float64
	for raw := out.Bytes(); len(raw) >= 4*samples; raw = raw[4*samples:] {
		var sum [2]float64
		for i := range 2 * samples {
			v := float64(int16(binary.LittleEndian.Uint16(raw[2*i:])))
			sum[i%2] += v * v
		}
		for c := range frames {
			frames[c] = append(frames[c], math.Sqrt(sum[c]/float64(samples)))
		}
	}
	return frames
}

func channelOf(speaker string) int { return slices.Index([]string{"Agent", "Caller"}, speaker) }

func TestTurnsAreWhereTheSpeechIs(t *testing.T) {
	frames := energies(t)
	var covered [2][]bool
	for c := range covered {
		covered[c] = make([]bool, len(frames[c]))
	}
	for _, turn := range turns(t) {
		c := channelOf(turn.Speaker)
		from, to := int(turn.Start/frame), int((turn.End+frame-1)/frame)
		spoken := 0
		for i := from; i < to; i++ {
			covered[c][i] = true
			if frames[c][i] > loud {
				spoken++
			}
		}
		if spoken*2 < to-from {
			t.Errorf("%q: speech in %d of %d frames", turn.Text, spoken, to-from)
		}
		if slices.Max(frames[c][from:from+5]) < loud || slices.Max(frames[c][to-5:to]) < loud {
			t.Errorf("%q does not begin and end with speech at %v and %v", turn.Text, turn.Start, turn.End)
		}
	}
	for c := range frames {
		for i, e := range frames[c] {
			if e > loud && !covered[c][i] {
				t.Errorf("channel %d speaks at %v outside its turns", c, time.Duration(i)*frame)
			}
		}
	}
}

func TestCallHasWhatASampleShouldShow(t *testing.T) {
	list := turns(t)
	text, overlaps := "", 0
	for i, turn := range list {
		text += " " + strings.ToLower(turn.Text)
		if i > 0 && turn.Start < list[i-1].End && turn.Speaker != list[i-1].Speaker {
			overlaps++
		}
	}
	digits := regexp.MustCompile(`[^a-z ]`).ReplaceAllString(text, "")
	for what, said := range map[string]string{"a phone number": "two zero six five five five zero one four seven",
		"a card number": "four" + strings.Repeat(" one", 15)} {
		if !strings.Contains(digits, said) {
			t.Errorf("%s is missing", what)
		}
	}
	if overlaps < 3 {
		t.Errorf("%d overlaps, want at least 3", overlaps)
	}
	if end := list[len(list)-1].End; end < time.Minute || end > 2*time.Minute {
		t.Errorf("the call lasts %v", end)
	}
}

func TestTurnsAreInOrderOfTheirStart(t *testing.T) {
	if !slices.IsSortedFunc(turns(t), func(a, b Turn) int { return int(a.Start - b.Start) }) {
		t.Error("turns are out of order")
	}
}
