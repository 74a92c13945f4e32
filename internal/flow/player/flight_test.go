package player

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
)

func TestAllWhoAskForTheSameGetWhatIsMadeOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := New(Config{})
		defer p.Close()
		w := work{"a", "m", "blob", "peaks"}
		made, release := 0, make(chan struct{})
		do := func(context.Context) error { made++; <-release; return nil }
		results := make(chan error, 3)
		for range 3 {
			go func() { results <- p.once(t.Context(), w, do) }()
		}
		synctest.Wait()
		close(release)
		for range 3 {
			if err := <-results; err != nil {
				t.Error(err)
			}
		}
		if made != 1 || len(p.flights) != 0 {
			t.Errorf("made %d times, %d flights are left", made, len(p.flights))
		}
	})
}

func TestWorkEndsWhenNobodyWaitsForIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := New(Config{})
		w := work{"a", "m", "blob", "peaks"}
		var ended error
		do := func(ctx context.Context) error { <-ctx.Done(); ended = context.Cause(ctx); return ended }
		first, leave := context.WithCancel(t.Context())
		results := make(chan error, 2)
		go func() { results <- p.once(first, w, do) }()
		second, leaveToo := context.WithCancel(t.Context())
		go func() { results <- p.once(second, w, do) }()
		synctest.Wait()
		leave()
		if err := <-results; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		synctest.Wait()
		if ended != nil {
			t.Fatal("the work ended although somebody waits")
		}
		leaveToo()
		<-results
		p.Close()
		if ended == nil || len(p.flights) != 0 {
			t.Errorf("the work goes on for nobody: %v", ended)
		}
	})
}

func TestAnAccountThatAsksForManyLeavesRoomForOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := New(Config{})
		defer p.Close()
		hold := func(ctx context.Context) error { <-ctx.Done(); return context.Cause(ctx) }
		ctx, end := context.WithCancel(t.Context())
		done := make(chan error, 10)
		for i := range 10 {
			go func() { done <- p.once(ctx, work{"greedy", "m", string(rune('a' + i)), "peaks"}, hold) }()
		}
		synctest.Wait()
		if err := p.once(t.Context(), work{"other", "n", "blob", "peaks"}, func(context.Context) error { return nil }); err != nil {
			t.Error(err)
		}
		end()
		for range 10 {
			<-done
		}
	})
}
