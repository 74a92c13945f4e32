package pipeline

import (
	"parley/internal/call/plan"
	"parley/internal/speech/audio"
	"parley/internal/words/fault"
	"parley/internal/words/transcript"
)

// track is the audio of one speaker: the input of one recogniser.
type track struct {
	speaker transcript.Speaker
	audio   *audio.Track
}

// layout decides what is recognised: the mix of all channels, or each channel that is not ignored. If all channels
// carry the same signal, it is recognised once, since the speakers cannot be distinguished.
func layout(d *audio.Decoded, in plan.Ingest) ([]track, []fault.Problem, error) {
	in, err := in.For(d.Channels)
	if err != nil {
		return nil, nil, err
	}
	if in.Parties != nil && d.DualMono {
		in = in.Shared()
	}
	if in.Channels == nil {
		return []track{{in.Mixed, mix(d)}}, nil, nil
	}
	var tracks []track
	for i, c := range in.Channels {
		if !c.Ignore {
			tracks = append(tracks, track{c.Speaker, d.Track(i)})
		}
	}
	if len(tracks) > 1 && d.DualMono {
		warning := fault.Problem{Code: fault.CodeDualMono,
			Message: "all channels carry the same signal, so they were recognised once; add diarization to " +
				"speechModel.features to separate the speakers"}
		mono := transcript.Speaker{Name: transcript.DefaultSpeaker, Channel: transcript.NoChannel}
		return []track{{mono, d.Track(0)}}, []fault.Problem{warning}, nil
	}
	return tracks, nil, nil
}

func mix(d *audio.Decoded) *audio.Track {
	if d.DualMono {
		return d.Track(0)
	}
	return d.Track()
}
