package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
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
	"parley/internal/words/vocabulary"
)

// collection serves one kind of definition: its methods are the handlers of the routes.
type collection[T any] struct {
	kind   definition.Kind
	param  string // path parameter that holds the name
	parse  func(name string, sent []byte) (T, error)
	encode func(*codec.Codec, T) []byte
	decode func(*codec.Codec, []byte) (T, error)
	one    func(T) any   // renders one definition
	list   func([]T) any // renders the list
	expand func([]T) any // renders the list in full, for expand=true; nil if list is already full

	allowed func(caller, T) error            // refuses what a caller may not save; nil: everything is allowed
	stamped func(T, definition.Definition) T // adds the time of saving; nil where answers omit it
	// claim does additional work in the transaction of a change; its T is nil for a deletion. It may be nil.
	claim func(*store.Tx, account.ID, string, *T) error
}

// read decodes a saved definition. The result counts towards the request's memory, and the same amount again for the
// answer made from it.
func (c collection[T]) read(ctx context.Context, s *Server, saved definition.Definition) (content T, err error) {
	unpacked := codec.Size(saved.Content)
	if err := memory.Take(ctx, unpacked); err != nil {
		return content, err
	}
	defer memory.Give(ctx, unpacked)
	if content, err = c.decode(s.Codec, saved.Content); err != nil {
		return content, fmt.Errorf("definition: %w", err)
	}
	if err := memory.Take(ctx, 2*memory.Size(content)); err != nil {
		return content, err
	}
	if c.stamped != nil {
		saved.Sent, saved.Content = nil, nil // the sources that were decoded
		content = c.stamped(content, saved)
	}
	return content, nil
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
	one:    func(v vocabulary.Vocabulary) any { return wire.NewVocabulary(v) },
	list:   func(all []vocabulary.Vocabulary) any { return wire.NewVocabularies(all) },
}

// form chooses how to render the list for a request.
func (c collection[T]) form(r *http.Request) (func([]T) any, error) {
	if c.expand == nil {
		_, err := readQuery(r)
		return c.list, err
	}
	values, err := readQuery(r, "expand")
	if err != nil {
		return nil, err
	}
	value, err := single(values, "expand")
	switch {
	case err != nil:
		return nil, err
	case strings.EqualFold(value, "true"):
		return c.expand, nil
	case strings.EqualFold(value, "false") || !values.Has("expand"):
		return c.list, nil
	}
	return nil, parameterFault("expand %q is invalid; use true or false", value)
}

// getAll lists all definitions of the account.
func (c collection[T]) getAll(s *Server, w http.ResponseWriter, r *http.Request, who caller) error {
	form, err := c.form(r)
	if err != nil {
		return err
	}
	var saved []definition.Definition
	err = s.Store.View(r.Context(), func(tx *store.Tx) (err error) {
		saved, err = tx.Definitions(who.Account.ID, c.kind)
		return err
	})
	if err != nil {
		return err
	}
	answer, err := work(r.Context(), func() (any, error) {
		all := make([]T, len(saved))
		for i, d := range saved {
			if all[i], err = c.read(r.Context(), s, d); err != nil {
				return nil, err
			}
			saved[i] = definition.Definition{}
			memory.Give(r.Context(), int64(len(d.Sent)+len(d.Content)))
		}
		return form(all), nil
	})
	if err == nil {
		writeJSON(w, http.StatusOK, answer)
	}
	return err
}

// get answers with one definition.
func (c collection[T]) get(s *Server, w http.ResponseWriter, r *http.Request, who caller) error {
	if _, err := readQuery(r); err != nil {
		return err
	}
	var saved definition.Definition
	err := s.Store.View(r.Context(), func(tx *store.Tx) (err error) {
		saved, err = tx.Definition(who.Account.ID, c.kind, r.PathValue(c.param))
		return err
	})
	if err != nil {
		return err
	}
	return c.answer(s, w, r, saved)
}

// put creates or replaces a definition, and answers with what is stored.
func (c collection[T]) put(s *Server, w http.ResponseWriter, r *http.Request, who caller) error {
	if _, err := readQuery(r); err != nil {
		return err
	}
	sent, err := s.readDocument(w, r, definition.MaxBytes)
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
	if err == nil && c.allowed != nil {
		err = c.allowed(who, parsed)
	}
	if err != nil {
		return err
	}
	var saved definition.Definition
	err = c.change(s, r, who.Account.ID, d.Name, func(tx *store.Tx, expected int64) (err error) {
		there, err := tx.CountDefinitions(who.Account.ID, c.kind, d.Name)
		if err != nil {
			return err
		}
		// replacing an existing definition is always allowed
		if _, err := tx.Definition(who.Account.ID, c.kind, d.Name); fault.Is(err, fault.NotFound) {
			if err := s.roomFor(there, string(c.kind)); err != nil {
				return err
			}
		}
		if saved, err = tx.PutDefinition(who.Account.ID, d, expected); err != nil {
			return err
		}
		return c.claims(tx, who.Account.ID, d.Name, &parsed)
	})
	if err != nil {
		return err
	}
	return c.answer(s, w, r, saved)
}

// delete removes a definition. Recordings that were submitted with it keep the definition as it was then.
func (c collection[T]) delete(s *Server, w http.ResponseWriter, r *http.Request, who caller) error {
	if _, err := readQuery(r); err != nil {
		return err
	}
	name := r.PathValue(c.param)
	err := c.change(s, r, who.Account.ID, name, func(tx *store.Tx, expected int64) error {
		if err := tx.DeleteDefinition(who.Account.ID, c.kind, name, expected); err != nil {
			return err
		}
		return c.claims(tx, who.Account.ID, name, nil)
	})
	if err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// change runs a change of one definition, passing the version that the request's preconditions expect.
func (c collection[T]) change(
	s *Server, r *http.Request, owner account.ID, name string, f func(*store.Tx, int64) error,
) error {
	if unconditional(r) {
		return s.Store.Update(r.Context(), func(tx *store.Tx) error { return f(tx, definition.Any) })
	}
	return s.Store.Update(r.Context(), func(tx *store.Tx) error {
		present, err := tx.Definition(owner, c.kind, name)
		if fault.Is(err, fault.NotFound) {
			present.Version, err = definition.Absent, nil
		}
		if err != nil {
			return err
		}
		if !fulfilled(r, present.Version) {
			return fault.New(fault.Conflict, fault.CodePrecondition,
				"the %s does not satisfy If-Match or If-None-Match; read it again", c.kind)
		}
		return f(tx, present.Version)
	})
}

func (c collection[T]) answer(s *Server, w http.ResponseWriter, r *http.Request, saved definition.Definition) error {
	answer, err := work(r.Context(), func() (any, error) {
		content, err := c.read(r.Context(), s, saved)
		if err != nil {
			return nil, err
		}
		return c.one(content), nil
	})
	if err == nil {
		w.Header().Set("ETag", versionTag(saved.Version))
		writeJSON(w, http.StatusOK, answer)
	}
	return err
}

// readDocument reads a JSON body of any Content-Type, since public clients send none. The memory for reading and
// parsing it counts towards the request.
func (s *Server) readDocument(w http.ResponseWriter, r *http.Request, limit int64) ([]byte, error) {
	held := hold(r.Context())
	text, err := readHeld(held, http.MaxBytesReader(w, r.Body, limit), limit, s.UploadTime)
	if err != nil {
		return nil, documentFault(err)
	}
	return text, held.take(documentMemory(text))
}

// documentFault returns the error for a JSON body that could not be read.
func documentFault(err error) error {
	if tooLarge, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return fault.New(fault.TooLarge, fault.CodeTooLarge, "the body is larger than the limit of %d bytes", tooLarge.Limit)
	}
	return bodyFault(err)
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
		content, err := c.read(ctx, s, saved)
		if err != nil {
			return nil, err
		}
		all = append(all, content)
	}
	return all, nil
}
