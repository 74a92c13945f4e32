package media

import (
	"slices"
	"time"
)

// Step is one stage of processing, as named by the progress resource.
type Step string

// The steps in the order of the pipeline.
const (
	StepFetch     Step = "fetch"
	StepTranscode Step = "transcode"
	StepRecognize Step = "recognize"
	StepAnalyze   Step = "analyze"
	StepPublish   Step = "publish"
)

// Steps lists all steps in order.
var Steps = []Step{StepFetch, StepTranscode, StepRecognize, StepAnalyze, StepPublish}

// TaskStatus is the state of one step.
type TaskStatus string

// The states of a step.
const (
	TaskPending   TaskStatus = "pending"
	TaskStarted   TaskStatus = "started"
	TaskFinished  TaskStatus = "finished"
	TaskFailed    TaskStatus = "failed"
	TaskSkipped   TaskStatus = "skipped"
	TaskCancelled TaskStatus = "cancelled"
)

// Task is the progress of one step.
type Task struct {
	Step     Step
	Status   TaskStatus
	Percent  int // 0..100
	Started  time.Time
	Finished time.Time
}

// Progress is the processing progress of a media item.
type Progress struct {
	Job   string // job identifier
	Tasks []Task // one per step, in order
}

// NewProgress returns a progress with every step pending.
func NewProgress(job string) Progress {
	p := Progress{Job: job}
	for _, s := range Steps {
		p.Tasks = append(p.Tasks, Task{Step: s, Status: TaskPending})
	}
	return p
}

// Done reports whether the state is final.
func (s TaskStatus) Done() bool { return s != TaskPending && s != TaskStarted }

// Ahead is With, but never moves a step backwards: after a crash, clients do not see repeated work, and completed steps
// stay completed.
func (p Progress) Ahead(step Step, status TaskStatus, percent int, now time.Time) Progress {
	i := slices.IndexFunc(p.Tasks, func(t Task) bool { return t.Step == step })
	if i < 0 || p.Tasks[i].Status.Done() {
		return p
	}
	return p.With(step, status, max(percent, p.Tasks[i].Percent), now)
}

// With returns a copy in which one step has the given status and percentage. It sets the start time when the step
// leaves pending, and the finish time when it is done.
func (p Progress) With(step Step, status TaskStatus, percent int, now time.Time) Progress {
	p.Tasks = slices.Clone(p.Tasks)
	for i := range p.Tasks {
		t := &p.Tasks[i]
		if t.Step != step {
			continue
		}
		if t.Started.IsZero() && status != TaskPending {
			t.Started = now
		}
		if status.Done() {
			t.Finished = now
		}
		t.Status, t.Percent = status, percent
	}
	return p
}
