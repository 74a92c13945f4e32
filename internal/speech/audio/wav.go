package audio

import (
	"encoding/binary"
	"io"
	"iter"
	"time"
)

// promisedByWAV returns the length according to the header of a WAV file if the file is shorter than that, else 0.
// ffprobe uses the size of the file, so a truncated upload would look complete. Programs that write to a pipe leave
// placeholders near 2^31 or 2^32 in the header, which are ignored.
func promisedByWAV(r io.ReaderAt, size int64) time.Duration {
	var rate uint32 // bytes per second
	for c := range wavChunks(r, size) {
		switch c.id {
		case "fmt ":
			format := make([]byte, 12)
			if n, _ := r.ReadAt(format, c.at); n < len(format) {
				return 0
			}
			rate = binary.LittleEndian.Uint32(format[8:])
		case "data":
			return broken(c.length, size-c.at, rate)
		}
	}
	return 0
}

// wavChunk is the header of a chunk of a WAV file and the position of its content.
type wavChunk struct {
	id         string
	at, length int64 // bytes
}

// wavChunks yields the first chunks of a WAV file, or nothing for another file.
func wavChunks(r io.ReaderAt, size int64) iter.Seq[wavChunk] {
	return func(yield func(wavChunk) bool) {
		header := make([]byte, 12)
		if n, _ := r.ReadAt(header, 0); n < 12 || string(header[:4]) != "RIFF" || string(header[8:]) != "WAVE" {
			return
		}
		for at, chunks := int64(12), 0; at+8 <= size && chunks < mostChunks; chunks++ {
			if n, _ := r.ReadAt(header[:8], at); n < 8 {
				return
			}
			c := wavChunk{string(header[:4]), at + 8, int64(binary.LittleEndian.Uint32(header[4:]))}
			if !yield(c) {
				return
			}
			at = c.at + c.length + c.length%2
		}
	}
}

// mostChunks is the maximum number of chunks before the samples. Malicious files have millions.
const mostChunks = 1000

const placeholder = 0x7fff0000 // and everything above

func broken(promised, there int64, rate uint32) time.Duration {
	if promised <= there || promised >= placeholder || rate == 0 {
		return 0
	}
	return time.Duration(float64(promised) / float64(rate) * float64(time.Second))
}
