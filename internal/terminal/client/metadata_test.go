package client_test

import (
	"net/http"
	"strings"
	"testing"

	"parley/internal/operation/config"
	"parley/internal/terminal/client"
	"parley/internal/testkit/servertest"
)

func TestMain(m *testing.M) { servertest.Main(m) }

func TestClientReadsAndReplacesMetadata(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: func(c *config.Settings) { c.Role = config.RoleAPI }})
	c := &client.Client{Base: s.Base, Token: s.Token, HTTP: http.DefaultClient}
	id := s.Submit(t, servertest.File("media", "call.wav", servertest.Tone(1, 1)),
		servertest.Field("metadata", `{"n":1.0}`))
	if body, err := c.Metadata(t.Context(), id); err != nil || !strings.Contains(string(body), `"n":1.0`) {
		t.Errorf("%v: %s", err, body)
	}
	if body, err := c.PutMetadata(t.Context(), id, strings.NewReader(`{"n":2.50}`)); err != nil ||
		!strings.Contains(string(body), `"n":2.50`) {
		t.Errorf("%v: %s", err, body)
	}
	if _, err := c.PutMetadata(t.Context(), id, strings.NewReader(`{"externalId":""}`)); err == nil ||
		!strings.Contains(err.Error(), "/externalId") {
		t.Errorf("wrong metadata: %v", err)
	}
}
