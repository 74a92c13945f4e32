package api

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"parley/internal/call/caption"
	"parley/internal/call/wire"
	"parley/internal/flow/payload"
	"parley/internal/web/auth"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// itemParameters are those of an item and of its transcript.
var itemParameters = []string{"includeAlternateFormat", "omit"}

// showing says what an answer shows of a transcript.
type showing struct {
	formats []caption.Format // in addition
	omit    wire.Parts       // left out
}

// readShown parses the parameters of an item and of its transcript.
func readShown(values url.Values) (s showing, err error) {
	if s.formats, err = readFormats(values); err != nil {
		return s, err
	}
	for _, value := range values["omit"] {
		for name := range strings.SplitSeq(value, ",") {
			part, ok := wire.ParsePart(name)
			if !ok {
				return s, parameterFault("omit %.80q is unknown; use %s", name, fault.Choice(wire.PartNames))
			}
			s.omit |= part
		}
	}
	return s, nil
}

// changed reads the item of a path with its results, unless the client has the answer that it would get: then it
// answers with 304 before the results are read. tag returns the entity tag of an item that lacks its results.
func (s *Server) changed(
	w http.ResponseWriter, r *request, shown showing, tag func(*request, *payload.View, showing) string,
) (v payload.View, current bool, err error) {
	if len(r.Header.Values("If-None-Match")) > 0 {
		if v, err = s.load(r, false); err != nil {
			return v, false, err
		}
		if of := tag(r, &v, shown); holds(r.Header.Values("If-None-Match"), of) {
			w.Header().Set("ETag", of)
			w.WriteHeader(http.StatusNotModified)
			return v, true, nil
		}
	}
	if v, err = s.load(r, true); err == nil {
		w.Header().Set("ETag", tag(r, &v, shown))
	}
	return v, false, err
}

// holds reports whether If-None-Match lists a tag, by the weak comparison; * stands for any.
func holds(lists []string, tag string) bool {
	return slices.ContainsFunc(strings.Split(strings.Join(lists, ","), ","), func(one string) bool {
		one = strings.TrimSpace(one)
		return one == "*" || strings.TrimPrefix(one, "W/") == strings.TrimPrefix(tag, "W/")
	})
}

// sameLocations is how long an item keeps its tag although the signatures of its streams differ in each answer: the
// URLs in a copy that is current work for the rest of auth.StreamTTL at least.
const sameLocations = auth.StreamTTL / 3

// itemTag is the entity tag of an item: a digest of what the answer has except what is found in the recording, and of
// the revision of that. It is weak, because signatures differ.
func (s *Server) itemTag(r *request, v *payload.View, shown showing) string {
	base, period := s.base(r.Request), time.Now().Truncate(sameLocations).UnixMilli()
	bare := *v
	bare.Result = nil
	item := bare.Item(r.who.Account, v.Locations(func(*media.Media, string) string { return base }))
	return s.tagOf(v, wire.NewMedia(item), r.who.Account.Compatibility, period, shown.formats, shown.omit)
}

// transcriptTag is the entity tag of a transcript in a format.
func (s *Server) transcriptTag(v *payload.View, format caption.Format, shown showing) string {
	return s.tagOf(v, wire.NewSummary(&v.Media), format, shown.formats, shown.omit)
}

// tagOf returns a digest of the parts of an answer, of the revision of the results, and of the program that renders it.
func (s *Server) tagOf(v *payload.View, parts ...any) string {
	identity, err := json.Marshal(append(parts, v.Revision, s.Version))
	if err != nil {
		return "" // metadata that is not JSON, which writeJSON reports
	}
	return "W/" + etag(identity)
}
