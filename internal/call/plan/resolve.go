package plan

import (
	"slices"
	"time"

	"parley/internal/analysis/talk"
	"parley/internal/words/fault"
	"parley/internal/words/jsondoc"
	"parley/internal/words/media"
)

// maxProblems bounds the number of problems, and of warnings, of one configuration.
const maxProblems = 100

// maxTimeToLive keeps a time to live within time.Duration.
const maxTimeToLive = 100 * 365 * 24 * time.Hour

// Resolve converts a request into a plan, for a server and an account's definitions. The error is a fault of kind
// Invalid with all problems, including those that Parse found. Unsupported features are skipped with a warning.
// Unsupported encryption and redaction are rejected instead, so that sensitive data is never stored in plain text.
func Resolve(request *Request, env Environment) (*Plan, error) {
	r := &resolver{root: request.root, env: env, problems: slices.Clone(request.problems)}
	p := r.plan()
	if err := fault.All(fault.Invalid, r.problems); err != nil {
		return nil, err
	}
	p.Warnings = r.warnings
	return p, nil
}

// resolver reads one request. It treats values of a wrong type, which Parse has reported, as absent.
type resolver struct {
	root     *jsondoc.Value
	env      Environment
	language string
	problems []fault.Problem
	warnings []fault.Problem
}

func (r *resolver) refuse(v *jsondoc.Value, code int, format string, args ...any) {
	if len(r.problems) < maxProblems {
		r.problems = append(r.problems, jsondoc.At(v, code, format, args...))
	}
}

func (r *resolver) warn(v *jsondoc.Value, code int, format string, args ...any) {
	if len(r.warnings) < maxProblems {
		r.warnings = append(r.warnings, jsondoc.At(v, code, format, args...))
	}
}

// offers reports whether the server supports a feature, and for this language. If not, it adds a warning, or a problem
// with the given code if the reason is the language.
func (r *resolver) offers(f Feature, v *jsondoc.Value, languageCode int) bool {
	languages, built := r.env.Built[f]
	switch {
	case !built:
		r.warn(v, fault.CodeNotBuilt, "this version does not support %s and ignores it", f)
	case !languages.has(r.language):
		r.refuse(v, languageCode, "%s is not available for the language %s, only for: %s; leave it out", f, r.language,
			fault.List(languages))
	default:
		return true
	}
	return false
}

// wants reports whether the flag at a path is set and the feature is supported.
func (r *resolver) wants(f Feature, languageCode int, path ...string) bool {
	v := r.root.Get(path...)
	return v.Bool() && r.offers(f, v, languageCode)
}

func (r *resolver) plan() *Plan {
	p := &Plan{}
	r.speech(p)
	p.Ingest = r.ingest(p)
	p.Priority = r.priority()
	p.TimeToLive = r.timeToLive()
	p.Formatting.Numbers = r.numbers()
	p.Formatting.Profanity = r.wants(ProfanityFiltering, fault.CodeContentFiltering, "transcript", "contentFiltering",
		"enableProfanityFiltering")
	r.analyses(p)
	p.Classifiers = r.classifiers()
	p.Detectors = r.detectors()
	r.publish(p)
	r.hints(p)
	return p
}

func (r *resolver) priority() media.Priority {
	switch schema.At("priority").Canonical(r.root.Get("priority").Text()) {
	case "high":
		return media.High
	case "low":
		return media.Low
	}
	return media.Normal
}

func (r *resolver) timeToLive() time.Duration {
	v := r.root.Get("timeToLiveInSeconds")
	seconds, ok := v.Int()
	if !ok {
		return r.env.TimeToLive
	}
	if seconds < 1 || seconds > int64(maxTimeToLive/time.Second) {
		r.refuse(v, fault.CodeConfiguration,
			"%d seconds is out of range; use 1 to %d, or leave it out to keep the media", seconds,
			int64(maxTimeToLive/time.Second))
		return 0
	}
	return time.Duration(seconds) * time.Second
}

// numbers reports whether to format numbers. The default is yes, unless the words are supplied. Only an explicit
// request gets a warning if this is not supported.
func (r *resolver) numbers() bool {
	v := r.root.Get("transcript", "formatting", "enableNumberFormatting")
	if v != nil {
		return v.Bool() && r.offers(NumberFormatting, v, fault.CodeFeature)
	}
	languages, built := r.env.Built[NumberFormatting]
	return built && languages.has(r.language) && !r.wordsGiven()
}

// hints adds warnings for combinations in which a setting has no effect.
func (r *resolver) hints(p *Plan) {
	if p.Diarization && p.Ingest.Channels != nil && p.Ingest.Parties == nil {
		r.warn(r.root.Get("speechModel", "features"), fault.CodeIgnored,
			"diarization has no effect when each speaker has a channel")
	}
	if slices.Contains(p.Metrics, talk.Tone) && !p.VoiceFeatures {
		r.warn(r.root.Get("metrics"), fault.CodeIgnored, "%s is 0 without voiceFeatures in speechModel.features",
			talk.Tone)
	}
	if !English(r.language) {
		if slices.Contains(p.Metrics, talk.Sentiment) {
			r.warn(r.root.Get("metrics"), fault.CodeIgnored, "%s is 0 for languages other than English; the language is %s",
				talk.Sentiment, r.language)
		}
		if p.Detectors != nil {
			r.warn(r.root.Get("prediction", "detectors"), fault.CodeIgnored,
				"detectors recognise spoken numbers in English only; in %s they find only numbers written as digits",
				r.language)
		}
		if p.Sentiments != nil {
			r.warn(r.root.Get("speakerSentiments"), fault.CodeIgnored,
				"sentiment is available in English only; the language is %s", r.language)
		}
	}
	if v := r.root.Get("knowledge", "enableExternalDataSources"); v.Bool() && p.Knowledge != nil {
		r.warn(v, fault.CodeIgnored, "this server has no external data sources; it has no effect")
	}
}
