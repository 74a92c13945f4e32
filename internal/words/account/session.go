package account

import "time"

// Limits of sessions.
const (
	SessionIdle = 12 * time.Hour     // a session ends when it is not used for so long
	SessionLife = 7 * 24 * time.Hour // a session ends so long after it began, however much it is used
	MaxSessions = 50                 // sessions of one token; a further one ends the one that was not used for longest
	LinkLife    = 10 * time.Minute   // how long a one-time link signs in
)

// Session lets a browser act with a token, without knowing the token's secret. It can do what the token can.
type Session struct {
	ID       string
	Token    Token
	Created  time.Time
	LastUsed time.Time // to the minute; the time of creation at first
}

// FinalEnd returns when the session ends however much it is used.
func (s Session) FinalEnd() time.Time {
	return earlier(s.Created.Add(SessionLife), s.Token.Expires)
}

// End returns when the session ends if it is not used until then.
func (s Session) End() time.Time { return earlier(s.LastUsed.Add(SessionIdle), s.FinalEnd()) }

// Ended reports whether the session is no longer valid at the given time.
func (s Session) Ended(now time.Time) bool { return !now.Before(s.End()) }

// earlier returns the earlier one of two times; the second one is never if it is zero.
func earlier(a, b time.Time) time.Time {
	if !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
