package client

import "testing"

func TestAddressesOfServersComeInOneSpelling(t *testing.T) {
	for text, want := range map[string]string{
		"127.0.0.1:8080": "http://127.0.0.1:8080", ":8080": "http://127.0.0.1:8080",
		"Parley.Example.com": "https://parley.example.com",
		"http://host/":       "http://host", "http://host/v3": "http://host",
		"https://host/voice/v3/": "https://host/voice", "host:1/v3": "https://host:1",
		"https://host/v31": "https://host/v31",
	} {
		if got, err := ParseAddress(text); err != nil || got != want {
			t.Errorf("%s: %s, %v; want %s", text, got, err, want)
		}
	}
	for _, text := range []string{"", "http://", "ftp://host", "https://user:x@host", "https://host?x=1"} {
		if got, err := ParseAddress(text); err == nil {
			t.Errorf("%q is taken as %s", text, got)
		}
	}
}
