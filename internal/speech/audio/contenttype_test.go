package audio

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// kinds are the types of the real files by extension, and of those whose bytes say otherwise.
var kinds = map[string]string{
	".wav": "audio/wav", ".mp3": "audio/mpeg", ".mp2": "audio/mpeg", ".mp1": "audio/mpeg", ".flac": "audio/flac",
	".aac": "audio/aac", ".aiff": "audio/aiff", ".aif": "audio/aiff", ".ogg": "audio/ogg", ".oga": "audio/ogg",
	".opus": "audio/ogg", ".spx": "audio/ogg", ".amr": "audio/amr", ".m4a": "audio/mp4", ".mp4": "video/mp4",
	".mov": "video/quicktime", ".3gp": "video/3gpp", ".mkv": "video/x-matroska", ".webm": "video/webm",
	".mpc": "audio/x-musepack", ".avi": "video/x-msvideo",
	"formats/p001.webm": "audio/webm", "formats/p001.mp4": "video/mp4", "fixture-corrupt.mkv": "video/x-matroska",
	"fixture-dash.mp4": "video/mp4", ".json": Unknown, ".txt": Unknown, ".rttm": Unknown, ".tsv": Unknown,
	"crash-24728523ef4be15c838293b676f6853e73723bf4.wav": "audio/wav",
}

func TestContentTypeOfRealFiles(t *testing.T) {
	for _, dir := range []string{"audio", "bad_media"} {
		filepath.WalkDir(filepath.Join(data(t), dir), func(path string, e fs.DirEntry, err error) error {
			if err != nil {
				t.Fatal(err)
			}
			if e.IsDir() || strings.Contains(path, ".align.") {
				return nil
			}
			want := kinds[filepath.Ext(path)]
			for suffix, kind := range kinds {
				if strings.HasSuffix(path, "/"+suffix) {
					want = kind
				}
			}
			if got := ContentType(head(t, path), ""); got != want {
				t.Errorf("%s: %s, want %q", path, got, want)
			}
			return nil
		})
	}
}

func head(t *testing.T, path string) []byte {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	b := make([]byte, HeadSize)
	n, _ := f.Read(b)
	return b[:n]
}

func TestContentTypeByFirstBytes(t *testing.T) {
	gsmFrames := strings.Repeat("\xd5"+strings.Repeat("\x12", 32), 10)
	for _, c := range []struct{ bytes, name, want string }{
		{"", "", Unknown},
		{"", "x.gsm", Unknown},
		{"hello", "x.wav", Unknown},
		{"hello", "x.ulaw", "audio/pcmu"},
		{"hello", "X.SLN", "audio/x-sln"},
		{gsmFrames, "", "audio/gsm"},
		{"RIFF\x00\x00\x00\x00WAVEfmt ", "x.ulaw", "audio/wav"},
		{"RF64\xff\xff\xff\xffWAVEds64", "", "audio/wav"},
		{"RIFF\x00\x00\x00\x00WEBPVP8 ", "", Unknown},
		{"ID3\x03\x00\x00\x00\x00\x00\x00fLaC", "", "audio/flac"},
		{"ID3\x03\x00\x00\x7f\x7f\x7f\x7f", "", "audio/mpeg"},
		{"\xff\xfb\x90\x64" + strings.Repeat("\x00", 8), "", "audio/mpeg"},
		{"\xff\xff\xff\xff\xff\xff\xff\xff", "", Unknown},
		{"\xff\xf1\x50\x80\x43\x80\x00", "", "audio/aac"},
		{"#!AMR\n\x3c", "", "audio/amr"},
		{"#!AMR-WB\n\x3c", "", "audio/amr-wb"},
		{"\x00\x00\x00\x20ftypM4A ", "", "audio/mp4"},
		{"\x00\x00\x00\x20ftyp3gp5", "", "video/3gpp"},
		{"\x00\x00\x00\x20ftypheic", "", Unknown},
		{"\x00\x00\x00\x20ftyp", "", Unknown},
		{".snd\x00\x00\x00\x18", "", "audio/basic"},
		{"\x30\x26\xb2\x75\x8e\x66\xcf\x11", "", "audio/x-ms-wma"},
		{"\x1a\x45\xdf\xa3\x9f\x42\x82\x84webm A_OPUS", "", "audio/webm"},
		{"\x1a\x45\xdf\xa3\x9f\x42\x82\x84webm A_OPUS V_VP8", "", "video/webm"},
		{"OggS\x00\x02 OpusHead", "", "audio/ogg"},
		{"OggS\x00\x02 \x80theora", "", "video/ogg"},
		{"ffconcat version 1.0\nfile /etc/passwd\n", "x.wav", Unknown},
		{"\x89PNG\r\n\x1a\n", "x.mp3", Unknown},
		{"%PDF-1.7", "", Unknown},
	} {
		if got := ContentType([]byte(c.bytes), c.name); got != c.want {
			t.Errorf("ContentType(%q, %q) = %s, want %s", c.bytes, c.name, got, c.want)
		}
	}
}

func FuzzContentType(f *testing.F) {
	for _, m := range magics {
		f.Add([]byte(m.bytes+strings.Repeat(" ", max(m.at-len(m.bytes), 0))+m.inner), "x.gsm")
	}
	f.Add([]byte("ID3\x03\x00\x00\x00\x00\x00\x01\xff\xf1\x50\x80\x43\x80\x00"), "")
	f.Add([]byte("\xff\xfb\x90\x64\x00\x00"), "a.ul")
	f.Fuzz(func(t *testing.T, head []byte, name string) {
		kind := ContentType(head, name)
		if major, minor, ok := strings.Cut(kind, "/"); !ok || major == "" || minor == "" {
			t.Fatalf("content type %q", kind)
		}
		if len(head) >= HeadSize && ContentType(append(head, "OggS"...), name) != kind {
			t.Fatal("bytes beyond the head change the type")
		}
	})
}
