package pipeline

import (
	"testing"
	"time"

	"parley/internal/storage/job"
	"parley/internal/words/media"
)

func TestProgressGoesOnWhereAKilledRunWas(t *testing.T) {
	now := time.Date(2026, 11, 20, 7, 0, 0, 0, time.UTC)
	before := media.NewProgress("j").
		With(media.StepTranscode, media.TaskFinished, 100, now).
		With(media.StepRecognize, media.TaskStarted, 40, now)
	p := newSteps(nil, "m", job.Job{ID: "j"}, before).progress
	later := now.Add(time.Hour)
	p = p.Ahead(media.StepTranscode, media.TaskStarted, 0, later)
	p = p.Ahead(media.StepRecognize, media.TaskStarted, 0, later)
	if transcode := p.Tasks[1]; transcode.Status != media.TaskFinished || transcode.Percent != 100 ||
		transcode.Finished != now {
		t.Errorf("a step that was done has gone back: %+v", transcode)
	}
	if recognize := p.Tasks[2]; recognize.Percent != 40 || recognize.Started != now {
		t.Errorf("a step that was under way has gone back: %+v", recognize)
	}
	if p = p.Ahead(media.StepRecognize, media.TaskStarted, 41, later); p.Tasks[2].Percent != 41 {
		t.Errorf("a step does not get on: %+v", p.Tasks[2])
	}
	if p = newSteps(nil, "m", job.Job{ID: "another"}, before).progress; p.Job != "another" ||
		p.Tasks[1].Status != media.TaskPending {
		t.Errorf("another job goes on from this one's progress: %+v", p)
	}
}

func TestAPartOfAStepIsNeverAllOfIt(t *testing.T) {
	got := -1
	report := portion(func(percent int) { got = percent }, 90, 100)
	for percent, want := range map[int]int{0: 90, 50: 95, 100: 99} {
		if report(percent); got != want {
			t.Errorf("%d percent of the last tenth are %d percent, want %d", percent, got, want)
		}
	}
}

func TestEndedProgressHasNothingOpen(t *testing.T) {
	now := time.Date(2026, 11, 20, 7, 0, 0, 0, time.UTC)
	progress := media.NewProgress("j").
		With(media.StepFetch, media.TaskSkipped, 100, now).
		With(media.StepTranscode, media.TaskFinished, 100, now).
		With(media.StepRecognize, media.TaskStarted, 40, now)
	want := map[media.Status]map[media.Step]media.TaskStatus{
		media.Failed: {
			media.StepFetch: media.TaskSkipped, media.StepTranscode: media.TaskFinished,
			media.StepRecognize: media.TaskFailed,
			media.StepAnalyze:   media.TaskCancelled, media.StepPublish: media.TaskCancelled,
		},
		media.Finished: {
			media.StepFetch: media.TaskSkipped, media.StepTranscode: media.TaskFinished,
			media.StepRecognize: media.TaskFinished,
			media.StepAnalyze:   media.TaskCancelled, media.StepPublish: media.TaskCancelled,
		},
	}
	for status, tasks := range want {
		for _, task := range ended(progress, status, now).Tasks {
			if task.Status != tasks[task.Step] {
				t.Errorf("%s: step %s is %s, want %s", status, task.Step, task.Status, tasks[task.Step])
			}
			if task.Finished.IsZero() {
				t.Errorf("%s: step %s has no end", status, task.Step)
			}
		}
	}
}
