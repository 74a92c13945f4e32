package api_test

import (
	"strings"
	"testing"
	"time"

	"parley/internal/operation/config"
	"parley/internal/testkit/servertest"
)

// TestRefusalsNameTheFlagThatWouldAllowIt covers everything that a server refuses because of a setting.
func TestRefusalsNameTheFlagThatWouldAllowIt(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: func(c *config.Settings) {
		c.MaxUpload = 1 << 20
		c.MaxDuration = 2 * time.Second
	}})
	callback := func(url string) servertest.Part {
		return servertest.Field("configuration", `{"publish":{"callbacks":[{"url":"`+url+`"}]}}`)
	}
	for _, c := range []struct {
		flag string
		text string
	}{
		{"--allow-insecure-callbacks", s.Post(t, recording, callback("http://example.com/")).String()},
		{"--allow-networks", s.Post(t, recording, callback("https://10.1.2.3/")).String()},
		{"--allow-networks", s.Post(t, servertest.Field("mediaUrl", "https://192.168.0.1/call.wav")).String()},
		{"--max-upload", s.Post(t, servertest.File("media", "long.wav", servertest.Tone(90, 1))).String()},
		{"--max-duration", string(s.Get(t, "/v3/media/"+awaited(t, s, servertest.Tone(5, 1))).Body)},
	} {
		if !strings.Contains(c.text, c.flag) {
			t.Errorf("no %s in %s", c.flag, c.text)
		}
	}
}

// awaited submits a recording, waits until it has finished and returns its id.
func awaited(t *testing.T, s *servertest.Server, sound []byte) string {
	t.Helper()
	id := s.Submit(t, servertest.File("media", "call.wav", sound))
	s.Await(t, id)
	return id
}
