package media

import "time"

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
	for _, t := range p.Tasks {
		if t.Step != step {
			continue
		}
		if t.Status.Done() {
			return p
		}
		percent = max(percent, t.Percent)
	}
	return p.With(step, status, percent, now)
}

// With returns a copy in which one step has the given status and percentage. It sets the start time when the step
// leaves pending, and the finish time when it is done.
func (p Progress) With(step Step, status TaskStatus, percent int, now time.Time) Progress {
	tasks := make([]Task, len(p.Tasks))
	copy(tasks, p.Tasks)
	for i := range tasks {
		t := &tasks[i]
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
	p.Tasks = tasks
	return p
}
