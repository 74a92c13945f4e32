package api

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"mime"
	"net/http"
	"strings"
	"sync"

	"github.com/klauspost/compress/flate"

	"parley/internal/call/wire"
	"parley/internal/words/account"
)

// compresses reports whether answers of a route are compressed for clients that accept gzip. Answers with secrets never
// are: their length would tell, request by request, how much of the secret is repeated in what somebody else has chosen
// of the answer (BREACH). So routes that need no token are out, sign-in among them, and those of keys and signing
// secrets. Signed URLs are in some answers that are compressed, but each answer has other signatures; and the length of
// a header varies at random, against contents that are guessed by queries.
func (rt route) compresses() bool { return rt.Scope != "" && rt.Scope != account.Keys }

// negotiateCoding decides whether the answers of a route to a request are compressed.
func (rec *pacedResponse) negotiateCoding(rt route, r *http.Request) {
	if rt.compresses() {
		rec.Header().Add("Vary", "Accept-Encoding")
		rec.zips = acceptsGzip(r.Header.Values("Accept-Encoding"))
	}
}

// acceptsGzip reports whether Accept-Encoding names gzip, or everything, with a quality above 0.
func acceptsGzip(accept []string) bool {
	any := false
	for item := range strings.SplitSeq(strings.Join(accept, ","), ",") {
		name, params, err := mime.ParseMediaType(strings.TrimSpace(item))
		if err != nil {
			continue
		}
		switch name {
		case "gzip", "x-gzip":
			return quality(params) > 0
		case "*":
			any = quality(params) > 0
		}
	}
	return any
}

// Answers that are compressed: from this many bytes on, in media types that shrink.
const zipFrom = 1 << 10

func compressible(contentType string) bool {
	return strings.HasPrefix(contentType, "text/") || strings.HasPrefix(contentType, "application/json") ||
		strings.Contains(contentType, "xml")
}

// zipMemory is the memory that a compressed answer needs while it is sent: what is compressed of it until there is
// enough for a step of the client. The state of the compressor is needed only while it has a processor.
const zipMemory = 4 * wire.PieceSize

// zipLevel makes long transcripts 13 % shorter than the quickest level. It takes about 10 ms for a megabyte of JSON; the
// quickest level takes about 6 ms.
const zipLevel = 5

// deflaters reuses compressors, which need a megabyte each. One is used by a piece of an answer at a time, in a
// processor slot, and never by an answer that waits for its client.
var deflaters = sync.Pool{New: func() any {
	w, err := flate.NewWriter(io.Discard, zipLevel)
	if err != nil {
		panic(err) // the level is valid
	}
	return w
}}

// gzipped is an answer that is compressed piece by piece, each by itself.
type gzipped struct {
	out  bytes.Buffer // what is not sent yet
	sum  uint32
	size uint32 // modulo 2³², as the format has it
}

// mostPadding is the maximum length of the comment in the header of an answer.
const mostPadding = 64

// newGzipped begins an answer: with a header that has a comment of random length.
func newGzipped() *gzipped {
	z := &gzipped{}
	z.out.Write([]byte{0x1f, 0x8b, 8, 0x10, 0, 0, 0, 0, 4, 255})
	z.out.WriteString(strings.Repeat(".", rand.N(mostPadding+1)))
	z.out.WriteByte(0)
	return z
}

// add compresses a piece. It ends on a byte, with a flush, so that the next one may come from another compressor.
func (z *gzipped) add(piece []byte) {
	z.sum, z.size = crc32.Update(z.sum, crc32.IEEETable, piece), z.size+uint32(len(piece))
	w := deflaters.Get().(*flate.Writer)
	defer deflaters.Put(w)
	w.Reset(&z.out)
	w.Write(piece) // a buffer takes everything
	w.Flush()
}

// end adds an empty last block and the trailer.
func (z *gzipped) end() {
	z.out.Write([]byte{0x03, 0x00})
	z.out.Write(binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, z.sum), z.size))
}

// zipped returns the pieces of an answer compressed: each has enough for a step of the client, except the last. Each
// piece is compressed in a processor slot of the account.
func (rec *pacedResponse) zipped(p chunk, next func() (chunk, error)) func() (chunk, error) {
	z, begun, ended := newGzipped(), false, false
	return func() (chunk, error) {
		if begun {
			z.out.Reset()
		}
		for begun = true; !ended; {
			full, err := rendered(rec.work, func() bool {
				z.add(p.bytes)
				if ended = p.last; ended {
					z.end()
				}
				return ended || z.out.Len() >= answerStep
			})
			if err != nil {
				return chunk{}, err
			}
			if !ended {
				if p, err = next(); err != nil {
					return chunk{}, err
				}
			}
			if full {
				break
			}
		}
		return chunk{z.out.Bytes(), ended}, nil
	}
}

// zip returns a body in memory compressed. The memory is accounted for before it is allocated.
func (rec *pacedResponse) zip(body []byte) ([]byte, error) {
	if rec.visit != nil {
		if err := rec.visit.hold.take(int64(len(body)) + zipMemory); err != nil {
			return nil, err
		}
	}
	z := newGzipped()
	for from := 0; from < len(body); from += wire.PieceSize {
		_, err := rendered(rec.work, func() struct{} {
			z.add(body[from:min(len(body), from+wire.PieceSize)])
			return struct{}{}
		})
		if err != nil {
			return nil, err
		}
	}
	z.end()
	return z.out.Bytes(), nil
}
