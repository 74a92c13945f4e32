package pipeline_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"runtime"
	"strings"
	"testing"
	"time"

	"parley/internal/call/codec"
	"parley/internal/call/delivery"
	"parley/internal/call/plan"
	"parley/internal/flow/payload"
	"parley/internal/flow/pipeline"
	"parley/internal/storage/blob"
	"parley/internal/storage/blob/disk"
	"parley/internal/storage/job"
	"parley/internal/storage/store"
	"parley/internal/storage/vault"
	"parley/internal/testkit/gpgtest"
	"parley/internal/testkit/storetest"
	"parley/internal/testkit/verify"
	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// spending is an item that is to be sealed, with a job on its last attempt.
type spending struct {
	*pipeline.Pipeline
	home *gpgtest.Home
	item media.Media
	job  job.Job
	told []payload.View // arguments of the Writer
}

// idleMetrics counts nothing.
type idleMetrics struct{}

func (idleMetrics) Step(media.Step, time.Duration)                  {}
func (idleMetrics) Done(media.Status, time.Duration, time.Duration) {}

const heard = "what is heard in the recording"

// spend makes an item with a recording, metadata and callbacks, and claims its job.
func spend(t *testing.T, s *store.Store) *spending {
	t.Helper()
	return spendOf(t, s, func(_ *media.Media, request []byte) []byte { return request })
}

// spendOf is spend for an item and a stored request that changed modifies before they are stored.
func spendOf(t *testing.T, s *store.Store, changed func(m *media.Media, request []byte) []byte) *spending {
	t.Helper()
	codec, err := codec.New()
	if err != nil {
		t.Fatal(err)
	}
	blobs, err := disk.Open(disk.Config{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	p := &spending{home: gpgtest.New(t)}
	p.Pipeline = &pipeline.Pipeline{
		Store: s, Codec: codec, Vault: vault.Vault{Blobs: blobs}, Metrics: idleMetrics{},
		Log: slog.New(slog.DiscardHandler),
		Environment: func() plan.Environment {
			return plan.Environment{Built: plan.Built{plan.Encryption: nil, plan.Callbacks: nil}, WordsGiven: true}
		},
		Write: p.write,
	}
	key := plan.Key{ID: "019a9f60-0000-7000-8000-000000000001", Content: p.home.ECC(t, "owner@example.com"),
		Checked: time.Now()}
	source := plan.Source{
		Version: plan.Version, Built: []plan.Feature{plan.Encryption, plan.Callbacks}, WordsGiven: true,
		Definitions: plan.Definitions{Keys: []plan.Key{key}},
		Configuration: []byte(`{"encryption":{"publicKeyId":"` + key.ID + `"},"publish":{"callbacks":[
			{"url":"https://example.com/text","type":"transcript","format":"text"},{"url":"https://example.com/item"}]}}`),
	}
	stream := media.Stream{Name: media.Original, Blob: "original/x", ContentType: "audio/wav"}
	if stream.Key, stream.Size, err = p.Vault.Put(t.Context(), stream.Blob, strings.NewReader(heard)); err != nil {
		t.Fatal(err)
	}
	owner := storetest.Account(t, s, rand.Text())
	storetest.Update(t, s, func(tx *store.Tx) (err error) {
		m := media.Media{
			Account: owner.ID, Status: media.Running, Metadata: parsed(t, `{"title":"first"}`), TimeToLive: time.Hour,
			Sealing: &media.Sealing{PublicKeyID: strings.ToUpper(key.ID), PublicKeyHash: "h"},
		}
		request := changed(&m, codec.EncodeSource(source))
		if p.item, err = tx.InsertMedia(m, request, nil); err != nil {
			return err
		}
		if _, err := tx.PutStream(p.item.ID, stream); err != nil {
			return err
		}
		id, err := tx.Enqueue(pipeline.ProcessJob(&p.item))
		if err != nil {
			return err
		}
		return tx.SetProgress(p.item.ID, media.NewProgress(string(id)))
	})
	jobs, err := s.Queue().Claim(t.Context(), job.Claims{Worker: "w", Kinds: []string{pipeline.KindProcess}, Most: 1})
	if err != nil || len(jobs) != 1 {
		t.Fatal(jobs, err)
	}
	p.job = jobs[0]
	return p
}

func parsed(t *testing.T, text string) *media.Metadata {
	t.Helper()
	m, err := media.ParseMetadata([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// write records its arguments.
func (p *spending) write(
	_ context.Context, of account.Account, e payload.View, callbacks []delivery.Callback,
) (document []byte, bodies [][]byte, err error) {
	if of.ID != p.item.Account {
		return nil, nil, errors.New("another account")
	}
	p.told = append(p.told, e)
	document, err = json.Marshal(map[string]any{"status": e.Media.Status,
		"metadata": json.RawMessage(e.Media.Metadata.Bytes())})
	bodies = make([][]byte, len(callbacks))
	for i, c := range callbacks {
		if c.Type == delivery.Analytics {
			bodies[i] = append([]byte("body of "+c.URL+": "), document...)
		}
	}
	return document, bodies, err
}

// read returns an item as stored.
func (p *spending) read(t *testing.T) (m media.Media, streams []media.Stream) {
	t.Helper()
	if err := p.Store.View(t.Context(), func(tx *store.Tx) (err error) {
		if m, err = tx.MediaByID(p.item.ID); err != nil {
			return err
		}
		streams, err = tx.Kept(p.item.ID)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return m, streams
}

func (p *spending) jobs(t *testing.T, kind string) int {
	t.Helper()
	jobs, err := p.Store.Queue().List(t.Context(), job.Filter{Kind: kind, Limit: 9})
	if err != nil {
		t.Fatal(err)
	}
	return len(jobs)
}

// blobs returns the keys of all blobs.
func (p *spending) blobs(t *testing.T) (keys []string) {
	t.Helper()
	if err := p.Vault.Blobs.List(t.Context(), "", func(i blob.Info) error {
		keys = append(keys, i.Key)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return keys
}

func TestAnItemWhoseJobIsSpentIsSealedAndItsJobGoes(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		p := spend(t, s)
		if err := p.Spent(t.Context(), p.job, errors.New("one too many")); err != nil {
			t.Fatal(err)
		}
		m, streams := p.read(t)
		if m.Status != media.Failed || !m.Sealed || m.Metadata != nil || len(m.Problems) != 1 ||
			!strings.Contains(m.Problems[0].Message, "send the recording again") {
			t.Errorf("%+v", m)
		}
		var document, body []byte
		if err := s.View(t.Context(), func(tx *store.Tx) (err error) {
			if document, err = tx.Sealed(m.Account, m.ID); err != nil {
				return err
			}
			all, err := tx.Deliveries(m.Account, m.ID)
			if err != nil || len(all) != 1 || all[0].Position != 1 {
				t.Fatal(all, err)
			}
			body, err = tx.DeliveryBody(all[0].ID)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		want := `{"metadata":{"title":"first"},"status":"failed"}`
		if got := string(p.home.Decrypt(t, document)); got != want {
			t.Errorf("the document says %s", got)
		}
		if got := string(p.home.Decrypt(t, body)); got != "body of https://example.com/item: "+want {
			t.Errorf("the body says %s", got)
		}
		if len(streams) != 1 || streams[0].Name != media.OriginalEncrypted ||
			streams[0].ContentType != "application/octet-stream" {
			t.Fatalf("%+v", streams)
		}
		content, err := p.Vault.Open(t.Context(), streams[0], 0, -1)
		if err != nil {
			t.Fatal(err)
		}
		defer content.Close()
		message, err := io.ReadAll(content)
		if err != nil || int64(len(message)) != streams[0].Size {
			t.Fatal(len(message), err)
		}
		if got := string(p.home.Decrypt(t, message)); got != heard {
			t.Errorf("the stream says %s", got)
		}
		if told := p.told[0].Media; !told.Finished.Equal(m.Finished) || told.Finished.IsZero() ||
			!told.Expires.IsZero() {
			t.Errorf("told %+v, is %+v", told, m)
		}
		if p.jobs(t, pipeline.KindProcess) != 0 || p.jobs(t, pipeline.KindPurge) != 1 {
			t.Error("its job is still there, or the recording is not going to go")
		}
		// A worker that comes too late finds nothing to do.
		if err := p.Spent(t.Context(), p.job, nil); !errors.Is(err, job.ErrLost) {
			t.Errorf("once more: %v", err)
		}
	})
}

func TestMetadataThatChangesWhileItIsSealedIsInWhatIsSealed(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		for _, times := range []int{1, 3} { // three times: the last round locks the metadata
			p := spend(t, s)
			write, left := p.Write, times
			p.Write = func(ctx context.Context, of account.Account, e payload.View,
				callbacks []delivery.Callback) ([]byte, [][]byte, error) {
				if left--; left >= 0 {
					storetest.Update(t, s, func(tx *store.Tx) error {
						_, err := tx.SetMetadata(p.item.Account, p.item.ID,
							parsed(t, `{"title":"`+strings.Repeat("x", times-left)+`"}`), 0)
						return err
					})
				}
				return write(ctx, of, e, callbacks)
			}
			if err := p.Spent(t.Context(), p.job, nil); err != nil {
				t.Fatal(err)
			}
			var document []byte
			storetest.Update(t, s, func(tx *store.Tx) (err error) {
				document, err = tx.Sealed(p.item.Account, p.item.ID)
				return err
			})
			if got := string(p.home.Decrypt(t, document)); !strings.Contains(got,
				`{"title":"`+strings.Repeat("x", times)+`"}`) {
				t.Errorf("changed %d times: %s", times, got)
			}
			if len(p.told) != times+1 {
				t.Errorf("written %d times for %d changes", len(p.told), times)
			}
			if err := s.Update(t.Context(), func(tx *store.Tx) error {
				_, err := tx.SetMetadata(p.item.Account, p.item.ID, parsed(t, `{}`), 0)
				return err
			}); !fault.Is(err, fault.NotFound) {
				t.Errorf("changed when it was sealed: %v", err)
			}
		}
	})
}

// Wherever sealing is interrupted, everything is as before: the item under its data key, with its job, and no remains
// of the attempt.
func TestSealingThatIsInterruptedLeavesTheItemAsItWasWithItsJob(t *testing.T) {
	s := storetest.SQLite(t)
	p := spend(t, s)
	write, blobs := p.Write, p.Vault.Blobs
	before := p.blobs(t)
	broken := errors.New("broken")
	ctx, cancel := context.WithCancel(t.Context())
	for name, c := range map[string]struct {
		blobs blob.Store
		write pipeline.Writer
		ctx   context.Context
	}{
		"before the stream is stored": {brokenBlobs{blobs, broken, nil}, write, t.Context()},
		"in the middle of the stream": {brokenBlobs{blobs, nil, broken}, write, t.Context()},
		"before the document": {blobs,
			func(context.Context, account.Account, payload.View, []delivery.Callback) ([]byte, [][]byte, error) {
				return nil, nil, broken
			}, t.Context()},
		"before the transaction": {blobs,
			func(c context.Context, of account.Account, e payload.View, callbacks []delivery.Callback) ([]byte,
				[][]byte, error) {
				cancel()
				return write(c, of, e, callbacks)
			}, ctx},
	} {
		p.Vault.Blobs, p.Write = c.blobs, c.write
		if err := p.Spent(c.ctx, p.job, nil); err == nil {
			t.Errorf("%s: sealed", name)
		}
		m, streams := p.read(t)
		if m.Status != media.Running || m.Sealed || string(m.Metadata.Bytes()) != `{"title":"first"}` ||
			len(streams) != 1 || streams[0].Name != media.Original {
			t.Errorf("%s: %+v %+v", name, m, streams)
		}
		if p.jobs(t, pipeline.KindProcess) != 1 || p.jobs(t, pipeline.KindPurge) != 0 {
			t.Errorf("%s: its job is gone", name)
		}
		p.Vault.Blobs = blobs
		if now := p.blobs(t); strings.Join(now, " ") != strings.Join(before, " ") {
			t.Errorf("%s: %v stays", name, now)
		}
	}
	p.Write = write
	if err := p.Spent(t.Context(), p.job, nil); err != nil {
		t.Error(err)
	}
	if m, _ := p.read(t); !m.Sealed {
		t.Error("not sealed at last")
	}
}

// brokenBlobs fails to store or read blobs.
type brokenBlobs struct {
	blob.Store
	put, open error
}

func (b brokenBlobs) Put(ctx context.Context, key string, r io.Reader) (int64, error) {
	if b.put != nil {
		return 0, fault.New(fault.Unavailable, fault.CodeUnavailable, "%w", b.put)
	}
	return b.Store.Put(ctx, key, r)
}

func (b brokenBlobs) Open(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error) {
	if b.open == nil {
		return b.Store.Open(ctx, key, offset, length)
	}
	return io.NopCloser(io.MultiReader(bytes.NewReader([]byte{0x20}),
		failing{fault.New(fault.Unavailable, fault.CodeUnavailable, "%w", b.open)})), nil
}

type failing struct{ error }

func (f failing) Read([]byte) (int, error) { return 0, f.error }

func TestAWorkerThatLostItsJobSealsNothing(t *testing.T) {
	p := spend(t, storetest.SQLite(t))
	write, before := p.Write, p.blobs(t)
	p.Write = func(ctx context.Context, of account.Account, e payload.View,
		callbacks []delivery.Callback) ([]byte, [][]byte, error) {
		if err := p.Store.Queue().Release(ctx, p.job); err != nil {
			t.Error(err)
		}
		return write(ctx, of, e, callbacks)
	}
	if err := p.Spent(t.Context(), p.job, nil); !errors.Is(err, job.ErrLost) {
		t.Errorf("%v", err)
	}
	if m, streams := p.read(t); m.Sealed || len(streams) != 1 || p.jobs(t, pipeline.KindProcess) != 1 {
		t.Errorf("%+v %+v", m, streams)
	}
	if now := p.blobs(t); strings.Join(now, " ") != strings.Join(before, " ") {
		t.Errorf("%v stays", now)
	}
}

func TestARecordingThatIsLostDoesNotKeepAFailedItemFromBeingSealed(t *testing.T) {
	p := spend(t, storetest.SQLite(t))
	if err := p.Vault.Blobs.Delete(t.Context(), "original/x"); err != nil {
		t.Fatal(err)
	}
	if err := p.Spent(t.Context(), p.job, nil); err != nil {
		t.Fatal(err)
	}
	if m, streams := p.read(t); !m.Sealed || len(streams) != 0 {
		t.Errorf("%+v %+v", m, streams)
	}
}

// vast is a store with a recording of many zeros that measures the memory in use while another recording is stored.
type vast struct {
	blob.Store
	size int64
	most uint64 // peak size of the heap in bytes
}

func (v *vast) Open(context.Context, string, int64, int64) (io.ReadCloser, error) {
	return io.NopCloser(io.LimitReader(zeros{}, v.size)), nil
}

func (v *vast) Put(_ context.Context, _ string, r io.Reader) (n int64, err error) {
	for {
		more, err := io.CopyN(io.Discard, r, v.size/8)
		n += more
		if err == io.EOF {
			return n, nil
		}
		if err != nil {
			return n, err
		}
		v.most = max(v.most, inUse())
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

func inUse() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func TestSealingTakesNoMoreMemoryForALongRecording(t *testing.T) {
	verify.Long(t)
	p := spend(t, storetest.SQLite(t))
	large := &vast{Store: p.Vault.Blobs, size: 64 << 20}
	p.Vault.Blobs = large
	storetest.Update(t, p.Store, func(tx *store.Tx) error {
		_, err := tx.PutStream(p.item.ID, media.Stream{Name: media.Original, Blob: "original/x", Size: large.size})
		return err
	})
	before := inUse()
	if err := p.Spent(t.Context(), p.job, nil); err != nil {
		t.Fatal(err)
	}
	if _, streams := p.read(t); len(streams) != 1 || streams[0].Size < large.size/2000 || large.most == 0 {
		t.Fatalf("%+v, looked at %d", streams, large.most)
	}
	if more := int64(large.most) - int64(before); more > 8<<20 {
		t.Errorf("%d bytes more are in use while %d are sealed", more, large.size)
	}
}
