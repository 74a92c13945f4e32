package audio

import (
	"encoding/binary"
	"io"
	"time"
)

// promisedByWAV returns the length according to the header of a WAV file if the file is shorter than that, else 0.
// ffprobe uses the size of the file, so a truncated upload would look complete. Programs that write to a pipe leave
// placeholders near 2^31 or 2^32 in the header, which are ignored.
func promisedByWAV(r io.ReaderAt, size int64) time.Duration {
	var rate uint32 // bytes per second
	header := make([]byte, 20)
	if n, _ := r.ReadAt(header[:12], 0); n < 12 || string(header[:4]) != "RIFF" || string(header[8:12]) != "WAVE" {
		return 0
	}
	for at, chunks := int64(12), 0; at+8 <= size && chunks < mostChunks; chunks++ {
		n, _ := r.ReadAt(header, at)
		length := int64(binary.LittleEndian.Uint32(header[4:]))
		switch string(header[:4]) {
		case "fmt ":
			if n < len(header) {
				return 0
			}
			rate = binary.LittleEndian.Uint32(header[16:])
		case "data":
			return broken(length, size-at-8, rate)
		}
		at += 8 + length + length%2
	}
	return 0
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
