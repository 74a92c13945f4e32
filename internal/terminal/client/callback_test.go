package client_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"

	"parley/internal/call/delivery"
	"parley/internal/call/wire"
	"parley/internal/operation/config"
	"parley/internal/terminal/client"
	"parley/internal/testkit/servertest"
)

func TestClientShowsDeliveriesAndMakesThemAgain(t *testing.T) {
	t.Parallel()
	var up atomic.Bool
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if !up.Load() {
			w.WriteHeader(http.StatusGone)
		}
	}))
	t.Cleanup(receiver.Close)
	s := servertest.Start(t, servertest.Options{Settings: func(c *config.Settings) {
		c.InsecureCallbacks, c.AllowNetworks = true, []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
		c.CallbackSchedule = delivery.Schedule{0}
	}})
	c := &client.Client{Base: s.Base, Token: s.Token, HTTP: http.DefaultClient}
	sent, err := c.Submit(t.Context(), client.Submission{
		Name: "call.wav", Media: bytes.NewReader(servertest.Tone(2, 1)),
		Configuration: `{"publish":{"callbacks":[{"url":"` + receiver.URL + `/r"}]}}`,
		Transcript:    `{"words":[{"p":0,"c":1,"s":100,"e":400,"w":"hello"}]}`,
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Await(t, sent.MediaID)
	s.Idle(t)
	body, err := c.Deliveries(t.Context(), sent.MediaID)
	var all wire.Callbacks
	if err = errors.Join(err, json.Unmarshal(body, &all)); err != nil {
		t.Fatal(err)
	}
	list := all.Callbacks
	if len(list) != 1 || list[0].Status != "failed" || list[0].Tries[0].Status != 410 {
		t.Fatalf("%+v", list)
	}
	if failing, err := c.FailingEndpoints(t.Context()); err != nil ||
		!strings.Contains(string(failing), receiver.URL+"/r") {
		t.Errorf("%s, %v", failing, err)
	}
	up.Store(true)
	if again, err := c.DeliverAgain(t.Context(), sent.MediaID, list[0].CallbackID); err != nil ||
		!strings.Contains(string(again), `"pending"`) {
		t.Fatalf("%s, %v", again, err)
	}
	s.Idle(t)
	if body, err := c.Deliveries(t.Context(), sent.MediaID); err != nil ||
		!strings.Contains(string(body), `"delivered"`) {
		t.Errorf("%s, %v", body, err)
	}
	if failing, err := c.FailingEndpoints(t.Context()); err != nil || strings.Contains(string(failing), receiver.URL) {
		t.Errorf("%s, %v", failing, err)
	}
	if _, err := c.DeliverAgain(t.Context(), sent.MediaID, "msg_none"); err == nil ||
		!strings.Contains(err.Error(), "msg_none") {
		t.Errorf("a delivery that is not there: %v", err)
	}
}

func TestClientMakesAndDeletesCallbackSecrets(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	c := &client.Client{Base: s.Base, Token: s.Token, HTTP: http.DefaultClient}
	made, err := c.CreateCallbackSecret(t.Context())
	if err != nil || !strings.Contains(string(made), `"whsec_`) {
		t.Fatalf("%s, %v", made, err)
	}
	_, rest, _ := strings.Cut(string(made), `"secretId":"`)
	id, _, _ := strings.Cut(rest, `"`)
	if list, err := c.CallbackSecrets(t.Context()); err != nil || !strings.Contains(string(list), id) ||
		strings.Contains(string(list), "whsec_") {
		t.Errorf("%s, %v", list, err)
	}
	if err := c.DeleteCallbackSecret(t.Context(), id); err != nil {
		t.Error(err)
	}
	if err := c.DeleteCallbackSecret(t.Context(), id); err == nil {
		t.Error("it is still there")
	}
}
