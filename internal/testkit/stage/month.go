package stage

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"

	"parley/internal/call/codec"
	"parley/internal/call/plan"
	"parley/internal/call/result"
	"parley/internal/flow/pipeline"
	"parley/internal/speech/importer"
	"parley/internal/storage/store"
	"parley/internal/storage/vault"
	"parley/internal/words/media"
	"parley/internal/words/transcript"
)

// The calls of a month.
const (
	monthCalls = 320
	withSound  = 60 // the newest of them
	monthDays  = 30
)

// month writes generated calls of the days before, with every analysis of words, directly into the database. They go
// through the same analyses as recordings do.
func (s *Stage) month(ctx context.Context) error {
	c, err := codec.New()
	if err != nil {
		return err
	}
	env := plan.Environment{Models: s.server.Models(), Built: pipeline.Built(), WordsGiven: true, Definitions: definitions()}
	english, err := prepare(everything(), env)
	if err != nil {
		return err
	}
	others := map[string]*prepared{}
	for _, language := range []string{"es-ES", "de-DE"} {
		if others[language], err = prepare(map[string]any{"speechModel": map[string]any{"language": language},
			"ingest": sides, "publish": object{"enableAnalyticIndexing": true},
			"searchability": object{"searchable": true}, "categories": []object{{"allCategories": true}}}, env); err != nil {
			return err
		}
	}
	for n := range monthCalls {
		p := english
		switch n % 20 {
		case 7, 13:
			p = others["es-ES"]
		case 11:
			p = others["de-DE"]
		}
		if err := s.past(ctx, c, p, n); err != nil {
			return fmt.Errorf("generated call %d: %w", n, err)
		}
	}
	return nil
}

// prepared is a configuration, stored and compiled.
type prepared struct {
	source plan.Source
	plan   *plan.Plan
}

func prepare(configuration any, env plan.Environment) (*prepared, error) {
	raw, err := json.Marshal(configuration)
	if err != nil {
		return nil, err
	}
	asked, err := plan.Parse(raw)
	if err != nil {
		return nil, err
	}
	p, err := plan.Resolve(asked, env)
	if err != nil {
		return nil, err
	}
	return &prepared{plan.NewSource(raw, env), p}, nil
}

// past writes one generated call.
func (s *Stage) past(ctx context.Context, c *codec.Codec, p *prepared, n int) error {
	t := NewTalk(n)
	if p.plan.Language != "en-US" {
		t = foreign(p.plan.Language, t)
	}
	r := rand.New(rand.NewPCG(3, uint64(n)))
	entries, length := script(t.Lines, uint64(n))
	given, err := importer.Parse(document(entries, "Agent", "Caller"))
	if err != nil {
		return err
	}
	words, _ := pipeline.Import(given.Transcript, length, p.plan)
	metadata, err := media.ParseMetadata(describe(t, p.plan.Language, n))
	if err != nil {
		return err
	}
	created := when(r, s.until, n)
	item := media.Media{ID: newID(created, r), Account: s.owner, Status: media.Finished, Metadata: metadata,
		Length: length, Finished: created.Add(time.Duration(20+r.IntN(60)) * time.Second)}
	open, err := s.analyze(ctx, &item, words, p.plan)
	if err != nil {
		return err
	}
	stored := store.Result{Version: 1, Result: c.EncodeResult(open)}
	var stream *media.Stream
	if n >= monthCalls-withSound {
		content := sound(entries, length, 2)
		sum := sha256.Sum256(content)
		item.ContentType, item.Size, item.SHA256 = "audio/wav", int64(len(content)), hex.EncodeToString(sum[:])
		stream = &media.Stream{Name: media.Original, Blob: media.Original + "/" + uuid.NewString(), ContentType: "audio/wav"}
		if stream.Key, stream.Size, err = (vault.Vault{Blobs: s.server.Blobs}).Put(ctx, stream.Blob,
			bytes.NewReader(content)); err != nil {
			return err
		}
	}
	return s.server.Store.Update(ctx, func(tx *store.Tx) error {
		m, err := tx.InsertMedia(item, c.EncodeSource(p.source), nil)
		if err != nil {
			return err
		}
		if stream != nil {
			if _, err := tx.PutStream(m.ID, *stream); err != nil {
				return err
			}
		}
		return publish(tx, &m, stored)
	})
}

// publish makes a written call visible everywhere.
func publish(tx *store.Tx, m *media.Media, stored store.Result) error {
	if err := tx.PutResult(m.ID, stored); err != nil {
		return err
	}
	if err := tx.SetProgress(m.ID, completed()); err != nil {
		return err
	}
	if err := tx.SetSearchable(m.ID, true); err != nil {
		return err
	}
	if err := tx.AddUsage(m.Account, m.Created, store.Usage{Given: m.Length}); err != nil {
		return err
	}
	return tx.PutAnalytic(m.Account, m.ID, true)
}

// analyze does what the pipeline does with words.
func (s *Stage) analyze(
	ctx context.Context, m *media.Media, words *transcript.Transcript, p *plan.Plan,
) (*result.Open, error) {
	clear := pipeline.Conceal(words, p)
	t := s.words.Formatter.Format(clear.Transcript, p)
	classifiers, err := s.words.Analyst.Classifiers(p, nil)
	if err != nil {
		return nil, err
	}
	return s.words.Analyst.Result(ctx, m, t, clear, p, classifiers, nil)
}

// describe returns the metadata of a call.
func describe(t Talk, language string, n int) []byte {
	text, err := json.Marshal(object{"title": t.Topic + ", " + t.Caller, "externalId": fmt.Sprint("stage-", n),
		"description": "Ticket " + t.Number, "extended": object{"team": t.Team, "outcome": t.Outcome,
			"language": language[:2], "campaign": t.Campaign, "score": n * 7 % 11},
		"callDetails": object{"agent": object{"externalId": "a-" + t.Agent, "fullName": t.Agent},
			"caller":        object{"fullName": t.Caller},
			"callDirection": []string{"Inbound", "Outbound"}[n%4/3]}})
	if err != nil {
		panic(err) // texts
	}
	return text
}

// when returns the time of call n of a month: most are made on weekdays between 8 and 18 o'clock, and later ones later.
func when(r *rand.Rand, until time.Time, n int) time.Time {
	day := until.AddDate(0, 0, n*monthDays/monthCalls-monthDays)
	for day.Weekday() == time.Saturday && r.IntN(5) > 0 || day.Weekday() == time.Sunday {
		day = day.AddDate(0, 0, -1)
	}
	minute := 8*60 + r.IntN(10*60)
	return day.Add(time.Duration(minute)*time.Minute + time.Duration(r.IntN(60_000))*time.Millisecond)
}

// newID returns an id with a time.
func newID(at time.Time, r *rand.Rand) media.ID {
	var u uuid.UUID
	binary.BigEndian.PutUint64(u[:8], uint64(at.UnixMilli())<<16|uint64(r.Uint32()&0xfff)|0x7000)
	binary.BigEndian.PutUint64(u[8:], r.Uint64()&^(3<<62)|2<<62)
	return media.ID(u.String())
}

// completed is the progress of a finished item.
func completed() media.Progress {
	p := media.NewProgress(uuid.NewString())
	for i := range p.Tasks {
		p.Tasks[i].Status, p.Tasks[i].Percent = media.TaskFinished, 100
	}
	return p
}
