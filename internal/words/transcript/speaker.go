package transcript

import "slices"

// Named reports whether the speakers have meaningful names: there are speakers, and not only the default one of a mono
// recording.
func (t *Transcript) Named() bool {
	switch len(t.Speakers) {
	case 0:
		return false
	case 1:
		return t.Speakers[0].Name != "" && t.Speakers[0].Name != DefaultSpeaker
	}
	return true
}

// Stereo reports whether there are several speakers and each has its own channel.
func (t *Transcript) Stereo() bool {
	mixed := slices.ContainsFunc(t.Speakers, func(s Speaker) bool { return s.Channel == NoChannel })
	return len(t.Speakers) > 1 && !mixed
}
