package server

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"parley/internal/words/media"
)

// metrics counts the work of the pipeline. It is a pipeline.Metrics.
type metrics struct {
	steps *prometheus.HistogramVec
	done  *prometheus.CounterVec
	audio prometheus.Counter
	took  prometheus.Histogram
}

func newMetrics(registry *prometheus.Registry) *metrics {
	m := &metrics{
		steps: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "parley_step_seconds", Help: "Duration of processing steps.",
			Buckets: prometheus.ExponentialBuckets(.01, 3, 12),
		}, []string{"step"}),
		done: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "parley_media_done_total", Help: "Processed media items, by status.",
		}, []string{"status"}),
		audio: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "parley_audio_seconds_total", Help: "Seconds of audio processed.",
		}),
		took: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "parley_turnaround_seconds", Help: "Time from acceptance to the end of processing.",
			Buckets: prometheus.ExponentialBuckets(.1, 3, 14),
		}),
	}
	registry.MustRegister(m.steps, m.done, m.audio, m.took)
	return m
}

// Step records the duration of a step.
func (m *metrics) Step(step media.Step, took time.Duration) {
	m.steps.WithLabelValues(string(step)).Observe(took.Seconds())
}

// Done records a media item that has ended.
func (m *metrics) Done(status media.Status, length, took time.Duration) {
	m.done.WithLabelValues(string(status)).Inc()
	m.audio.Add(length.Seconds())
	m.took.Observe(took.Seconds())
}
