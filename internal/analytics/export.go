package analytics

import (
	"context"
	"encoding/csv"
	"io"
	"runtime"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"

	"parley/internal/account"
	"parley/internal/fault"
	"parley/internal/query"
	"parley/internal/result"
	"parley/internal/store"
	"parley/internal/transcript"
)

// Tables and formats of exports.
var (
	ExportTables  = []string{"calls", "words", "metrics", "categories"}
	ExportFormats = []string{"csv", "parquet"}
)

// Export says what is exported: rows of a table, of the calls that were posted for the analytic database and fulfil a condition, the newest
// call first.
type Export struct {
	Table     string // one of ExportTables
	Format    string // one of ExportFormats
	Condition query.Condition
}

// Rows of the tables. Times are milliseconds.
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
		Matches int64     `parquet:"matches"` // places
	}
)

// Export writes rows as it finds them, so that memory does not grow with their number. It may take as long as ctx lets it. What is written before an
// error is no complete file.
func (x *Index) Export(ctx context.Context, a account.ID, e Export, to io.Writer) error {
	switch e.Table {
	case "calls":
		return export(ctx, x, a, e, to, callRows, []string{"mediaId", "dateCreated", "dateFinished", "length", "wordCount", "turnCount", "language", "mediaContentType", "externalId", "title", "description", "metadata"}, callRow.record)
	case "words":
		return export(ctx, x, a, e, to, wordRows, []string{"mediaId", "p", "w", "m", "s", "e", "c", "speakerName"}, wordRow.record)
	case "metrics":
		return export(ctx, x, a, e, to, metricRows, []string{"mediaId", "dateCreated", "metricGroupName", "metricName", "metricValue"}, metricRow.record)
	case "categories":
		return export(ctx, x, a, e, to, categoryRows, []string{"mediaId", "dateCreated", "categoryName", "categoryValue", "matches"}, categoryRow.record)
	}
	return fault.New(fault.Invalid, fault.CodeParameter, "there is no table %q to export", e.Table)
}

// sheet writes rows in one of the formats.
type sheet[T any] interface {
	write(rows []T) error
	close() error
}

func export[T any](ctx context.Context, x *Index, a account.ID, e Export, to io.Writer, rows func(*store.Analytic, *result.Open) []T, header []string, record func(T) []string) error {
	var s sheet[T]
	if e.Format == "parquet" {
		s = &parquetSheet[T]{w: parquet.NewGenericWriter[T](to, parquet.Compression(&parquet.Zstd))}
	} else {
		s = &csvSheet[T]{w: csv.NewWriter(to), record: record}
		if err := s.(*csvSheet[T]).w.Write(header); err != nil {
			return err
		}
	}
	err := x.each(ctx, a, e.Condition, func(item *store.Analytic, open *result.Open) error { return s.write(rows(item, open)) })
	if err != nil {
		return err
	}
	return s.close()
}

// rowsInGroup is how many rows of a Parquet file are kept in memory.
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

// each calls f with every call that fulfils a condition, the newest of each segment first.
func (x *Index) each(ctx context.Context, a account.ID, c query.Condition, f func(*store.Analytic, *result.Open) error) error {
	q := &question{x: x, ctx: ctx, owner: a, cond: newCondition(c), sel: &query.Select{}}
	var err error
	if q.types, err = x.Types(ctx, a); err != nil {
		return err
	}
	if q.parts, err = x.current(ctx, a); err != nil {
		return err
	}
	defer runtime.KeepAlive(q.parts)
	for _, p := range q.parts {
		j, err := q.cond.over(p, q.types, q.stop)
		if err != nil {
			return err
		}
		for at := 0; at >= 0; {
			var some []ref
			for len(some) < 50 && at >= 0 {
				if at, err = j.next(at, q.stop); err != nil {
					return err
				}
				if at >= 0 {
					some = append(some, ref{part: p, call: at})
					at++
				}
			}
			if err := q.hand(some, f); err != nil {
				return err
			}
		}
	}
	return nil
}

// hand reads calls and hands them on. Those that were deleted meanwhile are left out.
func (q *question) hand(some []ref, f func(*store.Analytic, *result.Open) error) error {
	items, err := q.itemsOf(some)
	if err != nil {
		return err
	}
	for _, item := range items {
		if item == nil {
			continue
		}
		open, err := q.x.Codec.DecodeResult(item.Result)
		if err != nil {
			return err
		}
		if err := f(item, open); err != nil {
			return err
		}
	}
	return q.stop()
}

func callRows(item *store.Analytic, open *result.Open) []callRow {
	m, values := &item.Media, valuesOf(item, open)
	number := func(name string) int64 {
		n, _ := values(mediaField(name)).Number()
		return int64(n)
	}
	return []callRow{{
		MediaID: string(m.ID), Created: m.Created, Finished: m.Finished, Length: number("length"), Words: number("wordCount"), Turns: number("turnCount"),
		Language: open.Transcript.Language, ContentType: m.ContentType, ExternalID: m.Metadata.ExternalID(), Title: m.Metadata.Title(),
		Description: m.Metadata.Description(), Metadata: string(m.Metadata.Bytes()),
	}}
}

func wordRows(item *store.Analytic, open *result.Open) []wordRow {
	rows := make([]wordRow, len(open.Transcript.Words))
	for i, w := range open.Transcript.Words {
		rows[i] = wordRow{
			MediaID: string(item.Media.ID), Position: int64(i), Word: w.Text, Start: w.Start.Milliseconds(), End: w.End.Milliseconds(),
			Confidence: w.Confidence, Speaker: nameOf(open.Transcript, w.Speaker),
		}
		if w.Kind == transcript.Punctuation {
			rows[i].Kind = "punc"
		}
	}
	return rows
}

func metricRows(item *store.Analytic, open *result.Open) (rows []metricRow) {
	for _, g := range open.Metrics {
		for _, m := range g.Metrics {
			rows = append(rows, metricRow{string(item.Media.ID), item.Media.Created, g.Name, m.Name, m.Value})
		}
	}
	return rows
}

func categoryRows(item *store.Analytic, open *result.Open) (rows []categoryRow) {
	for _, c := range open.Categories {
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
	return []string{r.MediaID, whole(r.Position), text(r.Word), r.Kind, whole(r.Start), whole(r.End), decimal(r.Confidence), text(r.Speaker)}
}

func (r metricRow) record() []string {
	return []string{r.MediaID, stamp(r.Created), text(r.Group), text(r.Name), decimal(r.Value)}
}

func (r categoryRow) record() []string {
	return []string{r.MediaID, stamp(r.Created), text(r.Name), whole(r.Value), whole(r.Matches)}
}

// formulas is how texts begin that spreadsheet programs run as formulas (OWASP, CSV Injection; the last four are full-width forms).
const formulas = "=+-@\t\r\n＝＋－＠"

// text is a text as a cell of CSV that no spreadsheet program runs: behind an apostrophe where it would be a formula. What is a number is
// written by whole or decimal.
func text(s string) string {
	if first, _ := utf8.DecodeRuneInString(s); s != "" && strings.ContainsRune(formulas, first) {
		return "'" + s
	}
	return s
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }
func whole(n int64) string     { return strconv.FormatInt(n, 10) }
func decimal(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
