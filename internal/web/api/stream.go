package api

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"parley/internal/call/wire"
	"parley/internal/flow/payload"
	"parley/internal/speech/audio"
	"parley/internal/storage/store"
	"parley/internal/web/auth"
	"parley/internal/words/account"
	"parley/internal/words/audit"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// listStreams answers with the names and URLs of an item's streams.
func (s *Server) listStreams(r *request) (any, error) {
	v, err := s.load(r, false)
	if err != nil {
		return nil, err
	}
	streams := s.locations(r, &v)
	listed, err := s.Player.Listed(r.Context(), v.Media.Account, v.Media.ID)
	if listed {
		streams = append(streams, wire.StreamAt{Name: media.Playable, Location: s.location(r, &v.Media, media.Playable)})
	}
	return wire.NewStreams(v.Media.ID, streams), err
}

// locations returns the signed URLs of an item's streams.
func (s *Server) locations(r *request, v *payload.View) []wire.StreamAt {
	return v.Locations(func(m *media.Media, stream string) string { return s.location(r, m, stream) })
}

// location returns the absolute URL of a stream, which works without a token for auth.StreamTTL.
func (s *Server) location(r *request, m *media.Media, stream string) string {
	return s.Ring.Address(r.Context(), s.base(r.Request), m, stream)
}

// base returns the base URL under which the client reaches the server: the configured one, otherwise the one of the
// request.
func (s *Server) base(r *http.Request) string {
	if s.PublicURL != nil {
		return s.PublicURL.String()
	}
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	return scheme + "://" + r.Host
}

// getStream answers with a stream's bytes, and supports ranges, preconditions and HEAD. It accepts a signed URL or a
// token. Clients that accept only JSON get a signed URL instead of the bytes.
func (s *Server) getStream(w http.ResponseWriter, r *request) error {
	name := media.StreamName(r.PathValue("streamName"))
	owner, signed, err := s.streamReader(r, name)
	if err != nil {
		return err
	}
	var m media.Media
	var stream media.Stream
	var of account.Account
	err = s.Store.View(r.Context(), func(tx *store.Tx) (err error) {
		if m, err = tx.Media(owner, r.media); err != nil {
			return err
		}
		if !media.IsDerived(name) {
			if stream, err = tx.Stream(owner, r.media, name); err != nil {
				return err
			}
		}
		if !signed {
			return nil
		}
		of, err = signerActive(tx, owner)
		return err
	})
	if err == nil && signed {
		err = s.admit(r.Request, of, "")
	}
	if err == nil && media.IsDerived(name) {
		stream, err = s.derived(r, &m, name)
	}
	if err != nil {
		return err
	}
	if wantsOnlyJSON(r.Request) && !signed {
		writeJSON(w, http.StatusOK, wire.NewStreamLocation(r.media,
			wire.StreamAt{Name: name, Location: s.location(r, &m, name)}))
		return nil
	}
	return s.serveStream(w, r.Request, &m, stream)
}

// signature lists the parameters of a signed URL.
var signature = []string{"account", "expires", "signature"}

// streamReader returns the account whose stream the request may read.
func (s *Server) streamReader(r *request, name string) (owner account.ID, signed bool, err error) {
	if auth.Signed(r.query) {
		grant, err := s.Ring.Check(r.Context(), r.query, r.media, name)
		visitOf(r.Context()).setCaller(grant.Account, audit.BySigned, "")
		return grant.Account, true, err
	}
	who, err := s.authorize(r.Request, account.MediaRead)
	return who.Account.ID, false, err
}

// signerActive makes sure that a signed URL stops working when the account it was issued to is no longer active.
func signerActive(tx *store.Tx, owner account.ID) (account.Account, error) {
	a, err := tx.Account(owner)
	if err == nil && a.Disabled {
		err = fault.New(fault.Forbidden, fault.CodeSignature, "the account of this URL is disabled")
	}
	return a, err
}

// serveStream answers with a stream's bytes.
func (s *Server) serveStream(w http.ResponseWriter, r *http.Request, m *media.Media, stream media.Stream) error {
	_, err := s.Vault.Blobs.Stat(r.Context(), stream.Blob)
	if fault.Is(err, fault.NotFound) {
		return fault.New(fault.NotFound, fault.CodeNotFound, "the content of stream %q of media %s is missing",
			stream.Name, m.ID)
	}
	if err != nil {
		return err
	}
	file := &blobFile{ctx: r.Context(), vault: s.Vault, stream: stream}
	defer file.Close()
	header := w.Header()
	header.Set("Content-Type", stream.ContentType)
	header.Set("Content-Disposition",
		mime.FormatMediaType("inline",
			map[string]string{"filename": string(m.ID) + "-" + stream.Name + audio.Extension(stream.ContentType)}))
	header.Set("Content-Security-Policy", "sandbox; default-src 'none'") // an upload must never run as one of our pages
	header.Set("Cache-Control", "private, no-transform")
	if visitOf(r.Context()).event.Session != "" { // nothing of a call outlives the session in the browser's cache
		header.Set("Cache-Control", "no-store, no-transform")
	}
	header.Set("ETag", etag([]byte(stream.Blob)))
	err = s.serveContent(w, r, answerBody{what: "stream", size: stream.Size, modified: m.Created, ReadSeeker: file})
	if file.failed != nil && r.Context().Err() == nil { // the client sees the connection end early
		s.Log.LogAttrs(r.Context(), slog.LevelError, "reading a stream failed", slog.String("media", string(m.ID)),
			slog.String("stream", stream.Name), slog.String("error", file.failed.Error()))
	}
	return err
}

// answerBody is what an answer has in whole or in ranges.
type answerBody struct {
	what     string // for messages
	size     int64
	modified time.Time
	io.ReadSeeker
}

// serveContent answers with content and supports ranges and preconditions. The caller has set the headers.
func (s *Server) serveContent(w http.ResponseWriter, r *http.Request, c answerBody) error {
	answer := &failureFilter{ResponseWriter: w}
	http.ServeContent(answer, withRange(r, c.size), "", c.modified.Truncate(time.Second), c.ReadSeeker)
	switch answer.refused {
	case 0:
		return nil
	case http.StatusRequestedRangeNotSatisfiable:
		return fault.New(fault.Invalid, fault.CodeRange, "Range %q cannot be satisfied; the %s has %d bytes",
			r.Header.Get("Range"), c.what, c.size)
	case http.StatusPreconditionFailed:
		return fault.New(fault.Invalid, fault.CodePrecondition,
			"the %s does not satisfy the request's precondition; send the request again without it", c.what)
	}
	return fault.New(fault.Internal, fault.CodeInternal, "serve %s: status %d", c.what, answer.refused)
}

// withRange returns a request whose Range header makes ServeContent follow RFC 9110, 14.2: only GET has ranges, units
// are case-insensitive, unknown units are ignored, and a suffix of 0 bytes is unsatisfiable. size is the length of the
// content in bytes.
func withRange(r *http.Request, size int64) *http.Request {
	unit, set, _ := strings.Cut(r.Header.Get("Range"), "=")
	if unit == "" {
		return r
	}
	r = r.Clone(r.Context())
	if r.Method != http.MethodGet || !strings.EqualFold(unit, "bytes") {
		r.Header.Del("Range")
		return r
	}
	ranges := strings.Split(set, ",")
	for i, one := range ranges {
		if zeros, ok := strings.CutPrefix(strings.TrimSpace(one), "-"); ok && zeros != "" &&
			strings.Trim(zeros, "0") == "" {
			ranges[i] = strconv.FormatInt(size, 10) + "-"
		}
	}
	r.Header.Set("Range", "bytes="+strings.Join(ranges, ","))
	return r
}

// etag returns a strong entity tag computed from the value that identifies a body.
func etag(identity []byte) string {
	sum := sha256.Sum256(identity)
	return `"` + hex.EncodeToString(sum[:16]) + `"`
}
