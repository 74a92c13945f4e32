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

// words are what is said in a recording: the output of hear.
type words struct {
	*request
	said     unconcealed
	warnings []fault.Problem // about the words
	decoded  *audio.Decoded  // its samples are closed; nil where nobody has listened to the recording
}

// hear returns what is said in the recording: what was published of it, or what came along or is heard.
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
	defer decoded.Close()
	t, warnings, err := a.listen(ctx, r, decoded)
	if err == nil {
		t, err = VoiceFeatures(decoded, t, r.plan)
	}
	if err != nil {
		return nil, err
	}
	return &words{r, unconcealed{t}, append(slices.Clone(decoded.Warnings), warnings...), decoded}, nil
}

// listen returns what is said in a recording: the words that came with it, with their times or aligned with what is
// heard, or else what is heard.
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

// transcribe returns what is heard in a recording, or a given text with the times at which it is heard; the text is nil
// where none was given.
func (a *attempt) transcribe(
	ctx context.Context, text *transcript.Transcript, d *audio.Decoded, p *plan.Plan,
) (*transcript.Transcript, []fault.Problem, error) {
	engine, err := a.Engine(ctx, p.Recognition)
	if err != nil {
		return nil, nil, err
	}
	a.steps.start(ctx, media.StepRecognize)
	progress := func(percent int) { a.steps.percent(ctx, media.StepRecognize, percent) }
	first := 100 // percent of the work that is the first hearing
	if text != nil || p.Diarization {
		first = firstHearing
	}
	t, warnings, err := Transcribe(ctx, engine, d, p, a, portion(progress, 0, first))
	if err != nil {
		return nil, nil, err
	}
	a.steps.reach(ctx, media.StepRecognize, min(first, 99))
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

// firstHearing is how much of the recognition is done, in percent, when a second look at the recording remains: to
// align a text or to tell speakers apart takes a tenth of the time that PocketSphinx needs for the words.
const firstHearing = 90

// republish returns the words of the present result with the new plan's names for the speakers, who are told apart
// if that is asked for now. Warnings about the words go with them.
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
	return &words{r, unconcealed{t}, warnings, decoded}, nil
}

// relisten adds to published words what is asked for now and needs the recording: who speaks, and how words sound.
// It returns the recording as it was decoded, closed; nil where nothing needs it.
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
	defer decoded.Close()
	if mixed {
		t, err = a.diarize(ctx, r.plan, decoded, t)
	}
	if err == nil && unvoiced(t, r.plan) {
		t, err = VoiceFeatures(decoded, t, r.plan)
	}
	return t, decoded, err
}

// diarize tells speakers apart where the channels of the recording were mixed; plans that describe channels do not.
func (a *attempt) diarize(
	ctx context.Context, p *plan.Plan, d *audio.Decoded, t *transcript.Transcript,
) (*transcript.Transcript, error) {
	mixed := *p
	mixed.Ingest = plan.Ingest{Mixed: t.Speakers[0], Parties: p.Ingest.Parties}
	return Diarize(ctx, a.Voices, d, t, &mixed)
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
		case len(t.Speakers) == 1 && s.Channel == transcript.NoChannel &&
			in.Channels == nil && in.Mixed.Name != transcript.DefaultSpeaker:
			out.Speakers[i] = in.Mixed
		}
	}
	return diarize.Name(&out, in.Parties)
}
