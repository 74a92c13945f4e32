package api_test

import (
	"slices"
	"testing"
	"time"

	"parley/internal/storage/store"
	"parley/internal/testkit/servertest"
	"parley/internal/words/media"
)

// TestWhatNeedsALostRecordingFailsAndLeavesTheResult requests diarization of a recording whose bytes doctor has given
// up.
func TestWhatNeedsALostRecordingFailsAndLeavesTheResult(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	id := s.Submit(t, recording)
	before := s.Await(t, id)
	err := s.Server.Store.Update(t.Context(), func(tx *store.Tx) error {
		_, err := tx.DeleteStream(media.ID(id), media.Original)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, feature := range []string{"diarization", "voiceFeatures"} {
		ok(t, reprocess(t, s.Client, id, configured(`{"speechModel":{"features":["`+feature+`"]}}`)))
		item := s.Await(t, id)
		if item["status"] != "finished" || transcriptOf(t, item) != transcriptOf(t, before) ||
			!equal(t, codesOf(item["errors"]), []any{10201.0}) || !equal(t, codesOf(item["warnings"]), []any{95060.0}) {
			t.Errorf("%s: %v", feature, item)
		}
	}
	s.Idle(t)
	if n := rows(t, s)["job"]; n != 0 {
		t.Errorf("%d jobs stay", n)
	}
	ok(t, reprocess(t, s.Client, id, configured(`{}`)))
	if item := s.Await(t, id); item["errors"] != nil || item["warnings"] != nil {
		t.Errorf("without a need of the recording: %v", item)
	}
}

// TestDeleteWhileAStreamIsWrittenLeavesNothing deletes items while they are transcoded and published.
func TestDeleteWhileAStreamIsWrittenLeavesNothing(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	before := rows(t, s)
	caught := 0
	for range 6 {
		id := s.Submit(t, servertest.File("media", "a.wav", servertest.Tone(120, 2)),
			servertest.Field("transcript", timedWords), asking(`{"fileFormat":"ogg","codec":"opus"}`))
		tick := time.NewTicker(time.Millisecond)
		for task(t, s, id, "publication") == "pending" {
			<-tick.C
		}
		tick.Stop()
		if ok(t, s.Get(t, "/v3/media/"+id)).JSON(t)["status"] == "running" {
			caught++
		}
		if a := s.Do(t, "DELETE", "/v3/media/"+id, nil); a.Status != 204 {
			t.Errorf("DELETE: %s", a)
		}
		goneEverywhere(t, s, id)
	}
	if caught == 0 {
		t.Error("no item was deleted while it was written")
	}
	s.Idle(t)
	cleared(t, s)
	for table, n := range rows(t, s) {
		if n != before[table] && !kept[table] {
			t.Errorf("table %s has %d rows, before %d", table, n, before[table])
		}
	}
}

// cleared waits until no file is left. A worker whose job was deleted cleans up when its program has ended.
func cleared(t *testing.T, s *servertest.Server) {
	t.Helper()
	tick, deadline := time.NewTicker(5*time.Millisecond), time.After(time.Minute)
	defer tick.Stop()
	for {
		files := slices.Concat(s.Blobs(t), s.Temporary(t))
		if len(files) == 0 {
			return
		}
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("files stay: %v", files)
		}
	}
}
