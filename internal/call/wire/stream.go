package wire

import (
	"parley/internal/words/list"
	"parley/internal/words/media"
)

// Stream is an entry of a list of streams.
type Stream struct {
	Status         int    `json:"status"`
	StreamName     string `json:"streamName"`
	StreamLocation string `json:"streamLocation"`
}

// StreamAt is a stream's name and the absolute URL of its content, signed and usable without a token.
type StreamAt struct{ Name, Location string }

// Streams is the answer of GET …/streams.
type Streams struct {
	Links   Links    `json:"_links"`
	MediaID media.ID `json:"mediaId"`
	Streams []Stream `json:"streams"`
}

// NewStreams returns the list of a media item's streams.
func NewStreams(id media.ID, streams []StreamAt) Streams {
	return Streams{self("media", string(id), "streams"), id, list.Map(streams, newStream)}
}

// StreamLocation is the answer of GET …/streams/{name} for a client that requests JSON instead of the content.
type StreamLocation struct {
	Links Links `json:"_links"`
	Stream
}

// NewStreamLocation returns the location of one stream.
func NewStreamLocation(id media.ID, s StreamAt) StreamLocation {
	return StreamLocation{self("media", string(id), "streams", s.Name), newStream(s)}
}

// newStream always has status 200, which the public schema requires: a stream is listed only while it can be
// downloaded.
func newStream(s StreamAt) Stream { return Stream{200, s.Name, s.Location} }
