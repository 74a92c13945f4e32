// Package server wires the packages into a running server: storage, engines, workers and the HTTP API.
//
// It makes no decisions beyond the settings; the packages that it wires do the work.
package server

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"parley/internal/analysis/onnx"
	"parley/internal/call/codec"
	"parley/internal/flow/pipeline"
	"parley/internal/flow/player"
	"parley/internal/host/durable"
	"parley/internal/host/fair"
	"parley/internal/host/filelock"
	"parley/internal/host/health"
	"parley/internal/host/netguard"
	"parley/internal/host/sandbox"
	"parley/internal/host/scratch"
	"parley/internal/index/callindex"
	"parley/internal/index/columnar"
	"parley/internal/operation/config"
	"parley/internal/storage/blob"
	"parley/internal/storage/feed"
	"parley/internal/storage/job"
	"parley/internal/storage/sqldb"
	"parley/internal/storage/store"
	"parley/internal/storage/vault"
	"parley/internal/web/api"
	"parley/internal/web/auth"
)

// Limits of connections. A whole upload may take long; its header may not.
const (
	headerTimeout = 10 * time.Second
	idleTimeout   = 2 * time.Minute
	maxHeader     = 64 << 10
	maxUnread     = 256 << 10 // bytes per connection of HTTP/2 bodies that no handler has asked for yet
)

// Config holds the settings and dependencies of a server.
type Config struct {
	Settings    config.Settings
	Version     string
	Description []byte           // OpenAPI description, JSON
	Engine      []string         // command of the recogniser's child processes
	Engines     pipeline.Engines // recognisers to use instead; nil: the configured ones
	Words       *pipeline.Words  // models for words; nil: loaded if jobs are run
	Log         *slog.Logger

	Processors int // for concurrent statements and analyses; 0: GOMAXPROCS
}

// Server is an opened server. Run serves; Close releases all resources.
type Server struct {
	Config
	Store  *store.Store
	Blobs  blob.Store
	Secret auth.Secret // admin token to show if nobody has seen one yet; otherwise empty

	codec                  *codec.Codec
	calls                  *callindex.Index
	analytic               *columnar.Index // nil where no questions are answered
	guard                  *netguard.Guard // for downloads
	registry               *prometheus.Registry
	engines                *engines
	temp                   *scratch.Folder
	lock                   *filelock.Lock
	ring                   *auth.Ring // keys for signed URLs
	listener               net.Listener
	processors             *fair.Processors // for statements and analyses
	audit                  *api.AuditRecorder
	processing, delivering *job.Runner // nil without workers
	indexing               *job.Runner // likewise
	sweeping               health.Pulse
	feed                   *feed.Feed
	monitor                *health.Monitor
	gathered               atomic.Pointer[state] // for /metrics
	requests               atomic.Int64          // in progress
	stopping               atomic.Bool
	orphans                prometheus.Counter
	node                   store.Node // this process as other servers see it
	player                 *player.Player

	callbackGuard *netguard.Guard // for deliveries
	closers       []func() error
	networks      []onnx.Network
	onnx          *onnx.Runner
}

// Open opens storage, migrates the database and listens. It serves nothing before Run. The first start on a database
// makes the default account and its admin token.
func Open(ctx context.Context, c Config) (_ *Server, err error) {
	s := &Server{Config: c, registry: prometheus.NewRegistry(),
		processors: fair.NewProcessors(cmp.Or(c.Processors, runtime.GOMAXPROCS(0)))}
	defer func() {
		if err != nil {
			s.Close()
		}
	}()
	s.orphans = prometheus.NewCounter(prometheus.CounterOpts{
		Name: "parley_orphans_deleted_total", Help: "Stored files that belonged to no recording and were deleted."})
	s.registry.MustRegister(s.orphans, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), figures{s})
	for _, open := range []func(context.Context) error{
		s.openFolders, s.openStore, s.openBlobs, s.openCalls, s.openNetwork, s.openNetworks,
		s.openWorkers, s.openHealth, s.listen, s.openAccount} {
		if err := open(ctx); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// later registers a function for Close, which calls them in reverse order.
func (s *Server) later(f func() error) { s.closers = append(s.closers, f) }

// Close releases everything that Open acquired. Call it after Run, or instead of it.
func (s *Server) Close() error {
	var errs []error
	for _, f := range slices.Backward(s.closers) {
		errs = append(errs, f())
	}
	s.closers = nil
	return errors.Join(errs...)
}

func (s *Server) openFolders(ctx context.Context) (err error) {
	if err := durable.MakeFolders(s.Settings.Dir); err != nil {
		return fmt.Errorf("data directory: %w", err)
	}
	if s.Settings.SQLite() && s.working() {
		if s.lock, err = lockDir(ctx, s.Settings.Dir); err != nil {
			return err
		}
		s.later(s.lock.Close)
	}
	if s.temp, err = newTemp(s.Settings.TempDir()); err != nil {
		return fmt.Errorf("temporary folder: %w", err)
	}
	s.later(s.temp.Close)
	s.codec, err = codec.New()
	return err
}

// working reports whether this process runs jobs.
func (s *Server) working() bool { return s.Settings.Role != config.RoleAPI }

func (s *Server) openStore(ctx context.Context) (err error) {
	if s.Store, err = MakeStore(ctx, s.Settings.Storage); err != nil {
		return err
	}
	s.later(s.Store.Close)
	if err := s.announce(ctx); err != nil {
		return err
	}
	if err := s.Store.ClaimStorageKeys(ctx); err != nil {
		return err
	}
	if s.lock != nil { // no other process uses this database, so no lease is held
		if n, err := s.Store.Queue().VoidLeases(ctx); err != nil {
			return err
		} else if n > 0 {
			s.Log.Info("resumed jobs of the previous run", "jobs", n)
		}
	}
	s.audit, s.feed = api.NewAuditRecorder(s.Store, s.Log), feed.New(s.Store, s.Log)
	s.ring, err = openRing(ctx, s.Store)
	return err
}

func (s *Server) openBlobs(ctx context.Context) error {
	store, closer, err := OpenBlobs(ctx, s.Settings.Storage, uint64(s.Settings.ReserveDisk))
	if err != nil {
		return err
	}
	s.Blobs = store
	s.later(closer)
	s.player = player.New(player.Config{Store: s.Store, Vault: vault.Vault{Blobs: s.Blobs}, Codec: s.codec,
		Decoder: s.decoder(), Processors: s.processors, Temp: s.temp.Path()})
	s.later(s.player.Close)
	return nil
}

func (s *Server) openNetwork(context.Context) error {
	if err := checkEgress(s.Settings.EgressAddress); err != nil {
		return err
	}
	s.guard = netguard.New(netguard.Config{
		AllowHTTP: true, AllowNetworks: s.Settings.AllowNetworks, EgressAddress: s.Settings.EgressAddress,
	})
	s.callbackGuard = netguard.New(netguard.Config{
		AllowHTTP: s.Settings.InsecureCallbacks, AllowNetworks: s.Settings.AllowNetworks,
		EgressAddress: s.Settings.EgressAddress,
		// the caller itself limits how long a receiver may be silent
		Timeout: longestDelivery, Header: longestDelivery,
	})
	s.later(func() error { s.guard.Close(); s.callbackGuard.Close(); return nil })
	return nil
}

func (s *Server) openWorkers(ctx context.Context) (err error) {
	s.engines, err = openEngines(ctx, s.Config)
	s.later(s.engines.Close)
	if err != nil {
		return err
	}
	if !s.working() {
		return nil
	}
	if gaps := sandbox.Supported().Gaps(); len(gaps) > 0 {
		s.Log.Warn("decoders and engines run with an incomplete sandbox; run parley doctor to see what to do",
			"lacking", gaps)
	}
	words := s.Words
	if words == nil {
		if words, err = pipeline.LoadWords(); err != nil {
			return err
		}
	}
	p := &pipeline.Pipeline{
		Formatter: words.Formatter, Analyst: words.Analyst, Networks: s.networks, Onnx: s.onnx,
		Voices: NewVoices(ctx, s.Settings.Storage, s.Settings.Sherpa, s.Settings.Engines, s.Log),
		Store:  s.Store, Vault: vault.Vault{Blobs: s.Blobs}, Codec: s.codec, Engine: s.engines.find,
		Environment: s.environment,
		Decoder:     s.decoder(),
		Fetch:       s.fetch, Write: s.renderer().Write, Metrics: newMetrics(s.registry), Temp: s.temp.Path(), Log: s.Log,
		KeepOriginals: s.Settings.KeepOriginals, Processors: s.processors,
	}
	s.delivering, s.indexing = s.deliverer(), s.indexer()
	s.processing = job.NewRunner(s.Store.Queue(), job.Config{
		// One account can use the configured number of workers, and others still find one free.
		Worker: workerName(), Handlers: p.Handlers(), Workers: 2 * s.Settings.Workers, Spare: true,
		PerLane: s.Settings.PerAccount,
		Grace:   s.Settings.DrainTimeout, Log: s.Log, Spent: p.Spent,
	})
	return nil
}

func (s *Server) listen(context.Context) (err error) {
	s.listener, err = net.Listen("tcp", s.Settings.Listen)
	if err != nil {
		return fmt.Errorf("listen on %s: %w; choose another address with --listen", s.Settings.Listen, err)
	}
	s.later(func() error { s.listener.Close(); return nil }) // Run may have closed it
	if s.Settings.TLSCert == "" {
		return nil
	}
	certificate, err := tls.LoadX509KeyPair(s.Settings.TLSCert, s.Settings.TLSKey)
	if err != nil {
		return fmt.Errorf("--tls-cert %s, --tls-key %s: %w", s.Settings.TLSCert, s.Settings.TLSKey, err)
	}
	s.listener = tls.NewListener(s.listener,
		&tls.Config{Certificates: []tls.Certificate{certificate}, NextProtos: []string{"h2", "http/1.1"}})
	return nil
}

// Address returns the URL under which this machine reaches the server.
func (s *Server) Address() string {
	scheme := "http"
	if s.Settings.TLSCert != "" {
		scheme = "https"
	}
	return scheme + "://" + s.listener.Addr().String()
}

// handler returns the HTTP API of a server that shuts down when ctx ends.
func (s *Server) handler(ctx context.Context) http.Handler {
	return api.New(api.Config{
		Store: s.Store, Feed: s.feed, Analytics: s.analytic, Vault: vault.Vault{Blobs: s.Blobs}, Codec: s.codec,
		Ring: s.ring, Player: s.player,
		Environment: s.environment, Classifiers: s.networkDescriptions(),
		CheckURL: s.guard.CheckURL, Accepting: s.accepting, Health: s.Health,
		Registry: s.registry, Log: s.Log, Version: s.Version, Description: s.Description, Processors: s.processors,
		PublicURL: s.Settings.PublicURL, Origins: s.Settings.AllowOrigins, MaxUpload: s.Settings.MaxUpload,
		MaxDuration: s.Settings.MaxDuration, Stopping: ctx, UploadTime: s.Settings.UploadTime,
		DownloadTime: s.Settings.DownloadTime,
		WorkerOnly:   s.Settings.Role == config.RoleWorker, Audit: s.audit, TrustedProxies: s.Settings.TrustedProxies,
		Limits: api.Limits{
			TokenRate: s.Settings.TokenRate, AccountRate: s.Settings.AccountRate,
			Requests: s.Settings.AccountRequests, Storage: s.Settings.AccountStorage,
			Definitions: s.Settings.AccountDefinitions,
			Memory:      s.Settings.RequestMemory, Share: s.Settings.AccountMemory,
		},
	})
}

// Run serves until ctx ends and then drains: it takes no new jobs, accepts no connections once the drain delay is over,
// and running requests and chunks may finish within the drain time.
func (s *Server) Run(ctx context.Context) error {
	s.Log.Info("serving", s.startAttributes()...)
	ctx, stop := context.WithCancel(ctx)
	web := &http.Server{
		Handler: s.countRequests(s.handler(ctx)), ReadHeaderTimeout: headerTimeout, IdleTimeout: idleTimeout,
		MaxHeaderBytes: maxHeader,
		HTTP2: &http.HTTP2Config{MaxReceiveBufferPerConnection: maxUnread,
			MaxReceiveBufferPerStream: maxUnread},
		ErrorLog: slog.NewLogLogger(s.Log.Handler(), slog.LevelDebug),
	}
	var group sync.WaitGroup
	group.Go(func() { s.monitor.Run(ctx) })
	group.Go(func() { s.renewNode(ctx) })
	group.Go(func() { s.gather(ctx) })
	if s.working() {
		group.Go(func() { s.processing.Run(ctx) })
		group.Go(func() { s.delivering.Run(ctx) })
		group.Go(func() { s.sweep(ctx) })
		group.Go(func() { s.collect(ctx) })
		group.Go(func() { s.indexing.Run(ctx) })
		group.Go(func() { s.calls.Schedule(ctx) })
	}
	if s.Settings.Role != config.RoleWorker {
		group.Go(func() { s.feed.Run(ctx) })
	}
	group.Go(func() { s.scrub(ctx) })
	group.Go(func() { s.calls.Run(ctx) })
	ended := s.logEnd(ctx)
	group.Go(func() {
		<-ctx.Done()
		s.stopping.Store(true)
		web.SetKeepAlivesEnabled(false)
		limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.drain(ctx))
		defer cancel()
		web.Shutdown(limited)
	})
	recording := s.record(ctx)
	err := web.Serve(s.listener)
	stop()
	group.Wait()
	recording()
	ended(err)
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// drain waits until load balancers have noticed that the server stops, and returns how long requests may continue. Without
// its database the server has nothing to wait for.
func (s *Server) drain(ctx context.Context) time.Duration {
	ctx = context.WithoutCancel(ctx)
	if err := s.Store.Ping(sqldb.Patient(ctx, databasePatience)); err != nil {
		s.Log.Warn("the database does not answer; stopping without giving jobs back, which other servers take over when "+
			"their leases expire", "error", err)
		s.Store.Abandon()
		if s.working() {
			s.processing.Abandon()
			s.delivering.Abandon()
			s.indexing.Abandon()
		}
		return time.Second
	}
	time.Sleep(s.Settings.DrainDelay)
	return max(s.Settings.DrainTimeout, time.Second)
}

// databasePatience is how long a stopping server waits for its database.
const databasePatience = 2 * time.Second

// record writes the audit log until the returned function is called, which returns when everything is written.
func (s *Server) record(ctx context.Context) (end func()) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx)) // requests are still served after the signal to stop
	var recording sync.WaitGroup
	recording.Go(func() { s.audit.Run(ctx) })
	return func() {
		cancel()
		recording.Wait()
	}
}
