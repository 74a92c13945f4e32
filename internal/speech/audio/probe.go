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

	"parley/internal/words/fault"
)

// probeResult is ffprobe's description of the first audio stream of a file.
type probeResult struct {
	source
	rate      int
	codec     string
	container string
	promised  time.Duration // length according to the header; 0 if unknown
	streams   int           // audio streams in the file
}

// probeOutput is ffprobe's JSON.
type probeOutput struct {
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
	Sample   string `json:"sample_fmt"`
	Channels int
	Layout   string `json:"channel_layout"`
	Duration string
}

const maxProbed = 4 << 20 // bytes of JSON; enough for thousands of streams

// probe asks ffprobe for the first audio stream.
func (d *Decoder) probe(ctx context.Context, file *os.File, size int64, contentType string) (*probeResult, error) {
	args := append([]string{"-hide_banner", "-v", "warning"}, confinement()...)
	args = append(args, headerless[contentType]...)
	args = append(args, "-of", "json=c=1", "-show_entries",
		"stream=index,codec_type,codec_name,sample_rate,sample_fmt,channels,channel_layout,duration:format=format_name,duration", "-i", input)
	p := d.program(ctx, d.ffprobe(), file, d.allowance(size), args...)
	var answer []byte
	exited, err := p.run(func(r io.Reader) (err error) {
		answer, err = io.ReadAll(io.LimitReader(r, maxProbed))
		if len(answer) == maxProbed {
			return fault.New(fault.Invalid, fault.CodeMediaUnreadable,
				"the media cannot be read: it has too many streams")
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return d.Limits.orDefault().interpret(answer, exited, &p.said)
}

// interpret converts ffprobe's output.
func (l Limits) interpret(answer []byte, exited int, said *messages) (*probeResult, error) {
	var a probeOutput
	if err := json.Unmarshal(answer, &a); exited != 0 || err != nil || len(a.Streams) == 0 {
		return nil, unreadable(fault.CodeMediaUnreadable, "the media cannot be read", said)
	}
	first := slices.IndexFunc(a.Streams, stream.usable)
	if first < 0 && !slices.ContainsFunc(a.Streams, stream.audio) {
		return nil, fault.New(fault.Invalid, fault.CodeMediaUnreadable, "the media has no audio (%s)", describe(a))
	}
	if first < 0 {
		return nil, unreadable(fault.CodeMediaUnreadable, "the audio codec of the media is unknown", said)
	}
	s := a.Streams[first]
	if s.Channels > l.Channels {
		return nil, fault.New(fault.Invalid, fault.CodeChannels, "the media has %d channels; the limit is %d",
			s.Channels, l.Channels)
	}
	f := &probeResult{source: source{index: s.Index, channels: s.Channels, plain: s.plain(), deep: s.deep()},
		rate: s.rate(), codec: s.Codec, container: a.Format.Name, promised: promised(a, s)}
	for _, other := range a.Streams {
		if other.audio() {
			f.streams++
		}
	}
	if strings.Contains(string(said.text), "Estimating duration from bitrate") {
		f.promised = 0
	}
	return f, nil
}

func (s stream) audio() bool { return s.Type == "audio" }

func (s stream) usable() bool {
	return s.audio() && s.Codec != "" && s.Codec != "none" && s.Codec != "unknown" && s.rate() > 0 && s.Channels > 0
}

func (s stream) plain() bool {
	return s.Layout == "mono" || s.Layout == "stereo" || s.Channels <= 2 && (s.Layout == "" || s.Layout == "unknown")
}

// deep reports whether samples have more than 16 significant bits. Decoders of lossy formats output floating point
// whatever the source had, so these do not count.
func (s stream) deep() bool {
	return strings.HasPrefix(s.Sample, "s32") || strings.HasPrefix(s.Codec, "pcm_f")
}

func (s stream) rate() int {
	rate, _ := strconv.Atoi(s.Rate)
	return rate
}

// promised returns the length of a stream according to its header, or else the header of the file.
func promised(a probeOutput, s stream) time.Duration {
	if s.Duration == "" && len(a.Streams) == 1 {
		return seconds(a.Format.Duration)
	}
	return seconds(s.Duration)
}

func describe(a probeOutput) string {
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

func unreadable(code int, what string, said *messages) error {
	if s := said.first(); s != "" {
		what += ": " + s
	}
	return fault.New(fault.Invalid, code, "%s", what)
}
