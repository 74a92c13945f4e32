package audio

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"slices"
	"time"
)

// Where a time is in a file. The functions return nil if the format does not tell.

var narrowers = []func(s Stored, from, to time.Duration) (*excerpt, error){
	wavExcerpt, blockExcerpt, flacExcerpt, mp3Excerpt, gsmExcerpt, amrExcerpt,
}

// lead is decoded before a part, for decoders and resamplers that need what precedes a sample.
const lead = 400 * time.Millisecond

// wavExcerpt returns a part of a WAV file of any rate and coding that has no state.
func wavExcerpt(r Stored, from, to time.Duration) (*excerpt, error) {
	w, ok := parseWAV(r, r.Size)
	if !ok || w.length >= placeholder {
		return nil, nil
	}
	start := min(frameAt(max(from-lead, 0), w.rate), w.frames())
	end := min(frameAt(to+lead, w.rate)+1, w.frames())
	width := int64(w.channels * w.coding.width)
	length := (end - start) * width
	return &excerpt{parts: wavParts(r, w.format, w.at+start*width, length), size: length,
		start: float64(start) * Rate / float64(w.rate)}, nil
}

// wavParts is a WAV file with some of the samples of another one.
func wavParts(r io.ReaderAt, format []byte, at, length int64) []io.Reader {
	b := binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(20+len(format)+int(length)))
	b = binary.LittleEndian.AppendUint32(append(b, "WAVEfmt "...), uint32(len(format)))
	b = append(append(b, format...), make([]byte, len(format)%2)...)
	b = binary.LittleEndian.AppendUint32(append(b, "data"...), uint32(length))
	return []io.Reader{bytes.NewReader(b), io.NewSectionReader(r, at, length)}
}

// blockCodings are the format tags of WAV files whose samples come in blocks of a fixed size: Microsoft's and IMA ADPCM,
// GSM.
var blockCodings = []int{2, 0x11, 0x31}

// blockExcerpt returns a part of a WAV file whose samples come in blocks.
func blockExcerpt(r Stored, from, to time.Duration) (*excerpt, error) {
	var format []byte
	for c := range wavChunks(r, r.Size) {
		switch {
		case c.id == "fmt " && c.length >= 20 && c.length <= 1<<10:
			format = make([]byte, c.length)
			if n, err := r.ReadAt(format, c.at); n < len(format) {
				return nil, notEOF(err)
			}
		case c.id == "data" && format != nil:
			rate, block, samples := int(binary.LittleEndian.Uint32(format[4:])), int64(le16(format[12:])), int64(le16(format[18:]))
			if !slices.Contains(blockCodings, le16(format)) || rate == 0 || block == 0 || samples == 0 {
				return nil, nil
			}
			first, start, length := blocks(from, to, rate, samples, block, min(c.length, r.Size-c.at))
			return &excerpt{parts: wavParts(r, format, c.at+start, length), size: length,
				start: float64(first) * Rate / float64(rate)}, nil
		}
	}
	return nil, nil
}

// blocks returns the first sample, the position and the length of the blocks with a part and its lead, of a recording
// that consists of blocks of so many samples and bytes.
func blocks(from, to time.Duration, rate int, samples, bytes, size int64) (first, start, length int64) {
	n := frameAt(max(from-lead, 0), rate) / samples
	end := frameAt(to+lead, rate)/samples + 1
	start = min(n*bytes, size)
	return n * samples, start, min(end*bytes, size) - start
}

// gsmExcerpt returns a part of a GSM 06.10 file: frames of 160 samples in 33 bytes.
func gsmExcerpt(r Stored, from, to time.Duration) (*excerpt, error) {
	if r.ContentType != "audio/gsm" {
		return nil, nil
	}
	first, start, length := blocks(from, to, 8000, 160, 33, r.Size)
	return &excerpt{parts: []io.Reader{io.NewSectionReader(r, start, length)}, size: length, start: float64(2 * first),
		contentType: r.ContentType}, nil
}

// amrFiles are the kinds of AMR files (RFC 4867, 5): how they start, the sizes of frames of 20 ms by their type, and the
// name that ffmpeg needs.
var amrFiles = map[string]struct {
	magic string
	sizes [16]int64
}{
	"audio/amr":    {"#!AMR\n", [16]int64{13, 14, 16, 18, 20, 21, 27, 32, 6, 1, 1, 1, 1, 1, 1, 1}},
	"audio/amr-wb": {"#!AMR-WB\n", [16]int64{18, 24, 33, 37, 41, 47, 51, 59, 61, 6, 6, 1, 1, 1, 1, 1}},
}

// amrExcerpt returns a part of an AMR file of one channel. The size of each frame is in its first byte, so it reads the
// file up to the part.
func amrExcerpt(r Stored, from, to time.Duration) (*excerpt, error) {
	kind, ok := amrFiles[r.ContentType]
	if !ok {
		return nil, nil
	}
	const frame = 20 * time.Millisecond
	magic := make([]byte, len(kind.magic))
	if n, err := r.ReadAt(magic, 0); n < len(magic) || string(magic) != kind.magic {
		return nil, notEOF(err)
	}
	first, end := int64(max(from-lead, 0)/frame), int64((to+lead)/frame)+1
	at, start := int64(len(magic)), int64(len(magic))
	in := bufio.NewReaderSize(io.NewSectionReader(r, at, r.Size-at), 256<<10)
	for n := range end {
		if n == first {
			start = at
		}
		head, err := in.ReadByte()
		if err == nil {
			size := kind.sizes[head>>3&15]
			at += size
			_, err = in.Discard(int(size) - 1)
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	at = min(at, r.Size)
	return &excerpt{parts: []io.Reader{bytes.NewReader(magic), io.NewSectionReader(r, start, at-start)}, size: at - start,
		start: float64(first) * float64(frame) / float64(time.Second) * Rate}, nil
}

// flacExcerpt returns a part of a FLAC file with a seek table.
func flacExcerpt(r Stored, from, to time.Duration) (*excerpt, error) {
	f, err := readFLAC(r, r.Size)
	if f == nil || err != nil || len(f.points) == 0 {
		return nil, err
	}
	first, last := f.points[0], r.Size-f.frames
	for _, p := range f.points {
		if p.sample <= frameAt(max(from-lead, 0), f.rate) {
			first = p
		}
		if p.sample > frameAt(to+lead, f.rate) {
			last = p.offset
			break
		}
	}
	info := bytes.Clone(f.info)
	info[13] &= 0xf0 // the number of samples is not known, nor their sum
	clear(info[14:])
	head := append([]byte("fLaC\x80\x00\x00\x22"), info...)
	return &excerpt{parts: []io.Reader{bytes.NewReader(head),
		io.NewSectionReader(r, f.frames+first.offset, last-first.offset)},
		size: last - first.offset, start: float64(first.sample) * Rate / float64(f.rate)}, nil
}

// reservoir is the number of frames before a part of an MP3 file whose bits it may need.
const reservoir = 12

// mp3Excerpt returns a part of an MP3 file whose bit rate is constant, so that each frame has its place.
func mp3Excerpt(r Stored, from, to time.Duration) (*excerpt, error) {
	m, err := readMP3(r, r.Size)
	if m == nil || err != nil {
		return nil, err
	}
	frame := func(t time.Duration) int64 { return (frameAt(t, m.rate) + m.skip) / m.samples }
	n := max(frame(from)-reservoir, 0)
	start := m.first + max(int64(float64(n)*m.size)-8, 0)
	end := min(m.first+int64(float64(frame(to)+4)*m.size), r.Size)
	if end-start < int64(m.size) {
		return nil, nil
	}
	head := make([]byte, min(end-start, 4<<10))
	if _, err := r.ReadAt(head, start); err != nil && err != io.EOF {
		return nil, err
	}
	at := m.sync(head)
	if at < 0 {
		return nil, nil
	}
	start += int64(at)
	n = int64(float64(start-m.first)/m.size + 0.5)
	return &excerpt{parts: []io.Reader{io.NewSectionReader(r, start, end-start)}, size: end - start,
		start: float64(n*m.samples-m.skip) * Rate / float64(m.rate), options: []string{"-f", "mp3"}}, nil
}

// mp3 is an MP3 file of constant bit rate.
type mp3 struct {
	header  []byte  // of a frame
	first   int64   // position of the first frame with sound
	size    float64 // mean size of a frame in bytes
	samples int64   // of each channel in a frame
	rate    int
	skip    int64 // samples that decoders leave out at the start
}

// readMP3 returns nil for other files.
func readMP3(r io.ReaderAt, size int64) (*mp3, error) {
	at := id3Size(r)
	head := make([]byte, 8<<10)
	n, err := r.ReadAt(head, at)
	if err != nil && err != io.EOF {
		return nil, err
	}
	head = head[:n]
	first := mpegFrame(head)
	if first == 0 || first+4 > len(head) || !sameStream(head, head[first:]) || head[1]>>1&3 != 1 { // layer 3
		return nil, nil
	}
	m := &mp3{header: head[:4], first: at}
	version1 := head[1]>>3&3 == 3
	m.samples, m.rate = 576, sampleRates[head[2]>>2&3]>>1
	row := 4
	if version1 {
		m.samples, m.rate, row = 1152, sampleRates[head[2]>>2&3], 2
	} else if head[1]>>3&3 == 0 {
		m.rate >>= 1
	}
	if tag := bytes.Index(head[:min(first, 64)], []byte("Info")); tag > 0 {
		if delay := tag + 8 + 4 + 4 + 100 + 4 + 21; delay+3 <= first && head[tag+7]&15 == 15 {
			m.skip = int64(head[delay])<<4 | int64(head[delay+1])>>4 + 529
		}
		m.first += int64(first)
		m.header = head[first : first+4]
	}
	bits := float64(bitrates[row][m.header[2]>>4] * 1000)
	m.size = float64(m.samples) / 8 * bits / float64(m.rate)
	if !constantMP3(r, size) {
		return nil, nil
	}
	return m, nil
}

// sync returns the position of the first frame of the file in a part of it, -1 if there is none.
func (m *mp3) sync(b []byte) int {
	for at := 0; at+4 <= len(b); at++ {
		size := mpegFrame(b[at:])
		if size > 0 && b[at+1] == m.header[1] && b[at+2]&0xfc == m.header[2]&0xfc && at+size+4 <= len(b) &&
			sameStream(b[at:], b[at+size:]) {
			return at
		}
	}
	return -1
}
