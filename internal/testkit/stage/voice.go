package stage

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// said is an entry of a transcript in Parley's format.
type said struct {
	S int64    `json:"s"` // ms
	E int64    `json:"e"`
	C *float64 `json:"c,omitempty"`
	M string   `json:"m,omitempty"`
	W string   `json:"w"`

	speaker int
}

// script gives times to lines: words of a speed, pauses, and now and then a turn that begins before the last one ends.
func script(lines []Line, seed uint64) (words []said, length time.Duration) {
	r := rand.New(rand.NewPCG(11, seed))
	at := int64(400)
	for i, line := range lines {
		begin := at
		if i > 0 && r.IntN(6) == 0 {
			begin = max(begin-700, words[len(words)-1].S)
		}
		at = begin
		for _, text := range split(line.Text) {
			long := 110 + 45*int64(min(utf8.RuneCountInString(text), 12))
			confidence := float64(100-r.IntN(12)) / 100
			if r.IntN(9) == 0 {
				confidence = float64(30+r.IntN(50)) / 100
			}
			words = append(words, said{S: at, E: at + long, C: &confidence, W: text, speaker: line.Speaker})
			at += long + int64(r.IntN(60))
			if strings.ContainsAny(text[len(text)-1:], ".,?!") {
				at += int64(120 + r.IntN(200))
			}
		}
		at += int64(150 + r.IntN(900))
		if r.IntN(25) == 0 {
			at += 6000 // a silence
		}
	}
	return words, time.Duration(at+500) * time.Millisecond
}

// split returns the words of a text. Texts without spaces are split into characters, with the punctuation after them.
func split(text string) []string {
	words := strings.Fields(text)
	if len(words) > 1 {
		return words
	}
	words = nil
	for _, c := range text {
		if n := len(words); n > 0 && strings.ContainsRune("。，？！、", c) {
			words[n-1] += string(c)
			continue
		}
		words = append(words, string(c))
	}
	return words
}

// document writes words as a transcript in Parley's format, in which each turn begins with the name of its speaker.
func document(words []said, names ...string) []byte {
	speaker := -1
	var entries []said
	for _, w := range words {
		if w.speaker != speaker {
			speaker = w.speaker
			entries = append(entries, said{S: w.S, E: w.S, M: "turn", W: names[speaker]})
		}
		entries = append(entries, w)
	}
	text, err := json.Marshal(map[string]any{"words": entries})
	if err != nil {
		panic(err) // texts and numbers
	}
	return text
}

const rate = 8000 // samples a second of generated sound

// sound makes a recording for words: a WAV file of 8-bit mu-law samples at 8 kHz, with a channel for each speaker.
func sound(words []said, length time.Duration, channels int) []byte {
	data := samples(words, length, channels)
	return append(header(len(data), channels), data...)
}

// samples are those of a recording for words, which are hums with syllables, so that the waveform shows who speaks when.
func samples(words []said, length time.Duration, channels int) []byte {
	frames := int(length * rate / time.Second)
	data := bytes.Repeat([]byte{0xff}, frames*channels) // silence
	for n, w := range words {
		channel, from := min(w.speaker, channels-1), int(w.S*rate/1000)
		for i, sample := range hum(w.speaker%2, n%8, int((w.E-w.S)*rate/1000)) {
			if from+i < frames {
				data[(from+i)*channels+channel] = sample
			}
		}
	}
	return data
}

// hums are computed once: there are few.
var hums sync.Map

// hum returns the samples of a word of a speaker, in one of eight ways.
func hum(speaker, way, length int) []byte {
	key := [3]int{speaker, way, length}
	if made, ok := hums.Load(key); ok {
		return made.([]byte)
	}
	pitch := []float64{190, 120}[speaker] * (1 + .1*math.Sin(float64(way)))
	made := make([]byte, length)
	for i := range made {
		t := float64(i) / rate
		loud := math.Sin(math.Pi*float64(i)/float64(length)) * (.6 + .4*math.Sin(2*math.Pi*5*t+float64(way)))
		wave := math.Sin(2*math.Pi*pitch*t) + .5*math.Sin(4*math.Pi*pitch*t) + .35*math.Sin(14*math.Pi*pitch*t)
		made[i] = muLaw(int(loud * wave * 9000))
	}
	hums.Store(key, made)
	return made
}

// header is the header of a WAV file of mu-law samples.
func header(size, channels int) []byte {
	b := binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(38+size+12))
	b = append(b, "WAVEfmt "...)
	b = binary.LittleEndian.AppendUint32(b, 18)
	for _, v := range []uint16{7, uint16(channels)} {
		b = binary.LittleEndian.AppendUint16(b, v)
	}
	b = binary.LittleEndian.AppendUint32(b, rate)
	b = binary.LittleEndian.AppendUint32(b, uint32(rate*channels))
	for _, v := range []uint16{uint16(channels), 8, 0} {
		b = binary.LittleEndian.AppendUint16(b, v)
	}
	b = append(b, "fact"...)
	b = binary.LittleEndian.AppendUint32(b, 4)
	b = binary.LittleEndian.AppendUint32(b, uint32(size/channels))
	b = append(b, "data"...)
	return binary.LittleEndian.AppendUint32(b, uint32(size))
}

// muLaw encodes a sample of 16 bits (ITU-T G.711).
func muLaw(sample int) byte {
	sign := byte(0)
	if sample < 0 {
		sample, sign = -sample, 0x80
	}
	sample = min(sample, 32_635) + 132
	exponent := 7
	for mask := 0x4000; exponent > 0 && sample&mask == 0; mask >>= 1 {
		exponent--
	}
	return ^(sign | byte(exponent<<4) | byte(sample>>(exponent+3)&0x0f))
}
