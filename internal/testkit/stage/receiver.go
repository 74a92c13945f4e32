package stage

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
)

// Receiver takes callbacks: /accepts takes them, /refuses does not, /gone wants no more of them.
type Receiver struct {
	Base, Address string
	web           *http.Server
}

// refusal is what the receiver answers to a callback that it does not take.
const refusal = "<h1>Bad gateway</h1>\nThe CRM is down for maintenance. <script>alert(1)</script>"

// NewReceiver listens on an address of this machine, until Close.
func NewReceiver(ctx context.Context, address string) (*Receiver, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	r := &Receiver{Base: "http://" + listener.Addr().String(), Address: listener.Addr().String(), web: &http.Server{Handler: http.HandlerFunc(receive)}}
	go r.web.Serve(listener) // until Close
	return r, nil
}

func receive(w http.ResponseWriter, r *http.Request) {
	switch {
	case strings.HasPrefix(r.URL.Path, "/refuses"):
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(http.StatusBadGateway)
		fmt.Fprint(w, refusal)
	case strings.HasPrefix(r.URL.Path, "/gone"):
		http.Error(w, "This address is no longer in use.", http.StatusGone)
	default:
		fmt.Fprintln(w, `{"received":true}`)
	}
}

// Close stops listening.
func (r *Receiver) Close() error { return r.web.Close() }
