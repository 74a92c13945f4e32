package api

import (
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"parley/internal/flow/player"
	"parley/internal/host/memory"
	"parley/internal/speech/waveform"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// The numbers of points of a waveform.
const (
	usualPoints = 2000
	mostPoints  = 10_000
)

// readInteger returns an integer parameter between two bounds, or a default if it is not given.
func readInteger(values url.Values, name string, otherwise, least, most int64) (int64, error) {
	text := values.Get(name)
	if !values.Has(name) {
		return otherwise, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < least || n > most {
		return 0, parameterFault("%s=%.40q is not an integer from %d to %d", name, text, least, most)
	}
	return n, nil
}

// longest is the largest time in milliseconds that a parameter may be: a month.
const longest = 31 * 24 * 3600 * 1000

// milliseconds is readInteger for a time.
func milliseconds(values url.Values, name string, otherwise time.Duration) (time.Duration, error) {
	ms, err := readInteger(values, name, otherwise.Milliseconds(), 0, longest)
	return time.Duration(ms) * time.Millisecond, err
}

// peaksQuery is what a request asks for of a waveform.
type peaksQuery struct {
	from, to time.Duration
	points   int
	binary   bool
}

// end is the end of every recording.
const end = longest * time.Millisecond

func readPeaks(r *request) (q peaksQuery, err error) {
	if q.from, err = milliseconds(r.query, "from", 0); err != nil {
		return q, err
	}
	if q.to, err = milliseconds(r.query, "to", end); err != nil {
		return q, err
	}
	points, err := readInteger(r.query, "points", usualPoints, 1, mostPoints)
	if err != nil {
		return q, err
	}
	if q.to <= q.from {
		return q, parameterFault("to=%d is not after from=%d", q.to.Milliseconds(), q.from.Milliseconds())
	}
	q.points, q.binary = int(points), strings.EqualFold(strings.TrimSpace(r.Header.Get("Accept")), waveform.ContentType)
	return q, nil
}

// getPeaks answers with the waveform of a recording.
func (s *Server) getPeaks(w http.ResponseWriter, r *request) error {
	q, err := readPeaks(r)
	if err != nil {
		return err
	}
	stream, err := s.Player.Peaks(r.Context(), r.who.Account.ID, r.media)
	if err != nil {
		return err
	}
	w.Header().Set("Vary", "Accept")
	w.Header().Set("Cache-Control", "private, no-cache")
	version := etag(fmt.Appendf(nil, "%s %d %d %d %v", stream.Blob, q.from, q.to, q.points, q.binary))
	w.Header().Set("ETag", version)
	if has(r.Request, version) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	window, points, err := s.points(r, stream, q)
	if err != nil {
		return err
	}
	w.Header().Set("Peaks-Start", strconv.FormatInt(window.Start.Milliseconds(), 10))
	if q.binary {
		write(w, http.StatusOK, waveform.ContentType, window.Binary(points))
		return nil
	}
	body, err := sized(r.Context(), window.Describe(points))
	if err == nil {
		writeJSON(w, http.StatusOK, body)
	}
	return err
}

// points reads what a request asks for of a stored waveform.
func (s *Server) points(r *request, stream media.Stream, q peaksQuery) (w waveform.Window, points []byte, err error) {
	in := s.Vault.ReaderAt(r.Context(), stream)
	header := make([]byte, waveform.HeaderSize)
	if _, err := in.ReadAt(header, 0); err != nil && err != io.EOF {
		return w, nil, err
	}
	shape, err := waveform.Parse(header, stream.Size)
	if err != nil {
		return w, nil, err
	}
	if q.from > 0 && q.from >= shape.Length() {
		return w, nil, parameterFault("from=%d is after the end of the recording, which is at %d", q.from.Milliseconds(),
			shape.Length().Milliseconds())
	}
	w = shape.Window(q.from, q.to, q.points)
	if err := memory.Take(r.Context(), 2*w.Bytes); err != nil {
		return w, nil, err
	}
	points = make([]byte, w.Bytes)
	if _, err := in.ReadAt(points, w.Offset); err != nil && err != io.EOF {
		return w, nil, err
	}
	points, err = rendered(r.Context(), func() []byte { return w.Points(points) })
	return w, points, err
}

// getClip answers with a part of a recording.
func (s *Server) getClip(w http.ResponseWriter, r *request) error {
	from, to, err := readClip(r.query)
	if err != nil {
		return err
	}
	save, err := readInteger(url.Values{"download": download(r.query)}, "download", 0, 0, 1)
	if err != nil {
		return parameterFault("download=%.40q is neither true nor false", r.query.Get("download"))
	}
	clip, err := s.Player.Clip(r.Context(), r.who.Account.ID, r.media, from, to)
	if err != nil {
		return err
	}
	defer clip.Close()
	disposition := "inline"
	if save == 1 {
		disposition = "attachment"
	}
	header := w.Header()
	header.Set("Content-Type", "audio/wav")
	header.Set("Content-Disposition", mime.FormatMediaType(disposition, map[string]string{
		"filename": fmt.Sprintf("%s-%d-%d.wav", r.media, from.Milliseconds(), to.Milliseconds())}))
	header.Set("Content-Security-Policy", "sandbox; default-src 'none'")
	header.Set("Cache-Control", "private, no-transform")
	header.Set("ETag", etag(fmt.Appendf(nil, "%s %d %d", clip.Source, from, to)))
	return s.serveContent(w, r.Request, answerBody{what: "part", size: clip.Size(), modified: clip.Item.Created, ReadSeeker: clip.WAV()})
}

// download returns the parameter download as a list of 0 or 1; of something else as it is.
func download(values url.Values) []string {
	switch values.Get("download") {
	case "true":
		return []string{"1"}
	case "false", "":
		return []string{"0"}
	}
	return []string{"neither"}
}

func readClip(values url.Values) (from, to time.Duration, err error) {
	for _, name := range []string{"s", "e"} {
		if !values.Has(name) {
			return 0, 0, parameterFault("query parameter %s is missing; s and e say when the part starts and ends, in milliseconds", name)
		}
	}
	if from, err = milliseconds(values, "s", 0); err != nil {
		return 0, 0, err
	}
	if to, err = milliseconds(values, "e", 0); err != nil {
		return 0, 0, err
	}
	switch {
	case to <= from:
		err = parameterFault("e=%d is not after s=%d", to.Milliseconds(), from.Milliseconds())
	case to-from > player.LongestClip:
		err = parameterFault("s=%d and e=%d are %d milliseconds apart; a part has at most %d", from.Milliseconds(),
			to.Milliseconds(), (to - from).Milliseconds(), player.LongestClip.Milliseconds())
	}
	return from, to, err
}

// derived returns a derived stream that clients may read: the one that every browser plays.
func (s *Server) derived(r *request, m *media.Media, name string) (media.Stream, error) {
	if name != media.Playable {
		return media.Stream{}, fault.New(fault.NotFound, fault.CodeNotFound, "media %s has no stream %q", m.ID, name)
	}
	return s.Player.Playable(r.Context(), m.Account, m.ID)
}
