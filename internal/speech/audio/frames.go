package audio

import "encoding/binary"

// tagged skips an ID3v2 tag, which may precede MP3, AAC and FLAC.
func tagged(head []byte) string {
	if !stands(head, 0, "ID3") || len(head) < 10 {
		return ""
	}
	size := 10
	for i, b := range head[6:10] {
		size += int(b&0x7f) << (7 * (3 - i))
	}
	if size < len(head) {
		rest := head[size:]
		if stands(rest, 0, "fLaC") {
			return "audio/flac"
		}
		if kind := adts(rest); kind != "" {
			return kind
		}
	}
	return "audio/mpeg"
}

// adts detects AAC by two consecutive frames, or one if the head ends before the second.
func adts(head []byte) string {
	if size := adtsFrame(head); size > 0 && (size+7 > len(head) || adtsFrame(head[size:]) > 0) {
		return "audio/aac"
	}
	return ""
}

// adtsFrame returns the size of the frame at the start of b (ISO 14496-3, 1.A.2.2), or 0.
func adtsFrame(b []byte) int {
	if len(b) < 7 || b[0] != 0xff || b[1]&0xf6 != 0xf0 || b[2]>>2&15 > 12 {
		return 0
	}
	size := int(b[3]&3)<<11 | int(b[4])<<3 | int(b[5])>>5
	if size < 7 {
		return 0
	}
	return size
}

// latm detects LOAS by two consecutive frames: an 11-bit sync word and a 13-bit length (ISO 14496-3, 1.7.2).
func latm(head []byte) string {
	sync := func(b []byte) bool { return len(b) >= 3 && b[0] == 0x56 && b[1]&0xe0 == 0xe0 }
	if !sync(head) {
		return ""
	}
	if next := 3 + (int(head[1]&0x1f)<<8 | int(head[2])); next < len(head) && sync(head[next:]) {
		return "audio/mp4a-latm"
	}
	return ""
}

// mpegAudio detects MPEG layers 1 to 3: a frame at the start, or two consecutive ones after garbage or padding.
func mpegAudio(head []byte) string {
	if size := mpegFrame(head); size > 0 && (size+4 > len(head) || mpegFrame(head[size:]) > 0) {
		return "audio/mpeg"
	}
	for at := 1; at+4 < len(head); at++ {
		size := mpegFrame(head[at:])
		if size > 0 && at+size+4 <= len(head) && sameStream(head[at:], head[at+size:]) {
			return "audio/mpeg"
		}
	}
	return ""
}

// sameStream reports whether two frame headers agree in version, layer and sample rate.
func sameStream(a, b []byte) bool {
	return mpegFrame(b) > 0 && a[1]&0xfe == b[1]&0xfe && a[2]&0x0c == b[2]&0x0c
}

// bitrates in kbit/s by row and index: version 1 layers 1, 2, 3; version 2 layer 1; version 2 layers 2 and 3.
var bitrates = [5][15]int{
	{0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448},
	{0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384},
	{0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320},
	{0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256},
	{0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160},
}

var sampleRates = [3]int{44100, 48000, 32000} // version 1; halved in version 2, quartered in 2.5

// mpegFrame returns the size of the MPEG audio frame at the start of b (ISO 11172-3, 2.4.1.3), or 0.
func mpegFrame(b []byte) int {
	if len(b) < 4 {
		return 0
	}
	h := binary.BigEndian.Uint32(b)
	version, layer, rate, frequency, padding := h>>19&3, 4-int(h>>17&3), h>>12&15, h>>10&3, int(h>>9&1)
	if h>>21 != 0x7ff || version == 1 || layer == 4 || rate == 0 || rate == 15 || frequency == 3 {
		return 0
	}
	row, hertz := layer-1, sampleRates[frequency]
	if version != 3 {
		row = min(layer+2, 4)
		hertz >>= 1
	}
	if version == 0 {
		hertz >>= 1
	}
	return frameSize(layer, version == 3, bitrates[row][rate]*1000, hertz, padding)
}

func frameSize(layer int, version1 bool, bits, hertz, padding int) int {
	switch {
	case layer == 1:
		return (12*bits/hertz + padding) * 4
	case layer == 3 && !version1:
		return 72*bits/hertz + padding
	}
	return 144*bits/hertz + padding
}

// gsm detects full-rate GSM 06.10 by the 4-bit signature of its 33-byte frames.
func gsm(head []byte) string {
	const frame, enough = 33, 10
	for i := range enough {
		if i*frame >= len(head) || head[i*frame]>>4 != 0xd {
			return ""
		}
	}
	return "audio/gsm"
}
