package wire

// Health is the answer of /healthz and /readyz.
type Health struct {
	Status  string  `json:"status"` // ok, ready or not ready
	Version string  `json:"version"`
	Checks  []Check `json:"checks,omitempty"`
}

// Check is one thing that the server needs.
type Check struct {
	Name     string `json:"name"`
	Ready    bool   `json:"ready"`
	Required bool   `json:"required"`
	State    string `json:"state"`             // pending, ok or failed
	Problem  string `json:"problem,omitempty"` // what is wrong and how to mend it

	AgeInSeconds *int64 `json:"ageInSeconds,omitempty"` // since it was checked, or made progress
	Waiting      *int64 `json:"waiting,omitempty"`      // what a loop has not done yet
}
