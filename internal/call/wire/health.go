package wire

// Health is the answer of /healthz and /readyz.
type Health struct {
	Status  string  `json:"status"` // ok, ready or not ready
	Version string  `json:"version"`
	Checks  []Check `json:"checks,omitempty"`
}

// Check is the state of one dependency of the server.
type Check struct {
	Name     string `json:"name"`
	Ready    bool   `json:"ready"`
	Required bool   `json:"required"`
	State    string `json:"state"`             // pending, ok or failed
	Problem  string `json:"problem,omitempty"` // what is wrong and how to fix it

	AgeInSeconds *int64 `json:"ageInSeconds,omitempty"` // since the last check, or the last progress
	Waiting      *int64 `json:"waiting,omitempty"`      // number of items that a loop still has to process
}
