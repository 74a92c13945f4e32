package config

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"parley/internal/call/delivery"
	"parley/internal/speech/asr/remote"
)

type problems []error

func (p *problems) add(flag, value, remedy string) {
	*p = append(*p, fmt.Errorf("--%s %q: %s", flag, value, remedy))
}

func (p problems) err() error { return errors.Join(p...) }

func (p *problems) storage(f StorageFlags) Storage {
	dir, err := filepath.Abs(f.Data)
	if err != nil || f.Data == "" {
		p.add("data", f.Data, "name a folder")
	}
	s := Storage{Dir: dir, Database: f.Database, Blobs: f.Blobs, StorageKeyFile: f.StorageKeyFile}
	switch scheme, _, _ := strings.Cut(f.Database, ":"); {
	case f.Database == "":
		s.Database = "sqlite://" + filepath.Join(dir, "parley.db")
	case scheme != "postgres" && scheme != "postgresql" && scheme != "sqlite":
		p.add("database", scheme+":…", "use postgres://user:password@host/name, or leave it out for SQLite")
	}
	if f.Blobs != "" && !strings.HasPrefix(f.Blobs, "s3://") {
		p.add("blobs", f.Blobs, "use s3://bucket/prefix, or leave it out for the data directory")
	}
	return s
}

// shared refuses settings with which the parts of a server would not see each other's recordings.
func (p *problems) shared(s Settings, folder bool) {
	if s.Role == RoleWorker && s.SQLite() {
		p.add("role", string(s.Role), "a SQLite database serves only one process, so nothing could be uploaded to a worker; "+
			"omit --role, or name a PostgreSQL database with --database")
	}
	if s.Role != RoleAPI && s.Role != RoleWorker || s.SQLite() || s.Blobs != "" || folder {
		return
	}
	p.add("role", string(s.Role), "servers that share a database need one place for recordings: name a bucket with "+
		"--blobs s3://…, "+
		"or mount one folder as "+s.BlobDir()+" on all of them and give --shared-blobs")
}

func (p *problems) oneOf(flag, value string, allowed ...string) string {
	for _, a := range allowed {
		if strings.EqualFold(value, a) {
			return a
		}
	}
	p.add(flag, value, "use one of "+strings.Join(allowed, ", "))
	return value
}

// ParsePublicURL parses the address under which clients reach the server, without a slash at its end; nil for none.
func ParsePublicURL(value string) (*url.URL, error) {
	var p problems
	u := p.publicURL(value)
	return u, p.err()
}

func (p *problems) publicURL(value string) *url.URL {
	if value == "" {
		return nil
	}
	u, err := url.Parse(value)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.RawQuery != "" || u.User != nil {
		p.add("public-url", value, "use http(s)://host[:port][/path]")
		return nil
	}
	u.Path = strings.TrimRight(u.Path, "/")
	return u
}

// number parses a number; remedy describes the range.
func (p *problems) number(flag, value string, least, most int64, remedy string) int64 {
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil || n < least || n > most {
		p.add(flag, value, "use "+remedy)
	}
	return n
}

func (p *problems) count(flag, value string) int {
	return cmp.Or(int(p.number(flag, value, 0, 1024, "a number from 0 (one per processor) to 1024")), runtime.NumCPU())
}

func (p *problems) duration(flag, value string) time.Duration {
	d, err := ParseTime(value)
	if err != nil || d < 0 {
		p.add(flag, value, "use a time such as 30s, 15m, 8h or 30d")
	}
	return d
}

// schedule parses the times of attempts, which must be increasing.
func (p *problems) schedule(flag string, values []string) delivery.Schedule {
	if len(values) == 0 {
		return delivery.Default()
	}
	var s delivery.Schedule
	for _, v := range values {
		d, err := ParseTime(strings.TrimSpace(v))
		if err != nil || d < 0 || len(s) > 0 && d <= s[len(s)-1] || len(s) == maxAttempts {
			p.add(flag, v, "use up to 100 times such as 0s,15m,45m, each later than the one before")
			return nil
		}
		s = append(s, d)
	}
	return s
}

const maxAttempts = 100

func (p *problems) connections(flag, value string) int {
	return int(p.number(flag, value, 1, 1024, "a number from 1 to 1024"))
}

// ParseTime parses a time such as 90s, 8h or 1h30m, or a number of days such as 30d.
func ParseTime(value string) (time.Duration, error) {
	if text, isDays := strings.CutSuffix(value, "d"); isDays {
		days, err := strconv.Atoi(text)
		if err != nil || days < 0 || days > 36500 {
			return 0, fmt.Errorf("invalid number of days %q; use one such as 30d", value)
		}
		return time.Duration(days) * 24 * time.Hour, nil
	}
	return time.ParseDuration(value)
}

// patience parses a timeout: it must be finite, and long enough for a slow peer.
func (p *problems) patience(flag, value string) time.Duration {
	d := p.duration(flag, value)
	if d < time.Second || d > time.Hour {
		p.add(flag, value, "use a time from 1s to 1h")
	}
	return d
}

func (p *problems) limit(flag, value string) int64 {
	return p.number(flag, value, 0, math.MaxInt32, "a number from 0 (no limit) to 2147483647")
}

func (p *problems) days(flag, value string) int {
	return int(p.number(flag, value, 0, 36500, "a number of days from 0 (forever) to 36500"))
}

var units = []struct {
	suffix string
	factor float64
}{{"kib", 1 << 10}, {"mib", 1 << 20}, {"gib", 1 << 30}, {"tib", 1 << 40}, {"kb", 1e3}, {"mb", 1e6}, {"gb", 1e9},
	{"tb", 1e12}, {"b", 1}, {"", 1}}

// ParseSize parses a size such as 20kB or 1GiB into bytes.
func ParseSize(value string) (int64, error) {
	var p problems
	n := p.size("size", value)
	return n, p.err()
}

func (p *problems) size(flag, value string) int64 {
	lower := strings.ToLower(strings.TrimSpace(value))
	for _, u := range units {
		if number, found := strings.CutSuffix(lower, u.suffix); found {
			n, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
			if err == nil && n >= 0 && n*u.factor < 1<<62 {
				return int64(n * u.factor)
			}
			break
		}
	}
	p.add(flag, value, "use a size such as 500MiB or 2GiB")
	return 0
}

func (p *problems) networks(flag string, values []string) []netip.Prefix {
	var prefixes []netip.Prefix
	for _, v := range values {
		prefix, err := netip.ParsePrefix(strings.TrimSpace(v))
		if err != nil {
			p.add(flag, v, "use an address range such as 10.1.0.0/16 or fd00::/8")
			continue
		}
		prefixes = append(prefixes, prefix.Masked())
	}
	return prefixes
}

func (p *problems) address(flag, value string) netip.Addr {
	if value == "" {
		return netip.Addr{}
	}
	a, err := netip.ParseAddr(value)
	if err != nil {
		p.add(flag, value, "use an IP address of this machine")
	}
	return a
}

func (p *problems) remotes(flag string, values []string) []remote.Endpoint {
	var endpoints []remote.Endpoint
	for i, v := range values {
		e, err := remote.Parse(v, os.Getenv)
		if err != nil { // the address may contain secrets, so the error does not repeat it
			*p = append(*p, fmt.Errorf("--%s number %d: %w", flag, i+1, err))
			continue
		}
		endpoints = append(endpoints, e)
	}
	return endpoints
}

func (p *problems) programs(flag string, values []string) [][]string {
	var commands [][]string
	for _, v := range values {
		command := strings.Fields(v)
		if len(command) == 0 {
			p.add(flag, v, "name a program, followed by its arguments")
			continue
		}
		commands = append(commands, command)
	}
	return commands
}

func (p *problems) origins(flag string, values []string) []string {
	for _, v := range values {
		u, err := url.Parse(v)
		if v != "*" && (err != nil || u.Host == "" || u.Path != "" || u.Scheme != "http" && u.Scheme != "https") {
			p.add(flag, v, "use an origin such as https://player.example.com, or *")
		}
	}
	return values
}

func (p *problems) listen(f ServeFlags) {
	host, port, err := net.SplitHostPort(f.Listen)
	if n, err2 := strconv.Atoi(port); err != nil || err2 != nil || n < 0 || n > 65535 {
		p.add("listen", f.Listen, "use host:port such as 127.0.0.1:8080")
		return
	}
	if (f.TLSCert == "") != (f.TLSKey == "") {
		p.add("tls-cert", f.TLSCert, "give --tls-cert and --tls-key together")
	}
	if f.TLSCert == "" && !f.AllowHTTP && !loopback(host) {
		p.add("listen", f.Listen, "plain HTTP would be exposed to the network: give --tls-cert and --tls-key, or "+
			"--allow-http behind a TLS proxy")
	}
}

func loopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}
