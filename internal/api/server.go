// Package api serves the HTTP API: routes, streaming uploads, handlers.
//
// It has no SQL (package store), no JSON shapes (package wire) and starts no subprocess. A handler parses,
// makes one call and renders; errors are mapped to HTTP in one table.
package api

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"parley/internal/analysis/classify"
	"parley/internal/analytics"
	"parley/internal/auth"
	"parley/internal/plan"
	"parley/internal/record"
	"parley/internal/search"
	"parley/internal/store"
	"parley/internal/vault"
)

// Check is one line of /readyz: something the server needs. Its error says how to mend it.
type Check struct {
	Name     string
	Required bool // whether the server is not ready without it
	Run      func(context.Context) error
}

// Config is what a Server is made of.
type Config struct {
	Store       *store.Store
	Search      *search.Index
	Analytics   *analytics.Index // nil where only jobs are run
	Vault       vault.Vault
	Ring        *auth.Ring // keys of signed URLs
	Codec       *record.Codec
	Environment func() plan.Environment // what this server can do
	CheckURL    func(string) error      // whether a mediaUrl may be fetched
	Accepting   func() error            // whether there is room for another upload; Unavailable when not
	Checks      []Check
	Registry    *prometheus.Registry
	Log         *slog.Logger
	Version     string
	Description []byte   // the API's OpenAPI description, JSON
	PublicURL   *url.URL // nil: the request's host
	Origins     []string // CORS
	MaxUpload   int64    // bytes of one request's body
	WorkerOnly  bool     // serve health and metrics alone

	UploadTime   time.Duration // for each 16 KiB of an upload to arrive, or a body that no handler reads; 0: a minute
	DownloadTime time.Duration // for each 64 KiB of an answer to be taken; 0: a minute

	Stopping context.Context // ends when the server is to end; nil: never

	Classifiers []classify.Description // that the server has for all accounts, beside what is built in

	Audit          *AuditRecorder
	TrustedProxies []netip.Prefix // whose X-Forwarded-For is believed
	Limits         Limits
}

// Server answers requests.
type Server struct {
	Config
	metrics requestMetrics
	limits  *limiter
}

// New returns the handler of the whole API.
func New(c Config) http.Handler {
	c.UploadTime = cmp.Or(c.UploadTime, time.Minute)
	c.DownloadTime = cmp.Or(c.DownloadTime, time.Minute)
	if c.Stopping == nil {
		c.Stopping = context.Background()
	}
	s := &Server{Config: c, metrics: newRequestMetrics(c.Registry), limits: newLimiter(c.Limits)}
	return withReference(withoutTrailingSlash(s.observed(s.withCORS(s.mux()))))
}
