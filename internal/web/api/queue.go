package api

import (
	"net/http"
	"strings"

	"parley/internal/call/wire"
	"parley/internal/flow/pipeline"
	"parley/internal/storage/job"
	"parley/internal/storage/store"
	"parley/internal/words/account"
	"parley/internal/words/media"
)

// queueLimit is how many jobs the queue lists; the counts include all jobs.
const queueLimit = 100

// wireStates are the states of jobs as the API names them.
var wireStates = map[job.State]string{job.Ready: "waiting", job.Running: "running", job.Dead: "dead"}

// whose returns the account whose jobs a caller may list and requeue: its own, or "" for all accounts if the caller
// belongs to the operator's account.
func whose(who caller) account.ID {
	if who.Account.Name == account.DefaultName {
		return ""
	}
	return who.Account.ID
}

// getQueue answers with the number of jobs in each state and lists some jobs, of all states or of one.
func (s *Server) getQueue(w http.ResponseWriter, r *http.Request, who caller) error {
	values, err := readQuery(r, "status")
	if err != nil {
		return err
	}
	name, err := single(values, "status")
	if err != nil {
		return err
	}
	state, err := readState(name)
	if err != nil {
		return err
	}
	counts, err := s.Store.Queue().Counts(r.Context(), string(whose(who)))
	if err != nil {
		return err
	}
	jobs, err := s.Store.Queue().List(r.Context(),
		job.Filter{Account: string(whose(who)), State: state, Limit: queueLimit})
	if err != nil {
		return err
	}
	byState := map[job.State]*wire.QueueCounts{job.Ready: {}, job.Running: {}, job.Dead: {}}
	for _, c := range counts {
		byState[c.State].Add(media.Priority(c.Priority), c.Jobs)
	}
	entries := make([]wire.JobEntry, len(jobs))
	for i, j := range jobs {
		entries[i] = entry(j)
	}
	writeJSON(w, http.StatusOK, wire.NewQueue(*byState[job.Ready], *byState[job.Running], *byState[job.Dead], entries))
	return nil
}

func readState(name string) (job.State, error) {
	if name == "" {
		return "", nil
	}
	for state, shown := range wireStates {
		if strings.EqualFold(name, shown) {
			return state, nil
		}
	}
	return "", parameterFault("status %q is unknown; use waiting, running or dead", name)
}

func entry(j job.Job) wire.JobEntry {
	e := wire.JobEntry{
		ID: string(j.ID), Account: account.ID(j.Account), Media: media.ID(j.Subject), Kind: j.Kind,
		Priority: media.Priority(j.Priority), Status: wireStates[j.State], Attempts: j.Attempts, Created: j.Created,
		Error: j.LastError,
	}
	if j.Kind == pipeline.KindTrain {
		e.Media = ""
	}
	if j.State == job.Ready {
		e.NextTime = j.RunAt
	}
	return e
}

// requeue makes a dead job ready again.
func (s *Server) requeue(w http.ResponseWriter, r *http.Request, who caller) error {
	if _, err := readQuery(r); err != nil {
		return err
	}
	id := job.ID(r.PathValue("jobId"))
	if err := s.Store.Queue().Requeue(r.Context(), string(whose(who)), id); err != nil {
		return err
	}
	var j job.Job
	err := s.Store.View(r.Context(), func(tx *store.Tx) (err error) {
		j, err = tx.Job(whose(who), id)
		return err
	})
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, wire.NewQueuedJob(entry(j)))
	return nil
}
