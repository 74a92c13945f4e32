package wire

import (
	"net/url"

	"parley/internal/analysis/category"
	"parley/internal/call/definition"
	"parley/internal/words/list"
	"parley/internal/words/transcript"
)

// Category is a saved category.
type Category struct {
	Links        Links    `json:"_links"`
	Name         string   `json:"categoryName"`
	Description  string   `json:"categoryDescription"` // empty if there is none
	Query        string   `json:"query"`
	Notes        string   `json:"notes,omitempty"`
	Tags         []string `json:"tags,omitempty"`
	Version      string   `json:"version,omitempty"`
	Collection   string   `json:"collectionName,omitempty"`
	DateCreated  Time     `json:"dateCreated"`
	DateModified Time     `json:"dateModified"`
}

// NewCategory returns the representation of a category; d has its dates.
func NewCategory(c definition.Category, d definition.Definition) Category {
	return Category{
		Links: self("definition", "categories", url.PathEscape(c.Name)), Name: c.Name, Description: c.Description,
		Query: c.Query, Notes: c.Notes, Tags: c.Tags, Version: c.Version, Collection: c.Collection,
		DateCreated: Time{d.Created}, DateModified: Time{d.Modified},
	}
}

// CategoryName is a category in the short list.
type CategoryName struct {
	Name        string `json:"categoryName"`
	Description string `json:"categoryDescription"` // empty if there is none
}

// CategoryNames is the short list of all categories of an account.
type CategoryNames struct {
	Links      Links          `json:"_links"`
	Categories []CategoryName `json:"categories"`
}

// NewCategoryNames returns the short list of categories: only names and descriptions.
func NewCategoryNames(all ...definition.Category) CategoryNames {
	return CategoryNames{self("definition", "categories"),
		list.Map(all, func(c definition.Category) CategoryName { return CategoryName{c.Name, c.Description} })}
}

// Categories is the full list of all categories of an account.
type Categories struct {
	Links      Links      `json:"_links"`
	Categories []Category `json:"categories"`
}

// NewCategories returns the full list of categories.
func NewCategories(all ...Category) Categories {
	return Categories{Links: self("definition", "categories"), Categories: append([]Category{}, all...)}
}

// CategoryResult states whether a category matches a media item.
type CategoryResult struct {
	CategoryName    string          `json:"categoryName"`
	CategoryValue   int             `json:"categoryValue"` // 1 or 0
	CategoryMatches []SpeakerPlaces `json:"categoryMatches,omitempty"`
}

// SpeakerPlaces lists the places at which a speaker says something.
type SpeakerPlaces struct {
	SpeakerName string  `json:"speakerName"` // empty for silence and overtalk
	Occurrences []Place `json:"occurrences"`
}

// Place is a time interval and the words said in it.
type Place struct {
	S     int64  `json:"s"` // ms
	E     int64  `json:"e"` // ms
	Exact string `json:"exact"`
}

func newCategoryResults(t *transcript.Transcript, found []category.Result) []CategoryResult {
	if found == nil {
		return nil
	}
	return list.Map(found, func(f category.Result) CategoryResult {
		r := CategoryResult{CategoryName: f.Name, CategoryMatches: newSpeakerPlaces(t, f.Hits)}
		if f.Matched {
			r.CategoryValue = 1
		}
		return r
	})
}

// newSpeakerPlaces groups hits by speaker, in the order of their first hits.
func newSpeakerPlaces(t *transcript.Transcript, hits []category.Hit) []SpeakerPlaces {
	var list []SpeakerPlaces
	at := map[int]int{}
	for _, h := range hits {
		i, ok := at[h.Speaker]
		if !ok {
			i = len(list)
			at[h.Speaker] = i
			list = append(list, SpeakerPlaces{SpeakerName: speakerName(t, h.Speaker)})
		}
		list[i].Occurrences = append(list[i].Occurrences, Place{ms(h.Start), ms(h.End), h.Exact})
	}
	return list
}

// speakerName returns the name of a speaker, or "" for silence and overtalk.
func speakerName(t *transcript.Transcript, i int) string {
	if i < 0 || i >= len(t.Speakers) {
		return ""
	}
	return t.Speakers[i].Name
}

// Apply is the progress of applying a category to stored calls.
type Apply struct {
	Links        Links  `json:"_links"`
	CategoryName string `json:"categoryName"`
	Query        string `json:"query"`  // as evaluated
	Status       string `json:"status"` // running, finished or failed
	Calls        int64  `json:"calls"`
	Done         int64  `json:"done"`
	Matched      *int64 `json:"matched,omitempty"` // nil for callers without permission to see figures
	Percent      int    `json:"percent"`
	DateStarted  Time   `json:"dateStarted"`
	DateFinished Time   `json:"dateFinished,omitzero"`
}

// NewApply adds the links and the percentage.
func NewApply(a Apply) Apply {
	a.Links = self("definition", "categories", url.PathEscape(a.CategoryName), "apply")
	a.Percent = percentOf(a.Status, a.Done, a.Calls)
	return a
}

// percentOf returns how far a job is that goes through many rows: 100 when it has finished, and less before.
func percentOf(status string, done, total int64) int {
	if status == "finished" || total == 0 {
		return 100
	}
	return int(min(99, 100*done/total))
}
