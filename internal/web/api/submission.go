package api

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"parley/internal/speech/audio"
	"parley/internal/storage/vault"
	"parley/internal/words/cipher"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// Limits of the parts that are held in memory.
const (
	maxDocument = 1 << 20 // configuration
	maxURL      = 8 << 10 // mediaUrl
	maxParts    = 32

	maxTranscript = 32 << 20 // results with many details per word need 4 MiB per hour
)

// upload is a media file that has been received and stored in the vault.
type upload struct {
	Part        string     // name of the form part
	Blob        string     // key in the blob store
	Key         cipher.Key // key that it is encrypted with
	Size        int64
	SHA256      string // hex
	Stored      time.Time
	ContentType string
}

// submission is the content of one multipart request. Absent parts are nil or empty.
type submission struct {
	Media         *upload
	MediaURL      string
	Configuration []byte
	Metadata      []byte
	Transcript    []byte
}

// receiver streams one multipart request into the vault.
type receiver struct {
	vault    vault.Vault // without a blob store, no media is accepted
	maxMedia int64
	hold     *holding      // memory of the request
	patience time.Duration // Config.UploadTime
	head     *headLimit    // limit for the headers of parts
	uploads  []*upload
	texts    map[string][]byte
}

var textLimits = map[string]int64{"configuration": maxDocument, "metadata": media.MaxMetadataSent, "mediaUrl": maxURL,
	"transcript": maxTranscript}

// receive reads a multipart request. It stores media of at most maxMedia bytes as it arrives, so that memory does not
// grow with its size; without a blob store it accepts none. On error, nothing stays stored.
func (s *Server) receive(r *request, to vault.Vault, maxMedia int64) (submission, error) {
	limit := maxMedia + documents
	if r.ContentLength > limit {
		return submission{}, bodyFault(&http.MaxBytesError{Limit: limit})
	}
	r.Body = http.MaxBytesReader(nil, r.Body, limit)
	rc := receiver{vault: to, maxMedia: maxMedia, hold: hold(r.Context()), patience: s.UploadTime,
		texts: map[string][]byte{}}
	sub, err := rc.receive(r.Context(), r.Request)
	if err != nil {
		rc.discard(r.Context(), nil)
	}
	return sub, err
}

func (rc *receiver) receive(ctx context.Context, r *http.Request) (submission, error) {
	rc.head = &headLimit{}
	parts, err := multipartReader(r, rc.head)
	if err != nil {
		return submission{}, err
	}
	for n := 0; ; n++ {
		rc.head.begin()
		part, err := parts.NextPart()
		rc.head.end()
		if err == io.EOF {
			break
		}
		if err != nil {
			return submission{}, bodyFault(err)
		}
		if n == maxParts {
			return submission{}, fault.New(fault.Invalid, fault.CodeMultipart,
				"more than %d parts; send media, configuration, metadata and transcript once each", maxParts)
		}
		if err := rc.part(ctx, part); err != nil {
			return submission{}, err
		}
	}
	return rc.submission(ctx)
}

// part reads one part: a known text into memory, anything else into the vault.
func (rc *receiver) part(ctx context.Context, part *multipart.Part) error {
	name, filename := partNames(part)
	content, err := decoded(name, part)
	if err != nil {
		return err
	}
	if limit, known := textLimits[name]; known {
		return rc.text(name, limit, content)
	}
	if name != "media" && name != "file" && filename == "" {
		return fault.New(fault.Invalid, fault.CodeMultipart,
			"unknown part %q; use media (or file), mediaUrl, configuration, metadata or transcript", name)
	}
	if rc.vault.Blobs == nil {
		return fault.New(fault.Invalid, fault.CodeMultipart,
			"part %q: the item already has a recording; send only configuration, metadata and transcript, or send the "+
				"recording to /v3/media", name)
	}
	return rc.file(ctx, name, filename, content)
}

// decoded returns the content of a part with its Content-Transfer-Encoding removed. Package multipart itself decodes
// quoted-printable.
func decoded(name string, part *multipart.Part) (io.Reader, error) {
	switch encoding := strings.ToLower(strings.TrimSpace(part.Header.Get("Content-Transfer-Encoding"))); encoding {
	case "", "7bit", "8bit", "binary":
		return part, nil
	case "base64":
		return base64Part{name, base64.NewDecoder(base64.StdEncoding, part)}, nil
	default:
		return nil, fault.New(fault.Invalid, fault.CodeMultipart,
			"part %q: Content-Transfer-Encoding %q is not supported; leave the header out, or send base64", name, encoding)
	}
}

// base64Part adds the name of the part to base64 errors.
type base64Part struct {
	name string
	io.Reader
}

// Read implements io.Reader.
func (p base64Part) Read(b []byte) (int, error) {
	n, err := p.Reader.Read(b)
	if _, corrupt := errors.AsType[base64.CorruptInputError](err); corrupt || errors.Is(err, io.ErrUnexpectedEOF) {
		err = fault.New(fault.Invalid, fault.CodeMultipart,
			"part %q: invalid or incomplete base64: %w; send base64, or leave out Content-Transfer-Encoding", p.name, err)
	}
	return n, err
}

func (rc *receiver) text(name string, limit int64, part io.Reader) error {
	if _, twice := rc.texts[name]; twice {
		return fault.New(fault.Invalid, fault.CodeTooManyParts, "part %q is sent more than once; send it once", name)
	}
	data, err := readHeld(rc.hold, part, limit, rc.patience)
	if err != nil {
		return bodyFault(err)
	}
	if int64(len(data)) > limit {
		return fault.New(fault.TooLarge, fault.CodeTooLarge, "part %q is larger than the limit of %d bytes", name, limit)
	}
	rc.texts[name] = present(data)
	return nil
}

// present returns nil for content that means an absent part: empty, null, or the empty list.
func present(text []byte) []byte {
	text = bytes.TrimSpace(text)
	list, opened := bytes.CutPrefix(text, []byte("["))
	if string(text) == "null" || opened && string(bytes.TrimSpace(list)) == "]" {
		return nil
	}
	return text
}

// file streams one part into the vault.
func (rc *receiver) file(ctx context.Context, name, filename string, part io.Reader) error {
	needs := fileNeeds(rc.hold, rc.vault)
	if err := cmp.Or(rc.hold.read(true), needs(0)); err != nil {
		return err
	}
	source := &bodyReader{r: part, sum: sha256.New(), left: rc.maxMedia, limit: rc.maxMedia, need: needs}
	buffered := bufio.NewReaderSize(source, audio.HeadSize)
	head, err := buffered.Peek(audio.HeadSize)
	if err != nil && err != io.EOF {
		return bodyFault(cmp.Or(rc.hold.read(false), err))
	}
	// The key is not the media id, which the transaction that accepts the upload assigns.
	u := &upload{Part: name, Blob: "original/" + uuid.NewString(),
		ContentType: audio.ContentType(head, filename)}
	u.Key, u.Size, err = rc.vault.Put(ctx, u.Blob, buffered)
	evicted := rc.hold.read(false)
	switch {
	case err == nil:
		u.SHA256, u.Stored = hex.EncodeToString(source.sum.Sum(nil)), time.Now()
		rc.uploads = append(rc.uploads, u)
		return evicted
	case evicted != nil: // the cause of the read error
		return evicted
	case source.err != nil:
		return bodyFault(source.err)
	}
	return fmt.Errorf("store upload: %w", err)
}

// submission combines all parts.
func (rc *receiver) submission(ctx context.Context) (submission, error) {
	s := submission{MediaURL: string(rc.texts["mediaUrl"]), Configuration: rc.texts["configuration"],
		Metadata: rc.texts["metadata"], Transcript: rc.texts["transcript"]}
	chosen, err := choose(rc.uploads)
	if err != nil {
		return submission{}, err
	}
	if chosen != nil && chosen.Size == 0 && s.MediaURL != "" {
		chosen = nil // an empty file field of a form
	}
	s.Media = chosen
	rc.discard(ctx, chosen)
	return s, nil
}

// choose returns the only recording. It ignores additional empty files, which are empty fields of a form.
func choose(uploads []*upload) (*upload, error) {
	recordings := slices.DeleteFunc(slices.Clone(uploads), func(u *upload) bool { return u.Size == 0 })
	switch {
	case len(recordings) > 1:
		return nil, fault.New(fault.Invalid, fault.CodeTooManyParts,
			"%d recordings, the first two in the parts %q and %q; send one recording per request, as part media",
			len(recordings), recordings[0].Part, recordings[1].Part)
	case len(recordings) == 1:
		return recordings[0], nil
	case len(uploads) > 0:
		return uploads[0], nil
	}
	return nil, nil
}

// discard deletes all stored files except keep. Files that cannot be deleted are left: nothing refers to them.
func (rc *receiver) discard(ctx context.Context, keep *upload) {
	for _, u := range rc.uploads {
		if u != keep {
			rc.vault.Blobs.Delete(context.WithoutCancel(ctx), u.Blob)
		}
	}
}

// multipartReader reads the body as multipart of any subtype. If the header has no boundary, it takes the boundary from
// the first line of the body.
func multipartReader(r *http.Request, head *headLimit) (*multipart.Reader, error) {
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || !strings.HasPrefix(kind, "multipart/") {
		return nil, fault.New(fault.Unsupported, fault.CodeMediaType,
			"Content-Type %q is not supported; send multipart/form-data", r.Header.Get("Content-Type"))
	}
	body := bufio.NewReaderSize(r.Body, 16<<10)
	boundary := params["boundary"]
	if boundary == "" {
		boundary, err = firstBoundary(body)
	}
	if err != nil {
		return nil, err
	}
	head.Reader = body
	return multipart.NewReader(head, boundary), nil
}

// maxPartHead is the maximum length of a part's header in bytes.
const maxPartHead = 16 << 10

// headLimit bounds the header of a part, which is held in memory.
type headLimit struct {
	io.Reader
	inside bool // a header is being read
	left   int64
}

func (l *headLimit) begin() { l.inside, l.left = true, maxPartHead }
func (l *headLimit) end()   { l.inside = false }

// Read implements io.Reader.
func (l *headLimit) Read(p []byte) (int, error) {
	if l.inside && l.left <= 0 {
		return 0, fault.New(fault.Invalid, fault.CodeMultipart,
			"the header of a part is longer than %d bytes; send only name and filename", maxPartHead)
	}
	n, err := l.Reader.Read(p)
	l.left -= int64(n)
	return n, err
}

func firstBoundary(body *bufio.Reader) (string, error) {
	const longest = 2 + 70 + 2 // RFC 2046: a boundary has at most 70 characters
	head, err := body.Peek(longest)
	if err != nil && err != io.EOF {
		return "", bodyFault(err)
	}
	line, _, found := bytes.Cut(head, []byte("\n"))
	boundary, dashed := strings.CutPrefix(strings.TrimRight(string(line), "\r"), "--")
	if !found || !dashed || boundary == "" {
		return "", fault.New(fault.Invalid, fault.CodeMultipart,
			"no boundary in Content-Type and none at the start of the body; send multipart/form-data with a boundary")
	}
	return boundary, nil
}

// partNames returns a part's name and filename, for any disposition type.
func partNames(part *multipart.Part) (name, filename string) {
	_, params, err := mime.ParseMediaType(part.Header.Get("Content-Disposition"))
	if err != nil {
		return "", ""
	}
	return params["name"], params["filename"]
}
