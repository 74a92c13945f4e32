package plan

import (
	"cmp"
	"slices"
	"strings"

	"parley/internal/words/fault"
	"parley/internal/words/jsondoc"
	"parley/internal/words/transcript"
)

// maxChannels is the maximum number of channels in a configuration.
const maxChannels = 64

// parties is the number of speakers that diarization separates on one channel.
const parties = 2

// For returns the assignment of speakers for media with the given number of channels. If the media has one channel and
// diarization is requested, two parties with a channel each share it. The error is a fault of kind Invalid with code
// 15004 if the media does not match the configuration. A configuration without channels matches any number.
func (i Ingest) For(channels int) (Ingest, error) {
	switch {
	case i.Channels == nil || len(i.Channels) == channels:
		return i, nil
	case i.Parties != nil && channels == 1:
		return i.Shared(), nil
	case len(i.Channels) == parties && channels == 1:
		return i, i.mismatch(channels,
			"; with diarization in speechModel.features, both speakers are separated on one channel")
	}
	return i, i.mismatch(channels, "")
}

// Shared returns a copy in which the speakers share one channel.
func (i Ingest) Shared() Ingest {
	return Ingest{Mixed: transcript.Speaker{Name: transcript.DefaultSpeaker, Channel: transcript.NoChannel},
		Parties: i.Parties, Key: i.Key}
}

func (i Ingest) mismatch(channels int, remedy string) error {
	return fault.New(fault.Invalid, fault.CodeChannelMismatch,
		"the configuration includes %d channel(s) and the media contains %d channel(s); describe all channels of the "+
			"media under ingest, or leave ingest out to mix them%s",
		len(i.Channels), channels, remedy)
}

// ingest resolves the assignment of speakers to channels. Two parties share one channel if diarization is requested, or
// if both are assigned to the same track.
func (r *resolver) ingest(p *Plan) Ingest {
	in := r.speakers()
	if tracks := r.root.Get("ingest", "tracks"); in.Parties != nil && !p.Diarization {
		p.Diarization = r.offers(Diarization, tracks, fault.CodeFeature)
	}
	if p.Diarization && len(in.Channels) == parties && !in.Channels[0].Ignore && !in.Channels[1].Ignore {
		for _, c := range in.Channels {
			c.Speaker.Channel = transcript.NoChannel
			in.Parties = append(in.Parties, c.Speaker)
		}
	}
	return in
}

func (r *resolver) speakers() Ingest {
	v := r.root.Get("ingest")
	r.exclusive(v, "speakerName", "stereo", "channels", "tracks")
	switch {
	case v.Get("stereo") != nil:
		return Ingest{Channels: r.stereo(v.Get("stereo")), Key: "stereo"}
	case v.Get("channels") != nil:
		return Ingest{Channels: r.channels(v.Get("channels"), v.Get("channels").Items()), Key: "channels"}
	case v.Get("tracks") != nil:
		return r.tracks(v.Get("tracks"))
	}
	return Ingest{Mixed: mixed(v)}
}

// exclusive rejects an object with more than one of the given members.
func (r *resolver) exclusive(v *jsondoc.Value, names ...string) {
	given := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return v.Get(n) == nil })
	if len(given) > 1 {
		r.refuse(v, fault.CodeChannels, "has %s; give only one of %s", fault.List(given), fault.List(names))
	}
}

// mixed returns the speaker of a mix of all channels.
func mixed(v *jsondoc.Value) transcript.Speaker {
	s := speaker(v, transcript.NoChannel)
	s.Name = cmp.Or(s.Name, transcript.DefaultSpeaker)
	return s
}

// speaker reads speakerName and speakerRole. The role follows from the name, or else from speakerRole; a speaker with a
// role and no name gets the role as name.
func speaker(v *jsondoc.Value, channel int) transcript.Speaker {
	name := strings.TrimSpace(v.Get("speakerName").Text())
	role := strings.TrimSpace(v.Get("speakerRole").Text())
	s := transcript.Speaker{Name: name, Role: transcript.RoleOf(name), Channel: channel}
	if s.Role == transcript.NoRole {
		s.Role = transcript.RoleOf(role)
	}
	s.Name = cmp.Or(s.Name, role)
	return s
}

func (r *resolver) stereo(v *jsondoc.Value) []Channel {
	left, right := v.Get("left"), v.Get("right")
	switch {
	case v.Kind() != jsondoc.Object:
		return nil
	case left == nil && right == nil:
		r.refuse(v, fault.CodeChannelsEmpty, "has no channels; add left and right, each with a speakerName")
		return nil
	case left == nil || right == nil:
		r.refuse(v, fault.CodeChannelSingle,
			"has only one channel; specify both left and right, and set ignore: true on the one to skip")
		return nil
	}
	return r.channels(v, []*jsondoc.Value{left, right})
}

// channels reads the channels of the media in order.
func (r *resolver) channels(at *jsondoc.Value, list []*jsondoc.Value) []Channel {
	if len(list) > maxChannels {
		r.refuse(at, fault.CodeChannels, "has %d channels; at most %d are allowed", len(list), maxChannels)
		return nil
	}
	var channels []Channel
	heard := false
	for i, v := range list {
		c := Channel{Speaker: speaker(v, i), Ignore: v.Get("ignore").Bool()}
		if c.Speaker.Name == "" && !c.Ignore && jsondoc.Check(v, channelShape, jsondoc.Codes{}) == nil {
			r.refuse(v, fault.CodeChannelSpeaker, "has no speaker; add speakerName, or ignore: true")
		}
		if c.Ignore && r.env.Published != nil && !r.env.Kept {
			r.warn(v.Get("ignore"), fault.CodeIgnored, "has no effect: the words of all channels already exist")
		}
		heard = heard || !c.Ignore
		channels = append(channels, c)
	}
	if !heard && len(list) > 0 {
		r.refuse(at, fault.CodeChannelsIgnored, "ignores all channels; leave one to process")
	}
	return channels
}

// tracks reads the only allowed track: its channels, or a speaker for their mix, or both speakers of the mix.
func (r *resolver) tracks(list *jsondoc.Value) Ingest {
	items := list.Items()
	if len(items) == 0 {
		r.refuse(list, fault.CodeChannelsEmpty, "has no track; add one, or leave tracks out")
		return Ingest{}
	}
	if sharing(items) {
		return r.shared(list, items)
	}
	if len(items) > 1 {
		r.refuse(list, fault.CodeChannels,
			"has %d tracks; only one audio track is supported; to name two speakers on it, add an entry for each, both with "+
				"trackIndex 0", len(items))
	}
	track := items[0]
	if n, given := track.Get("trackIndex").Int(); given && n != 0 {
		r.refuse(track.Get("trackIndex"), fault.CodeChannels,
			"%d is not supported; only the first audio track, 0, is processed", n)
	}
	r.exclusive(track, "speakerName", "channels")
	if list := track.Get("channels"); list != nil {
		return Ingest{Channels: r.channels(list, list.Items()), Key: "tracks"}
	}
	if track.Get("speakerName") == nil && track.Get("speakerRole") == nil && track.Kind() == jsondoc.Object {
		r.refuse(track, fault.CodeChannelsEmpty, "has no channels; add channels, or a speakerName for their mix")
	}
	return Ingest{Mixed: mixed(track)}
}

// sharing reports whether several entries describe the same track: each has the same explicit index and its own
// speaker.
func sharing(items []*jsondoc.Value) bool {
	for _, track := range items {
		n, given := track.Get("trackIndex").Int()
		if !given || n != 0 || track.Get("channels") != nil || speaker(track, 0).Name == "" {
			return false
		}
	}
	return len(items) > 1
}

// shared reads the speakers of the only track.
func (r *resolver) shared(list *jsondoc.Value, items []*jsondoc.Value) Ingest {
	if len(items) > parties {
		r.refuse(list, fault.CodeChannels, "has %d speakers on one track; at most %d can be separated", len(items),
			parties)
	}
	var all []transcript.Speaker
	for _, track := range items {
		all = append(all, speaker(track, transcript.NoChannel))
	}
	return Ingest{Parties: all, Key: "tracks"}.Shared()
}
