package audio

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"parley/internal/fault"
)

// found is what ffprobe says of a file's first audio stream.
type found struct {
	index     int // of the stream in the file
	rate      int
	channels  int
	codec     string
	container string
	promised  time.Duration // the header's length; 0 when it says none
	streams   int           // audio streams in the file
}

// probed is ffprobe's JSON.
type probed struct {
	Streams []stream
	Format  struct {
		Name     string `json:"format_name"`
		Duration string
	}
}

type stream struct {
	Index    int
	Type     string `json:"codec_type"`
	Codec    string `json:"codec_name"`
	Rate     string `json:"sample_rate"`
	Channels int
}

const maxProbed = 4 << 20 // bytes of JSON; thousands of streams fit

// probe asks ffprobe for the first audio stream.
func (d *Decoder) probe(ctx context.Context, file *os.File, size int64, contentType string) (*found, error) {
	args := append([]string{"-hide_banner", "-v", "warning"}, confinement()...)
	args = append(args, headerless[contentType]...)
	args = append(args, "-of", "json=c=1", "-show_entries",
		"stream=index,codec_type,codec_name,sample_rate,channels:format=format_name,duration", "-i", input)
	p := d.program(ctx, d.ffprobe(), file, size, args...)
	var answer []byte
	exited, err := p.run(func(r io.Reader) (err error) {
		answer, err = io.ReadAll(io.LimitReader(r, maxProbed))
		return err
	})
	if err != nil {
		return nil, err
	}
	return d.Limits.orDefault().interpret(answer, exited, &p.said)
}

// interpret makes sense of ffprobe's answer.
func (l Limits) interpret(answer []byte, exited int, said *messages) (*found, error) {
	var a probed
	if err := json.Unmarshal(answer, &a); exited != 0 || err != nil || len(a.Streams) == 0 {
		return nil, unreadable("the media cannot be read", said)
	}
	sound := slices.DeleteFunc(a.Streams, func(s stream) bool { return s.Type != "audio" })
	if len(sound) == 0 {
		return nil, fault.New(fault.Invalid, fault.CodeMediaUnreadable, "the media has no audio (%s)", describe(a))
	}
	s := sound[0]
	rate, _ := strconv.Atoi(s.Rate)
	switch {
	case s.Codec == "" || s.Codec == "none" || s.Codec == "unknown" || rate <= 0 || s.Channels <= 0:
		return nil, unreadable("the media's audio is of an unknown kind", said)
	case s.Channels > l.Channels:
		return nil, fault.New(fault.Invalid, fault.CodeChannels, "the media has %d channels; at most %d are taken", s.Channels, l.Channels)
	}
	f := &found{index: s.Index, rate: rate, channels: s.Channels, codec: s.Codec, container: a.Format.Name, streams: len(sound)}
	if !strings.Contains(string(said.text), "Estimating duration from bitrate") {
		f.promised = seconds(a.Format.Duration)
	}
	return f, nil
}

func describe(a probed) string {
	kinds := []string{a.Format.Name}
	for _, s := range a.Streams[:min(len(a.Streams), 3)] {
		if s.Codec != "" {
			kinds = append(kinds, s.Codec)
		}
	}
	return strings.Join(kinds, ", ")
}

func seconds(s string) time.Duration {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil || !(x > 0) || x > 1e9 {
		return 0
	}
	return time.Duration(x * float64(time.Second))
}

func unreadable(what string, said *messages) error {
	if s := said.first(); s != "" {
		what += ": " + s
	}
	return fault.New(fault.Invalid, fault.CodeMediaUnreadable, "%s", what)
}
