package pipeline

import (
	"testing"
	"time"

	"parley/internal/media"
)

func TestEndedProgressHasNothingOpen(t *testing.T) {
	now := time.Date(2026, 11, 20, 7, 0, 0, 0, time.UTC)
	s := &steps{progress: media.NewProgress("j").
		With(media.StepFetch, media.TaskSkipped, 100, now).
		With(media.StepTranscode, media.TaskFinished, 100, now).
		With(media.StepRecognize, media.TaskStarted, 40, now)}
	want := map[media.Status]map[media.Step]media.TaskStatus{
		media.Failed: {
			media.StepFetch: media.TaskSkipped, media.StepTranscode: media.TaskFinished, media.StepRecognize: media.TaskFailed,
			media.StepAnalyze: media.TaskCancelled, media.StepPublish: media.TaskCancelled,
		},
		media.Finished: {
			media.StepFetch: media.TaskSkipped, media.StepTranscode: media.TaskFinished, media.StepRecognize: media.TaskFinished,
			media.StepAnalyze: media.TaskCancelled, media.StepPublish: media.TaskCancelled,
		},
	}
	for status, tasks := range want {
		for _, task := range s.ended(status, now).Tasks {
			if task.Status != tasks[task.Step] {
				t.Errorf("%s: step %s is %s, want %s", status, task.Step, task.Status, tasks[task.Step])
			}
			if task.Finished.IsZero() {
				t.Errorf("%s: step %s has no end", status, task.Step)
			}
		}
	}
}
