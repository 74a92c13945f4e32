package plan

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"parley/internal/call/delivery"
	"parley/internal/words/fault"
	"parley/internal/words/jsondoc"
	"parley/internal/words/media"
)

// maxCallbacks is the maximum number of callbacks in one configuration.
const maxCallbacks = 100

// callbacks resolves all deliveries. It validates them even if the server does not support callbacks.
func (r *resolver) callbacks() []delivery.Callback {
	list := r.root.Get("publish", "callbacks")
	if n := len(list.Items()); n > maxCallbacks {
		r.refuse(list, fault.CodeConfiguration, "has %d callbacks; at most %d are allowed", n, maxCallbacks)
		return nil
	}
	var callbacks []delivery.Callback
	for _, v := range list.Items() {
		if v.Kind() == jsondoc.Object {
			callbacks = append(callbacks, r.callback(v))
		}
	}
	if callbacks == nil || !r.offers(Callbacks, list, fault.CodeFeature) {
		return nil
	}
	return callbacks
}

func (r *resolver) callback(v *jsondoc.Value) delivery.Callback {
	c := delivery.Callback{
		URL:    v.Get("url").Text(),
		Method: cmp.Or(callbackShape.At("method").Canonical(v.Get("method").Text()), "POST"),
		Type:   cmp.Or(callbackShape.At("type").Canonical(v.Get("type").Text()), delivery.Types[0].Name),
		Format: callbackShape.At("format").Canonical(v.Get("format").Text()),
		Stream: callbackShape.At("stream").Canonical(v.Get("stream").Text()),
	}
	for _, section := range v.Get("include").Items() {
		if name := callbackShape.At("include").Canonical(section.Text()); name != "" &&
			!slices.Contains(c.Include, name) {
			c.Include = append(c.Include, name)
		}
	}
	r.storage(v)
	r.properties(v, c.Type)
	r.stream(v.Get("stream"), c)
	r.address(v, c)
	return c
}

// storage rejects deliveries into a bucket by a role of its owner, because they are not supported and nothing would
// arrive.
func (r *resolver) storage(v *jsondoc.Value) {
	for _, name := range []string{"role", "prependFolder"} {
		if at := v.Get(name); at != nil {
			r.refuse(at, fault.CodeUnknownProperty, "this server does not support roles of storage services; "+
				"leave %s out, and use a pre-signed https address with method PUT", name)
		}
	}
}

// properties checks the properties of a callback: each type allows only its own.
func (r *resolver) properties(v *jsondoc.Value, kind string) {
	if t := v.Get("type"); t != nil && callbackShape.At("type").Canonical(t.Text()) == "" {
		return
	}
	for _, own := range delivery.Types {
		name := own.Property
		switch {
		case own.Name != kind && v.Get(name) != nil:
			r.refuse(v.Get(name), fault.CodeCallbackNotAllowed,
				"a callback of type %s has no %s; leave it out, or use type %s",
				kind, name, own.Name)
		case own.Name == kind && own.Required && v.Get(name) == nil:
			r.refuse(v, fault.CodeCallbackMissing, "a callback of type %s needs %s; use one of %s", kind, name,
				fault.List(callbackShape.At(name).Names()))
		}
	}
}

// stream rejects a stream that the item will not have. It accepts configurations that were accepted before.
func (r *resolver) stream(v *jsondoc.Value, c delivery.Callback) {
	has := r.streams()
	switch {
	case c.Type != delivery.Media || c.Stream == "" || r.env.Accepted || slices.Contains(has, c.Stream):
	case len(has) == 0:
		r.refuse(v, fault.CodeCallbackFormat, "the recording is no longer stored; remove the callback")
	case c.Stream == media.RedactedAudio:
		r.refuse(v, fault.CodeCallbackFormat,
			"%s exists only with audio redaction; request it in a detector's redactor, or use %s",
			media.RedactedAudio, media.Original)
	default:
		r.refuse(v, fault.CodeCallbackFormat, "audio redaction deletes the stream %s; use %s",
			media.Original, media.RedactedAudio)
	}
}

// streams returns the names of the streams that the item will have.
func (r *resolver) streams() []string {
	redacted := slices.ContainsFunc(r.root.Get("prediction", "detectors").Items(), func(d *jsondoc.Value) bool {
		return d.Get("redactor", "audio") != nil
	})
	switch {
	case redacted:
		return []string{media.RedactedAudio}
	case r.env.Streams != nil:
		return r.env.Streams
	}
	return []string{media.Original}
}

// address validates the URL. Messages omit its query, which may contain a signature.
func (r *resolver) address(v *jsondoc.Value, c delivery.Callback) {
	at := v.Get("url")
	if at == nil || at.Kind() == jsondoc.String && strings.TrimSpace(c.URL) == "" {
		r.refuse(v, fault.CodeCallbackURL, "has no url; add the https address to deliver to")
		return
	}
	if at.Kind() != jsondoc.String {
		return
	}
	u, err := url.Parse(c.URL)
	switch {
	case err != nil || u.Host == "" && (u.Scheme == "https" || u.Scheme == "http"):
		r.refuse(at, fault.CodeCallbackProtocol, "is not a valid address; use one such as https://example.com/path")
	case u.Scheme == "http" && !r.env.Callbacks.AllowHTTP:
		r.refuse(at, fault.CodeCallbackProtocol,
			"the protocol \"http\" is not allowed; use an https address, or start the server with "+
				"--allow-insecure-callbacks")
	case u.Scheme != "https" && u.Scheme != "http":
		r.refuse(at, fault.CodeCallbackProtocol, "the protocol %q is not supported; use an https address",
			clip(u.Scheme))
	default:
		r.permitted(at, u)
		r.presigned(at, u, c)
	}
}

func (r *resolver) permitted(at *jsondoc.Value, u *url.URL) {
	if r.env.Callbacks.Check == nil {
		return
	}
	if err := r.env.Callbacks.Check(u); err != nil {
		r.refuse(at, fault.CodeCallbackProtocol, "deliveries to %s are not allowed: %v", clip(u.Hostname()), err)
	}
}

// presigned checks a pre-signed storage URL against the content type of the delivery. The older kind of signature
// (AWSAccessKeyId, Signature) always covers the content type, so the URL must name it; the newer kind may name it.
func (r *resolver) presigned(at *jsondoc.Value, u *url.URL, c delivery.Callback) {
	query := map[string]string{}
	for name, values := range u.Query() {
		query[strings.ToLower(name)] = values[0]
	}
	_, older := query["awsaccesskeyid"]
	_, newer := query["x-amz-signature"]
	named, given := query["content-type"]
	want := c.ContentType(r.root.Get("encryption") != nil)
	switch {
	case !older && !newer || want == "":
	case older && !given:
		r.refuse(at, fault.CodeCallbackNoMediaType,
			"the pre-signed address has no content type; sign it for %s and add Content-Type to its query", want)
	case given && !strings.EqualFold(named, want):
		r.refuse(at, fault.CodeCallbackMediaType, "the pre-signed address is for content type %q; sign it for %s",
			clip(named), want)
	}
}
