package server

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path"

	"parley/internal/flow/pipeline"
	"parley/internal/speech/audio"
)

// fetch downloads a mediaUrl through the guarded client.
func (s *Server) fetch(ctx context.Context, address string) (pipeline.Download, error) {
	body, _, err := s.guard.Fetch(ctx, address, s.Settings.MaxUpload)
	if err != nil {
		return pipeline.Download{}, err
	}
	return pipeline.Download{Body: body, Name: fileName(address)}, nil
}

// fileName returns the last element of a URL's path, whose extension may indicate the format.
func fileName(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return path.Base(u.Path)
}

func (s *Server) decoder() *audio.Decoder {
	return &audio.Decoder{Temp: s.temp.Path(), Limits: audio.Limits{Length: s.Settings.MaxDuration}}
}

// workerName identifies this process to operators as the holder of a job.
func workerName() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return fmt.Sprintf("%s/%d", host, os.Getpid())
}

// checkEgress refuses a source address that this machine does not have: every download and delivery would fail.
func checkEgress(a netip.Addr) error {
	if !a.IsValid() {
		return nil
	}
	l, err := net.ListenTCP("tcp", net.TCPAddrFromAddrPort(netip.AddrPortFrom(a, 0)))
	if err != nil {
		return fmt.Errorf("--egress-address %s: %w; give an address of this machine, or omit it", a, err)
	}
	return l.Close()
}
