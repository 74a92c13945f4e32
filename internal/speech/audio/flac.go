package audio

import (
	"bytes"
	"encoding/binary"
	"io"
)

// flacFile describes a FLAC file (RFC 9639).
type flacFile struct {
	info   []byte // STREAMINFO, 34 bytes
	rate   int
	frames int64 // position of the first frame
	points []flacPoint
}

// flacPoint is a point of a seek table: the first sample of a frame and the frame's position after the first frame.
type flacPoint struct {
	sample, offset int64
	samples        int // in the frame
}

const (
	flacPointSize = 18
	mostMetadata  = 16 << 20 // bytes of one metadata block
	flacSeekTable = 3
)

// readFLAC reads the metadata of a FLAC file; nil for other files.
func readFLAC(r io.ReaderAt, size int64) (*flacFile, error) {
	b := make([]byte, 4+4+34)
	if n, err := r.ReadAt(b, 0); n < len(b) || string(b[:4]) != "fLaC" || b[4]&0x7f != 0 {
		return nil, notEOF(err)
	}
	f := &flacFile{info: b[8:42], rate: int(b[18])<<12 | int(b[19])<<4 | int(b[20])>>4}
	last, at := b[4]&0x80 != 0, int64(42)
	head := make([]byte, 4)
	for !last {
		if n, err := r.ReadAt(head, at); n < len(head) {
			return nil, notEOF(err)
		}
		last = head[0]&0x80 != 0
		length := int64(head[1])<<16 | int64(head[2])<<8 | int64(head[3])
		if head[0]&0x7f == flacSeekTable {
			table := make([]byte, length)
			if n, err := r.ReadAt(table, at+4); n < len(table) {
				return nil, notEOF(err)
			}
			f.points = parseSeekTable(table, size)
		}
		at += 4 + length
	}
	if f.frames = at; f.rate == 0 || at > size {
		return nil, nil
	}
	return f, nil
}

func notEOF(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

// parseSeekTable returns the points up to the first placeholder, nil if they are not in order.
func parseSeekTable(b []byte, size int64) (points []flacPoint) {
	for ; len(b) >= flacPointSize; b = b[flacPointSize:] {
		p := flacPoint{int64(binary.BigEndian.Uint64(b)), int64(binary.BigEndian.Uint64(b[8:])), int(binary.BigEndian.Uint16(b[16:]))}
		if p.sample < 0 { // placeholders
			break
		}
		if n := len(points); p.offset < 0 || p.offset > size || n > 0 && (p.sample <= points[n-1].sample || p.offset < points[n-1].offset) {
			return nil
		}
		points = append(points, p)
	}
	return points
}

// withSeekTable returns a FLAC file with a seek table of one point per second, and nothing else in its metadata. The file
// has frames of a fixed size, as ffmpeg writes them.
func withSeekTable(r io.ReaderAt, size int64) (io.Reader, error) {
	f, err := readFLAC(r, size)
	if err != nil {
		return nil, err
	}
	if f == nil {
		return nil, errNoFLAC
	}
	points, err := scanFLAC(io.NewSectionReader(r, f.frames, size-f.frames), f)
	if err != nil {
		return nil, err
	}
	head := append([]byte("fLaC\x00\x00\x00\x22"), f.info...)
	length := len(points) * flacPointSize
	head = append(head, 0x80|flacSeekTable, byte(length>>16), byte(length>>8), byte(length))
	for _, p := range points {
		head = binary.BigEndian.AppendUint64(head, uint64(p.sample))
		head = binary.BigEndian.AppendUint64(head, uint64(p.offset))
		head = binary.BigEndian.AppendUint16(head, uint16(p.samples))
	}
	return io.MultiReader(bytes.NewReader(head), io.NewSectionReader(r, f.frames, size-f.frames)), nil
}
