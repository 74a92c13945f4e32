package wire

import (
	"time"

	"parley/internal/words/account"
	"parley/internal/words/list"
	"parley/internal/words/media"
)

// Queue is the answer of GET /v3/queue.
type Queue struct {
	Links   Links       `json:"_links"`
	Waiting QueueCounts `json:"waiting"`
	Running QueueCounts `json:"running"`
	Dead    QueueCounts `json:"dead"`
	Jobs    []QueuedJob `json:"jobs"`
}

// QueueCounts counts the jobs in one state by priority.
type QueueCounts struct {
	High   int64 `json:"high"`
	Normal int64 `json:"normal"`
	Low    int64 `json:"low"`
}

// Add counts n jobs of a priority.
func (c *QueueCounts) Add(p media.Priority, n int64) {
	switch p {
	case media.High:
		c.High += n
	case media.Low:
		c.Low += n
	default:
		c.Normal += n
	}
}

// States of a queued job.
const (
	JobWaiting = "waiting"
	JobRunning = "running"
	JobDead    = "dead"
)

// QueuedJob is a job in the queue.
type QueuedJob struct {
	Links       Links      `json:"_links,omitempty"` // requeue, for dead jobs
	JobID       string     `json:"jobId"`
	AccountID   account.ID `json:"accountId,omitempty"`
	MediaID     media.ID   `json:"mediaId,omitempty"`
	Kind        string     `json:"kind"`
	Priority    string     `json:"priority"`
	Status      string     `json:"status"` // JobWaiting, JobRunning or JobDead
	Attempts    int        `json:"attempts"`
	DateCreated Time       `json:"dateCreated"`
	NextAttempt Time       `json:"nextAttempt,omitzero"`
	Error       string     `json:"error,omitempty"`
}

// JobEntry is the input of NewQueuedJob.
type JobEntry struct {
	ID                string
	Account           account.ID
	Media             media.ID // empty for jobs without a media item
	Kind              string
	Priority          media.Priority
	Status            string // JobWaiting, JobRunning or JobDead
	Attempts          int
	Created, NextTime time.Time // NextTime: zero unless waiting
	Error             string    // of the last attempt
}

// NewQueue returns the state of the queue and the listed jobs.
func NewQueue(waiting, running, dead QueueCounts, jobs []JobEntry) Queue {
	return Queue{self("queue"), waiting, running, dead, list.Map(jobs, NewQueuedJob)}
}

// NewQueuedJob returns one job of the queue.
func NewQueuedJob(j JobEntry) QueuedJob {
	var links Links
	if j.Status == JobDead {
		links = Links{"requeue": Link{Href("queue", j.ID, "requeue")}}
	}
	return QueuedJob{
		Links: links, JobID: j.ID, AccountID: j.Account, MediaID: j.Media, Kind: j.Kind,
		Priority: priorityName(j.Priority), Status: j.Status, Attempts: j.Attempts,
		DateCreated: Time{j.Created}, NextAttempt: Time{j.NextTime}, Error: j.Error,
	}
}

func priorityName(p media.Priority) string {
	switch p {
	case media.High:
		return "high"
	case media.Low:
		return "low"
	}
	return "normal"
}
