package soak

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/internal/lab/bench"
	"parley/internal/terminal/client"
	"parley/internal/testkit/chaos"
	"parley/internal/testkit/powerloss"
)

// powerLoader is the address that the callbacks of the load come from.
const powerLoader = "127.0.1.1"

// powerFlags are the flags of the servers. Failed callbacks are tried again every second.
func powerFlags(dir, from string) []string {
	return []string{"--data", dir, "--engines", "1", "--log-level", "info", "--allow-insecure-callbacks",
		"--allow-networks", "127.0.0.0/8", "--egress-address", from, "--callback-schedule", everySecond(100)}
}

// powerSound returns a recording, which nobody else has.
func powerSound(name string) []byte {
	h := fnv.New32a()
	h.Write([]byte(name))
	return bench.Noise(4000+int(h.Sum32()%60_000), h.Sum32())
}

func sum(data []byte) string {
	s := sha256.Sum256(data)
	return hex.EncodeToString(s[:])
}

// powerLoad is the load on a server whose files are on a disk that records.
type powerLoad struct {
	*testing.T
	*powerRecord
	disk   *powerloss.Disk
	dir    string
	events *events

	mu     sync.Mutex // over what follows, and over what the record holds
	random *rand.Rand // of faults and refusals
	node   *node
}

// recordPower runs the load of a seed, with kills, restarts and a full disk.
func recordPower(t *testing.T, receiver *powerReceiver, seed uint64, uploads int) *powerRecord {
	t.Helper()
	mounted := t.TempDir()
	disk, err := powerloss.Mount(mounted)
	if err != nil {
		t.Fatal(err)
	}
	l := &powerLoad{T: t, powerRecord: &powerRecord{Seed: seed}, disk: disk, dir: filepath.Join(mounted, "data"),
		events: newEvents(), random: rand.New(rand.NewPCG(seed, 3))}
	defer func() {
		if l.node != nil {
			l.node.kill()
		}
		if err := disk.Unmount(); err != nil {
			t.Error(err)
		}
	}()
	l.Receiver = receiver.address
	receiver.answer(powerLoader, l.receive)
	l.Token = firstToken(t, "--data", l.dir)
	l.Tokened = disk.Now()
	l.restart()
	l.work(uploads)
	l.settle()
	if err := l.node.stop(); err != nil {
		t.Error(err)
	}
	l.trace = disk.Trace()
	return l.powerRecord
}

// restart starts the server; the last one has ended.
func (l *powerLoad) restart() {
	n := start(l.T, l.events, powerFlags(l.dir, powerLoader)...)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.node = n
}

// client returns a client of the server that runs.
func (l *powerLoad) client() *client.Client {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.node.client(l.Token)
}

// receive refuses some callbacks.
func (l *powerLoad) receive(w http.ResponseWriter, id, media string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	receipt := powerReceipt{chaos.Receipt{Callback: id, Media: media, At: time.Now()}, l.disk.Now()}
	if receipt.Accepted = l.random.IntN(4) > 0; !receipt.Accepted {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	l.Receipts = append(l.Receipts, receipt)
}

// work has clients upload and delete while faults come one after another.
func (l *powerLoad) work(uploads int) {
	names := make(chan string)
	var clients sync.WaitGroup
	for number := range 1 + int(l.Seed%4) {
		random := rand.New(rand.NewPCG(l.Seed, uint64(10+number)))
		clients.Go(func() {
			for name := range names {
				l.one(name, random)
			}
		})
	}
	for n := range uploads {
		names <- fmt.Sprintf("call-%d-%d", l.Seed, n)
		if n%12 == 11 {
			l.fault(n / 12)
		}
	}
	close(names)
	clients.Wait()
}

// fault does something to the server or its disk, while clients go on.
func (l *powerLoad) fault(number int) {
	switch (number + int(l.Seed)) % 3 {
	case 0:
		l.node.kill()
		l.restart()
	case 1:
		if err := l.node.stop(); err != nil {
			l.Error(err)
		}
		l.restart()
	case 2:
		l.mu.Lock()
		length := time.Duration(l.random.Int64N(int64(500 * time.Millisecond)))
		l.mu.Unlock()
		l.disk.Fill(true)
		wait(l.Context(), length)
		l.disk.Fill(false)
		l.Full++
	}
}

// again tries until it succeeds, and reports whether it did.
func (l *powerLoad) again(what string, try func(c *client.Client) error) bool {
	ctx, cancel := context.WithTimeout(l.Context(), powerPatience)
	defer cancel()
	var err error
	if !eventually(ctx, func() bool { err = try(l.client()); return err == nil || wrong(err) }) || err != nil {
		l.Errorf("%s: %v\n%s", what, err, l.events.tail())
	}
	return err == nil
}

// wrong reports whether a request can never succeed.
func wrong(err error) bool {
	refused, is := errors.AsType[*client.Error](err)
	return is && refused.Status == http.StatusBadRequest
}

// one uploads a recording, and deletes some of them: at once, or when they are finished.
func (l *powerLoad) one(name string, random *rand.Rand) {
	u := &powerUpload{Name: name, Began: l.disk.Now()}
	l.mu.Lock()
	l.Uploads = append(l.Uploads, u)
	l.mu.Unlock()
	var item client.Item
	if !l.again("upload", func(c *client.Client) (err error) {
		item, err = c.Submit(l.Context(), l.submission(u))
		return err
	}) {
		return
	}
	u.Media, u.Uploaded = item.MediaID, l.disk.Now()
	fate := random.IntN(8)
	if fate == 2 || fate == 3 {
		l.await(u)
	}
	if fate > 1 {
		return
	}
	if fate == 1 {
		l.again("finish", func(c *client.Client) error {
			if !finished(l.Context(), c, u.Media) {
				return errors.New("not finished")
			}
			return nil
		})
	}
	u.Deleting = l.disk.Now()
	if l.again("delete", func(c *client.Client) error { return absent(c.Delete(l.Context(), u.Media)) }) {
		u.Deleted = l.disk.Now()
	}
}

// absent returns no error for an item that is not there.
func absent(err error) error {
	if refused, is := errors.AsType[*client.Error](err); is && refused.Status == http.StatusNotFound {
		return nil
	}
	return err
}

// submission returns an upload with its words, so that no engine is needed.
func (r *powerRecord) submission(u *powerUpload) client.Submission {
	return client.Submission{
		Name: u.Name + ".wav", Media: bytes.NewReader(r.bytes(u)), IdempotencyKey: u.Name,
		Metadata: fmt.Sprintf(`{"externalId":%q}`, u.Name),
		Configuration: fmt.Sprintf(`{"searchability":{"searchable":true},"publish":{"enableAnalyticIndexing":true,`+
			`"callbacks":[{"url":"http://%s/"}]}}`, r.Receiver),
		Transcript: fmt.Sprintf(`{"words":[{"p":0,"c":1,"s":10,"e":40,"w":%q},{"p":1,"c":1,"s":50,"e":90,"w":%q}]}`,
			greeting, strings.ReplaceAll(u.Name, "-", "")),
	}
}

// settle waits until all callbacks are seen as delivered.
func (l *powerLoad) settle() {
	for _, u := range l.Uploads {
		if u.Uploaded > 0 && u.Deleting == 0 && u.Delivered == 0 {
			l.await(u)
		}
	}
}

// await waits until the callback of an upload is seen as delivered.
func (l *powerLoad) await(u *powerUpload) {
	if l.again("deliver", func(c *client.Client) error {
		all, err := callbacks(l.Context(), c, u.Media)
		if err == nil && (len(all) != 1 || all[0].Status != "delivered") {
			err = fmt.Errorf("callbacks of %s: %+v", u.Media, all)
		}
		return err
	}) {
		u.Delivered = l.disk.Now()
	}
}
