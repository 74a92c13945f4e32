package pipeline

import (
	"parley/internal/call/definition"
	"parley/internal/storage/store"
	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// index makes a finished item searchable by the metadata fields that its account has defined now, whatever it defines
// later.
func (p *Pipeline) index(tx *store.Tx, owner account.ID, id media.ID) error {
	saved, err := tx.Definition(owner, definition.SearchField, definition.SearchFieldsName)
	if fault.Is(err, fault.NotFound) {
		return tx.SetSearchFields(id, nil)
	}
	if err != nil {
		return err
	}
	fields, err := p.Codec.DecodeSearchFields(saved.Content)
	if err != nil {
		return err
	}
	return tx.SetSearchFields(id, fields)
}

// show lets queries find a failed item if its request asks for it. An item whose request cannot be compiled is not
// found.
func (p *Pipeline) show(tx *store.Tx, owner account.ID, id media.ID) error {
	kept, _, err := tx.Request(id)
	if err != nil {
		return err
	}
	shown := false
	if source, err := p.Codec.DecodeSource(kept); err == nil {
		asked, err := source.Compile(p.Environment())
		shown = err == nil && asked.Searchable
	}
	return tx.ShowFailed(owner, id, shown)
}
