// Package config has the operator's settings: flags as written, and parsed settings.
//
// It reports all problems together. It does not open the files and services that the settings name; cmd does.
package config

import (
	"net/netip"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"parley/internal/call/delivery"
	"parley/internal/speech/asr/remote"
)

// Role selects the parts of the server that a process runs.
type Role string

// Values of Role.
const (
	RoleAll    Role = "all"    // API and workers
	RoleAPI    Role = "api"    // HTTP only
	RoleWorker Role = "worker" // processing only, but still serves /healthz, /readyz and /metrics
)

// StorageFlags are the storage settings as the operator writes them. All commands that use the data share them.
type StorageFlags struct {
	Data     string `help:"Data directory: database, recordings, models; default: ${default}." default:"data" env:"PARLEY_DATA_DIR" placeholder:"DIR" type:"path"`
	Database string `help:"Database: empty for SQLite in the data directory, or postgres://user:password@host/name." env:"PARLEY_DATABASE" placeholder:"URL"`
	Blobs    string `help:"Recordings: empty for the data directory, or s3://bucket/prefix?region=…&endpoint=…" env:"PARLEY_BLOBS" placeholder:"URL"`

	StorageKeyFile string `help:"File with the storage keys, which encrypt the keys of recordings in the database; see docs/encryption.md." name:"storage-key-file" env:"PARLEY_STORAGE_KEY_FILE" placeholder:"FILE" type:"path"`
}

// ProgramFlags tell what the operator's own recogniser programs may do. All commands that start such programs share
// them.
type ProgramFlags struct {
	EngineFiles   []string `help:"Files and folders that engine programs may read, besides those among their arguments; may be given more than once." name:"engine-files" env:"PARLEY_ENGINE_FILES" placeholder:"PATH" sep:"none" type:"path"`
	TrustPrograms bool     `help:"Run engine programs without the sandbox: they may open sockets, start programs, and read what the server may read." name:"trust-engine-programs" env:"PARLEY_TRUST_ENGINE_PROGRAMS"`
}

// ServeFlags are the settings of the server as the operator writes them.
type ServeFlags struct {
	StorageFlags

	SharedBlobs bool `help:"All servers share the folder blobs of the data directory, for example on NFS; for the roles api and worker without --blobs." name:"shared-blobs" env:"PARLEY_SHARED_BLOBS"`

	Role      string `help:"What this process does: all, api or worker; default: ${default}." default:"all" env:"PARLEY_ROLE" placeholder:"ROLE"`
	Listen    string `help:"Address to listen on; default: ${default}." default:"127.0.0.1:8080" env:"PARLEY_LISTEN" placeholder:"ADDR"`
	PublicURL string `help:"Address under which clients and browsers reach the server, for links and cookies; default: the request's host." name:"public-url" env:"PARLEY_PUBLIC_URL" placeholder:"URL"`
	TLSCert   string `help:"Certificate file (PEM)." name:"tls-cert" env:"PARLEY_TLS_CERT" placeholder:"FILE"`
	TLSKey    string `help:"Key file (PEM)." name:"tls-key" env:"PARLEY_TLS_KEY" placeholder:"FILE"`
	AllowHTTP bool   `help:"Serve without TLS on addresses other than loopback." name:"allow-http" env:"PARLEY_ALLOW_HTTP"`

	Workers       string   `help:"Recordings processed at once; default: the number of processors." default:"0" env:"PARLEY_WORKERS" placeholder:"N"`
	PerAccount    string   `help:"Maximum number of recordings of one account processed at once, on all servers; 0: no limit." default:"0" name:"per-account" env:"PARLEY_PER_ACCOUNT" placeholder:"N"`
	Engines       string   `help:"Number of recogniser processes; default: the number of processors." default:"0" env:"PARLEY_ENGINES" placeholder:"N"`
	EngineURL     []string `help:"Recognition service: openai+http(s)://host/?model=… or deepgram+http(s)://…; see docs/remote-engines.md." name:"engine-url" env:"PARLEY_ENGINE_URL" placeholder:"URL"`
	EngineProgram []string `help:"Your own recogniser program, with its arguments; see docs/engines.md." name:"engine-program" env:"PARLEY_ENGINE_PROGRAM" placeholder:"COMMAND"`
	ProgramFlags
	Sherpa        string   `help:"Program that runs neural models; default: parley-sherpa next to this program." env:"PARLEY_SHERPA" placeholder:"FILE" type:"path"`
	Networks      string   `help:"Folder with text classification networks (ONNX), each a classifier of all accounts; default: classifiers in the data directory; see docs/classifiers.md." name:"classifier-models" env:"PARLEY_CLASSIFIER_MODELS" placeholder:"DIR" type:"path"`
	Onnx          string   `help:"Program that runs text classification networks; default: parley-onnx next to this program." env:"PARLEY_ONNX" placeholder:"FILE" type:"path"`
	MaxUpload     string   `help:"Largest upload; default: ${default}." default:"2GiB" env:"PARLEY_MAX_UPLOAD" placeholder:"SIZE"`
	MaxDuration   string   `help:"Longest recording; default: ${default}." default:"8h" env:"PARLEY_MAX_DURATION" placeholder:"TIME"`
	ReserveDisk   string   `help:"Free space below which uploads are refused (503); default: ${default}." default:"256MiB" env:"PARLEY_RESERVE_DISK" placeholder:"SIZE"`
	TimeToLive    string   `help:"Default time after which media are deleted; 0 keeps them." default:"0" name:"time-to-live" env:"PARLEY_TIME_TO_LIVE" placeholder:"TIME"`
	IndexCache    string   `help:"Disk space for copies of the index of calls, where it is not kept in the data directory; default: ${default}." default:"20GiB" env:"PARLEY_INDEX_CACHE" placeholder:"SIZE"`
	KeepOriginals bool     `help:"Keep and list the originals of redacted recordings." name:"keep-originals" env:"PARLEY_KEEP_ORIGINALS"`
	UploadTime    string   `help:"Time limit for each 16 KiB of an upload; slower clients are disconnected (408); default: ${default}." default:"1m" name:"upload-time" env:"PARLEY_UPLOAD_TIME" placeholder:"TIME"`
	DownloadTime  string   `help:"Time limit for the client to read each 64 KiB of an answer; slower clients are disconnected; default: ${default}." default:"1m" name:"download-time" env:"PARLEY_DOWNLOAD_TIME" placeholder:"TIME"`
	DrainTimeout  string   `help:"How long running work may continue after SIGTERM; default: ${default}." default:"30s" env:"PARLEY_DRAIN_TIMEOUT" placeholder:"TIME"`
	DrainDelay    string   `help:"How long a server still accepts requests after SIGTERM, while /readyz says that it stops: time for load balancers to choose others; default: ${default}." default:"0s" env:"PARLEY_DRAIN_DELAY" placeholder:"TIME"`
	AllowNetworks []string `help:"Private networks that mediaUrl and callbacks may reach, such as 10.1.0.0/16." env:"PARLEY_ALLOW_NETWORKS" placeholder:"CIDR"`
	EgressAddress string   `help:"Source address of outgoing requests." env:"PARLEY_EGRESS_ADDRESS" placeholder:"IP"`
	AllowOrigins  []string `help:"Origins of web pages that may call the API (CORS)." env:"PARLEY_ALLOW_ORIGINS" placeholder:"ORIGIN"`
	LogFormat     string   `help:"Log lines: text or json; default: ${default}." default:"text" env:"PARLEY_LOG_FORMAT" placeholder:"FORMAT"`
	LogLevel      string   `help:"Lowest level to log: debug, info, warn or error; default: ${default}." default:"info" env:"PARLEY_LOG_LEVEL" placeholder:"LEVEL"`

	CallbackSchedule    []string `help:"Times of the attempts to deliver a callback, counted from the end of processing; default: the seven attempts within 945m listed in docs/callbacks.md." name:"callback-schedule" env:"PARLEY_CALLBACK_SCHEDULE" placeholder:"TIME"`
	CallbackConnections string   `help:"Concurrent callbacks of one account to one host, on all servers; default: ${default}." default:"8" name:"callback-connections" env:"PARLEY_CALLBACK_CONNECTIONS" placeholder:"N"`
	CallbackPatience    string   `help:"Time for which the receiver of a callback may neither read nor answer; default: ${default}." default:"30s" name:"callback-patience" env:"PARLEY_CALLBACK_PATIENCE" placeholder:"TIME"`
	InsecureCallbacks   bool     `help:"Allow http addresses for callbacks, for testing." name:"allow-insecure-callbacks" env:"PARLEY_ALLOW_INSECURE_CALLBACKS"`

	OrphanDays         string   `help:"Days after which stored files that belong to no recording are deleted; 0: never; default: ${default}." default:"7" name:"orphan-days" env:"PARLEY_ORPHAN_DAYS" placeholder:"DAYS"`
	AuditDays          string   `help:"Days for which the audit log is kept; 0 keeps it forever; default: ${default}." default:"365" name:"audit-days" env:"PARLEY_AUDIT_DAYS" placeholder:"DAYS"`
	AccountRate        string   `help:"Requests per second that an account may send to this process, in bursts of twice as many; 0: no limit; default: ${default}." default:"5000" name:"account-rate" env:"PARLEY_ACCOUNT_RATE" placeholder:"N"`
	TokenRate          string   `help:"The same limit for one token; default: ${default}." default:"2000" name:"token-rate" env:"PARLEY_TOKEN_RATE" placeholder:"N"`
	AccountRequests    string   `help:"Concurrent requests of an account in this process; 0: no limit; default: ${default}." default:"1000" name:"account-requests" env:"PARLEY_ACCOUNT_REQUESTS" placeholder:"N"`
	AccountDefinitions string   `help:"Definitions of each kind (categories, keyword groups, vocabularies, saved queries, public keys, keys) that an account may have; 0: no limit; default: ${default}." default:"1000" name:"account-definitions" env:"PARLEY_ACCOUNT_DEFINITIONS" placeholder:"N"`
	AccountStorage     string   `help:"Storage limit of an account, such as 500GiB; 0: no limit; default: ${default}." default:"0" name:"account-storage" env:"PARLEY_ACCOUNT_STORAGE" placeholder:"SIZE"`
	RequestMemory      string   `help:"Memory limit of all requests of this process; requests beyond it are refused (503); 0: no limit; default: ${default}." default:"1GiB" name:"request-memory" env:"PARLEY_REQUEST_MEMORY" placeholder:"SIZE"`
	AccountMemory      string   `help:"Part of --request-memory that the requests of one account may use (429); 0: no limit; default: ${default}." default:"320MiB" name:"account-request-memory" env:"PARLEY_ACCOUNT_REQUEST_MEMORY" placeholder:"SIZE"`
	TrustedProxies     []string `help:"Proxies whose X-Forwarded-For is trusted, such as 10.0.0.5/32." name:"trusted-proxies" env:"PARLEY_TRUSTED_PROXIES" placeholder:"CIDR"`
}

// Storage describes where data is stored.
type Storage struct {
	Dir      string // absolute data directory
	Database string // URL for store.Open
	Blobs    string // empty for disk, else an s3:// URL

	StorageKeyFile string // empty: the keys of recordings are not encrypted
}

// SQLite reports whether the database is the SQLite file in the data directory.
func (s Storage) SQLite() bool { return strings.HasPrefix(s.Database, "sqlite:") }

// DatabaseFile is the path of the SQLite database in the data directory.
func (s Storage) DatabaseFile() string { return filepath.Join(s.Dir, "parley.db") }

// BlobDir is the folder of the disk blob store.
func (s Storage) BlobDir() string { return filepath.Join(s.Dir, "blobs") }

// IndexDir is the folder of the segments that were taken from the blob store.
func (s Storage) IndexDir() string { return filepath.Join(s.Dir, "index") }

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
	PerAccount       int               // concurrent recordings per account; 0: no limit
	Remotes          []remote.Endpoint // recognition services, in order of preference
	Programs         [][]string        // commands of the operator's own recognisers
	EngineFiles      []string          // files that Programs may read
	TrustPrograms    bool              // run Programs without confinement
	Sherpa           string            // program that runs neural models; empty: parley-sherpa next to this program
	Networks         string            // folder with text classification networks
	Onnx             string            // program that runs Networks; empty: parley-onnx next to this program
	MaxUpload        int64
	MaxDuration      time.Duration
	ReserveDisk      int64
	IndexCache       int64 // bytes
	TimeToLive       time.Duration
	KeepOriginals    bool          // keep originals of redacted recordings
	UploadTime       time.Duration // per 16 KiB of an upload
	DownloadTime     time.Duration // per 64 KiB of an answer
	DrainTimeout     time.Duration
	DrainDelay       time.Duration
	AllowNetworks    []netip.Prefix
	EgressAddress    netip.Addr
	AllowOrigins     []string
	LogJSON          bool
	LogLevel         string

	CallbackSchedule    delivery.Schedule
	CallbackConnections int           // concurrent callbacks per account and host
	CallbackPatience    time.Duration // maximum time without the receiver reading or answering; 0: 30 s
	InsecureCallbacks   bool          // http is allowed

	OrphanDays     int            // age at which stored files without a recording are deleted; 0: never
	AuditDays      int            // how long the audit log is kept; 0: forever
	TrustedProxies []netip.Prefix // proxies whose X-Forwarded-For is trusted

	AccountRate, TokenRate int64 // requests per second; 0: no limit
	AccountRequests        int64 // concurrent requests per account; 0: no limit
	AccountStorage         int64 // bytes per account; 0: no limit
	RequestMemory          int64 // bytes for all requests; 0: no limit
	AccountMemory          int64 // bytes of RequestMemory for one account; 0: no limit
	AccountDefinitions     int64 // definitions of each kind per account; 0: no limit
}

// ParseStorage parses the storage flags.
func ParseStorage(f StorageFlags) (Storage, error) {
	var p problems
	s := p.storage(f)
	return s, p.err()
}

// Parse parses all settings; the error lists every problem.
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
		EngineFiles:   f.EngineFiles,
		TrustPrograms: f.TrustPrograms,
		Sherpa:        f.Sherpa,
		Networks:      f.Networks,
		Onnx:          f.Onnx,
		MaxUpload:     p.size("max-upload", f.MaxUpload),
		MaxDuration:   p.duration("max-duration", f.MaxDuration),
		ReserveDisk:   p.size("reserve-disk", f.ReserveDisk),
		IndexCache:    p.size("index-cache", f.IndexCache),
		TimeToLive:    p.duration("time-to-live", f.TimeToLive),
		KeepOriginals: f.KeepOriginals,
		UploadTime:    p.patience("upload-time", f.UploadTime),
		DownloadTime:  p.patience("download-time", f.DownloadTime),
		DrainTimeout:  p.duration("drain-timeout", f.DrainTimeout),
		DrainDelay:    p.duration("drain-delay", f.DrainDelay),
		AllowNetworks: p.networks("allow-networks", f.AllowNetworks),
		EgressAddress: p.address("egress-address", f.EgressAddress),
		AllowOrigins:  p.origins("allow-origins", f.AllowOrigins),
		LogJSON:       p.oneOf("log-format", f.LogFormat, "text", "json") == "json",
		LogLevel:      p.oneOf("log-level", f.LogLevel, "debug", "info", "warn", "error"),

		CallbackSchedule:    p.schedule("callback-schedule", f.CallbackSchedule),
		CallbackConnections: p.connections("callback-connections", f.CallbackConnections),
		CallbackPatience:    p.patience("callback-patience", f.CallbackPatience),
		InsecureCallbacks:   f.InsecureCallbacks,

		OrphanDays:     p.days("orphan-days", f.OrphanDays),
		AuditDays:      p.days("audit-days", f.AuditDays),
		TrustedProxies: p.networks("trusted-proxies", f.TrustedProxies),

		AccountRate:        p.limit("account-rate", f.AccountRate),
		TokenRate:          p.limit("token-rate", f.TokenRate),
		AccountRequests:    p.limit("account-requests", f.AccountRequests),
		AccountStorage:     p.size("account-storage", f.AccountStorage),
		RequestMemory:      p.size("request-memory", f.RequestMemory),
		AccountMemory:      p.size("account-request-memory", f.AccountMemory),
		AccountDefinitions: p.limit("account-definitions", f.AccountDefinitions),
	}
	p.listen(f)
	p.shared(s, f.SharedBlobs)
	return s, p.err()
}
