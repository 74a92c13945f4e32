package account

import (
	"parley/internal/words/fault"
	"parley/internal/words/jsondoc"
)

// MaxSignInBytes bounds a request to sign in.
const MaxSignInBytes = 4 << 10

// SignIn is a request to sign in; exactly one of its fields is set. Neither may be logged.
type SignIn struct {
	Key  string // secret of a token
	Link string // secret of a one-time link
}

var signInShape = jsondoc.Fields(
	jsondoc.Field{Name: "key", Shape: jsondoc.Text()},
	jsondoc.Field{Name: "link", Shape: jsondoc.Text()},
)

// ParseSignIn parses a request to sign in: {key} or {link}. Messages of its errors do not quote the values.
func ParseSignIn(sent []byte) (SignIn, error) {
	const remedy = `send {"key":"…"} with a key, or {"link":"…"} with the secret of a one-time link`
	root, err := jsondoc.Parse(sent, jsondoc.Limits{Bytes: MaxSignInBytes, Depth: 2, Values: 10})
	if err != nil {
		return SignIn{}, fault.New(fault.Invalid, fault.CodeSignIn, "the body is invalid JSON; %s", remedy)
	}
	problems := jsondoc.Check(root, signInShape, jsondoc.Codes{
		Type: fault.CodeSignIn, Unknown: fault.CodeUnknownProperty, Duplicate: fault.CodeDuplicateProperty,
		Private: true,
	})
	if err := fault.All(fault.Invalid, problems); err != nil {
		return SignIn{}, err
	}
	s := SignIn{Key: root.Get("key").Text(), Link: root.Get("link").Text()}
	if (s.Key == "") == (s.Link == "") {
		return SignIn{}, fault.New(fault.Invalid, fault.CodeSignIn, "the body needs either key or link; %s", remedy)
	}
	return s, nil
}
