package api

import (
	"context"
	"math"
	"net/http"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"parley/internal/call/wire"
	"parley/internal/storage/store"
	"parley/internal/words/account"
	"parley/internal/words/fault"
)

// Limits bound what each account may request from this node, and store. 0 means no limit.
type Limits struct {
	TokenRate   int64 // requests per second per token
	AccountRate int64 // requests per second per account
	Requests    int64 // concurrent requests per account
	Storage     int64 // bytes stored as streams per account
	Memory      int64 // bytes of memory for all requests
	Share       int64 // bytes of Memory for one account
	Definitions int64 // saved definitions of each kind, and keys, per account
}

// How long refused clients are told to wait before they retry.
const (
	waitConcurrent = time.Second
	waitStorage    = time.Hour
)

// burst is how many seconds' worth of unused requests an account can save up.
const burst = 2

// mostIdle is how many accounts and tokens are remembered before idle ones are forgotten.
const mostIdle = 4096

// limiter counts the requests of accounts and tokens on this node.
type limiter struct {
	limits Limits
	mu     sync.Mutex
	uses   map[string]*use // keyed by account:… and token:…
}

// use is the current usage of an account or a token.
type use struct {
	bucket  *rate.Limiter
	running int64
}

func newLimiter(l Limits) *limiter { return &limiter{limits: l, uses: map[string]*use{}} }

// refusal says which limit a request exceeds, and when it may be retried.
type refusal struct {
	err  error
	wait time.Duration
}

// enter counts a request of an account, and of a token unless that is empty. The caller calls leave when the request is
// done; leave is nil for a refused request.
func (l *limiter) enter(a account.Account, token string, now time.Time) (leave func(), no *refusal) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var key *use
	if token != "" {
		key = l.use("token:"+token, l.limits.TokenRate, now)
	}
	// looked up last, so that the account is not forgotten before the request counts
	own := l.use("account:"+string(a.ID), or(a.Limits.Rate, l.limits.AccountRate), now)
	if l.limits.Requests > 0 && own.running >= l.limits.Requests {
		return nil, &refusal{fault.New(fault.Exhausted, fault.CodeConcurrent,
			"the account has %d requests in progress, the maximum (--account-requests); wait until one of them has ended",
			own.running), waitConcurrent}
	}
	taken := []*rate.Reservation{own.bucket.ReserveN(now, 1)}
	if key != nil {
		taken = append(taken, key.bucket.ReserveN(now, 1))
	}
	for i, r := range taken {
		if wait := r.DelayFrom(now); wait > 0 {
			for _, r := range taken {
				r.CancelAt(now)
			}
			return nil, &refusal{tooFast(i > 0, or(a.Limits.Rate, l.limits.AccountRate), l.limits.TokenRate), wait}
		}
	}
	own.running++
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		own.running--
	}, nil
}

func tooFast(token bool, ofAccount, ofToken int64) error {
	if token {
		return fault.New(fault.Exhausted, fault.CodeRate,
			"more than %d requests per second with this token, the limit of this server (--token-rate); send requests "+
				"more slowly", ofToken)
	}
	return fault.New(fault.Exhausted, fault.CodeRate,
		"more than %d requests per second from this account; send requests more slowly, or ask the operator to raise "+
			"the limit (parley account limit, --account-rate)", ofAccount)
}

// use returns the usage stored under a name, creating it with the given rate in requests per second.
func (l *limiter) use(name string, perSecond int64, now time.Time) *use {
	limit, most := rate.Limit(perSecond), int(min(perSecond, math.MaxInt32/burst)*burst)
	if perSecond <= 0 {
		limit, most = rate.Inf, 0
	}
	u := l.uses[name]
	if u == nil {
		l.forget(now)
		u = &use{bucket: rate.NewLimiter(limit, most)}
		l.uses[name] = u
	}
	if u.bucket.Limit() != limit { // the operator has changed the limit
		u.bucket.SetLimitAt(now, limit)
		u.bucket.SetBurstAt(now, most)
	}
	return u
}

// forget drops entries without any state worth keeping when there are too many.
func (l *limiter) forget(now time.Time) {
	if len(l.uses) < mostIdle {
		return
	}
	for name, u := range l.uses {
		if u.running == 0 && u.bucket.TokensAt(now) >= float64(u.bucket.Burst()) {
			delete(l.uses, name)
		}
	}
}

// or returns the account's own limit if it has one, otherwise the operator's.
func or(own *int64, operators int64) int64 {
	if own != nil {
		return *own
	}
	return operators
}

// getLimits answers with what the account may store and request.
func (s *Server) getLimits(r *request) (any, error) {
	stored, err := store.Read(r.Context(), s.Store, func(tx *store.Tx) (int64, error) { return tx.Storage(r.who.Account.ID) })
	if err != nil {
		return nil, err
	}
	own := r.who.Account.Limits
	return wire.NewLimits(wire.Limits{
		Storage: wire.Storage{Bytes: stored, Limit: wire.Limited(or(own.Storage, s.Limits.Storage))},
		Requests: wire.Requests{PerSecond: wire.Limited(or(own.Rate, s.Limits.AccountRate)),
			PerSecondAndKey: wire.Limited(s.Limits.TokenRate), AtOnce: wire.Limited(s.Limits.Requests)},
		Definitions: wire.Limited(s.Limits.Definitions), UploadBytes: wire.Limited(s.MaxUpload),
		RecordingMS: wire.Limited(s.MaxDuration.Milliseconds()), RequestMemory: wire.Limited(s.Limits.Share),
		Settings: wire.Settings{Version: s.Version,
			TimeToLiveInSeconds: int64(s.Environment().TimeToLive / time.Second),
			ScoreAsNumber:       r.who.Account.Compatibility.ScoreAsNumber},
	}), nil
}

// admit admits a request of an account, or refuses it when it exceeds a limit. A request counts until it is answered.
func (s *Server) admit(r *http.Request, a account.Account, token string) error {
	v := visitOf(r.Context())
	leave, no := s.limits.enter(a, token, time.Now())
	if no != nil {
		v.retry = no.wait
		return no.err
	}
	v.leave, v.hold = leave, s.memory.open(a.ID, v.stop)
	return nil
}

// lockFor locks the account, so that no other request changes the number of what is listed, and refuses another one
// when the account has reached its limit.
func lockFor[T any](s *Server, tx *store.Tx, owner account.ID, list func(account.ID) ([]T, error), what string) error {
	if err := tx.LockAccount(owner); err != nil {
		return err
	}
	saved, err := list(owner)
	if err != nil {
		return err
	}
	return s.roomFor(int64(len(saved)), what)
}

// roomFor refuses to save another definition or key when the account has reached its limit.
func (s *Server) roomFor(there int64, what string) error {
	if most := s.Limits.Definitions; most > 0 && there >= most {
		return fault.New(fault.Conflict, fault.CodeDefinitions,
			"the account has saved %d of the kind %s, and its limit is %d; delete one, or ask the operator to raise the "+
				"limit (--account-definitions)", there, what, most)
	}
	return nil
}

// roomToStore refuses an upload that would take the account's stored bytes above its limit.
func (s *Server) roomToStore(ctx context.Context, tx *store.Tx, a account.Account, bytes int64) error {
	most := or(a.Limits.Storage, s.Limits.Storage)
	if most <= 0 {
		return nil
	}
	stored, err := tx.Storage(a.ID)
	if err != nil || stored+bytes <= most {
		return err
	}
	visitOf(ctx).retry = waitStorage
	return fault.New(fault.Exhausted, fault.CodeQuota,
		"with this recording the account would store at least %d bytes, and its limit is %d; delete recordings, or ask "+
			"the operator to raise the limit (parley account limit, --account-storage)", stored+bytes, most)
}
