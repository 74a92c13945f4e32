package server

import (
	"context"
	"runtime"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"parley/internal/flow/callback"
	"parley/internal/host/health"
	"parley/internal/index/callindex"
	"parley/internal/storage/blob/disk"
	"parley/internal/storage/job"
	"parley/internal/storage/store"
	"parley/internal/words/media"
)

// Intervals at which the state of the database is gathered for /metrics, time limit of gathering, and how long the state
// is shown.
const (
	gatherEvery   = 15 * time.Second
	gatherSeldom  = time.Minute
	gatherTimeout = 10 * time.Second
	gatherKept    = 2 * time.Minute
)

// gatherPause returns the pause after gathering that took a time: counting a million jobs takes about a second.
func gatherPause(took time.Duration) time.Duration {
	return min(max(gatherEvery, 50*took), gatherSeldom)
}

// state is what /metrics reports about the database and the disk. It is gathered in the background, so that a scrape
// costs no query.
type state struct {
	at     time.Time
	depths []job.Depth
	calls  int64            // that wait for a segment
	free   map[string]int64 // bytes, by what is stored there
}

// gather updates the state until ctx ends.
func (s *Server) gather(ctx context.Context) {
	for {
		began := time.Now()
		if err := s.Gather(ctx); err != nil && ctx.Err() == nil {
			s.Log.Debug("gathering metrics failed", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(gatherPause(time.Since(began))):
		}
	}
}

// Gather does immediately what Run does on its schedule: it updates the state for /metrics, and tells the loops how
// much work is due.
func (s *Server) Gather(ctx context.Context) (err error) {
	ctx, cancel := context.WithTimeout(ctx, gatherTimeout)
	defer cancel()
	now := &state{free: s.free()}
	if now.depths, err = s.Store.Queue().Depths(ctx); err != nil {
		return err
	}
	if now.calls, err = store.Read(ctx, s.Store, (*store.Tx).CountWaitingCalls); err != nil {
		return err
	}
	s.noteDue(now)
	now.at = time.Now()
	s.gathered.Store(now)
	return nil
}

// free returns the free space in the places where this server writes.
func (s *Server) free() map[string]int64 {
	free := map[string]int64{}
	if bytes, err := disk.Free(s.Settings.Dir); err == nil {
		free["data"] = int64(bytes)
	}
	if blobs, ok := s.Blobs.(freer); ok {
		if bytes, err := blobs.Free(); err == nil {
			free["recordings"] = int64(bytes)
		}
	}
	return free
}

func (s *Server) noteDue(now *state) {
	if s.working() {
		due, all := map[string]int64{}, int64(0)
		for _, d := range now.depths {
			due[d.Kind] += d.Due
			all += d.Due
		}
		delivering := due[callback.Kind] + due[callback.KindRetry]
		s.delivering.Claims.Wait(delivering)
		s.indexing.Claims.Wait(due[callindex.Kind])
		s.processing.Claims.Wait(all - delivering - due[callindex.Kind])
		s.calls.Pulse.Wait(now.calls)
	}
}

func describe(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("parley_"+name, help, labels, nil)
}

var (
	buildInfo      = describe("build_info", "Always 1; the version is in the labels.", "version", "go_version")
	readyFigure    = describe("ready", "1 if everything required is ready, otherwise 0.")
	checkFigure    = describe("check_ready", "1 if a check of /readyz is ok, otherwise 0.", "check")
	jobsFigure     = describe("jobs", "Jobs in the database, of all servers.", "kind", "priority", "state")
	oldestFigure   = describe("job_oldest_due_seconds", "Waiting time of the oldest due job.", "kind")
	deadFigure     = describe("dead_jobs", "Jobs of all kinds that have failed permanently.")
	deliveryFigure = describe("deliveries_waiting", "Callbacks that wait for a worker (due) or for their next attempt.",
		"due")
	indexFigure = describe("index_waiting_items", "Recordings that wait for the index of calls.")
	freeFigure  = describe("disk_free_bytes", "Free disk space in bytes.", "holds")
)

// figures exports the state to Prometheus. It is a prometheus.Collector.
type figures struct{ *Server }

// Describe implements prometheus.Collector.
func (f figures) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{
		buildInfo, readyFigure, checkFigure, jobsFigure, oldestFigure, deadFigure, deliveryFigure, indexFigure,
		freeFigure,
	} {
		to <- d
	}
}

// Collect implements prometheus.Collector.
func (f figures) Collect(to chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	gauge(buildInfo, 1, f.Version, runtime.Version())
	latest := f.monitor.Latest()
	gauge(readyFigure, flag(health.Ready(latest)))
	for _, r := range latest {
		gauge(checkFigure, flag(r.State == health.OK), r.Name)
	}
	now := f.gathered.Load()
	if now == nil || time.Since(now.at) > gatherKept {
		return // no values are better than outdated ones
	}
	queue(now.depths, gauge)
	gauge(indexFigure, float64(now.calls))
	for holds, bytes := range now.free {
		gauge(freeFigure, float64(bytes), holds)
	}
}

var priorities = map[media.Priority]string{media.High: "high", media.Normal: "normal", media.Low: "low"}

// queue exports the numbers of jobs.
func queue(depths []job.Depth, gauge func(*prometheus.Desc, float64, ...string)) {
	var dead, dueNow, later int64
	oldest := map[string]time.Duration{}
	for _, d := range depths {
		gauge(jobsFigure, float64(d.Jobs), d.Kind, priorities[media.Priority(d.Priority)], string(d.State))
		oldest[d.Kind] = max(oldest[d.Kind], d.Oldest)
		switch {
		case d.State == job.Dead:
			dead += d.Jobs
		case d.State == job.Ready && d.Kind == callback.Kind:
			dueNow, later = dueNow+d.Due, later+d.Jobs-d.Due
		}
	}
	for kind, age := range oldest {
		gauge(oldestFigure, age.Seconds(), kind)
	}
	gauge(deadFigure, float64(dead))
	gauge(deliveryFigure, float64(dueNow), strconv.FormatBool(true))
	gauge(deliveryFigure, float64(later), strconv.FormatBool(false))
}

func flag(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}
