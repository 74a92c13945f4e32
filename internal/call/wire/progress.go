package wire

import (
	"time"

	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// Job is the progress of processing, as part of a media item.
type Job struct {
	MediaID  media.ID     `json:"mediaId"`
	JobID    string       `json:"jobId"`
	Status   media.Status `json:"status"`
	Progress Progress     `json:"progress"`
}

// ProgressResource is the answer of GET …/progress.
type ProgressResource struct {
	Links Links `json:"_links"`
	Job
}

// Progress is the state of one job and its tasks.
type Progress struct {
	JobID  string           `json:"jobId"`
	Status media.TaskStatus `json:"status"`
	Start  Time             `json:"start,omitzero"`
	Finish Time             `json:"finish,omitzero"`
	Tasks  []Task           `json:"tasks"`
}

// Task is one step of a job.
type Task struct {
	TaskID       media.Step       `json:"taskId"`
	Display      string           `json:"display"`
	Phase        string           `json:"phase"`
	Status       media.TaskStatus `json:"status"`
	Dependencies []media.Step     `json:"dependencies"` // previous tasks
	Dependents   []media.Step     `json:"dependents"`   // tasks that wait for this one
	Percent      int              `json:"percent"`
	StartedAt    Time             `json:"startedAt,omitzero"`
	FinishedAt   Time             `json:"finishedAt,omitzero"`
}

// NewProgress returns the progress of a media item.
func NewProgress(m *media.Media, p media.Progress) ProgressResource {
	return ProgressResource{self("media", string(m.ID), "progress"), *newJob(m, p)}
}

// ProgressOfMany is the answer of GET /v3/media/progress.
type ProgressOfMany struct {
	Links Links           `json:"_links"`
	Media []ProgressEntry `json:"media"`
}

// ProgressEntry is the progress of one of several recordings, or why there is none.
type ProgressEntry struct {
	MediaID  media.ID     `json:"mediaId"`
	JobID    string       `json:"jobId,omitempty"`
	Status   media.Status `json:"status,omitempty"`
	Progress *Progress    `json:"progress,omitempty"`
	Errors   []Problem    `json:"errors,omitempty"`
}

// NewProgressEntry returns the progress of a media item.
func NewProgressEntry(m *media.Media, p media.Progress) ProgressEntry {
	j := newJob(m, p)
	return ProgressEntry{MediaID: j.MediaID, JobID: j.JobID, Status: j.Status, Progress: &j.Progress}
}

// NoProgressEntry returns the entry of a recording without progress.
func NoProgressEntry(id media.ID, why fault.Problem) ProgressEntry {
	return ProgressEntry{MediaID: id, Errors: errorsOf([]fault.Problem{why})}
}

// NewProgressOfMany returns the progress of several recordings.
func NewProgressOfMany(entries []ProgressEntry) ProgressOfMany {
	return ProgressOfMany{self("media", "progress"), entries}
}

func newJob(m *media.Media, p media.Progress) *Job {
	progress := Progress{JobID: p.Job, Status: progressStatus(m), Tasks: make([]Task, len(p.Tasks))}
	for i, t := range p.Tasks {
		progress.Tasks[i] = newTask(t, p.Tasks, i)
		if !t.Started.IsZero() && (progress.Start.IsZero() || t.Started.Before(progress.Start.Time)) {
			progress.Start = Time{t.Started}
		}
	}
	if m.Status.Done() {
		progress.Finish = Time{latest(m.Finished, p.Tasks)}
	}
	return &Job{MediaID: m.ID, JobID: p.Job, Status: m.Status, Progress: progress}
}

// latest returns the completion time of a job: the later of the item's own time and that of its last task. If
// reprocessing failed, the item's own time is that of the earlier job.
func latest(finished time.Time, tasks []media.Task) time.Time {
	for _, t := range tasks {
		if t.Finished.After(finished) {
			finished = t.Finished
		}
	}
	return finished
}

// newTask returns the task at i; tasks run sequentially.
func newTask(t media.Task, all []media.Task, i int) Task {
	display, phase := describe(t.Step)
	task := Task{
		TaskID: t.Step, Display: display, Phase: phase, Status: t.Status, Percent: t.Percent,
		Dependencies: []media.Step{}, Dependents: []media.Step{},
		StartedAt: Time{t.Started}, FinishedAt: Time{t.Finished},
	}
	if i > 0 {
		task.Dependencies = append(task.Dependencies, all[i-1].Step)
	}
	if i+1 < len(all) {
		task.Dependents = append(task.Dependents, all[i+1].Step)
	}
	return task
}

// describe returns the display name of a step and its phase.
func describe(s media.Step) (display, phase string) {
	switch s {
	case media.StepFetch:
		return "Fetch media", "ingest"
	case media.StepTranscode:
		return "Decode audio", "ingest"
	case media.StepRecognize:
		return "Recognize speech", "transcription"
	case media.StepAnalyze:
		return "Analyze transcript", "analytics"
	case media.StepPublish:
		return "Publish results", "publication"
	}
	return string(s), string(s)
}

// progressStatus returns the outcome of a media item's last job as a task status. A finished item with problems is one
// whose reprocessing failed.
func progressStatus(m *media.Media) media.TaskStatus {
	switch {
	case m.Status == media.Running:
		return media.TaskStarted
	case m.Status == media.Finished && len(m.Problems) == 0:
		return media.TaskFinished
	case m.Status.Done():
		return media.TaskFailed
	}
	return media.TaskPending
}
