package plan

import (
	"slices"
	"strings"

	"parley/internal/document"
	"parley/internal/fault"
	"parley/internal/transcript"
)

// maxChannels is the most channels a configuration may describe.
const maxChannels = 64

// Match reports whether media with the given number of channels is what the configuration described, as a
// fault of kind Invalid with code 15004 if not. Without channels in the configuration any number is.
func (i Ingest) Match(channels int) error {
	if i.Channels == nil || len(i.Channels) == channels {
		return nil
	}
	return fault.New(fault.Invalid, fault.CodeChannelMismatch,
		"the configuration includes %d channel(s) and the media contains %d channel(s); describe all channels of the media under ingest, or leave ingest out to have them mixed",
		len(i.Channels), channels)
}

// ingest resolves who speaks where.
func (r *resolver) ingest() Ingest {
	v := r.root.Get("ingest")
	r.exclusive(v, "speakerName", "stereo", "channels", "tracks")
	switch {
	case v.Get("stereo") != nil:
		return Ingest{Channels: r.stereo(v.Get("stereo"))}
	case v.Get("channels") != nil:
		return Ingest{Channels: r.channels(v.Get("channels"), v.Get("channels").Items())}
	case v.Get("tracks") != nil:
		return r.tracks(v.Get("tracks"))
	}
	return Ingest{Mixed: mixed(v)}
}

// exclusive refuses an object that has more than one of the given members.
func (r *resolver) exclusive(v *document.Value, names ...string) {
	given := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return v.Get(n) == nil })
	if len(given) > 1 {
		r.refuse(v, fault.CodeChannels, "has %s; give only one of %s", join(given), join(names))
	}
}

// mixed returns who speaks where all channels are mixed.
func mixed(v *document.Value) transcript.Speaker {
	s := speaker(v, transcript.NoChannel)
	if s.Name == "" {
		s.Name = transcript.DefaultSpeaker
	}
	return s
}

// speaker reads speakerName and speakerRole. The name tells the role, else speakerRole does; a speaker with
// a role and no name is called by the role.
func speaker(v *document.Value, channel int) transcript.Speaker {
	name := strings.TrimSpace(v.Get("speakerName").Text())
	role := strings.TrimSpace(v.Get("speakerRole").Text())
	s := transcript.Speaker{Name: name, Role: transcript.RoleOf(name), Channel: channel}
	if s.Role == transcript.NoRole {
		s.Role = transcript.RoleOf(role)
	}
	if s.Name == "" {
		s.Name = role
	}
	return s
}

func (r *resolver) stereo(v *document.Value) []Channel {
	left, right := v.Get("left"), v.Get("right")
	switch {
	case v.Kind() != document.Object:
		return nil
	case left == nil && right == nil:
		r.refuse(v, fault.CodeChannelsEmpty, "has no channels; give left and right, each with a speakerName")
		return nil
	case left == nil || right == nil:
		r.refuse(v, fault.CodeChannelSingle, "has one channel only; give both left and right, the unwanted one with ignore: true")
		return nil
	}
	return r.channels(v, []*document.Value{left, right})
}

// channels reads one channel of the media after the other.
func (r *resolver) channels(at *document.Value, list []*document.Value) []Channel {
	if len(list) > maxChannels {
		r.refuse(at, fault.CodeChannels, "has %d channels; at most %d are taken", len(list), maxChannels)
		return nil
	}
	var channels []Channel
	heard := false
	for i, v := range list {
		c := Channel{Speaker: speaker(v, i), Ignore: v.Get("ignore").Bool()}
		if c.Speaker.Name == "" && !c.Ignore && document.Check(v, channelShape, document.Codes{}) == nil {
			r.refuse(v, fault.CodeChannelSpeaker, "has no speaker; give speakerName, or ignore: true")
		}
		if c.Ignore && r.env.Published != nil && !r.env.Kept {
			r.warn(v.Get("ignore"), fault.CodeIgnored, "has no effect: the words of all channels are there already")
		}
		heard = heard || !c.Ignore
		channels = append(channels, c)
	}
	if !heard && len(list) > 0 {
		r.refuse(at, fault.CodeChannelsIgnored, "ignores all channels; leave one to process")
	}
	return channels
}

// tracks reads the one track there may be: its channels, or a speaker for their mix.
func (r *resolver) tracks(list *document.Value) Ingest {
	items := list.Items()
	if len(items) == 0 {
		r.refuse(list, fault.CodeChannelsEmpty, "has no track; give one, or leave tracks out")
		return Ingest{}
	}
	if len(items) > 1 {
		r.refuse(list, fault.CodeChannels, "has %d tracks; media with one audio track is taken", len(items))
	}
	track := items[0]
	if n, given := track.Get("trackIndex").Int(); given && n != 0 {
		r.refuse(track.Get("trackIndex"), fault.CodeChannels, "%d; only the first audio track, 0, is taken", n)
	}
	r.exclusive(track, "speakerName", "channels")
	if list := track.Get("channels"); list != nil {
		return Ingest{Channels: r.channels(list, list.Items())}
	}
	if track.Get("speakerName") == nil && track.Get("speakerRole") == nil && track.Kind() == document.Object {
		r.refuse(track, fault.CodeChannelsEmpty, "has no channels; give channels or a speakerName for their mix")
	}
	return Ingest{Mixed: mixed(track)}
}
