package server

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"parley/internal/flow/callback"
	"parley/internal/flow/payload"
	"parley/internal/storage/job"
	"parley/internal/storage/vault"
	"parley/internal/words/media"
)

// longestDelivery is the time limit of one request of a callback, however large the recording.
const longestDelivery = time.Hour

// deliveriesAtOnce is the maximum number of concurrent callbacks in this process. They mostly wait, each for one
// receiver. One account can use at most half of them.
const deliveriesAtOnce = 512

// deliverer returns the workers that deliver callbacks. They are separate from those that process recordings, so that
// neither waits for the other.
func (s *Server) deliverer() *job.Runner {
	c := &callback.Caller{
		Store: s.Store, Source: s.renderer().Body, Client: s.callbackGuard.Client(),
		Schedule: s.Settings.CallbackSchedule, Patience: s.Settings.CallbackPatience,
		Metrics: newDeliveryMetrics(s.registry), Log: s.Log,
	}
	return job.NewRunner(s.Store.Queue(), c.Workers(job.Config{
		Worker: workerName(), Workers: deliveriesAtOnce, PerLane: s.Settings.CallbackConnections,
		Grace: s.Settings.DrainTimeout, Log: s.Log,
	}))
}

func (s *Server) renderer() *payload.Renderer {
	return &payload.Renderer{Store: s.Store, Vault: vault.Vault{Blobs: s.Blobs}, Codec: s.codec, Location: s.location}
}

// location returns the signed URL of a stream outside a request, based on the public URL or, without one, on the
// address that this server listens on.
func (s *Server) location(ctx context.Context, m *media.Media, stream string) string {
	base := s.Address()
	if s.Settings.PublicURL != nil {
		base = s.Settings.PublicURL.String()
	}
	return s.ring.Address(ctx, base, m, stream)
}

// deliveryMetrics counts the tries of callbacks. It is a callback.Metrics.
type deliveryMetrics struct{ took *prometheus.HistogramVec }

func newDeliveryMetrics(registry *prometheus.Registry) deliveryMetrics {
	m := deliveryMetrics{prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "parley_callback_seconds", Help: "Duration of callback attempts, by whether they were accepted.",
		Buckets: prometheus.ExponentialBuckets(.01, 3, 9),
	}, []string{"accepted"})}
	registry.MustRegister(m.took)
	return m
}

// Tried counts a try.
func (m deliveryMetrics) Tried(accepted bool, took time.Duration) {
	label := "no"
	if accepted {
		label = "yes"
	}
	m.took.WithLabelValues(label).Observe(took.Seconds())
}
