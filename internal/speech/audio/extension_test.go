package audio

import (
	"os"
	"regexp"
	"testing"
)

func TestEveryContentTypeHasAnExtension(t *testing.T) {
	named := regexp.MustCompile(`"((?:audio|video|application)/[a-z0-9.-]+)"`)
	for _, file := range []string{"contenttype.go", "frames.go"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range named.FindAllStringSubmatch(string(text), -1) {
			if m[1] != Unknown && Extension(m[1]) == "" {
				t.Errorf("%s has no extension", m[1])
			}
		}
	}
	for _, track := range []string{"x-matroska", "webm"} { // built by concatenation in the package
		if Extension("audio/"+track) == "" || Extension("video/"+track) == "" {
			t.Errorf("%s has no extension", track)
		}
	}
}
