package api

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"parley/internal/host/memory"
	"parley/internal/storage/store"
	"parley/internal/words/account"
	"parley/internal/words/audit"
	"parley/internal/words/fault"
	"parley/internal/words/media"
	"parley/internal/words/storable"
)

// visit is the record of one request to a resource while it is served.
type visit struct {
	event   audit.Event   // lacks its id, the caller until that is known, and the outcome
	written bool          // the handler's own transaction has written the event
	hold    *holding      // memory that the request holds; nil until it is counted
	stop    func()        // ends the wait for the client
	refused error         // why the answer was refused after all
	begun   bool          // an answer was started and then cut off
	leave   func()        // ends the count of the request; nil until it is counted
	retry   time.Duration // when to retry, for a request over a limit
	nothing bool          // the answer shows nothing of the account, and is not in the audit log
}

type visitKey struct{}

// visitOf returns the record of the request that a context belongs to. Outside a request, it returns a record that is
// discarded.
func visitOf(ctx context.Context) *visit {
	if v, ok := ctx.Value(visitKey{}).(*visit); ok {
		return v
	}
	return &visit{}
}

// arrive starts the record of a request. The transaction that makes a change also writes the event.
func (s *Server) arrive(rt route, r *http.Request) (*visit, *http.Request) {
	v := &visit{event: audit.Event{
		Remote: s.remote(r), Reference: referenceOf(r.Context()),
		Action: rt.action(), Object: rt.object(), Outcome: audit.Done,
	}}
	if id, err := media.ParseID(r.PathValue("mediaId")); err == nil {
		v.event.Media = id
	}
	v.event.Name = rt.name(r)
	ctx := memory.With(context.WithValue(r.Context(), visitKey{}, v), v)
	if v.event.Action != audit.Read {
		ctx = store.Also(ctx, v.write)
	}
	return v, r.WithContext(ctx)
}

// Take implements memory.Meter: what is loaded for the request counts towards its memory.
func (v *visit) Take(bytes int64) error { return v.hold.take(bytes) }

// Give implements memory.Meter.
func (v *visit) Give(bytes int64) { v.hold.give(bytes) }

func (v *visit) setCaller(owner account.ID, by audit.By, token string) {
	v.event.Account, v.event.By, v.event.Token = owner, by, token
}

// setResource records the resource that a request created.
func (v *visit) setResource(id media.ID, name string) { v.event.Media, v.event.Name = id, name }

// wait ends the count of the request as one in progress: it waits, and needs nothing.
func (v *visit) wait() {
	if v.leave != nil {
		v.leave()
		v.leave = nil
	}
}

// write writes the event in the transaction that makes the change.
func (v *visit) write(tx *store.Tx) error {
	if v.event.Account == "" {
		return nil
	}
	v.written, v.event.ID = true, audit.NewID()
	return tx.AddEvents(v.event)
}

// depart records the outcome of a request, unless the transaction of its change has. Requests without a known account,
// and requests over a limit, which must stay cheap, are only in the server's log.
func (s *Server) depart(ctx context.Context, rt route, v *visit, err error) {
	if v.begun {
		err = nil
	}
	v.hold.close()
	if v.leave != nil {
		v.leave()
	}
	if v.event.Account == "" || !rt.audited() || err == nil && v.nothing || err == nil && v.written || fault.Is(err, fault.Exhausted) {
		return
	}
	if err != nil {
		v.event.Outcome, v.event.Code = audit.Refused, fault.ProblemsOf(err)[0].Code
		if statusOf(err) >= http.StatusInternalServerError && !errors.Is(err, context.Canceled) { // clients may leave
			v.event.Outcome = audit.Failed
		}
	}
	v.event.ID = audit.NewID()
	s.Audit.Add(ctx, v.event)
}

// errPanic is the outcome of requests whose handler panics.
var errPanic = errors.New("panic")

// audited reports whether requests to a route are in the audit log: all that show or change data of an account.
// Progress, checks of queries and what pages read about their own session are excluded: they reveal nothing about a
// recording, and clients ask often.
func (rt route) audited() bool {
	if rt.Path == sessionPath {
		return rt.Method != http.MethodGet
	}
	return rt.Path != "/v3" && strings.HasPrefix(rt.Path, "/v3") && !strings.HasSuffix(rt.Path, "/progress") &&
		rt.Path != "/v3/analytics/check"
}

// action returns the audit action of requests to a route.
func (rt route) action() audit.Action {
	switch {
	// statements may be sent with POST
	case rt.Method == http.MethodGet || rt.Scope == account.Analytics && rt.Method == http.MethodPost:
		return audit.Read
	case rt.Method == http.MethodDelete:
		return audit.Delete
	case rt.Method == http.MethodPost && !strings.Contains(rt.Path, "{"):
		return audit.Create
	}
	return audit.Change
}

// object returns the kind of resource of a route: its path without parameters, such as media/transcript.
func (rt route) object() string {
	if rt.Path == sessionPath {
		return sessionObject
	}
	elements := strings.Split(strings.TrimPrefix(rt.Path, "/v3/"), "/")
	return strings.Join(slices.DeleteFunc(elements, func(e string) bool { return strings.HasPrefix(e, "{") }), "/")
}

// longestName is how many bytes of a name the audit log keeps.
const longestName = 200

// name returns the name in a request's path, other than the id of a recording.
func (rt route) name(r *http.Request) string {
	var names []string
	for e := range strings.SplitSeq(rt.Path, "/") {
		if param, ok := strings.CutPrefix(e, "{"); ok && param != "mediaId}" {
			names = append(names, r.PathValue(strings.TrimSuffix(param, "}")))
		}
	}
	name := storable.Of(strings.Join(names, "/"))
	return strings.ToValidUTF8(name[:min(len(name), longestName)], "")
}

// remote returns the address of the client: that of the connection or, behind proxies that the operator trusts, the one
// that the first of them reports.
func (s *Server) remote(r *http.Request) string {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return ""
	}
	addr := peer.Addr().Unmap()
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, hop := range slices.Backward(hops) {
		before, err := netip.ParseAddr(strings.TrimSpace(hop))
		if err != nil || !s.trusts(addr) {
			break
		}
		addr = before.Unmap().WithZone("")
	}
	return addr.String()
}

func (s *Server) trusts(addr netip.Addr) bool {
	return slices.ContainsFunc(s.TrustedProxies, func(p netip.Prefix) bool { return p.Contains(addr) })
}
