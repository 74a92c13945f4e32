package plan

import (
	"regexp"
	"slices"
	"strings"

	"parley/internal/words/fault"
	"parley/internal/words/jsondoc"
)

// DefaultLanguage is the language of a configuration that names none.
const DefaultLanguage = "en-US"

// publicModels are the engine names of the public service whose API this server implements. Clients may use them; the
// server maps each to its own engine.
var publicModels = []string{"europa", "proteus", "titan"}

var languageTag = regexp.MustCompile(`^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$`)

// speech resolves the language, the model and the features of the speech model.
func (r *resolver) speech(p *Plan) {
	speech := r.root.Get("speechModel")
	p.Language = r.tag(speech.Get("language"))
	r.language = p.Language
	switch {
	case r.env.Published != nil:
		r.republished(p, speech)
	case r.env.WordsGiven:
		r.aligned(speech)
	case r.env.TextGiven:
		r.aligned(speech)
		p.Recognition = r.recognition(speech.Get("language"), nil)
	default:
		vocabularies := r.vocabularies()
		p.Recognition = r.recognition(speech.Get("language"), speech.Get("model"))
		p.Recognition.Vocabulary = vocabularies
	}
	r.features(p, speech.Get("features"))
	r.unused(speech)
}

// unused adds warnings for recognition settings that no engine here supports and that can be ignored safely.
func (r *resolver) unused(speech *jsondoc.Value) {
	if v := speech.Get("version"); v != nil {
		r.warn(v, fault.CodeIgnored, "models on this server have no versions; it has no effect")
	}
	for _, v := range speech.Get("extensions").Items() {
		r.warn(v, fault.CodeExtension, "no engine on this server has the extension %q; it has no effect", clip(v.Text()))
	}
	if v := r.root.Get("additionalSpeechModels"); v != nil {
		r.warn(v, fault.CodeAdditionalModels,
			"a recording is recognised in one language; additional models have no effect")
	}
}

// tag reads a language tag such as en-us and normalizes it to en-US.
func (r *resolver) tag(v *jsondoc.Value) string {
	if v.Kind() != jsondoc.String {
		return DefaultLanguage
	}
	text := strings.TrimSpace(v.Text())
	if !languageTag.MatchString(text) {
		r.refuse(v, fault.CodeLanguage, "%q is not a language code; use one such as en-US", clip(text))
		return DefaultLanguage
	}
	first, rest, regional := strings.Cut(text, "-")
	if !regional {
		return strings.ToLower(first)
	}
	return strings.ToLower(first) + "-" + strings.ToUpper(rest)
}

// aligned rejects recognition settings if the words are supplied.
func (r *resolver) aligned(speech *jsondoc.Value) {
	if r.env.Kept {
		return
	}
	for _, v := range []*jsondoc.Value{speech.Get("model"), r.root.Get("vocabularies")} {
		if v != nil {
			r.refuse(v, fault.CodeAlignmentSpeech,
				"has no effect on a supplied transcript, whose words are not changed; leave it out")
		}
	}
}

// republished uses the language of the existing words, and adds warnings for recognition settings.
func (r *resolver) republished(p *Plan, speech *jsondoc.Value) {
	p.Language = r.env.Published.Language
	asked := r.language
	r.language = p.Language
	if r.env.Kept {
		return
	}
	if v := speech.Get("language"); v != nil && !sameLanguage(asked, p.Language) {
		r.warn(v, fault.CodeIgnored, "the existing words are not recognised again; their language remains %s",
			p.Language)
	}
	for _, v := range []*jsondoc.Value{speech.Get("model"), r.root.Get("vocabularies")} {
		if v != nil {
			r.warn(v, fault.CodeIgnored, "has no effect: the existing words are not recognised again")
		}
	}
}

// wordsGiven reports whether the words were supplied, now or for the result that is processed again.
func (r *resolver) wordsGiven() bool {
	return r.env.WordsGiven || r.env.TextGiven || r.env.Published != nil && r.env.Published.Given
}

// recognition selects the model for a language, from the named models or from all.
func (r *resolver) recognition(spoken, named *jsondoc.Value) *Recognition {
	recognition := &Recognition{}
	models := r.models(named)
	if models == nil {
		return recognition
	}
	m, language := pick(models, r.language)
	if language == "" {
		r.refuse(spoken, fault.CodeLanguage, "no speech engine on this server supports %s, only: %s", r.language,
			fault.List(languagesOf(models)))
	} else if !sameLanguage(language, r.language) {
		r.warn(spoken, fault.CodeLanguageApproximated, "%s is recognised with a model for %s", r.language, language)
	}
	recognition.Engine, recognition.Model, recognition.Language = m.Engine, m.Name, language
	return recognition
}

// models returns the installed models that match the configuration's model: an engine, a model, or engine/model; nil
// after adding a problem.
func (r *resolver) models(v *jsondoc.Value) []Model {
	name := strings.ToLower(strings.TrimSpace(v.Text()))
	if len(r.env.Models) == 0 {
		r.refuse(v, fault.CodeLanguage, "no speech engine is installed on this server; its operator can add one")
		return nil
	}
	if slices.Contains(publicModels, name) {
		r.warn(v, fault.CodeIgnored, "the engine %q belongs to another service; this server uses its own engine", v.Text())
		name = ""
	}
	var named []Model
	var known []string
	for _, m := range r.env.Models {
		full := strings.ToLower(m.Engine + "/" + m.Name)
		known = append(known, full)
		if name == "" || name == full || name == strings.ToLower(m.Engine) || name == strings.ToLower(m.Name) {
			named = append(named, m)
		}
	}
	if named == nil {
		r.refuse(v, fault.CodeEngine, "the speech engine %q is not installed; use one of: %s", clip(v.Text()),
			fault.List(known))
	}
	return named
}

// pick returns the first model for exactly the language, else the first for another variety of it, and the model's name
// of the language; "" if there is none.
func pick(models []Model, language string) (Model, string) {
	for _, same := range []func(a, b string) bool{sameLanguage, samePrimary} {
		for _, m := range models {
			for _, l := range m.Languages {
				if same(l, language) {
					return m, l
				}
			}
		}
	}
	return Model{}, ""
}

// sameLanguage compares languages, ignoring case and treating en-UK as en-GB.
func sameLanguage(a, b string) bool {
	fold := func(l string) string { return strings.Replace(strings.ToLower(l), "en-uk", "en-gb", 1) }
	return fold(a) == fold(b)
}

func samePrimary(a, b string) bool { return Primary(a) == Primary(b) }

func languagesOf(models []Model) []string {
	var all []string
	for _, m := range models {
		for _, l := range m.Languages {
			if !slices.Contains(all, l) {
				all = append(all, l)
			}
		}
	}
	return all
}

func (r *resolver) features(p *Plan, list *jsondoc.Value) {
	for _, v := range list.Items() {
		switch Feature(schema.At("speechModel", "features").Canonical(v.Text())) {
		case AdvancedPunctuation:
			p.Formatting.Punctuation = r.offers(AdvancedPunctuation, v, fault.CodeFeature)
		case VoiceFeatures:
			p.VoiceFeatures = r.offers(VoiceFeatures, v, fault.CodeFeature)
		case Diarization:
			p.Diarization = r.offers(Diarization, v, fault.CodeFeature)
		}
	}
}

// clip shortens user input for a message.
func clip(text string) string { return fault.Clip(text, 80) }
