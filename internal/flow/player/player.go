// Package player makes what a player in a browser needs of a recording beside its streams: its waveform, a form that
// every browser plays, and clips.
//
// The waveform is usually there, since package pipeline makes it while it processes a recording. What is missing is made
// when it is first asked for, and kept with the item. This package knows neither HTTP nor how audio is decoded.
package player

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"time"

	"parley/internal/call/codec"
	"parley/internal/host/fair"
	"parley/internal/speech/audio"
	"parley/internal/storage/store"
	"parley/internal/storage/vault"
	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// Config holds the dependencies of a Player.
type Config struct {
	Store      *store.Store
	Vault      vault.Vault
	Codec      *codec.Codec
	Decoder    *audio.Decoder
	Processors *fair.Processors // shared by the accounts; nil: no scheduling
	Temp       string           // folder for temporary copies of recordings
}

// Player makes what players need. It is safe for concurrent use.
type Player struct {
	Config
	makes, clips *fair.Room

	ctx     context.Context // ends when the player is closed
	stop    context.CancelFunc
	running sync.WaitGroup
	mu      sync.Mutex
	flights map[work]*flight
}

// longestClip is the time after which a clip is given up, in which ffmpeg copies and seeks in any recording.
const longestClip = 30 * time.Second

// longestMake is the time after which the making of a waveform or a playable stream is given up. Decoding is bounded by
// processor time as well.
const longestMake = 15 * time.Minute

// New returns a player. Close it.
func New(c Config) *Player {
	n := runtime.GOMAXPROCS(0)
	p := &Player{Config: c, flights: map[work]*flight{},
		makes: fair.NewRoom(fair.Limits{All: n + 1, Each: max(n/2, 1), Queue: 20, Keep: fair.Last}),
		clips: fair.NewRoom(fair.Limits{All: 2*n + 2, Each: n + 1, Queue: 100, Keep: fair.Last})}
	p.ctx, p.stop = context.WithCancel(context.Background())
	return p
}

// Close ends all work and waits for it.
func (p *Player) Close() error {
	p.stop()
	p.running.Wait()
	return nil
}

// enter waits for a place in a room.
func enter(ctx context.Context, r *fair.Room, a account.ID, what string) (leave func(), err error) {
	leave, err = r.Enter(ctx, string(a))
	if errors.Is(err, fair.ErrFull) {
		return nil, fault.New(fault.Exhausted, fault.CodeConcurrent,
			"the account has %d %s being made and %d waiting, which is the limit; ask for the next one when one of them "+
				"is answered", r.Each, what, r.Queue)
	}
	return leave, err
}

// sound is what a player may use of an item.
type sound struct {
	item    media.Media
	heard   media.Stream            // the recording that is played
	derived map[string]media.Stream // what was made from it
}

// load reads what a player may use of an account's item. NotFound if there is no recording that may be played, as when
// the item is sealed or its recording withheld.
func (p *Player) load(ctx context.Context, owner account.ID, id media.ID) (s sound, err error) {
	err = p.Store.View(ctx, func(tx *store.Tx) (err error) {
		if s.item, err = tx.Media(owner, id); err != nil {
			return err
		}
		s.heard, s.derived, err = tx.Sound(owner, id)
		return err
	})
	return s, err
}

// ErrPlayable is the cause of the error for a recording that browsers play as it is.
var ErrPlayable = errors.New("browsers play the recording as it is")

// Listed reports whether an item has a stream that every browser plays, or one can be made, because browsers cannot play
// its recording well. It reads only the database: for items that were processed by earlier versions it is known once
// their waveform or that stream was asked for.
func (p *Player) Listed(ctx context.Context, owner account.ID, id media.ID) (bool, error) {
	s, err := p.load(ctx, owner, id)
	if fault.Is(err, fault.NotFound) {
		return false, nil
	}
	_, made := s.derived[media.Playable]
	return made || s.derived[media.Peaks].Unplayable, err
}

// Peaks returns the waveform of an account's item, as package waveform stores it. It is made if it is missing. NotFound
// if there is none: the item is not done (CodeNotFinished), has no recording that may be played, or its recording cannot
// be decoded, with the code that says why.
func (p *Player) Peaks(ctx context.Context, owner account.ID, id media.ID) (media.Stream, error) {
	return p.derived(ctx, owner, id, media.Peaks)
}

// Playable returns the stream that every browser plays. It is made if it is missing. NotFound for items as with Peaks,
// and for recordings that browsers play as they are.
func (p *Player) Playable(ctx context.Context, owner account.ID, id media.ID) (media.Stream, error) {
	s, err := p.derived(ctx, owner, id, media.Playable)
	if errors.Is(err, ErrPlayable) {
		err = fault.New(fault.NotFound, fault.CodeNotFound,
			"media %s has no stream %q, because browsers play its recording as it is; see GET /v3/media/%s/streams", id,
			media.Playable, id)
	}
	return s, err
}

// mostRounds is how often a recording may be replaced while something is made from it.
const mostRounds = 3

func (p *Player) derived(ctx context.Context, owner account.ID, id media.ID, name string) (media.Stream, error) {
	for range mostRounds {
		s, err := p.load(ctx, owner, id)
		if err != nil {
			return media.Stream{}, err
		}
		if made, ok := s.derived[name]; ok {
			return made, nil
		}
		if err := makeable(&s, name); err != nil {
			return media.Stream{}, err
		}
		err = p.once(ctx, work{owner, id, s.heard.Blob, name}, func(ctx context.Context) error { return p.make(ctx, &s, name) })
		if err != nil && !fault.Is(err, fault.Conflict) {
			return media.Stream{}, err
		}
	}
	return media.Stream{}, fault.New(fault.Unavailable, fault.CodeUnavailable,
		"the recording of media %s changes too often to make its %s; try again later", id, name)
}

// makeable returns why nothing can be made from a recording; nil if it can.
func makeable(s *sound, name string) error {
	switch {
	case !s.item.Status.Done():
		return fault.New(fault.NotFound, fault.CodeNotFinished,
			"media %s has no %s yet: its status is %s; see GET /v3/media/%s/progress", s.item.ID, name, s.item.Status, s.item.ID)
	case s.item.Sealing != nil:
		return fault.New(fault.NotFound, fault.CodeSealed, "media %s is encrypted for its owner and has no %s", s.item.ID, name)
	}
	if peaks, ok := s.derived[media.Peaks]; ok && name == media.Playable && !peaks.Unplayable {
		return ErrPlayable
	}
	return s.unreadable()
}

// unreadable returns why the recording of a failed item cannot be decoded; nil if that is not known.
func (s *sound) unreadable() error {
	if s.item.Status != media.Failed {
		return nil
	}
	for _, problem := range s.item.Problems {
		if isAbout(problem.Code) {
			return &fault.Error{Kind: fault.NotFound, Problems: []fault.Problem{problem}}
		}
	}
	return nil
}

// isAbout reports whether a code says that a recording cannot be decoded.
func isAbout(code int) bool {
	return code == fault.CodeMediaUnreadable || code == fault.CodeDecode || code == fault.CodeTooLarge || code == fault.CodeChannels
}
