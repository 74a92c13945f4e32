package audio

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
)

var errNoFLAC = errors.New("audio: not a FLAC file with frames of a fixed size")

// scanFLAC finds the frames of a FLAC file and returns the first one of each second. r begins with the first frame.
func scanFLAC(r io.Reader, f *flacFile) ([]flacPoint, error) {
	block := int64(binary.BigEndian.Uint16(f.info))
	if block == 0 || block != int64(binary.BigEndian.Uint16(f.info[2:])) {
		return nil, errNoFLAC
	}
	in := bufio.NewReaderSize(r, 256<<10)
	var points []flacPoint
	var at, number int64 // position, and the number of the frame to find
	for {
		b, err := in.Peek(in.Size())
		if err != nil && err != io.EOF {
			return nil, err
		}
		last := err == io.EOF
		used := 0
		for {
			next := bytes.Index(b[used:], []byte{0xff, 0xf8})
			if next < 0 || !last && used+next+mostFrameHeader > len(b) {
				break
			}
			used += next
			if n, ok := flacFrame(b[used:]); !ok || n != number {
				used++
				continue
			}
			if sample := number * block; len(points) == 0 || sample >= int64(len(points)*f.rate) {
				points = append(points, flacPoint{sample: sample, offset: at + int64(used), samples: int(block)})
			}
			number, used = number+1, used+2
		}
		if last {
			return points, nil
		}
		used = max(used, len(b)-mostFrameHeader)
		at += int64(used)
		if _, err := in.Discard(used); err != nil {
			return nil, err
		}
	}
}

// mostFrameHeader is the size of the longest header of a frame.
const mostFrameHeader = 16

// flacFrame returns the number of the frame whose header is at the start of b (RFC 9639, 9.1): of frames of a fixed size
// their index, of others their first sample.
func flacFrame(b []byte) (number int64, ok bool) {
	if len(b) < 6 || b[0] != 0xff || b[1]&^1 != 0xf8 {
		return 0, false
	}
	number, n := codedNumber(b[4:])
	if n == 0 {
		return 0, false
	}
	at := 4 + n
	switch b[2] >> 4 { // the size of the block may follow
	case 6:
		at++
	case 7:
		at += 2
	}
	switch b[2] & 15 { // and the rate
	case 12:
		at++
	case 13, 14:
		at += 2
	}
	return number, at < len(b) && crc8(b[:at]) == b[at]
}

// codedNumber decodes a number that is written like a character in UTF-8, of up to 36 bits, and its length in bytes; 0
// for an invalid one.
func codedNumber(b []byte) (number int64, n int) {
	if b[0] < 0x80 {
		return int64(b[0]), 1
	}
	for n = 2; n <= 7 && b[0]<<n&0x80 != 0; n++ {
	}
	if b[0]&0x40 == 0 || n > 7 || len(b) < n {
		return 0, 0
	}
	number = int64(b[0] & (0x7f >> n))
	for _, c := range b[1:n] {
		if c>>6 != 2 {
			return 0, 0
		}
		number = number<<6 | int64(c&0x3f)
	}
	return number, n
}

// crc8 has the polynomial x^8 + x^2 + x + 1.
func crc8(b []byte) (sum byte) {
	for _, c := range b {
		sum ^= c
		for range 8 {
			carry := sum & 0x80
			sum <<= 1
			if carry != 0 {
				sum ^= 7
			}
		}
	}
	return sum
}
