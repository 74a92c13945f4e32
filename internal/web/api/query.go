package api

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"parley/internal/call/caption"
	"parley/internal/call/wire"
	"parley/internal/query"
	"parley/internal/query/fulltext"
	"parley/internal/storage/store"
	"parley/internal/words/fault"
	"parley/internal/words/media"
	"parley/internal/words/storable"
)

// repeatable lists the parameters that may have several values.
var repeatable = []string{"extendedFilter", "includeAlternateFormat", "omit"}

// repeated marks a parameter in the table of routes that may have several values there, and not in other routes.
const repeated = "*"

// readQuery parses a query string by hand: net/url drops pairs that contain a semicolon, and filters need them. It
// refuses unknown parameters, and several values of a parameter that takes one.
func readQuery(r *http.Request, known ...string) (url.Values, error) {
	values := url.Values{}
	for pair := range strings.SplitSeq(r.URL.RawQuery, "&") {
		if pair == "" {
			continue
		}
		rawName, rawValue, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(rawName)
		value, err2 := url.QueryUnescape(rawValue)
		if err != nil || err2 != nil || !storable.Text(name) || !storable.Text(value) {
			return nil, parameterFault("query parameter %.80q is malformed; percent-encode text in UTF-8, without the "+
				"character U+0000", pair)
		}
		several := slices.Contains(known, name+repeated)
		if !several && !slices.Contains(known, name) {
			return nil, parameterFault("unknown query parameter %q; known here: %s", name,
				cmp.Or(strings.ReplaceAll(strings.Join(known, ", "), repeated, ""), "none"))
		}
		if values.Has(name) && !several && !slices.Contains(repeatable, name) {
			return nil, parameterFault("query parameter %s is given more than once; give it once", name)
		}
		values.Add(name, value)
	}
	return values, nil
}

func parameterFault(format string, args ...any) error {
	return fault.New(fault.Invalid, fault.CodeParameter, format, args...)
}

// eachParameter passes the given parameters that take one value to a function, in the order of names.
func eachParameter(values url.Values, names []string, set func(name, value string) error) error {
	for _, name := range names {
		if !values.Has(name) || slices.Contains(repeatable, name) {
			continue
		}
		value := values.Get(name)
		if value == "" {
			return parameterFault("query parameter %s is empty; give a value or leave it out", name)
		}
		if err := set(name, value); err != nil {
			return err
		}
	}
	return nil
}

// Limits of a page of the media list.
const (
	defaultLimit = 100
	maxLimit     = 1000
)

// listQuery holds the parsed parameters of the media list.
type listQuery struct {
	store.MediaFilter
	Query    query.Condition // nil: no query
	Extended []string        // metadata filters as sent, each with a colon or semicolon
}

var listParameters = []string{"query", "externalId", "extendedFilter", "status", "onOrAfterDate", "onOrBeforeDate",
	"after", "before", "limit", "sortOrder"}

// readList parses the parameters of the media list.
func readList(values url.Values) (q listQuery, err error) {
	q.Limit = defaultLimit
	if q.Extended, err = readExtended(values["extendedFilter"]); err != nil {
		return q, err
	}
	err = eachParameter(values, listParameters, q.set)
	return q, err
}

func (q *listQuery) set(name, value string) (err error) {
	switch name {
	case "query":
		q.Query, err = fulltext.Parse(value)
	case "externalId":
		q.ExternalID = value // leading and trailing spaces are significant
	case "status":
		q.Status, err = readStatus(value)
	case "onOrAfterDate":
		q.From, _, err = readDate(name, value)
	case "onOrBeforeDate":
		_, q.Until, err = readDate(name, value)
	case "after":
		q.After, err = readBound(name, value)
	case "before":
		q.Before, err = readBound(name, value)
	case "limit":
		q.Limit, err = readLimit(value)
	case "sortOrder":
		q.Ascending, err = readSort(value)
	}
	return err
}

// readExtended checks metadata filters, which may be repeated.
func readExtended(sent []string) ([]string, error) {
	if len(sent) > maxFilters {
		return nil, parameterFault("%d extendedFilter parameters; the maximum is %d", len(sent), maxFilters)
	}
	for _, text := range sent {
		if strings.IndexAny(text, ":;") < 1 {
			return nil, parameterFault("extendedFilter %.80q is invalid; write the name of a field, a colon and a value, "+
				"such as campaignId:4711", text)
		}
	}
	return sent, nil
}

func readStatus(value string) (media.Status, error) {
	status := media.Status(strings.ToLower(value))
	if !slices.Contains(media.Statuses, status) {
		return "", parameterFault("status %q is unknown; use accepted, scheduled, running, finished, failed or "+
			"rejected", value)
	}
	return status, nil
}

func readBound(name, value string) (media.ID, error) {
	id, err := media.ParseID(value)
	if err != nil {
		return "", parameterFault("%s %q is not a media id", name, value)
	}
	return id, nil
}

func readLimit(value string) (int, error) {
	n, err := strconv.Atoi(value)
	if err != nil || n < 1 || n > maxLimit {
		return 0, parameterFault("limit %q is invalid; use a number from 1 to %d", value, maxLimit)
	}
	return n, nil
}

func readSort(value string) (ascending bool, err error) {
	switch strings.ToLower(value) {
	case "asc":
		return true, nil
	case "desc":
		return false, nil
	}
	return false, parameterFault("sortOrder %q is invalid; use asc or desc", value)
}

// readDate parses a day in UTC or an instant, and returns the first and the last millisecond that it covers.
func readDate(name, value string) (first, last time.Time, err error) {
	// An unencoded plus sign in a query arrives as a space.
	first, last, ok := wire.ParseDate(strings.ReplaceAll(value, " ", "+"))
	if !ok {
		return first, last, parameterFault("%s %q is an invalid date or time; use YYYY-MM-DD or an ISO 8601 time such "+
			"as 2026-11-20T07:15:02Z", name, value)
	}
	return first, last, nil
}

// readFormats parses includeAlternateFormat, which is repeatable and may be a comma-separated list.
func readFormats(values url.Values) ([]caption.Format, error) {
	var formats []caption.Format
	for _, value := range values["includeAlternateFormat"] {
		for name := range strings.SplitSeq(value, ",") {
			f, ok := caption.ParseFormat(name)
			if !ok || f == caption.JSON {
				return nil, parameterFault("includeAlternateFormat %q is invalid; use %s", name, fault.Choice(caption.Formats))
			}
			if !slices.Contains(formats, f) {
				formats = append(formats, f)
			}
		}
	}
	return formats, nil
}
