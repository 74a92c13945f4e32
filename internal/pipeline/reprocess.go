package pipeline

import (
	"context"
	"fmt"
	"slices"
	"time"

	"parley/internal/audio"
	"parley/internal/diarize"
	"parley/internal/fault"
	"parley/internal/media"
	"parley/internal/plan"
	"parley/internal/result"
	"parley/internal/store"
	"parley/internal/transcript"
)

// past is what a run that processes an item again begins with and falls back on.
type past struct {
	*store.Reprocessing
	spoken *transcript.Transcript // the words of the present result before they were formatted; nil where they are not used
	given  bool                   // they were supplied, not recognised
	found  []result.Detection     // in them, before what was found was redacted
}

// standing reports whether there is a result that stays when this run fails.
func (p *past) standing() bool { return p != nil && !p.Finished.IsZero() }

// request loads what is asked for: the item's own request, or that to process it again.
func (r *run) request(tx *store.Tx) (source, given []byte, published store.Result, err error) {
	again, err := tx.Reprocessing(r.media.ID)
	if err != nil {
		return nil, nil, published, err
	}
	if again == nil {
		source, given, err = tx.Request(r.media.ID)
		return source, given, published, err
	}
	r.past = &past{Reprocessing: again}
	if r.past.standing() {
		published, err = tx.Result(r.media.Account, r.media.ID)
	}
	return again.Configuration, again.Given, published, err
}

// recall decodes the words that a plan for published words begins with.
func (r *run) recall(kept store.Result, about *plan.Published) error {
	r.past.given = about.Given
	open, err := r.Codec.DecodeResult(kept.Result)
	if err != nil {
		return err
	}
	r.past.spoken, r.past.found = open.Transcript, open.Detections
	if len(kept.Transcript) > 0 {
		r.past.spoken, err = r.Codec.DecodeTranscript(kept.Transcript)
	}
	return err
}

// republish returns the words of the present result with the new plan's names for the speakers, who are told apart
// if that is asked for now. Warnings about the words go with them.
func (r *run) republish(ctx context.Context) (*transcript.Transcript, []fault.Problem, error) {
	r.steps.skip(ctx, media.StepFetch)
	t := renamed(r.past.spoken, r.plan.Ingest, r.past.given)
	var warnings []fault.Problem
	t, err := r.listen(ctx, silenced(t, r.plan))
	if err != nil {
		return nil, nil, err
	}
	r.steps.skip(ctx, media.StepRecognize)
	for _, w := range r.media.Warnings {
		if !slices.Contains(ofPlans, w.Code) {
			warnings = append(warnings, w)
		}
	}
	if r.past.given {
		warnings = append(warnings, unplaced(t.Speakers, r.plan.Ingest)...)
	}
	return t, warnings, nil
}

// listen adds to published words what is asked for now and needs the recording: who speaks, and how words sound.
func (r *run) listen(ctx context.Context, t *transcript.Transcript) (*transcript.Transcript, error) {
	mixed := r.plan.Diarization && len(t.Speakers) == 1 && t.Speakers[0].Channel == transcript.NoChannel
	if !mixed && !unvoiced(t, r.plan) {
		r.steps.skip(ctx, media.StepTranscode)
		return t, nil
	}
	decoded, err := r.decode(ctx)
	if err != nil {
		return nil, err
	}
	defer decoded.Close()
	if mixed {
		if t, err = r.diarize(ctx, decoded, t); err != nil {
			return nil, err
		}
	}
	if unvoiced(t, r.plan) {
		return VoiceFeatures(decoded, t, r.plan)
	}
	return t, nil
}

// diarize tells speakers apart where the channels of the recording were mixed; plans that describe channels do not.
func (r *run) diarize(ctx context.Context, d *audio.Decoded, t *transcript.Transcript) (*transcript.Transcript, error) {
	mixed := *r.plan
	mixed.Ingest = plan.Ingest{Mixed: t.Speakers[0], Parties: r.plan.Ingest.Parties}
	return Diarize(ctx, r.Voices, d, t, &mixed)
}

// ofPlans are the codes of warnings about a request or an attempt, which end with it. All others are about the words.
var ofPlans = []int{fault.CodeNotBuilt, fault.CodeIgnored, fault.CodeReprocessing}

// renamed gives the speakers of published words the names and roles of a plan. Those of given words are found as in
// any given transcript. Else those who have a channel are known by it, and the only speaker of a mix gets the name for
// the mix, unless that is the name of nobody.
func renamed(t *transcript.Transcript, in plan.Ingest, given bool) *transcript.Transcript {
	out := *t
	if given {
		out.Speakers = cast(t.Speakers, in)
		return &out
	}
	out.Speakers = slices.Clone(t.Speakers)
	for i, s := range out.Speakers {
		switch {
		case s.Channel >= 0 && s.Channel < len(in.Channels) && !in.Channels[s.Channel].Ignore:
			out.Speakers[i] = in.Channels[s.Channel].Speaker
		case len(t.Speakers) == 1 && s.Channel == transcript.NoChannel && in.Channels == nil && in.Mixed.Name != transcript.DefaultSpeaker:
			out.Speakers[i] = in.Mixed
		}
	}
	return diarize.Name(&out, in.Parties)
}

// format formats the words. Marks that a recogniser has set when they were asked for go when they are asked for no more.
func (r *run) format(t *transcript.Transcript) *transcript.Transcript {
	if r.past != nil && r.past.spoken != nil && !r.past.given && !r.plan.Formatting.Punctuation {
		t = unmarked(t)
	}
	return r.Formatter.Format(t, r.plan)
}

// used is how much of the recording was listened to, or came with its words: nothing where published words were taken.
func (r *run) used(t *transcript.Transcript) store.Usage {
	switch {
	case r.past != nil && r.past.spoken != nil:
		return store.Usage{}
	case r.plan.Recognition == nil:
		return store.Usage{Given: t.Length}
	}
	return store.Usage{Recognized: t.Length}
}

// asked is when processing was asked for.
func (r *run) asked() time.Time {
	if r.past != nil {
		return r.job.Created
	}
	return r.media.Created
}

// unmarked returns a transcript without punctuation.
func unmarked(t *transcript.Transcript) *transcript.Transcript {
	out := *t
	out.Words = slices.DeleteFunc(slices.Clone(t.Words), func(w transcript.Word) bool { return w.Kind == transcript.Punctuation })
	return &out
}

// settle ends the request of a run that has published its result.
func (r *run) settle(tx *store.Tx) error {
	if err := tx.CommitReprocessing(r.media.ID); err != nil {
		return err
	}
	return tx.DropGiven(r.media.ID)
}

// giveUp publishes that processing again came to nothing for good.
func (r *run) giveUp(tx *store.Tx, problems []fault.Problem) error {
	if err := r.past.restore(tx, r.media.ID, problems); err != nil {
		return err
	}
	if err := tx.SetProgress(r.media.ID, r.steps.ended(media.Failed, time.Now().UTC())); err != nil {
		return err
	}
	return tx.DropReprocessing(r.media.ID)
}

// restore brings an item back to the result that it still has, and says that processing it again failed and why.
func (p *past) restore(tx *store.Tx, id media.ID, problems []fault.Problem) error {
	m, err := tx.MediaByID(id)
	if err != nil {
		return err
	}
	if err := tx.RestoreFinished(id, p.Finished); err != nil {
		return err
	}
	if err := tx.SetProblems(id, problems); err != nil {
		return err
	}
	warnings := slices.DeleteFunc(m.Warnings, func(w fault.Problem) bool { return w.Code == fault.CodeReprocessing })
	return tx.SetWarnings(id, append(warnings, fault.Problem{Code: fault.CodeReprocessing, Message: fmt.Sprintf(
		"the recording was to be processed again, which failed (see errors); what is here was published at %s", p.Finished.Format(time.RFC3339))}))
}
