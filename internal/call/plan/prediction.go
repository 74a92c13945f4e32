package plan

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"parley/internal/analysis/detect"
	"parley/internal/words/fault"
	"parley/internal/words/jsondoc"
)

var uuid = regexp.MustCompile(`^(?i)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)

// predictorKind holds the differences between classifiers and detectors.
type predictorKind struct {
	feature              Feature
	word, id, name       string
	unnamed, badID, none int
	parameters           map[string][]string // allowed values by name
}

func classifierKind() predictorKind {
	return predictorKind{Classifiers, "classifier", "classifierId", "classifierName",
		fault.CodeClassifierUnnamed, fault.CodeClassifierID, fault.CodeClassifierLanguage, nil}
}

func detectorKind() predictorKind {
	return predictorKind{Detectors, "detector", "detectorId", "detectorName",
		fault.CodeDetectorUnnamed, fault.CodeDetectorID, fault.CodeDetectorLanguage,
		map[string][]string{detect.LevelParameter: detect.Levels()}}
}

func (r *resolver) classifiers() []Prediction {
	list := r.root.Get("prediction", "classifiers")
	kind := classifierKind()
	offered := list != nil && r.offers(kind.feature, list, kind.none)
	var asked []Prediction
	for _, v := range list.Items() {
		parameters := r.parameters(v.Get("parameters"), kind)
		if found, ok := r.predictor(v, kind, r.env.Definitions.Classifiers, offered); ok {
			asked = append(asked, Prediction{found, parameters})
		}
	}
	return asked
}

func (r *resolver) detectors() []Detection {
	list := r.root.Get("prediction", "detectors")
	kind := detectorKind()
	offered := list != nil && r.offers(kind.feature, list, kind.none)
	var asked []Detection
	for _, v := range list.Items() {
		parameters := r.parameters(v.Get("parameters"), kind)
		redactor := r.redactor(believed(v, "redactor"))
		if found, ok := r.predictor(v, kind, r.env.Definitions.Detectors, offered); ok {
			asked = append(asked, Detection{found, parameters, redactor})
		}
	}
	return asked
}

// predictor finds the classifier or detector that an element refers to by id or name. If the feature is not offered, it
// only validates the syntax of the reference.
func (r *resolver) predictor(v *jsondoc.Value, kind predictorKind, saved []Predictor, offered bool) (Predictor, bool) {
	id, name := v.Get(kind.id), v.Get(kind.name)
	switch {
	case v.Kind() != jsondoc.Object:
		return Predictor{}, false
	case id == nil && name == nil:
		r.refuse(v, kind.unnamed, "has neither %s nor %s; add one of them", kind.id, kind.name)
		return Predictor{}, false
	case id.Kind() == jsondoc.String && !uuid.MatchString(id.Text()):
		r.refuse(id, kind.badID, "%q is not a UUID; correct it, or use %s", clip(id.Text()), kind.name)
		return Predictor{}, false
	case !offered:
		return Predictor{}, false
	}
	version := v.Get("version").Text()
	pending := false
	for _, p := range saved {
		if (id == nil || strings.EqualFold(p.ID, id.Text())) &&
			(name == nil || strings.EqualFold(p.Name, name.Text())) && satisfies(p.Version, version) &&
			p.Languages.has(r.language) {
			if !p.Pending {
				return p, true
			}
			pending = true
		}
	}
	if pending {
		r.refuse(v, fault.CodeClassifierNotReady,
			"the %s%s is not trained yet or its training failed; use it when its status is ready", kind.word,
			ofVersion(version))
		return Predictor{}, false
	}
	r.refuse(v, kind.none, "no such %s for the language %s%s; see /v3/definition/prediction/%ss", kind.word, r.language,
		ofVersion(version), kind.word)
	return Predictor{}, false
}

func ofVersion(wanted string) string {
	if wanted == "" {
		return ""
	}
	return " in version " + clip(wanted)
}

// satisfies reports whether a version matches the requested one: any ("" or latest), exactly one (3.1.3), or at least
// one (3.1+).
func satisfies(version, wanted string) bool {
	if wanted == "" || strings.EqualFold(wanted, "latest") {
		return true
	}
	least, atLeast := strings.CutSuffix(wanted, "+")
	if !atLeast {
		return version == wanted
	}
	have, want := strings.Split(version, "."), strings.Split(least, ".")
	for i := range want {
		h := 0
		if i < len(have) {
			h, _ = strconv.Atoi(have[i])
		}
		if w, err := strconv.Atoi(want[i]); err != nil || h != w {
			return err == nil && h > w
		}
	}
	return true
}

// parameters reads a list of {parameter, value} and rejects unknown ones.
func (r *resolver) parameters(list *jsondoc.Value, kind predictorKind) map[string]string {
	parameters := map[string]string{}
	for _, v := range list.Items() {
		name, value := v.Get("parameter"), v.Get("value")
		known, values := match(kind.parameters, name.Text())
		chosen, ok := oneOf(values, value.Text())
		switch {
		case v.Kind() != jsondoc.Object || name != nil && name.Kind() != jsondoc.String:
		case name == nil || value == nil:
			r.refuse(v, fault.CodeConfiguration, "parameter and value are both required")
		case known == "" && kind.parameters == nil:
			r.warn(v, fault.CodeIgnored, "a %s of this server has no parameter %q; it has no effect", kind.word,
				clip(name.Text()))
		case known == "":
			r.refuse(name, fault.CodeConfiguration, "a %s has no parameter %q; leave it out", kind.word,
				clip(name.Text()))
		case !ok && value.Kind() == jsondoc.String:
			r.refuse(value, fault.CodeConfiguration, "%q is not a valid %s; use one of %s", clip(value.Text()), known,
				fault.List(values))
		}
		if ok {
			parameters[known] = chosen
		}
	}
	return parameters
}

func match(parameters map[string][]string, name string) (string, []string) {
	for known, values := range parameters {
		if strings.EqualFold(known, name) {
			return known, values
		}
	}
	return "", nil
}

func oneOf(values []string, text string) (string, bool) {
	at := slices.IndexFunc(values, func(v string) bool { return strings.EqualFold(v, text) })
	if at < 0 {
		return "", false
	}
	return values[at], true
}

// believed returns a member of an object; if there is none, the last member with that name whose value is an object
// with only null members. A client that sends such a redactor, or such a half of one, expects redaction, so the request
// must be rejected if it would have no effect.
func believed(v *jsondoc.Value, name string) *jsondoc.Value {
	if m := v.Get(name); m != nil {
		return m
	}
	for _, m := range slices.Backward(v.Members()) {
		if m.Name() == name && m.Kind() == jsondoc.Object {
			return m
		}
	}
	return nil
}

// redactor resolves the redaction of findings. A server without redaction rejects any redactor.
func (r *resolver) redactor(v *jsondoc.Value) *Redactor {
	if v.Kind() != jsondoc.Object {
		return nil
	}
	_, built := r.env.Built[Redaction]
	if _, finds := r.env.Built[Detectors]; !built || !finds {
		r.refuse(v, fault.CodeNotBuilt,
			"this version does not support redaction and rejects recordings that need it")
		return nil
	}
	if v.Get("transcript") == nil && v.Get("audio") == nil {
		r.refuse(v, fault.CodeRedactorEmpty, "has neither transcript nor audio; add one or both")
		return nil
	}
	text, audio := believed(v, "transcript"), believed(v, "audio")
	redactor := &Redactor{}
	if text != nil && r.offers(Redaction, text, fault.CodeRedactTranscript) {
		redactor.Transcript = r.textRedactor(text)
	}
	if audio != nil && r.offers(Redaction, audio, fault.CodeRedactAudio) {
		redactor.Audio = r.audioRedactor(audio)
	}
	return redactor
}

func (r *resolver) textRedactor(v *jsondoc.Value) *TranscriptRedactor {
	replacement := v.Get("replacement")
	if v.Kind() == jsondoc.Object &&
		(replacement == nil || replacement.Kind() == jsondoc.String && strings.TrimSpace(replacement.Text()) == "") {
		r.refuse(v, fault.CodeRedactorProperty, "has no replacement; add one such as [redacted]")
	}
	return &TranscriptRedactor{replacement.Text()}
}

func (r *resolver) audioRedactor(v *jsondoc.Value) *AudioRedactor {
	tone, gain := v.Get("tone"), v.Get("gain")
	if v.Kind() == jsondoc.Object && (tone == nil || gain == nil) {
		r.refuse(v, fault.CodeRedactorProperty, "needs both tone (20 to 20000 Hz) and gain (0 to 1)")
	}
	hertz, whole := tone.Int()
	if whole && (hertz < 20 || hertz > 20_000) {
		r.refuse(tone, fault.CodeRedactorProperty, "%d is out of range; use 20 to 20000 Hz", hertz)
	}
	if gain.Float() < 0 || gain.Float() > 1 {
		r.refuse(gain, fault.CodeRedactorProperty, "%s is out of range; use 0 to 1", clip(string(gain.Bytes())))
	}
	return &AudioRedactor{Tone: int(hertz), Gain: gain.Float()}
}
