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
	"parley/internal/call/codec"
	"parley/internal/call/plan"
	"parley/internal/host/fair"
	"parley/internal/host/health"
	"parley/internal/index/columnar"
	"parley/internal/index/search"
	"parley/internal/storage/store"
	"parley/internal/storage/vault"
	"parley/internal/web/auth"
)

// Config is what a Server is made of.
type Config struct {
	Store       *store.Store
	Search      *search.Index
	Analytics   *columnar.Index // nil where only jobs are run
	Vault       vault.Vault
	Ring        *auth.Ring // keys of signed URLs
	Codec       *codec.Codec
	Environment func() plan.Environment // what this server can do
	CheckURL    func(string) error      // whether a mediaUrl may be fetched
	Accepting   func() error            // whether there is room for another upload; Unavailable when not
	Health      func() []health.Result  // the latest of all checks, at once
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

	Processors *fair.Processors // shared by the accounts; nil: nobody waits for one

	Audit          *AuditRecorder
	TrustedProxies []netip.Prefix // whose X-Forwarded-For is believed
	Limits         Limits
}

// Server answers requests.
type Server struct {
	Config
	metrics requestMetrics
	limits  *limiter
	memory  *budget
	paths   [][]string // the elements of the routes' paths
}

// New returns the handler of the whole API.
func New(c Config) http.Handler {
	c.UploadTime = cmp.Or(c.UploadTime, time.Minute)
	c.DownloadTime = cmp.Or(c.DownloadTime, time.Minute)
	if c.Stopping == nil {
		c.Stopping = context.Background()
	}
	s := &Server{Config: c, metrics: newRequestMetrics(c.Registry), limits: newLimiter(c.Limits),
		memory: newBudget(c.Limits.Memory, c.Limits.Share)}
	c.Registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "parley_request_memory_bytes", Help: "Memory that requests hold, as --request-memory counts it.",
	}, func() float64 { return float64(s.memory.inUse()) }))
	return withReference(withoutTrailingSlash(s.observed(s.withCORS(s.mux()))))
}
