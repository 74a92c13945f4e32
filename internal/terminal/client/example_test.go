package client_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"parley/internal/terminal/client"
)

func ExampleClient_Submit() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, `{"mediaId":"01912c45-5f3c-7d1a-9b1e-0a8d5c2f4e11","status":"accepted"}`)
	}))
	defer server.Close()
	c := &client.Client{Base: server.URL, Token: "secret", HTTP: server.Client()}
	item, err := c.Submit(context.Background(), client.Submission{Name: "call.wav", Media: strings.NewReader("RIFF…")})
	fmt.Println(item.MediaID, item.Status, err)
	// Output: 01912c45-5f3c-7d1a-9b1e-0a8d5c2f4e11 accepted <nil>
}
