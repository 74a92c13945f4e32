package api

import (
	"strings"

	"parley/internal/call/wire"
	"parley/internal/flow/callback"
	"parley/internal/flow/pipeline"
	"parley/internal/storage/job"
	"parley/internal/storage/store"
	"parley/internal/words/account"
	"parley/internal/words/list"
	"parley/internal/words/media"
)

// queueLimit is how many jobs the queue lists; the counts include all jobs.
const queueLimit = 100

// wireStates are the states of jobs as the API names them.
var wireStates = map[job.State]string{
	job.Ready: wire.JobWaiting, job.Running: wire.JobRunning, job.Dead: wire.JobDead}

// jobOwner returns the account whose jobs the caller may list and requeue: its own, or "" for all accounts if the
// caller belongs to the operator's account.
func (who caller) jobOwner() account.ID {
	if who.Account.Name == account.DefaultName {
		return ""
	}
	return who.Account.ID
}

// getQueue answers with the number of jobs in each state and lists some jobs, of all states or of one.
func (s *Server) getQueue(r *request) (any, error) {
	state, err := readState(r.query.Get("status"))
	if err != nil {
		return nil, err
	}
	owner := string(r.who.jobOwner())
	counts, err := s.Store.Queue().Counts(r.Context(), owner)
	if err != nil {
		return nil, err
	}
	jobs, err := s.Store.Queue().List(r.Context(), job.Filter{Account: owner, State: state, Limit: queueLimit})
	if err != nil {
		return nil, err
	}
	byState := map[job.State]*wire.QueueCounts{job.Ready: {}, job.Running: {}, job.Dead: {}}
	for _, c := range counts {
		byState[c.State].Add(media.Priority(c.Priority), c.Jobs)
	}
	return wire.NewQueue(*byState[job.Ready], *byState[job.Running], *byState[job.Dead], list.Map(jobs, entry)), nil
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
		ID: string(j.ID), Account: account.ID(j.Account), Kind: j.Kind,
		Priority: media.Priority(j.Priority), Status: wireStates[j.State], Attempts: j.Attempts, Created: j.Created,
		Error: j.LastError,
	}
	if j.Kind == pipeline.KindProcess || j.Kind == callback.Kind {
		e.Media = media.ID(j.Subject)
	}
	if j.State == job.Ready {
		e.NextTime = j.RunAt
	}
	return e
}

// requeue makes a dead job ready again.
func (s *Server) requeue(r *request) (any, error) {
	owner, id := r.who.jobOwner(), job.ID(r.PathValue("jobId"))
	if err := s.Store.Queue().Requeue(r.Context(), string(owner), id); err != nil {
		return nil, err
	}
	j, err := store.Read(r.Context(), s.Store, func(tx *store.Tx) (job.Job, error) { return tx.Job(owner, id) })
	return wire.NewQueuedJob(entry(j)), err
}
