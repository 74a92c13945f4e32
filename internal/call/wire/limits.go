package wire

// Limits is what an account may store and request, and how the server that answers is set up. Limits that are nil do
// not exist.
type Limits struct {
	Links    Links    `json:"_links"`
	Storage  Storage  `json:"storage"`
	Requests Requests `json:"requests"`

	Definitions   *int64 `json:"definitions,omitempty"`     // saved definitions of each kind, and keys
	UploadBytes   *int64 `json:"uploadBytes,omitempty"`     // of a request
	RecordingMS   *int64 `json:"recordingLength,omitempty"` // ms
	RequestMemory *int64 `json:"requestMemory,omitempty"`   // bytes, for the account's requests in progress

	Settings Settings `json:"settings"`
}

// Storage is what an account stores.
type Storage struct {
	Bytes int64  `json:"bytes"`
	Limit *int64 `json:"limit,omitempty"`
}

// Requests are the limits of requests to one server.
type Requests struct {
	PerSecond       *int64 `json:"perSecond,omitempty"`
	PerSecondAndKey *int64 `json:"perSecondAndKey,omitempty"`
	AtOnce          *int64 `json:"atOnce,omitempty"`
}

// Settings are those of the server and of the account that clients notice.
type Settings struct {
	Version             string `json:"version"`
	TimeToLiveInSeconds int64  `json:"timeToLiveInSeconds,omitempty"` // of recordings whose configuration names none
	ScoreAsNumber       bool   `json:"scoreAsNumber"`
}

// NewLimits completes limits.
func NewLimits(l Limits) Limits {
	l.Links = self("profile", "limits")
	return l
}

// Limited returns a limit; nil if most is 0, which stands for no limit.
func Limited(most int64) *int64 {
	if most <= 0 {
		return nil
	}
	return &most
}
