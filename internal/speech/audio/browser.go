package audio

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
)

// Unplayable reports whether a recording needs another form for browsers: they cannot decode it, or seek in it by
// estimates. It examines some parts of the recording. codec is ffmpeg's name of its codec, if that is known.
//
// See docs/decisions/0018.
func Unplayable(ctx context.Context, r io.ReaderAt, size int64, contentType, codec string) (bool, error) {
	if size == 0 {
		return false, nil
	}
	in := &lastError{ReaderAt: r}
	var plays bool
	switch contentType {
	case "audio/wav":
		plays = playsWAV(in, size)
	case "audio/mpeg":
		plays = !taggedMP3(in) && constantMP3(in, size)
	case "audio/webm", "video/webm":
		plays = indexedWebM(in)
	default:
		plays = playsAs(contentType, codec)
	}
	if err := ctx.Err(); err != nil {
		return false, fmt.Errorf("examine the recording: %w", context.Cause(ctx))
	}
	return !plays, in.err
}

// lastError keeps an error of reading, other than the end.
type lastError struct {
	io.ReaderAt
	err error
}

func (l *lastError) ReadAt(p []byte, off int64) (int, error) {
	n, err := l.ReaderAt.ReadAt(p, off)
	if err != nil && err != io.EOF {
		l.err = err
	}
	return n, err
}

// browserCodecs are the codecs that browsers play in containers with an index, or whose pages or frames have positions.
var browserCodecs = map[string][]string{
	"audio/ogg":       {"opus", "vorbis", "flac"},
	"audio/flac":      {"flac"},
	"audio/mp4":       {"aac", "mp3", "flac", "opus"},
	"video/mp4":       {"aac", "mp3", "flac", "opus"},
	"video/quicktime": {"aac"},
}

// playsAs reports whether browsers play a content type with a codec, or with the usual one if it is not known.
func playsAs(contentType, codec string) bool {
	known, ok := browserCodecs[contentType]
	if !ok {
		return false
	}
	if codec == "" {
		return contentType != "video/quicktime"
	}
	for _, c := range known {
		if codec == c || strings.HasPrefix(codec, c+"_") {
			return true
		}
	}
	return false
}

// playsWAV reports whether a WAV file is complete, in one piece, and in an encoding that all browsers decode.
func playsWAV(r io.ReaderAt, size int64) bool {
	w, ok := parseWAV(r, size)
	if !ok || w.coding.name == "f64le" || w.channels > 2 || w.rate < 8000 || w.rate > 96000 {
		return false
	}
	for c := range wavChunks(r, size) {
		if c.id == "data" {
			return c.length == w.length
		}
	}
	return false
}

// taggedMP3 reports whether an MP3 file begins with a frame that describes it. Chromium takes its size into account when it
// seeks, and is later by 0.2 to 0.5 ms for each second before the time that was asked for.
func taggedMP3(r io.ReaderAt) bool {
	head := make([]byte, 64)
	n, _ := r.ReadAt(head, id3Size(r))
	return bytes.Contains(head[:n], []byte("Info")) || bytes.Contains(head[:n], []byte("Xing"))
}

// mp3Probes is at how many places of a file its frames are examined.
const mp3Probes = 16

// constantMP3 reports whether the frames of an MP3 file have the same bit rate wherever they are examined, so that a
// position in the file is one in time.
func constantMP3(r io.ReaderAt, size int64) bool {
	head := make([]byte, 4096)
	rate, start := 0, id3Size(r)
	if n, _ := r.ReadAt(head, start); bytes.Contains(head[:min(n, 64)], []byte("Info")) {
		start += int64(mpegFrame(head[:n])) // often of a higher bit rate, since it is larger
	}
	for i := range int64(mp3Probes) {
		n, err := r.ReadAt(head, start+(size-start)*i/mp3Probes)
		if err != nil && err != io.EOF {
			return false
		}
		for _, frame := range mpegFrames(head[:n]) {
			if tag := frame[:min(len(frame), 64)]; bytes.Contains(tag, []byte("Xing")) || bytes.Contains(tag, []byte("VBRI")) {
				return false
			}
			index := int(frame[1])<<8 | int(frame[2]&0xfc)
			if rate != 0 && index != rate {
				return false
			}
			rate = index
		}
	}
	return rate != 0
}

// id3Size returns the size of the ID3v2 tag at the start of a file, 0 without one.
func id3Size(r io.ReaderAt) int64 {
	head := make([]byte, 10)
	if n, _ := r.ReadAt(head, 0); n < 10 || string(head[:3]) != "ID3" {
		return 0
	}
	size := int64(10)
	for i, b := range head[6:10] {
		size += int64(b&0x7f) << (7 * (3 - i))
	}
	return size
}

// mpegFrames returns the complete frames in a part of a file, from the first one that is followed by another.
func mpegFrames(b []byte) (frames [][]byte) {
	for len(b) >= 4 {
		size := mpegFrame(b)
		if size == 0 || size+4 > len(b) || !sameStream(b, b[size:]) {
			if len(frames) > 0 {
				return frames
			}
			b = b[1:]
			continue
		}
		frames, b = append(frames, b[:size]), b[size:]
	}
	return frames
}

// indexedWebM reports whether the start of a WebM file names its duration and its cues; browsers write files without
// them when they record.
func indexedWebM(r io.ReaderAt) bool {
	head := make([]byte, HeadSize)
	n, _ := r.ReadAt(head, 0)
	return bytes.Contains(head[:n], []byte("\x1c\x53\xbb\x6b")) && bytes.Contains(head[:n], []byte("\x44\x89"))
}
