package pipeline

import (
	"context"
	"slices"

	"parley/internal/call/plan"
	"parley/internal/speech/audio"
	"parley/internal/speech/diarize"
	"parley/internal/words/fault"
	"parley/internal/words/media"
	"parley/internal/words/transcript"
)

// words is the output of hear: the words of a recording.
type words struct {
	*request
	said     rawWords
	warnings []fault.Problem // about the words
	decoded  *audio.Decoded  // with its samples freed; nil if the recording was not decoded
}

// hear returns the words of the recording: the published ones, those that came with it, or those recognised.
func (a *attempt) hear(ctx context.Context, r *request) (*words, error) {
	if r.republishes() {
		return a.republish(ctx, r)
	}
	r, err := a.fetch(ctx, r)
	if err != nil {
		return nil, err
	}
	decoded, err := a.decode(ctx)
	if err != nil {
		return nil, err
	}
	defer decoded.Free()
	t, warnings, err := a.listen(ctx, r, decoded)
	if err == nil {
		t, err = VoiceFeatures(decoded, t, r.plan)
	}
	if err != nil {
		return nil, err
	}
	return &words{r, rawWords{t}, append(slices.Clone(decoded.Warnings), warnings...), decoded}, nil
}

// listen returns the words of a recording: those that came with it, with their own times or aligned with what is
// recognised, otherwise those recognised.
func (a *attempt) listen(
	ctx context.Context, r *request, d *audio.Decoded,
) (*transcript.Transcript, []fault.Problem, error) {
	p := *r.plan
	var err error
	if p.Ingest, err = p.Ingest.For(d.Channels); err != nil {
		return nil, nil, err
	}
	if p.Recognition == nil {
		a.steps.skip(ctx, media.StepRecognize)
		t, warnings := Import(r.attachment, d.Length, &p)
		return t, warnings, nil
	}
	return a.transcribe(ctx, r.attachment, d, &p)
}

// transcribe returns what is recognised in a recording, or a given text with the times at which it is heard; text is
// nil if none was given.
func (a *attempt) transcribe(
	ctx context.Context, text *transcript.Transcript, d *audio.Decoded, p *plan.Plan,
) (*transcript.Transcript, []fault.Problem, error) {
	engine, err := a.Engine(ctx, p.Recognition)
	if err != nil {
		return nil, nil, err
	}
	a.steps.start(ctx, media.StepRecognize)
	progress := func(percent int) { a.steps.percent(ctx, media.StepRecognize, percent) }
	first := 100 // percent of the work done by the first pass
	if text != nil || p.Diarization {
		first = firstHearing
	}
	t, warnings, err := Transcribe(ctx, engine, d, p, a, portion(progress, 0, first))
	if err != nil {
		return nil, nil, err
	}
	a.steps.percent(ctx, media.StepRecognize, min(first, 99))
	if text == nil {
		t, err = Diarize(ctx, a.Voices, d, t, p)
	} else {
		var guessed []fault.Problem
		t, guessed, err = Align(ctx, engine, text, t, d, p, a, portion(progress, first, 100))
		warnings = append(warnings, guessed...)
	}
	if err != nil {
		return nil, nil, err
	}
	a.steps.finish(ctx, media.StepRecognize)
	return t, warnings, nil
}

// firstHearing is the progress of the recognition step, in percent, at the end of the first pass when a second pass
// remains: aligning a text or separating speakers takes a tenth of the time that PocketSphinx needs for the words.
const firstHearing = 90

// republish returns the words of the existing result with the speaker names of the new plan, and separates the speakers
// if the plan asks for it now. It keeps the warnings about the words.
func (a *attempt) republish(ctx context.Context, r *request) (*words, error) {
	a.steps.skip(ctx, media.StepFetch)
	t := renamed(r.baseline.spoken, r.plan.Ingest, r.baseline.given)
	t, decoded, err := a.relisten(ctx, r, silenced(t, r.plan))
	if err != nil {
		return nil, err
	}
	a.steps.skip(ctx, media.StepRecognize)
	warnings := slices.DeleteFunc(slices.Clone(r.media.Warnings), func(w fault.Problem) bool {
		return slices.Contains(ofPlans, w.Code)
	})
	if r.baseline.given {
		warnings = append(warnings, unplaced(t.Speakers, r.plan.Ingest)...)
	}
	return &words{r, rawWords{t}, warnings, decoded}, nil
}

// relisten adds what the new plan asks for and needs the recording: who speaks, and voice features. It returns the
// decoded recording, with its samples freed; nil if the recording was not needed.
func (a *attempt) relisten(
	ctx context.Context, r *request, t *transcript.Transcript,
) (*transcript.Transcript, *audio.Decoded, error) {
	mixed := r.plan.Diarization && len(t.Speakers) == 1 && t.Speakers[0].Channel == transcript.NoChannel
	if !mixed && !unvoiced(t, r.plan) {
		a.steps.skip(ctx, media.StepTranscode)
		return t, nil, nil
	}
	decoded, err := a.decode(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer decoded.Free()
	if mixed {
		t, err = a.diarize(ctx, r.plan, decoded, t)
	}
	if err == nil && unvoiced(t, r.plan) {
		t, err = VoiceFeatures(decoded, t, r.plan)
	}
	return t, decoded, err
}

// diarize separates the speakers of a recording whose channels were mixed; plans that describe channels need no
// diarization.
func (a *attempt) diarize(
	ctx context.Context, p *plan.Plan, d *audio.Decoded, t *transcript.Transcript,
) (*transcript.Transcript, error) {
	mixed := *p
	mixed.Ingest = plan.Ingest{Mixed: t.Speakers[0], Parties: p.Ingest.Parties}
	return Diarize(ctx, a.Voices, d, t, &mixed)
}

// ofPlans lists the codes of warnings about a request or an attempt, which are dropped with it. All other warnings are
// about the words.
var ofPlans = []int{fault.CodeNotBuilt, fault.CodeIgnored, fault.CodeReprocessing}

// renamed gives the speakers of published words the names and roles of a plan. Speakers of given words are matched as
// in any given transcript. Otherwise speakers with a channel are matched by the channel, and the only speaker of a mix
// gets the plan's name for the mix, if it has one.
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
		case len(t.Speakers) == 1 && s.Channel == transcript.NoChannel &&
			in.Channels == nil && in.Mixed.Name != transcript.DefaultSpeaker:
			out.Speakers[i] = in.Mixed
		}
	}
	return diarize.Name(&out, in.Parties)
}
