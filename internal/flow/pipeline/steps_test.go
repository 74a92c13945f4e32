package pipeline

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"parley/internal/storage/job"
	"parley/internal/words/media"
)

func TestProgressGoesOnWhereAKilledRunWas(t *testing.T) {
	now := time.Date(2026, 11, 20, 7, 0, 0, 0, time.UTC)
	before := media.NewProgress("j").
		With(media.StepTranscode, media.TaskFinished, 100, now).
		With(media.StepRecognize, media.TaskStarted, 40, now)
	p := resume(before, job.Job{ID: "j"})
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
	if p = resume(before, job.Job{ID: "another"}); p.Job != "another" ||
		p.Tasks[1].Status != media.TaskPending {
		t.Errorf("another job goes on from this one's progress: %+v", p)
	}
}

// TestProgressIsWrittenEverySecondWhereItChanges: a run of under a second writes nothing, and none writes after its end.
func TestProgressIsWrittenEverySecondWhereItChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		type write struct {
			after   time.Duration
			percent int // of recognition
		}
		began, writes := time.Now(), make(chan write, 9)
		s := &steps{took: func(media.Step, time.Duration) {}, progress: media.NewProgress("j"),
			began: map[media.Step]time.Time{}, save: func(_ context.Context, p media.Progress, _ bool) {
				writes <- write{time.Since(began), p.Tasks[2].Percent}
			}}
		stop := s.keep(t.Context())
		s.start(t.Context(), media.StepTranscode)
		s.finish(t.Context(), media.StepTranscode)
		time.Sleep(reportEvery / 2)
		s.start(t.Context(), media.StepRecognize)
		s.percent(t.Context(), media.StepRecognize, 40)
		if got, want := <-writes, (write{reportEvery, 40}); got != want {
			t.Errorf("40 percent after half a second are written as %+v, want %+v", got, want)
		}
		time.Sleep(2*reportEvery + reportEvery/2) // in which nothing changes
		s.percent(t.Context(), media.StepRecognize, 50)
		stop()
		time.Sleep(2 * reportEvery)
		synctest.Wait()
		if len(writes) > 0 {
			t.Errorf("progress was written without a change, or after the run: %+v", <-writes)
		}
	})
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
