// Package config has the operator's settings: flags as written, and settings as parsed types.
//
// It reports all problems at once. It does not open what the settings name; cmd does.
package config

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"parley/internal/asr/remote"
	"parley/internal/delivery"
)

// Role says which parts of the server a process runs.
type Role string

// The roles.
const (
	RoleAll    Role = "all"    // API and workers
	RoleAPI    Role = "api"    // HTTP only
	RoleWorker Role = "worker" // processing only; /healthz, /readyz and /metrics are still served
)

// StorageFlags say where data lives. They are shared by all commands that touch it.
type StorageFlags struct {
	Data     string `help:"Data directory: database, recordings, models; default: ${default}." default:"data" env:"PARLEY_DATA_DIR" placeholder:"DIR" type:"path"`
	Database string `help:"Database: empty for SQLite in the data directory, or postgres://user:password@host/name." env:"PARLEY_DATABASE" placeholder:"URL"`
	Blobs    string `help:"Recordings: empty for the data directory, or s3://bucket/prefix?region=…&endpoint=…" env:"PARLEY_BLOBS" placeholder:"URL"`

	StorageKeyFile string `help:"File with the keys under which the keys of recordings are kept in the database; see docs/encryption.md." name:"storage-key-file" env:"PARLEY_STORAGE_KEY_FILE" placeholder:"FILE" type:"path"`
}

// ServeFlags are the settings of the server as the operator writes them.
type ServeFlags struct {
	StorageFlags

	Role      string `help:"What this process does: all, api or worker; default: ${default}." default:"all" env:"PARLEY_ROLE" placeholder:"ROLE"`
	Listen    string `help:"Address to listen on; default: ${default}." default:"127.0.0.1:8080" env:"PARLEY_LISTEN" placeholder:"ADDR"`
	PublicURL string `help:"Address under which clients reach the server, for links; default: the request's host." name:"public-url" env:"PARLEY_PUBLIC_URL" placeholder:"URL"`
	TLSCert   string `help:"Certificate file (PEM)." name:"tls-cert" env:"PARLEY_TLS_CERT" placeholder:"FILE"`
	TLSKey    string `help:"Key file (PEM)." name:"tls-key" env:"PARLEY_TLS_KEY" placeholder:"FILE"`
	AllowHTTP bool   `help:"Serve without TLS on other than loopback addresses." name:"allow-http" env:"PARLEY_ALLOW_HTTP"`

	Workers       string   `help:"Recordings processed at once; default: the number of processors." default:"0" env:"PARLEY_WORKERS" placeholder:"N"`
	PerAccount    string   `help:"Most recordings of one account processed at once, over all servers; 0: no limit." default:"0" name:"per-account" env:"PARLEY_PER_ACCOUNT" placeholder:"N"`
	Engines       string   `help:"Recogniser processes; default: the number of processors." default:"0" env:"PARLEY_ENGINES" placeholder:"N"`
	EngineURL     []string `help:"Recognition service: openai+http(s)://host/?model=… or deepgram+http(s)://…; see docs/remote-engines.md." name:"engine-url" env:"PARLEY_ENGINE_URL" placeholder:"URL"`
	EngineProgram []string `help:"Program that is a recogniser, with its arguments; see docs/engines.md." name:"engine-program" env:"PARLEY_ENGINE_PROGRAM" placeholder:"COMMAND"`
	Sherpa        string   `help:"Program that runs neural models; default: parley-sherpa beside this program." env:"PARLEY_SHERPA" placeholder:"FILE" type:"path"`
	Networks      string   `help:"Folder with text classification networks (ONNX), each a classifier of all accounts; default: classifiers in the data directory; see docs/classifiers.md." name:"classifier-models" env:"PARLEY_CLASSIFIER_MODELS" placeholder:"DIR" type:"path"`
	Onnx          string   `help:"Program that runs them; default: parley-onnx beside this program." env:"PARLEY_ONNX" placeholder:"FILE" type:"path"`
	MaxUpload     string   `help:"Largest upload; default: ${default}." default:"2GiB" env:"PARLEY_MAX_UPLOAD" placeholder:"SIZE"`
	MaxDuration   string   `help:"Longest recording; default: ${default}." default:"8h" env:"PARLEY_MAX_DURATION" placeholder:"TIME"`
	ReserveDisk   string   `help:"Free space below which uploads are refused (503); default: ${default}." default:"256MiB" env:"PARLEY_RESERVE_DISK" placeholder:"SIZE"`
	TimeToLive    string   `help:"Default time after which media are deleted; 0 keeps them." default:"0" name:"time-to-live" env:"PARLEY_TIME_TO_LIVE" placeholder:"TIME"`
	KeepOriginals bool     `help:"Keep and list the original of recordings in which something is redacted." name:"keep-originals" env:"PARLEY_KEEP_ORIGINALS"`
	UploadTime    string   `help:"Time in which each 16 KiB of an upload must arrive, or the client is cut off (408); default: ${default}." default:"1m" name:"upload-time" env:"PARLEY_UPLOAD_TIME" placeholder:"TIME"`
	DownloadTime  string   `help:"Time in which each 64 KiB of an answer must be taken, or the client is cut off; default: ${default}." default:"1m" name:"download-time" env:"PARLEY_DOWNLOAD_TIME" placeholder:"TIME"`
	DrainTimeout  string   `help:"How long running work may go on after SIGTERM; default: ${default}." default:"30s" env:"PARLEY_DRAIN_TIMEOUT" placeholder:"TIME"`
	AllowNetworks []string `help:"Private networks that mediaUrl and callbacks may reach, such as 10.1.0.0/16." env:"PARLEY_ALLOW_NETWORKS" placeholder:"CIDR"`
	EgressAddress string   `help:"Source address of outgoing requests." env:"PARLEY_EGRESS_ADDRESS" placeholder:"IP"`
	AllowOrigins  []string `help:"Origins of web pages that may call the API (CORS)." env:"PARLEY_ALLOW_ORIGINS" placeholder:"ORIGIN"`
	LogFormat     string   `help:"Log lines: text or json; default: ${default}." default:"text" env:"PARLEY_LOG_FORMAT" placeholder:"FORMAT"`
	LogLevel      string   `help:"Least level to log: debug, info, warn or error; default: ${default}." default:"info" env:"PARLEY_LOG_LEVEL" placeholder:"LEVEL"`

	CallbackSchedule    []string `help:"When callbacks are tried, counted from the end of processing; default: the seven attempts within 945m that docs/callbacks.md lists." name:"callback-schedule" env:"PARLEY_CALLBACK_SCHEDULE" placeholder:"TIME"`
	CallbackConnections string   `help:"Callbacks of one account to one host under way at a time, over all servers; default: ${default}." default:"8" name:"callback-connections" env:"PARLEY_CALLBACK_CONNECTIONS" placeholder:"N"`
	CallbackPatience    string   `help:"Time for which the receiver of a callback may neither read nor answer; default: ${default}." default:"30s" name:"callback-patience" env:"PARLEY_CALLBACK_PATIENCE" placeholder:"TIME"`
	InsecureCallbacks   bool     `help:"Admit http addresses for callbacks, for trials." name:"allow-insecure-callbacks" env:"PARLEY_ALLOW_INSECURE_CALLBACKS"`

	AuditDays       string   `help:"Days for which the audit log is kept; 0 keeps it for ever; default: ${default}." default:"365" name:"audit-days" env:"PARLEY_AUDIT_DAYS" placeholder:"DAYS"`
	AccountRate     string   `help:"Requests a second that an account may make of this process, in bursts of twice as many; 0: no limit; default: ${default}." default:"5000" name:"account-rate" env:"PARLEY_ACCOUNT_RATE" placeholder:"N"`
	TokenRate       string   `help:"Likewise with one token; default: ${default}." default:"2000" name:"token-rate" env:"PARLEY_TOKEN_RATE" placeholder:"N"`
	AccountRequests string   `help:"Requests that an account may have under way in this process; 0: no limit; default: ${default}." default:"1000" name:"account-requests" env:"PARLEY_ACCOUNT_REQUESTS" placeholder:"N"`
	AccountStorage  string   `help:"What an account may store, such as 500GiB; 0: no limit; default: ${default}." default:"0" name:"account-storage" env:"PARLEY_ACCOUNT_STORAGE" placeholder:"SIZE"`
	TrustedProxies  []string `help:"Proxies whose X-Forwarded-For is believed, such as 10.0.0.5/32." name:"trusted-proxies" env:"PARLEY_TRUSTED_PROXIES" placeholder:"CIDR"`
}

// Storage is where data lives.
type Storage struct {
	Dir      string // absolute data directory
	Database string // URL for store.Open
	Blobs    string // empty for disk, else an s3:// URL

	StorageKeyFile string // empty: the keys of recordings are kept as they are
}

// SQLite reports whether the database is the file in the data directory.
func (s Storage) SQLite() bool { return strings.HasPrefix(s.Database, "sqlite:") }

// BlobDir is the folder of the disk blob store.
func (s Storage) BlobDir() string { return filepath.Join(s.Dir, "blobs") }

// AnalyticsDir is the folder of the index of the analytic database.
func (s Storage) AnalyticsDir() string { return filepath.Join(s.Dir, "analytics") }

// ModelDir is the folder of installed models.
func (s Storage) ModelDir() string { return filepath.Join(s.Dir, "models") }

// TempDir is the folder of temporary files.
func (s Storage) TempDir() string { return filepath.Join(s.Dir, "tmp") }

// Settings are the settings of a server.
type Settings struct {
	Storage
	Role             Role
	Listen           string
	PublicURL        *url.URL // nil: the request's host
	TLSCert, TLSKey  string
	Workers, Engines int
	PerAccount       int               // recordings of one account at once; 0: no limit
	Remotes          []remote.Endpoint // recognition services, in order of preference
	Programs         [][]string        // commands of recognisers of the operator's own
	Sherpa           string            // program that runs neural models; empty: parley-sherpa beside this program
	Networks         string            // folder with text classification networks
	Onnx             string            // program that runs them; empty: parley-onnx beside this program
	MaxUpload        int64
	MaxDuration      time.Duration
	ReserveDisk      int64
	TimeToLive       time.Duration
	KeepOriginals    bool          // of recordings that are redacted
	UploadTime       time.Duration // for each 16 KiB of an upload
	DownloadTime     time.Duration // for each 64 KiB of an answer
	DrainTimeout     time.Duration
	AllowNetworks    []netip.Prefix
	EgressAddress    netip.Addr
	AllowOrigins     []string
	LogJSON          bool
	LogLevel         string

	CallbackSchedule    delivery.Schedule
	CallbackConnections int           // callbacks of one account to one host at a time
	CallbackPatience    time.Duration // for which a receiver may neither read nor answer; 0: 30 s
	InsecureCallbacks   bool          // http is admitted

	AuditDays      int            // for which the audit log is kept; 0: for ever
	TrustedProxies []netip.Prefix // whose X-Forwarded-For is believed

	AccountRate, TokenRate int64 // requests a second; 0: no limit
	AccountRequests        int64 // of an account at a time; 0: no limit
	AccountStorage         int64 // bytes; 0: no limit
}

// ParseStorage parses the storage flags.
func ParseStorage(f StorageFlags) (Storage, error) {
	var p problems
	s := p.storage(f)
	return s, p.err()
}

// Parse parses all settings; the error names every problem.
func Parse(f ServeFlags) (Settings, error) {
	var p problems
	s := Settings{
		Storage:       p.storage(f.StorageFlags),
		Role:          Role(p.oneOf("role", f.Role, "all", "api", "worker")),
		Listen:        f.Listen,
		PublicURL:     p.publicURL(f.PublicURL),
		TLSCert:       f.TLSCert,
		TLSKey:        f.TLSKey,
		Workers:       p.count("workers", f.Workers),
		PerAccount:    int(p.limit("per-account", f.PerAccount)),
		Engines:       p.count("engines", f.Engines),
		Remotes:       p.remotes("engine-url", f.EngineURL),
		Programs:      p.programs("engine-program", f.EngineProgram),
		Sherpa:        f.Sherpa,
		Networks:      f.Networks,
		Onnx:          f.Onnx,
		MaxUpload:     p.size("max-upload", f.MaxUpload),
		MaxDuration:   p.duration("max-duration", f.MaxDuration),
		ReserveDisk:   p.size("reserve-disk", f.ReserveDisk),
		TimeToLive:    p.duration("time-to-live", f.TimeToLive),
		KeepOriginals: f.KeepOriginals,
		UploadTime:    p.patience("upload-time", f.UploadTime),
		DownloadTime:  p.patience("download-time", f.DownloadTime),
		DrainTimeout:  p.duration("drain-timeout", f.DrainTimeout),
		AllowNetworks: p.networks("allow-networks", f.AllowNetworks),
		EgressAddress: p.address("egress-address", f.EgressAddress),
		AllowOrigins:  p.origins("allow-origins", f.AllowOrigins),
		LogJSON:       p.oneOf("log-format", f.LogFormat, "text", "json") == "json",
		LogLevel:      p.oneOf("log-level", f.LogLevel, "debug", "info", "warn", "error"),

		CallbackSchedule:    p.schedule("callback-schedule", f.CallbackSchedule),
		CallbackConnections: p.connections("callback-connections", f.CallbackConnections),
		CallbackPatience:    p.patience("callback-patience", f.CallbackPatience),
		InsecureCallbacks:   f.InsecureCallbacks,

		AuditDays:      p.days("audit-days", f.AuditDays),
		TrustedProxies: p.networks("trusted-proxies", f.TrustedProxies),

		AccountRate:     p.limit("account-rate", f.AccountRate),
		TokenRate:       p.limit("token-rate", f.TokenRate),
		AccountRequests: p.limit("account-requests", f.AccountRequests),
		AccountStorage:  p.size("account-storage", f.AccountStorage),
	}
	p.listen(f)
	return s, p.err()
}

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

func (p *problems) oneOf(flag, value string, allowed ...string) string {
	for _, a := range allowed {
		if strings.EqualFold(value, a) {
			return a
		}
	}
	p.add(flag, value, "use one of "+strings.Join(allowed, ", "))
	return value
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

func (p *problems) count(flag, value string) int {
	n, err := strconv.Atoi(value)
	if err != nil || n < 0 || n > 1024 {
		p.add(flag, value, "use a number from 0 (one a processor) to 1024")
	}
	if n == 0 {
		return runtime.NumCPU()
	}
	return n
}

func (p *problems) duration(flag, value string) time.Duration {
	d, err := ParseTime(value)
	if err != nil || d < 0 {
		p.add(flag, value, "use a time such as 30s, 15m, 8h or 30d")
	}
	return d
}

// schedule are the times of attempts, each later than the one before.
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
	n, err := strconv.Atoi(value)
	if err != nil || n < 1 || n > 1024 {
		p.add(flag, value, "use a number from 1 to 1024")
	}
	return n
}

// ParseTime parses a time such as 90s, 8h or 1h30m, or a number of days such as 30d.
func ParseTime(value string) (time.Duration, error) {
	if text, isDays := strings.CutSuffix(value, "d"); isDays {
		days, err := strconv.Atoi(text)
		if err != nil || days < 0 || days > 36500 {
			return 0, fmt.Errorf("%q is no time; use one such as 30d", value)
		}
		return time.Duration(days) * 24 * time.Hour, nil
	}
	return time.ParseDuration(value)
}

// patience is a time for which the other side is waited for: never without end, and never too short for a slow one.
func (p *problems) patience(flag, value string) time.Duration {
	d := p.duration(flag, value)
	if d < time.Second || d > time.Hour {
		p.add(flag, value, "use a time from 1s to 1h")
	}
	return d
}

func (p *problems) limit(flag, value string) int64 {
	n, err := strconv.ParseInt(value, 10, 32)
	if err != nil || n < 0 {
		p.add(flag, value, "use a number from 0 (no limit) to 2147483647")
	}
	return n
}

func (p *problems) days(flag, value string) int {
	n, err := strconv.Atoi(value)
	if err != nil || n < 0 || n > 36500 {
		p.add(flag, value, "use a number of days from 0 (for ever) to 36500")
	}
	return n
}

var units = []struct {
	suffix string
	factor float64
}{{"kib", 1 << 10}, {"mib", 1 << 20}, {"gib", 1 << 30}, {"tib", 1 << 40}, {"kb", 1e3}, {"mb", 1e6}, {"gb", 1e9}, {"tb", 1e12}, {"b", 1}, {"", 1}}

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
		if err != nil { // its address may hold what is secret, so it is not repeated
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
			p.add(flag, v, "name a program, with its arguments behind it")
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
		p.add("listen", f.Listen, "clear HTTP leaves this machine: give --tls-cert and --tls-key, or --allow-http behind a TLS proxy")
	}
}

func loopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}
