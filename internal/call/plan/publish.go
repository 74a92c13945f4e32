package plan

import (
	"cmp"
	"slices"
	"strings"

	"parley/internal/words/fault"
	"parley/internal/words/jsondoc"
)

// publish resolves the settings of results: search, delivery and encryption.
func (r *resolver) publish(p *Plan) {
	p.Callbacks = r.callbacks()
	p.Transcode = r.transcode()
	searchable := r.root.Get("searchability", "searchable")
	indexing := r.root.Get("publish", "enableAnalyticIndexing")
	index := indexing.Bool() || strings.EqualFold(indexing.Text(), "true")
	if sealed := r.root.Get("encryption"); sealed != nil {
		p.Sealing = r.sealing(sealed)
		r.warnSealed(searchable, searchable.Bool())
		r.warnSealed(indexing, index)
		return
	}
	p.Searchable = searchable == nil || searchable.Bool()
	p.Analytic = index && r.offers(AnalyticIndexing, indexing, fault.CodeFeature)
}

func (r *resolver) warnSealed(v *jsondoc.Value, asked bool) {
	if asked {
		r.warn(v, fault.CodeIgnored, "encrypted media cannot be searched or indexed; treated as false")
	}
}

// sealing finds the encryption key. A server without encryption rejects the request, so that nothing is stored in plain
// text by mistake.
func (r *resolver) sealing(v *jsondoc.Value) *Key {
	if v.Kind() != jsondoc.Object {
		return nil
	}
	if _, built := r.env.Built[Encryption]; !built {
		r.refuse(v, fault.CodeNotBuilt,
			"this version does not support encryption and rejects recordings that need it")
		return nil
	}
	if r.env.Clear {
		r.refuse(v, fault.CodeConfiguration,
			"encryption can only be requested at upload; send the recording again to /v3/media with encryption, and "+
				"delete this one")
		return nil
	}
	id := v.Get("publicKeyId")
	if id == nil {
		r.refuse(v, fault.CodeConfiguration,
			"has no publicKeyId; upload a key under /v3/security/public-keys and use its id")
		return nil
	}
	at := slices.IndexFunc(r.env.Definitions.Keys, func(k Key) bool { return strings.EqualFold(k.ID, id.Text()) })
	if at < 0 {
		if id.Kind() == jsondoc.String {
			r.refuse(id, fault.CodeDefinition,
				"there is no public key %q; upload it first under /v3/security/public-keys", clip(id.Text()))
		}
		return nil
	}
	key := &r.env.Definitions.Keys[at]
	if key.Problem != nil {
		r.refuse(id, fault.CodePublicKey, "public key %s: %v", key.ID, key.Problem)
	}
	return key
}

// codecs lists the codecs of each file format; the first is the default.
var codecs = map[string][]string{
	"wav":  {"pcm"},
	"mp3":  {"mp3"},
	"flac": {"flac"},
	"opus": {"opus"},
	"ogg":  {"vorbis", "opus", "flac"},
}

func (r *resolver) transcode() *Transcode {
	v := r.root.Get("publish", "audioTranscode")
	if v.Kind() != jsondoc.Object {
		return nil
	}
	shape := schema.At("publish", "audioTranscode")
	t := &Transcode{OnlyIfRedacted: v.Get("onlyIfRedacted").Bool(),
		Format: shape.At("fileFormat").Canonical(v.Get("fileFormat").Text())}
	t.Format = cmp.Or(t.Format, "wav")
	t.Codec = codecs[t.Format][0]
	if codec := shape.At("codec").Canonical(v.Get("codec").Text()); codec != "" {
		t.Codec = codec
		if !slices.Contains(codecs[t.Format], codec) {
			r.refuse(v.Get("codec"), fault.CodeConfiguration, "%q is not a codec of %s files; use one of %s", codec,
				t.Format, fault.List(codecs[t.Format]))
		}
	}
	if !r.offers(AudioTranscode, v, fault.CodeFeature) {
		return nil
	}
	return t
}
