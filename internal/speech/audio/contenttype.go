package audio

import (
	"bytes"
	"path"
	"strings"
)

// Unknown is the content type of unrecognised data.
const Unknown = "application/octet-stream"

// HeadSize is the number of leading bytes that ContentType examines. Fewer suffice for most formats.
const HeadSize = 4096

// ContentType detects a media format from the first bytes of a file. Formats without a header (raw mu-law, A-law,
// G.722 …) are detected by the extension of the name. If a format has a header, the name alone is not trusted and the
// result is Unknown. ContentType examines at most HeadSize bytes and starts no subprocess. It does not check whether
// the file can be decoded.
func ContentType(head []byte, name string) string {
	head = head[:min(len(head), HeadSize)]
	for _, m := range magics {
		if m.matches(head) {
			return m.kind
		}
	}
	for _, look := range lookers {
		if kind := look(head); kind != "" {
			return kind
		}
	}
	if kind, ok := headerlessNames[strings.ToLower(path.Ext(name))]; ok && len(head) > 0 {
		return kind
	}
	return Unknown
}

// magic is a format identified by one or two fixed byte sequences.
type magic struct {
	bytes  string
	kind   string
	at     int    // offset of inner, if any
	inner  string // a second byte sequence
	offset int    // offset of bytes
}

func (m *magic) matches(head []byte) bool {
	return stands(head, m.offset, m.bytes) && stands(head, m.at, m.inner)
}

func stands(head []byte, at int, s string) bool {
	return len(head) >= at+len(s) && string(head[at:at+len(s)]) == s
}

// magics are tried in order.
var magics = []magic{
	{bytes: "RIFF", at: 8, inner: "WAVE", kind: "audio/wav"},
	{bytes: "RIFX", at: 8, inner: "WAVE", kind: "audio/wav"},
	{bytes: "RF64", at: 8, inner: "WAVE", kind: "audio/wav"},
	{bytes: "BW64", at: 8, inner: "WAVE", kind: "audio/wav"},
	{bytes: "RIFF", at: 8, inner: "AVI ", kind: "video/x-msvideo"},
	{bytes: "RIFF", at: 8, inner: "QLCM", kind: "audio/qcelp"},
	{bytes: "RIFF", at: 8, inner: "XWMA", kind: "audio/x-ms-wma"},
	{bytes: "riff\x2e\x91\xcf\x11\xa5\xd6", kind: "audio/x-w64"},
	{bytes: "FORM", at: 8, inner: "AIFF", kind: "audio/aiff"},
	{bytes: "FORM", at: 8, inner: "AIFC", kind: "audio/aiff"},
	{bytes: "FORM", at: 8, inner: "8SVX", kind: "audio/x-8svx"},
	{bytes: ".snd", kind: "audio/basic"},
	{bytes: "fLaC", kind: "audio/flac"},
	{bytes: "#!AMR-WB", kind: "audio/amr-wb"},
	{bytes: "#!AMR", kind: "audio/amr"},
	{bytes: "#!iLBC", kind: "audio/ilbc"},
	{bytes: "#!SILK", kind: "audio/silk"},
	{bytes: "caff\x00\x01", kind: "audio/x-caf"},
	{bytes: "wvpk", kind: "audio/x-wavpack"},
	{bytes: "MAC ", kind: "audio/x-ape"},
	{bytes: "MPCK", kind: "audio/x-musepack"},
	{bytes: "MP+", kind: "audio/x-musepack"},
	{bytes: "TTA1", kind: "audio/x-tta"},
	{bytes: "tBaK", kind: "audio/x-tak"},
	{bytes: "ajkg", kind: "audio/x-shorten"},
	{bytes: "Creative Voice File", kind: "audio/x-voc"},
	{bytes: "NIST_1A", kind: "audio/x-nist"},
	{bytes: "DSD ", kind: "audio/x-dsf"},
	{bytes: "FRM8", at: 12, inner: "DSD ", kind: "audio/x-dff"},
	{bytes: ".RMF", kind: "application/vnd.rn-realmedia"},
	{bytes: ".ra\xfd", kind: "audio/x-realaudio"},
	{bytes: "FLV\x01", kind: "video/x-flv"},
	{bytes: "\x0b\x77", kind: "audio/ac3"},
	{bytes: "\x7f\xfe\x80\x01", kind: "audio/vnd.dts"},
	{bytes: "ADIF", kind: "audio/aac"},
	{bytes: "\x00\x00\x01\xba", kind: "video/mpeg"},
	{bytes: "\x00\x00\x01\xb3", kind: "video/mpeg"},
	{bytes: "\x06\x0e\x2b\x34\x02\x05\x01\x01\x0d\x01\x02", kind: "application/mxf"},
	{bytes: "\xb7\xd8\x00\x20\x37\x49\xda\x11", kind: "video/x-ms-wtv"},
}

// lookers detect formats that fixed bytes do not identify; each returns "" if it does not match. They are tried in
// order, the most reliable first.
var lookers = []func([]byte) string{ogg, isoMedia, matroska, asf, transportStream, tagged, adts, latm, mpegAudio, gsm}

// ogg distinguishes video from audio by the codec headers in the first pages.
func ogg(head []byte) string {
	switch {
	case !stands(head, 0, "OggS"):
		return ""
	case bytes.Contains(head, []byte("\x80theora")):
		return "video/ogg"
	}
	return "audio/ogg"
}

// isoMedia detects MP4, QuickTime and 3GPP files by their brand.
func isoMedia(head []byte) string {
	if stands(head, 4, "ftyp") && len(head) >= 12 {
		return brand(string(head[8:12]))
	}
	for _, box := range []string{"moov", "mdat", "wide", "pnot"} {
		if stands(head, 4, box) {
			return "video/quicktime"
		}
	}
	return ""
}

func brand(b string) string {
	switch b {
	case "qt  ":
		return "video/quicktime"
	case "heic", "mif1", "avif":
		return Unknown // pictures
	}
	switch b[:3] {
	case "M4A", "M4B", "M4P", "F4A":
		return "audio/mp4"
	case "3g2":
		return "video/3gpp2"
	case "3gp", "3gr", "3gs":
		return "video/3gpp"
	}
	return "video/mp4"
}

// matroska detects the document type. It is audio if all tracks within the head are audio.
func matroska(head []byte) string {
	if !stands(head, 0, "\x1a\x45\xdf\xa3") {
		return ""
	}
	kind := "x-matroska"
	if bytes.Contains(head[:min(len(head), 128)], []byte("webm")) {
		kind = "webm"
	}
	if bytes.Contains(head, []byte("A_")) && !bytes.Contains(head, []byte("V_")) {
		return "audio/" + kind
	}
	return "video/" + kind
}

// asf distinguishes video from audio by the stream properties.
func asf(head []byte) string {
	switch {
	case !stands(head, 0, "\x30\x26\xb2\x75\x8e\x66\xcf\x11"):
		return ""
	case bytes.Contains(head, []byte("\xc0\xef\x19\xbc\x4d\x5b\xcf\x11")):
		return "video/x-ms-asf"
	}
	return "audio/x-ms-wma"
}

// transportStream requires the sync byte of three consecutive packets of 188 bytes.
func transportStream(head []byte) string {
	if len(head) > 376 && head[0] == 0x47 && head[188] == 0x47 && head[376] == 0x47 {
		return "video/mp2t"
	}
	return ""
}

// headerlessNames maps the file extensions of formats without a header, as used by telephone systems.
var headerlessNames = map[string]string{
	".gsm": "audio/gsm", ".ul": "audio/pcmu", ".ulaw": "audio/pcmu", ".mulaw": "audio/pcmu", ".pcmu": "audio/pcmu",
	".al": "audio/pcma", ".alaw": "audio/pcma", ".pcma": "audio/pcma", ".sln": "audio/x-sln", ".g722": "audio/g722",
	".g729": "audio/g729", ".g723": "audio/g723", ".g723_1": "audio/g723", ".g726": "audio/x-g726",
	".g726-32": "audio/x-g726",
}
