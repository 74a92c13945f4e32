package api

import (
	"cmp"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// requestMetrics counts and times requests by route, not by path, so that the number of series stays bounded.
type requestMetrics struct {
	registry *prometheus.Registry
	took     *prometheus.HistogramVec
}

func newRequestMetrics(registry *prometheus.Registry) requestMetrics {
	took := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "parley_http_request_seconds", Help: "Time to answer requests.",
		Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 60, 600},
	}, []string{"route", "method", "status"})
	registry.MustRegister(took)
	return requestMetrics{registry, took}
}

func (m requestMetrics) request(route, method string, status int, took time.Duration) {
	status = cmp.Or(status, http.StatusOK)
	m.took.WithLabelValues(route, knownMethod(method), strconv.Itoa(status)).Observe(took.Seconds())
}

// knownMethod maps unknown methods to one label, so that clients cannot create an unbounded number of series.
func knownMethod(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodDelete, http.MethodOptions:
		return method
	}
	return "other"
}

// serveMetrics serves the metrics of the process in Prometheus' text format.
func (s *Server) serveMetrics(w http.ResponseWriter, r *request) error {
	promhttp.HandlerFor(s.metrics.registry, promhttp.HandlerOpts{}).ServeHTTP(w, r.Request)
	return nil
}
