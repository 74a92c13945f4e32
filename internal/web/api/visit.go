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

// visit is what is noted of one request to a resource while it is served.
type visit struct {
	event   audit.Event   // complete but for its id, who it is, until that is known, and how it ends
	written bool          // by a transaction of the handler's own
	hold    *holding      // memory that the request holds; nil before it counts
	stop    func()        // ends the wait for the client
	refused error         // why an answer was not given after all
	begun   bool          // an answer was, and was cut off
	leave   func()        // ends what the request counts as; nil before it counts
	retry   time.Duration // when to come back, for a request beyond a limit
}

type visitKey struct{}

// visitOf returns what is noted of the request that a context belongs to. Outside of one it is noted in vain.
func visitOf(ctx context.Context) *visit {
	if v, ok := ctx.Value(visitKey{}).(*visit); ok {
		return v
	}
	return &visit{}
}

// arrive starts to note a request. What it changes is noted in the transaction that changes it.
func (s *Server) arrive(rt route, r *http.Request) (*visit, *http.Request) {
	v := &visit{event: audit.Event{
		Remote: s.remote(r), Reference: referenceOf(r.Context()),
		Action: rt.action(), Object: rt.object(), Outcome: audit.Done,
	}}
	if id, err := mediaID(r); err == nil {
		v.event.Media = id
	}
	v.event.Name = rt.name(r)
	ctx := memory.With(context.WithValue(r.Context(), visitKey{}, v), v)
	if v.event.Action != audit.Read {
		ctx = store.Also(ctx, v.write)
	}
	return v, r.WithContext(ctx)
}

// Take implements memory.Meter: what is loaded for the request counts as its memory.
func (v *visit) Take(bytes int64) error { return v.hold.take(bytes) }

// Give implements memory.Meter.
func (v *visit) Give(bytes int64) { v.hold.give(bytes) }

// who notes who asks.
func (v *visit) who(owner account.ID, by audit.By, token string) {
	v.event.Account, v.event.By, v.event.Token = owner, by, token
}

// made notes what a request has made.
func (v *visit) made(id media.ID, name string) { v.event.Media, v.event.Name = id, name }

// write notes the request in a transaction that does what it asks for.
func (v *visit) write(tx *store.Tx) error {
	if v.event.Account == "" {
		return nil
	}
	v.written, v.event.ID = true, audit.NewID()
	return tx.AddEvents(v.event)
}

// depart notes how a request has ended, unless the transaction of its change has. Requests of nobody are in the
// log of the server alone, and so are those beyond a limit, which must stay cheap.
func (s *Server) depart(ctx context.Context, rt route, v *visit, err error) {
	if v.begun {
		err = nil
	}
	v.hold.close()
	if v.leave != nil {
		v.leave()
	}
	if v.event.Account == "" || !rt.audited() || err == nil && v.written || fault.Is(err, fault.Exhausted) {
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

// errPanic is how requests end whose handler panics.
var errPanic = errors.New("panic")

// audited reports whether the audit log has the requests to a route: all that show or change something of an
// account. Progress tells nothing of a recording, and clients ask for it all the time.
func (rt route) audited() bool {
	return rt.Path != "/v3" && strings.HasPrefix(rt.Path, "/v3") && !strings.HasSuffix(rt.Path, "/progress")
}

// action is what requests to a route do.
func (rt route) action() audit.Action {
	switch {
	case rt.Method == http.MethodGet || rt.Scope == account.Analytics && rt.Method == http.MethodPost: // queries may be sent with POST
		return audit.Read
	case rt.Method == http.MethodDelete:
		return audit.Delete
	case rt.Method == http.MethodPost && !strings.Contains(rt.Path, "{"):
		return audit.Create
	}
	return audit.Change
}

// object is what requests to a route are about: its path without names, such as media/transcript.
func (rt route) object() string {
	elements := strings.Split(strings.TrimPrefix(rt.Path, "/v3/"), "/")
	return strings.Join(slices.DeleteFunc(elements, func(e string) bool { return strings.HasPrefix(e, "{") }), "/")
}

// longestName is how much of a name the audit log keeps, in bytes.
const longestName = 200

// name returns the name in a request's path, beside the id of a recording.
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

// remote returns the address that a request comes from: that of the connection or, behind proxies that the
// operator trusts, what the first of them says.
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
