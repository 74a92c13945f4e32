package soak

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	"parley/internal/terminal/client"
	"parley/internal/testkit/chaos"
)

// callers are clients that use the nodes of a cluster: they upload, follow, delete and query, and try again on another
// node whatever fails.
type callers struct {
	cluster *cluster
	history *chaos.History
	patient context.Context // until when what has begun is tried again

	mu       sync.Mutex
	problems map[string]int // what must not happen whatever fails
	uploads  int
	deleted  int
}

// greeting is the word that all recordings have.
const greeting = "hello"

// load runs clients until stop ends, and returns when what they have begun is done.
func (a *callers) load(stop context.Context, seed uint64, clients int) {
	var running sync.WaitGroup
	for number := range clients {
		running.Go(func() {
			random := rand.New(rand.NewPCG(seed, uint64(number)))
			for n := 0; stop.Err() == nil; n++ {
				a.round(random, fmt.Sprintf("call-%d-%d", number, n))
				wait(stop, time.Duration(random.Int64N(int64(400*time.Millisecond))))
			}
		})
	}
	running.Wait()
}

// round uploads a recording, follows it to its end and asks a query. It deletes some, at once or when they are finished.
func (a *callers) round(random *rand.Rand, name string) {
	media := noise(random)
	a.history.Uploading(name, sum(media))
	var item client.Item
	err := a.try(random, "upload", func(c *client.Client) (err error) {
		item, err = c.Submit(a.patient, a.submission(name, media))
		return err
	})
	if err != nil {
		return
	}
	a.history.Uploaded(name, item.MediaID)
	a.count(&a.uploads)
	fate := random.IntN(8)
	if fate > 0 {
		a.follow(random, item.MediaID)
	}
	switch fate {
	case 0, 1:
		a.delete(random, name, item.MediaID)
	case 2:
		a.try(random, "query", func(c *client.Client) error {
			_, err := c.Ask(a.patient, `SELECT COUNT(*) FROM media`)
			return err
		})
	}
}

func (a *callers) submission(name string, media []byte) client.Submission {
	return client.Submission{
		Name: name + ".wav", Media: bytes.NewReader(media), IdempotencyKey: name,
		Metadata: fmt.Sprintf(`{"externalId":%q}`, name),
		Configuration: fmt.Sprintf(`{"publish":{"enableAnalyticIndexing":true,"callbacks":[{"url":%q}]}}`,
			a.cluster.receiver.URL+"/"+name),
		Transcript: `{"words":[{"p":0,"c":1,"s":100,"e":400,"w":"` + greeting + `"}]}`,
	}
}

// follow waits for the end of an item.
func (a *callers) follow(random *rand.Rand, id string) {
	for a.patient.Err() == nil {
		var p client.Progress
		err := a.try(random, "progress", func(c *client.Client) (err error) {
			p, err = c.Progress(a.patient, id)
			return err
		})
		if err != nil || p.Status == "finished" || p.Status == "failed" {
			return
		}
		wait(a.patient, 100*time.Millisecond)
	}
}

// delete deletes an item. An answer that it is not there counts if an earlier request may have deleted it.
func (a *callers) delete(random *rand.Rand, name, id string) {
	a.history.Deleting(name, chaos.Asked)
	asked := false
	err := a.try(random, "delete", func(c *client.Client) error {
		err := c.Delete(a.patient, id)
		if refused, ok := errors.AsType[*client.Error](err); ok && refused.Status == http.StatusNotFound && asked {
			return nil
		}
		asked = true
		return err
	})
	if err == nil {
		a.history.Deleting(name, chaos.Acknowledged)
		a.count(&a.deleted)
	}
}

// try sends a request to one node after the other, until one answers it. Answers that no fault explains are problems.
func (a *callers) try(random *rand.Rand, what string, do func(*client.Client) error) error {
	for {
		m := a.cluster.members[random.IntN(len(a.cluster.members))]
		err := do(m.client(a.cluster.token))
		if err == nil || a.patient.Err() != nil {
			return err
		}
		if refused, ok := errors.AsType[*client.Error](err); ok && refused.Status != http.StatusServiceUnavailable {
			a.problem(fmt.Sprintf("%s: HTTP %d: %v", what, refused.Status, refused.Problems))
			if refused.Status < 500 {
				return err
			}
		}
		wait(a.patient, 50*time.Millisecond+time.Duration(random.Int64N(int64(200*time.Millisecond))))
	}
}

func (a *callers) count(n *int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	*n++
}

func (a *callers) problem(text string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.problems == nil {
		a.problems = map[string]int{}
	}
	a.problems[text]++
}

// noise returns a recording as WAV, half a second to three seconds long.
func noise(random *rand.Rand) []byte {
	const rate = 8000
	samples := make([]int16, rate/2+random.IntN(rate*5/2))
	for i := range samples {
		samples[i] = int16(random.IntN(2000) - 1000)
	}
	var b bytes.Buffer
	size := uint32(2 * len(samples))
	for _, part := range []any{
		[]byte("RIFF"), 36 + size, []byte("WAVEfmt "), uint32(16), uint16(1), uint16(1), uint32(rate), uint32(2 * rate),
		uint16(2), uint16(16), []byte("data"), size, samples,
	} {
		binary.Write(&b, binary.LittleEndian, part) // a bytes.Buffer does not fail
	}
	return b.Bytes()
}
