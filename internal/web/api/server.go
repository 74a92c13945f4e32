// Package api serves the HTTP API: routes, streaming uploads, handlers.
//
// It contains no SQL (package store) and no JSON shapes (package wire), and starts no subprocess. A handler parses,
// makes one call and renders; one table maps errors to HTTP.
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
	"parley/internal/flow/player"
	"parley/internal/host/fair"
	"parley/internal/host/health"
	"parley/internal/index/columnar"
	"parley/internal/storage/feed"
	"parley/internal/storage/store"
	"parley/internal/storage/vault"
	"parley/internal/web/auth"
)

// Config holds the dependencies and settings of a Server.
type Config struct {
	Store       *store.Store
	Feed        *feed.Feed      // changes of recordings
	Analytics   *columnar.Index // nil on nodes that only run jobs
	Vault       vault.Vault
	Player      *player.Player
	Ring        *auth.Ring // keys for signed URLs
	Codec       *codec.Codec
	Environment func() plan.Environment // capabilities of this server
	CheckURL    func(string) error      // checks whether a mediaUrl may be fetched
	Accepting   func() error            // Unavailable if there is no room for another upload
	Health      func() []health.Result  // latest results of all checks; does not block
	Registry    *prometheus.Registry
	Log         *slog.Logger
	Version     string
	Description []byte        // OpenAPI description, JSON
	PublicURL   *url.URL      // nil: the host of the request
	Origins     []string      // allowed CORS origins
	MaxUpload   int64         // maximum bytes of a request's body
	MaxDuration time.Duration // of a recording; 0: no limit
	WorkerOnly  bool          // serve only health and metrics

	UploadTime   time.Duration // per 16 KiB of an upload, or for a body that no handler reads; 0: 1 min
	DownloadTime time.Duration // per 64 KiB of an answer; 0: 1 min

	Stopping context.Context // done when the server begins to shut down; nil: never

	Classifiers []classify.Description // classifiers for all accounts, in addition to the built-in ones

	Processors *fair.Processors // shared by the accounts; nil: no scheduling

	Audit          *AuditRecorder
	TrustedProxies []netip.Prefix // proxies whose X-Forwarded-For is trusted
	Limits         Limits
}

// Server serves the API.
type Server struct {
	Config
	metrics requestMetrics
	limits  *limiter
	tries   tries
	origins *http.CrossOriginProtection
	memory  *budget
	paths   [][]string // elements of the routes' paths
}

// New returns the handler of the whole API.
func New(c Config) http.Handler {
	c.UploadTime = cmp.Or(c.UploadTime, time.Minute)
	c.DownloadTime = cmp.Or(c.DownloadTime, time.Minute)
	if c.Stopping == nil {
		c.Stopping = context.Background()
	}
	s := &Server{Config: c, metrics: newRequestMetrics(c.Registry), limits: newLimiter(c.Limits),
		origins: newOriginCheck(c),
		memory:  newBudget(c.Limits.Memory, c.Limits.Share)}
	c.Registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "parley_request_memory_bytes", Help: "Memory that requests hold, as --request-memory counts it.",
	}, func() float64 { return float64(s.memory.inUse()) }))
	return withReference(withoutTrailingSlash(s.observed(s.withCORS(s.mux()))))
}
