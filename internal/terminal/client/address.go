package client

import (
	"fmt"
	"net"
	"net/url"
	"strings"
)

// ParseAddress parses the address of a server as people write it: with http or https, or as host:port, which means http
// on this machine and https elsewhere, since a token must not cross a network unencrypted. It returns the address in a
// canonical form, without the /v3 that starts the paths of all requests.
func ParseAddress(text string) (string, error) {
	sent := strings.TrimSpace(text)
	bare := !strings.Contains(sent, "://")
	if bare {
		sent = "//" + sent
	}
	u, err := url.Parse(sent)
	switch {
	case err != nil || u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return "", fmt.Errorf("--server %q is not a valid address; use host:port, or a URL such as "+
			"https://parley.example.com", text)
	case bare && u.Hostname() == "" && u.Port() != "":
		u.Host = "127.0.0.1:" + u.Port()
	case u.Hostname() == "":
		return "", fmt.Errorf("--server %q has no host; use host:port, or a URL such as https://parley.example.com",
			text)
	}
	if bare {
		u.Scheme = "https"
		if onThisMachine(u.Hostname()) {
			u.Scheme = "http"
		}
	}
	if u.Scheme != "http" && u.Scheme != "https" {
		return "", fmt.Errorf("--server %q begins with %s://; use http:// or https://", text, u.Scheme)
	}
	u.Host = strings.ToLower(u.Host)
	address := strings.TrimRight(u.Scheme+"://"+u.Host+u.EscapedPath(), "/")
	return strings.TrimRight(strings.TrimSuffix(address, "/v3"), "/"), nil
}

func onThisMachine(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	ip := net.ParseIP(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || ip != nil && ip.IsLoopback()
}
