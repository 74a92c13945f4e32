package client_test

import (
	"net/http"
	"strings"
	"testing"

	"parley/internal/terminal/client"
	"parley/internal/testkit/servertest"
)

func TestClientTrainsShowsAndDeletesClassifiers(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	c := &client.Client{Base: s.Base, Token: s.Token, HTTP: http.DefaultClient}
	set := "text,label\none a,x\ntwo a,x\nthree a,x\none b,y\ntwo b,y\nthree b,y\n"
	if body, err := c.TrainClassifier(t.Context(), "a b?", "Shown", strings.NewReader(set)); err != nil ||
		!strings.Contains(string(body), `"classifierDisplayName":"Shown"`) {
		t.Fatalf("%v: %s", err, body)
	}
	s.Idle(t)
	if body, err := c.Classifier(t.Context(), "a b?", "1"); err != nil ||
		!strings.Contains(string(body), `"status":"ready"`) {
		t.Errorf("%v: %s", err, body)
	}
	if body, err := c.Classifiers(t.Context()); err != nil || !strings.Contains(string(body), `"a b?"`) ||
		!strings.Contains(string(body), `"voicemail"`) {
		t.Errorf("%v: %s", err, body)
	}
	if err := c.DeleteClassifier(t.Context(), "a b?", "2"); err == nil || !strings.Contains(err.Error(), "version 2") {
		t.Errorf("a version that is not there: %v", err)
	}
	if err := c.DeleteClassifier(t.Context(), "a b?", ""); err != nil {
		t.Error(err)
	}
	if _, err := c.Classifier(t.Context(), "a b?", ""); err == nil {
		t.Error("it is still there")
	}
}
