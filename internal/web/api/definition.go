package api

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"parley/internal/call/codec"
	"parley/internal/call/definition"
	"parley/internal/call/plan"
	"parley/internal/call/wire"
	"parley/internal/flow/pipeline"
	"parley/internal/host/memory"
	"parley/internal/storage/store"
	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/jsondoc"
	"parley/internal/words/list"
	"parley/internal/words/vocabulary"
)

// collection serves one kind of definition: its methods are the handlers of the routes.
type collection[T any] struct {
	kind   definition.Kind
	param  string // path parameter that holds the name
	parse  func(name string, sent []byte) (T, error)
	encode func(*codec.Codec, T) []byte
	decode func(*codec.Codec, []byte) (T, error)
	one    func(T, definition.Definition) any // renders one definition
	list   func([]record[T]) any              // renders the list
	expand func([]record[T]) any              // renders the list in full, for expand=true; nil if list is already full

	// The following may be nil.
	check   func(context.Context, *Server, account.ID, T) error // finds further problems of what is saved
	allowed func(caller, T) error                               // refuses what a caller may not save
	seen    func(caller, T) T                                   // leaves out what a caller may not see
	builtIn *builtIn[T]
	// claim does additional work in the transaction of a change; its T is nil for a deletion.
	claim func(*store.Tx, account.ID, string, *T) error
}

// builtIn are the definitions of a kind that every account has, and that cannot be changed.
type builtIn[T any] struct {
	all    func(*store.Tx, account.ID) ([]T, error) // in the order of the list
	named  func(name string) bool                   // whether the name is kept for them
	name   func(T) string
	change func() error // refuses a change
}

// record is a saved definition. Its row has neither Sent nor Content.
type record[T any] struct {
	content T
	row     definition.Definition
}

// each renders a list of definitions.
func each[T, W any](all []record[T], render func(T, definition.Definition) W) []W {
	return list.Map(all, func(d record[T]) W { return render(d.content, d.row) })
}

// content renders a definition as it is, for each.
func content[T any](c T, _ definition.Definition) T { return c }

// read decodes a saved definition. The result counts towards the request's memory, and the same amount again for the
// answer made from it.
func (c collection[T]) read(ctx context.Context, s *Server, saved definition.Definition) (d record[T], err error) {
	unpacked := codec.Size(saved.Content)
	if err := memory.Take(ctx, unpacked); err != nil {
		return d, err
	}
	defer memory.Give(ctx, unpacked)
	if d.content, err = c.decode(s.Codec, saved.Content); err != nil {
		return d, fmt.Errorf("definition: %w", err)
	}
	d.row = saved
	d.row.Sent, d.row.Content = nil, nil // the sources that were decoded
	return d, memory.Take(ctx, 2*memory.Size(d.content))
}

// claims does the additional work of a change.
func (c collection[T]) claims(tx *store.Tx, owner account.ID, name string, content *T) error {
	if c.claim == nil {
		return nil
	}
	return c.claim(tx, owner, name, content)
}

// vocabularies are the custom vocabularies of accounts.
var vocabularies = collection[vocabulary.Vocabulary]{
	kind:   definition.Vocabulary,
	param:  "vocabularyName",
	parse:  definition.ParseVocabulary,
	encode: (*codec.Codec).EncodeVocabulary,
	decode: (*codec.Codec).DecodeVocabulary,
	one:    func(v vocabulary.Vocabulary, _ definition.Definition) any { return wire.NewVocabulary(v) },
	list:   func(all []record[vocabulary.Vocabulary]) any { return wire.NewVocabularies(each(all, content)) },
}

// routes returns the endpoints of the collection, which is at a path.
func (c collection[T]) routes(path string, scope account.Scope) []route {
	one := path + "/{" + c.param + "}"
	return []route{
		{"GET", path, scope, asJSON(c.getAll)},
		{"GET", one, scope, c.get},
		{"PUT", one, scope, c.put},
		{"DELETE", one, scope, withoutBody(c.delete)},
	}
}

// form chooses how to render the list for a request.
func (c collection[T]) form(query url.Values) (func([]record[T]) any, error) {
	value := query.Get("expand")
	switch {
	case strings.EqualFold(value, "true"):
		return c.expand, nil
	case strings.EqualFold(value, "false") || !query.Has("expand"):
		return c.list, nil
	}
	return nil, parameterFault("expand %q is invalid; use true or false", value)
}

// getAll lists all definitions of the account.
func (c collection[T]) getAll(s *Server, r *request) (any, error) {
	form, err := c.form(r.query)
	if err != nil {
		return nil, err
	}
	var own []T
	saved, err := store.Read(r.Context(), s.Store, func(tx *store.Tx) (_ []definition.Definition, err error) {
		if c.builtIn != nil {
			if own, err = c.builtIn.all(tx, r.who.Account.ID); err != nil {
				return nil, err
			}
		}
		return tx.Definitions(r.who.Account.ID, c.kind)
	})
	if err != nil {
		return nil, err
	}
	return work(r.Context(), func() (any, error) {
		all, err := c.readAll(r.Context(), s, saved)
		for i := range all {
			all[i].content = c.visible(r.who, all[i].content)
		}
		return form(append(list.Map(own, func(one T) record[T] { return record[T]{content: one} }), all...)), err
	})
}

// visible returns what a caller may see of a definition.
func (c collection[T]) visible(who caller, one T) T {
	if c.seen == nil {
		return one
	}
	return c.seen(who, one)
}

// readAll decodes saved definitions, and releases each of them after that.
func (c collection[T]) readAll(ctx context.Context, s *Server, saved []definition.Definition) ([]record[T], error) {
	all := make([]record[T], len(saved))
	for i, d := range saved {
		var err error
		if all[i], err = c.read(ctx, s, d); err != nil {
			return nil, err
		}
		saved[i] = definition.Definition{}
		memory.Give(ctx, int64(len(d.Sent)+len(d.Content)))
	}
	return all, nil
}

// get answers with one definition.
func (c collection[T]) get(s *Server, w http.ResponseWriter, r *request) error {
	if c.builtIn != nil && c.builtIn.named(r.PathValue(c.param)) {
		return c.getBuiltIn(s, w, r)
	}
	saved, err := store.Read(r.Context(), s.Store, func(tx *store.Tx) (definition.Definition, error) {
		return tx.Definition(r.who.Account.ID, c.kind, r.PathValue(c.param))
	})
	if err != nil {
		return err
	}
	return c.answer(s, w, r, saved)
}

// getBuiltIn answers with a definition that every account has. It has no version.
func (c collection[T]) getBuiltIn(s *Server, w http.ResponseWriter, r *request) error {
	all, err := store.Read(r.Context(), s.Store, func(tx *store.Tx) ([]T, error) {
		return c.builtIn.all(tx, r.who.Account.ID)
	})
	if err != nil {
		return err
	}
	name := r.PathValue(c.param)
	at := slices.IndexFunc(all, func(one T) bool { return c.builtIn.name(one) == name })
	if at < 0 {
		return definition.Unknown(c.kind, name)
	}
	writeJSON(w, http.StatusOK, c.one(all[at], definition.Definition{}))
	return nil
}

// put creates or replaces a definition, and answers with what is stored.
func (c collection[T]) put(s *Server, w http.ResponseWriter, r *request) error {
	owner := r.who.Account.ID
	sent, err := s.readDocument(r, definition.MaxBytes)
	if err != nil {
		return err
	}
	d := definition.Definition{Kind: c.kind, Name: r.PathValue(c.param), Sent: sent}
	parsed, err := work(r.Context(), func() (T, error) {
		parsed, err := c.parse(d.Name, sent)
		if err == nil {
			d.Content = c.encode(s.Codec, parsed)
		}
		return parsed, err
	})
	if c.check != nil {
		err = together(err, c.check(r.Context(), s, owner, parsed))
	}
	if err == nil && c.allowed != nil {
		err = c.allowed(r.who, parsed)
	}
	if err != nil {
		return err
	}
	var saved definition.Definition
	err = c.change(s, r, func(tx *store.Tx, expected int64) (err error) {
		there, err := tx.CountDefinitions(owner, c.kind, d.Name)
		if err != nil {
			return err
		}
		// replacing an existing definition is always allowed
		if _, err := tx.Definition(owner, c.kind, d.Name); fault.Is(err, fault.NotFound) {
			if err := s.roomFor(there, string(c.kind)); err != nil {
				return err
			}
		}
		if saved, err = tx.PutDefinition(owner, d, expected); err != nil {
			return err
		}
		return c.claims(tx, owner, d.Name, &parsed)
	})
	if err != nil {
		return err
	}
	return c.answer(s, w, r, saved)
}

// delete removes a definition. Recordings that were submitted with it keep the definition as it was then.
func (c collection[T]) delete(s *Server, r *request) error {
	owner, name := r.who.Account.ID, r.PathValue(c.param)
	return c.change(s, r, func(tx *store.Tx, expected int64) error {
		if err := tx.DeleteDefinition(owner, c.kind, name, expected); err != nil {
			return err
		}
		return c.claims(tx, owner, name, nil)
	})
}

// change runs a change of the definition in the path.
func (c collection[T]) change(s *Server, r *request, f func(tx *store.Tx, expected int64) error) error {
	if c.builtIn != nil && c.builtIn.named(r.PathValue(c.param)) {
		return c.builtIn.change()
	}
	return s.change(r, string(c.kind), func(tx *store.Tx) (int64, error) {
		present, err := tx.Definition(r.who.Account.ID, c.kind, r.PathValue(c.param))
		if fault.Is(err, fault.NotFound) {
			return definition.Absent, nil
		}
		return present.Version, err
	}, f)
}

func (c collection[T]) answer(s *Server, w http.ResponseWriter, r *request, saved definition.Definition) error {
	answer, err := work(r.Context(), func() (any, error) {
		d, err := c.read(r.Context(), s, saved)
		if err != nil {
			return nil, err
		}
		return c.one(c.visible(r.who, d.content), d.row), nil
	})
	if err == nil {
		w.Header().Set("ETag", versionTag(saved.Version))
		writeJSON(w, http.StatusOK, answer)
	}
	return err
}

// readDocument reads a JSON body of any Content-Type, since public clients send none. The memory for reading and
// parsing it counts towards the request.
func (s *Server) readDocument(r *request, limit int64) ([]byte, error) {
	text, err := s.readBody(r, limit)
	if err != nil {
		return nil, err
	}
	return text, hold(r.Context()).take(documentMemory(text))
}

// readObject parses a small JSON body of a shape; it returns nil for an empty one. code is that of other JSON and of
// syntax errors.
func (s *Server) readObject(r *request, shape jsondoc.Shape, code int, example string) (*jsondoc.Value, error) {
	sent, err := s.readDocument(r, mostStatement)
	if err != nil || len(bytes.TrimSpace(sent)) == 0 {
		return nil, err
	}
	return parseObject(sent, shape, code, example)
}

// parseObject parses a small JSON object of a shape, for readObject.
func parseObject(sent []byte, shape jsondoc.Shape, code int, example string) (*jsondoc.Value, error) {
	root, err := jsondoc.Parse(sent, jsondoc.Limits{Bytes: mostStatement, Depth: 8, Values: 100})
	if err != nil {
		return nil, fault.New(fault.Invalid, code, "the body is invalid JSON: %w; send an object such as %s", err, example)
	}
	return root, fault.All(fault.Invalid, jsondoc.Check(root, shape.Coded(code), jsondoc.Codes{
		Type: fault.CodeParameter, Unknown: fault.CodeUnknownProperty, Duplicate: fault.CodeDuplicateProperty,
	}))
}

// readBody reads a body that is not multipart into memory that counts towards the request.
func (s *Server) readBody(r *request, limit int64) ([]byte, error) {
	text, err := readHeld(hold(r.Context()), http.MaxBytesReader(nil, r.Body, limit), limit, s.UploadTime)
	if tooLarge, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return nil, fault.New(fault.TooLarge, fault.CodeTooLarge, "the body is larger than the limit of %d bytes",
			tooLarge.Limit)
	}
	if err != nil {
		return nil, bodyFault(err)
	}
	return text, nil
}

// mostReferences is how many names of one kind are looked up for a configuration: as many as an account can save.
const mostReferences = 1000

// definitions loads the current version of everything that a configuration refers to. Missing definitions are left out,
// and plan.Resolve reports them.
func (s *Server) definitions(ctx context.Context, owner account.ID, refs plan.References) (plan.Definitions, error) {
	var found plan.Definitions
	if len(refs.Detectors) > 0 {
		found.Detectors = pipeline.Detectors()
	}
	if len(refs.Vocabularies) == 0 && len(refs.Groups) == 0 && len(refs.Categories) == 0 &&
		len(refs.Classifiers) == 0 && len(refs.Keys) == 0 && !refs.AllCategories {
		return found, nil
	}
	err := s.Store.View(ctx, func(tx *store.Tx) (err error) {
		if found.Classifiers, err = s.referredClassifiers(tx, owner, refs.Classifiers); err != nil {
			return err
		}
		if found.Keys, err = referredKeys(tx, owner, refs.Keys); err != nil {
			return err
		}
		if found.Vocabularies, err = referred(ctx, s, tx, vocabularies, owner, refs.Vocabularies); err != nil {
			return err
		}
		if found.Groups, err = referredGroups(ctx, s, tx, owner, refs.Groups); err != nil {
			return err
		}
		found.Categories, err = referredCategories(ctx, s, tx, owner, refs)
		return err
	})
	return found, err
}

// referred loads the existing definitions of a kind among the given names.
func referred[T any](ctx context.Context, s *Server, tx *store.Tx, c collection[T], owner account.ID,
	names []string) ([]T, error) {
	var all []T
	for _, name := range names[:min(len(names), mostReferences)] {
		saved, err := tx.Definition(owner, c.kind, name)
		if fault.Is(err, fault.NotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		d, err := c.read(ctx, s, saved)
		if err != nil {
			return nil, err
		}
		all = append(all, d.content)
	}
	return all, nil
}
