package audio

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

var (
	speaker  = regexp.MustCompile(`^\[[^\]]*\] `)               // [mp3 @ 0x55cd…]
	pointer  = regexp.MustCompile(`0x[0-9a-fA-F]{6,}`)          // an address in memory
	location = regexp.MustCompile(`(file:|pipe:)?/[\w./%-]+:?`) // a path
)

// asides are messages that are not about the file.
var asides = []string{"Last message repeated", "not on whitelist", "misdetection possible",
	"Estimating duration from bitrate"}

// first returns the first helpful message, without addresses and local paths, or "".
func (m *messages) first() string {
	for line := range strings.SplitSeq(string(m.text), "\n") {
		if s := cleaned(line); s != "" {
			return s
		}
	}
	return ""
}

// cleaned strips the ffmpeg-specific parts of a message.
func cleaned(line string) string {
	if slices.ContainsFunc(asides, func(aside string) bool { return strings.Contains(line, aside) }) {
		return ""
	}
	line, _, _ = strings.Cut(line, " Update your FFmpeg version")
	line = speaker.ReplaceAllString(strings.TrimSpace(line), "")
	line = location.ReplaceAllString(line, "")
	line = pointer.ReplaceAllString(line, "")
	line = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(line, ""))
	if len(line) > 200 {
		line = strings.ToValidUTF8(line[:200], "") + "…"
	}
	return strings.TrimSpace(strings.Trim(line, " :'"))
}
