package columnar

import (
	"bytes"
	"context"
	"encoding/csv"
	"io"
	"runtime"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"
	"golang.org/x/text/unicode/norm"

	"parley/internal/call/result"
	"parley/internal/host/memory"
	"parley/internal/query"
	"parley/internal/storage/store"
	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/transcript"
)

// Tables and formats of exports.
var (
	ExportTables  = []string{"calls", "words", "metrics", "categories"}
	ExportFormats = []string{"csv", "parquet"}
)

// Export selects what is exported: rows of a table, for the calls that were posted for the analytic database and match
// a condition, newest call first.
type Export struct {
	Table     string // one of ExportTables
	Format    string // one of ExportFormats
	Condition query.Condition
	// omit what senders wrote: external ids, titles, descriptions and metadata of calls are empty, and words are
	// omitted
	Figures bool
}

// Rows of the tables. Times are in milliseconds.
type (
	callRow struct {
		MediaID     string    `parquet:"mediaId"`
		Created     time.Time `parquet:"dateCreated,timestamp(millisecond)"`
		Finished    time.Time `parquet:"dateFinished,timestamp(millisecond)"`
		Length      int64     `parquet:"length"`
		Words       int64     `parquet:"wordCount"`
		Turns       int64     `parquet:"turnCount"`
		Language    string    `parquet:"language"`
		ContentType string    `parquet:"mediaContentType"`
		ExternalID  string    `parquet:"externalId"`
		Title       string    `parquet:"title"`
		Description string    `parquet:"description"`
		Metadata    string    `parquet:"metadata"` // JSON
	}
	wordRow struct {
		MediaID    string  `parquet:"mediaId"`
		Position   int64   `parquet:"p"`
		Word       string  `parquet:"w"`
		Kind       string  `parquet:"m"` // punc for punctuation, else empty
		Start      int64   `parquet:"s"`
		End        int64   `parquet:"e"`
		Confidence float64 `parquet:"c"`
		Speaker    string  `parquet:"speakerName"`
	}
	metricRow struct {
		MediaID string    `parquet:"mediaId"`
		Created time.Time `parquet:"dateCreated,timestamp(millisecond)"`
		Group   string    `parquet:"metricGroupName"`
		Name    string    `parquet:"metricName"`
		Value   float64   `parquet:"metricValue"`
	}
	categoryRow struct {
		MediaID string    `parquet:"mediaId"`
		Created time.Time `parquet:"dateCreated,timestamp(millisecond)"`
		Name    string    `parquet:"categoryName"`
		Value   int64     `parquet:"categoryValue"`
		Matches int64     `parquet:"matches"` // number of matches
	}
)

// Export streams rows, so that memory does not grow with their number. Only ctx limits its duration. After an error,
// the output is incomplete.
func (x *Index) Export(ctx context.Context, a account.ID, e Export, to io.Writer) error {
	switch {
	case e.Table == "words" && e.Figures:
		return fault.New(fault.Forbidden, fault.CodeNotAuthorized,
			"the table words cannot be exported without access to the words of calls")
	case e.Table == "calls":
		rows := callRows
		if e.Figures {
			rows = callFigures
		}
		return export(ctx, x, a, e, to, rows,
			[]string{"mediaId", "dateCreated", "dateFinished", "length", "wordCount", "turnCount", "language",
				"mediaContentType", "externalId", "title", "description", "metadata"}, callRow.record)
	case e.Table == "words":
		return export(ctx, x, a, e, to, wordRows, []string{"mediaId", "p", "w", "m", "s", "e", "c", "speakerName"},
			wordRow.record)
	case e.Table == "metrics":
		return export(ctx, x, a, e, to, metricRows,
			[]string{"mediaId", "dateCreated", "metricGroupName", "metricName", "metricValue"}, metricRow.record)
	case e.Table == "categories":
		return export(ctx, x, a, e, to, categoryRows,
			[]string{"mediaId", "dateCreated", "categoryName", "categoryValue", "matches"}, categoryRow.record)
	}
	return fault.New(fault.Invalid, fault.CodeParameter, "there is no table %q to export", e.Table)
}

// sheet writes rows in one of the formats.
type sheet[T any] interface {
	write(rows []T) error
	close() error
}

// rowsAtOnce bounds the rows of a call that are made before they are sent: a few milliseconds of work, whatever the
// length of the call.
const rowsAtOnce = 2000

// rowsOf makes the rows of a call from index from on, at most rowsAtOnce; fewer mean the end.
type rowsOf[T any] func(item *store.Analytic, open *result.Open, from int) []T

// piece returns the elements from index from on, at most rowsAtOnce.
func piece[T any](all []T, from int) []T { return all[from:min(from+rowsAtOnce, len(all))] }

func export[T any](ctx context.Context, x *Index, a account.ID, e Export, to io.Writer, rows rowsOf[T], header []string,
	record func(T) []string) error {
	leave, err := enter(ctx, x.exports, a, "exports")
	if err != nil {
		return err
	}
	defer leave()
	var s sheet[T]
	var made bytes.Buffer // rows are made in a place (package fair) and sent outside of it
	if e.Format == "parquet" {
		s = &parquetSheet[T]{w: parquet.NewGenericWriter[T](&made, parquet.Compression(&parquet.Zstd))}
	} else {
		s = &csvSheet[T]{w: csv.NewWriter(&made), record: record}
		if err := s.(*csvSheet[T]).w.Write(header); err != nil {
			return err
		}
	}
	add := func(item *store.Analytic, open *result.Open, from int) (int, error) {
		some := rows(item, open, from)
		return len(some), s.write(some)
	}
	err = x.each(ctx, a, e.Condition, add, func() error {
		_, err := made.WriteTo(to)
		return err
	})
	if err != nil {
		return err
	}
	if err := s.close(); err != nil {
		return err
	}
	_, err = made.WriteTo(to)
	return err
}

// rowsInGroup is the number of rows of a Parquet file that are buffered in memory.
const rowsInGroup = 50_000

type parquetSheet[T any] struct {
	w    *parquet.GenericWriter[T]
	rows int
}

func (s *parquetSheet[T]) write(rows []T) error {
	if _, err := s.w.Write(rows); err != nil {
		return err
	}
	if s.rows += len(rows); s.rows < rowsInGroup {
		return nil
	}
	s.rows = 0
	return s.w.Flush()
}

func (s *parquetSheet[T]) close() error { return s.w.Close() }

type csvSheet[T any] struct {
	w      *csv.Writer
	record func(T) []string
}

func (s *csvSheet[T]) write(rows []T) error {
	for _, r := range rows {
		if err := s.w.Write(s.record(r)); err != nil {
			return err
		}
	}
	return nil
}

func (s *csvSheet[T]) close() error {
	s.w.Flush()
	return s.w.Error()
}

// adder adds the rows of a call from index from on, at most rowsAtOnce, and returns their number; fewer mean the end.
type adder func(item *store.Analytic, open *result.Open, from int) (int, error)

// each calls add for all rows of every matching call, newest call of each segment first, and calls send after each add.
// send may block.
func (x *Index) each(ctx context.Context, a account.ID, c query.Condition, add adder, send func() error) error {
	q := &question{x: x, ctx: ctx, owner: a, sel: &query.Select{}}
	if err := q.prepare(c); err != nil {
		return err
	}
	defer runtime.KeepAlive(q.parts)
	for _, p := range q.parts {
		var j *judge
		err := q.loading(ctx, func(stop stop) (err error) {
			j, err = q.cond.over(p, q.types, stop)
			return err
		}, nil)
		if err != nil {
			return err
		}
		for at := 0; at >= 0; {
			var some []ref
			err := q.work(ctx, func(stop stop) (err error) {
				some, at, err = j.some(at, together, stop)
				return err
			})
			if err != nil {
				return err
			}
			if err := q.hand(some, add, send); err != nil {
				return err
			}
		}
	}
	return nil
}

// some returns up to most matching calls at or after at, and where to continue, -1 at the end.
func (j *judge) some(at, most int, stop stop) (found []ref, next int, err error) {
	for len(found) < most && at >= 0 {
		if at, err = j.next(at, stop); err != nil {
			return nil, 0, err
		}
		if at >= 0 {
			found = append(found, ref{part: j.part, call: at})
			at++
		}
	}
	return found, at, nil
}

// hand reads calls and passes on their rows. It skips calls deleted meanwhile.
func (q *question) hand(some []ref, add adder, send func() error) error {
	part, end := memory.Part(q.ctx)
	defer end()
	items, err := q.itemsOf(part, some)
	if err != nil {
		return err
	}
	for _, item := range items {
		if item == nil {
			continue
		}
		if err := q.handOne(part, item, add, send); err != nil {
			return err
		}
	}
	return nil
}

// handOne passes on the rows of a call in batches. It holds no processor while they are sent. Until then the call
// counts as memory, and so do the rows of a batch and those buffered for a Parquet row group.
func (q *question) handOne(ctx context.Context, item *store.Analytic, add adder, send func() error) error {
	part, end := memory.Part(ctx)
	defer end()
	var open *result.Open
	err := q.work(part, func(stop stop) (err error) {
		if open, err = decode(part, q.x, item, stop); err == nil {
			err = memory.Take(part, aroundWord*int64(min(len(open.Transcript.Words), rowsInGroup)))
		}
		return err
	})
	for from, n := 0, rowsAtOnce; err == nil && n == rowsAtOnce; from += n {
		err = q.work(part, func(stop) (err error) {
			n, err = add(item, open, from)
			return err
		})
		if err == nil {
			err = send()
		}
	}
	return err
}

func callRows(item *store.Analytic, open *result.Open, _ int) []callRow {
	m, values := &item.Media, valuesOf(item, open)
	number := func(name string) int64 {
		n, _ := values(mediaField(name)).Number()
		return int64(n)
	}
	return []callRow{{
		MediaID: string(m.ID), Created: m.Created, Finished: m.Finished, Length: number("length"),
		Words: number("wordCount"), Turns: number("turnCount"),
		Language: open.Transcript.Language, ContentType: m.ContentType, ExternalID: m.Metadata.ExternalID(),
		Title:       m.Metadata.Title(),
		Description: m.Metadata.Description(), Metadata: string(m.Metadata.Bytes()),
	}}
}

// callFigures makes the rows of a call without what its sender wrote.
func callFigures(item *store.Analytic, open *result.Open, from int) []callRow {
	rows := callRows(item, open, from)
	for i := range rows {
		rows[i].ExternalID, rows[i].Title, rows[i].Description, rows[i].Metadata = "", "", "", ""
	}
	return rows
}

func wordRows(item *store.Analytic, open *result.Open, from int) []wordRow {
	words := piece(open.Transcript.Words, from)
	rows := make([]wordRow, len(words))
	for i, w := range words {
		rows[i] = wordRow{
			MediaID: string(item.Media.ID), Position: int64(from + i), Word: w.Text,
			Start: w.Start.Milliseconds(), End: w.End.Milliseconds(),
			Confidence: w.Confidence, Speaker: nameOf(open.Transcript, w.Speaker),
		}
		if w.Kind == transcript.Punctuation {
			rows[i].Kind = "punc"
		}
	}
	return rows
}

func metricRows(item *store.Analytic, open *result.Open, from int) (rows []metricRow) {
	for _, g := range open.Metrics {
		for _, m := range g.Metrics {
			rows = append(rows, metricRow{string(item.Media.ID), item.Media.Created, g.Name, m.Name, m.Value})
		}
	}
	return piece(rows, from)
}

func categoryRows(item *store.Analytic, open *result.Open, from int) (rows []categoryRow) {
	for _, c := range piece(open.Categories, from) {
		r := categoryRow{string(item.Media.ID), item.Media.Created, c.Name, 0, int64(len(c.Hits))}
		if c.Matched {
			r.Value = 1
		}
		rows = append(rows, r)
	}
	return rows
}

func (r callRow) record() []string {
	return []string{r.MediaID, stamp(r.Created), stamp(r.Finished), whole(r.Length), whole(r.Words), whole(r.Turns),
		text(r.Language), text(r.ContentType), text(r.ExternalID), text(r.Title), text(r.Description), text(r.Metadata)}
}

func (r wordRow) record() []string {
	return []string{r.MediaID, whole(r.Position), text(r.Word), r.Kind, whole(r.Start), whole(r.End),
		decimal(r.Confidence), text(r.Speaker)}
}

func (r metricRow) record() []string {
	return []string{r.MediaID, stamp(r.Created), text(r.Group), text(r.Name), decimal(r.Value)}
}

func (r categoryRow) record() []string {
	return []string{r.MediaID, stamp(r.Created), text(r.Name), whole(r.Value), whole(r.Matches)}
}

// text escapes a CSV cell so that no spreadsheet program evaluates it: a text that could be a formula is prefixed with
// an apostrophe (OWASP, CSV Injection). Numbers are written by whole or decimal instead.
func text(s string) string {
	if s != "" && strings.ContainsRune("\t\r\n", rune(s[0])) || formula(s) {
		return "'" + s
	}
	return s
}

// formulaSigns start a formula; lookAlikes resemble them: the short and the heavy equals sign, the heavy plus and
// minus, the modifier letter minus, and the hyphen, to which the non-breaking hyphen is folded. No program is known to
// evaluate a text that begins with a look-alike, and ordinary texts do not begin with one, whereas they do begin with
// dashes.
const (
	formulaSigns = "=+-@\u2212"
	lookAlikes   = "\uA78A\U0001F7F0\u2795\u2796\u02D7\u2010"
)

// formula reports whether a text begins with a formula sign in any form (full-width, small, superscript …), or a
// look-alike, after characters that a program may drop or hide.
func formula(s string) bool {
	first := strings.TrimLeftFunc(s, unseen)
	_, size := utf8.DecodeRuneInString(first)
	sign, size := utf8.DecodeRuneInString(norm.NFKC.String(first[:size]))
	return size > 0 && strings.ContainsRune(formulaSigns+lookAlikes, sign)
}

// unseen reports whether a character is white space of any kind or has no width.
func unseen(r rune) bool {
	return unicode.IsSpace(r) || r == '\u2800' || // a Braille pattern without dots
		unicode.In(r, unicode.Z, unicode.Cc, unicode.Cf, unicode.Mn, unicode.Me,
			unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }
func whole(n int64) string     { return strconv.FormatInt(n, 10) }
func decimal(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
