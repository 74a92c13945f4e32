package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"parley/internal/analysis/talk"
	"parley/internal/call/caption"
	"parley/internal/call/wire"
	"parley/internal/words/fault"
	"parley/internal/words/jsondoc"
)

// notReported are the members of a media item that mean nothing without a server, and the transcript, which is written
// as text.
var notReported = map[string]bool{
	"_links": true, "_job": true, "formatVersion": true, "mediaId": true, "status": true, "dateCreated": true,
	"dateFinished": true, "metadata": true,
	"accountId": true, "accountName": true, "interactionType": true, "transcript": true, "streams": true,
	"mediaContentType": true,
	"expiresOn":        true, "timeToLiveInSeconds": true, "length": true,
}

// writeReport writes a readable report of a media item: the transcript, then every section of its JSON as an outline.
func writeReport(w io.Writer, item wire.Item) error {
	body, err := wire.Marshal(wire.NewMedia(item))
	if err != nil {
		return err
	}
	root, err := parseJSON(body)
	if err != nil {
		return err
	}
	if _, err := w.Write(caption.Render(item.Transcript, caption.Text)); err != nil {
		return err
	}
	fmt.Fprintf(w, "\nlength: %s\n", cell(root.Get("length")))
	return writeSections(w, root)
}

// basisOf returns the data that the metrics of a media item are based on, according to its JSON.
func basisOf(root *jsondoc.Value) talk.Basis {
	said := root.Get("transcript")
	b := talk.Basis{Stereo: said.Get("turns") != nil, Scored: true}
	for _, w := range said.Get("words").Items() {
		b.Voiced = b.Voiced || w.Get("v") != nil || w.Get("frq") != nil
	}
	for _, warning := range root.Get("warnings").Items() {
		if code, _ := warning.Get("code").Int(); code == fault.CodeIgnored &&
			strings.Contains(warning.Get("message").Text(), "sentiment") {
			b.Scored = false
		}
	}
	return b
}

// writeHead writes the properties of a recording: names and values in two columns, times in the local time zone.
func writeHead(w io.Writer, root *jsondoc.Value) error {
	o := outline{tabwriter.NewWriter(w, 0, 4, 2, ' ', 0), basisOf(root).Unknown()}
	for _, name := range []string{"mediaId", "status", "dateCreated", "dateFinished", "expiresOn", "length"} {
		v := root.Get(name)
		if v == nil {
			continue
		}
		text := cell(v)
		if at, err := time.Parse(time.RFC3339Nano, v.Text()); err == nil {
			text = day(at)
		}
		fmt.Fprintf(o.w, "%s\t%s\n", name, text)
	}
	if known := root.Get("metadata"); known != nil {
		o.member(known, "")
	}
	fmt.Fprintln(o.w)
	return o.w.Flush()
}

// writeSections writes every section of a media item as an outline.
func writeSections(w io.Writer, root *jsondoc.Value) error {
	o := outline{tabwriter.NewWriter(w, 0, 4, 2, ' ', 0), basisOf(root).Unknown()}
	for _, section := range root.Members() {
		if !notReported[section.Name()] {
			fmt.Fprintln(o.w)
			o.member(section, "")
		}
	}
	return o.w.Flush()
}

// outline writes JSON as indented lines and tables.
type outline struct {
	w       *tabwriter.Writer
	unknown map[string]bool // metrics without a meaningful value
}

// member writes a name and its value.
func (o outline) member(v *jsondoc.Value, indent string) {
	if plain(v) {
		fmt.Fprintf(o.w, "%s%s: %s\n", indent, harmless(v.Name()), cell(v))
		return
	}
	fmt.Fprintf(o.w, "%s%s\n", indent, harmless(v.Name()))
	o.value(v, indent+"  ")
}

// value writes the members of an object or the items of a list: simple items of the same shape as a table.
func (o outline) value(v *jsondoc.Value, indent string) {
	for _, m := range v.Members() {
		o.member(m, indent)
	}
	columns, ok := tableOf(v.Items())
	switch {
	case len(v.Items()) == 0 && v.Kind() == jsondoc.Array:
		fmt.Fprintf(o.w, "%snone\n", indent)
	case ok:
		o.table(v.Items(), columns, indent)
	default:
		for _, item := range v.Items() {
			o.item(item, indent)
		}
	}
}

// item writes one object of a list: its simple members in one line, the others below.
func (o outline) item(v *jsondoc.Value, indent string) {
	var line []string
	for _, m := range v.Members() {
		if plain(m) {
			line = append(line, m.Name()+": "+cell(m))
		}
	}
	if plain(v) {
		line = append(line, cell(v))
	}
	fmt.Fprintf(o.w, "%s- %s\n", indent, strings.Join(line, ", "))
	for _, m := range v.Members() {
		if !plain(m) {
			o.member(m, indent+"  ")
		}
	}
}

// tableOf returns the columns of a list of objects that contain no lists or objects; ok is false for other lists.
func tableOf(items []*jsondoc.Value) (columns []string, ok bool) {
	seen := map[string]bool{}
	for _, item := range items {
		if item.Kind() != jsondoc.Object {
			return nil, false
		}
		for _, m := range item.Members() {
			if !plain(m) {
				return nil, false
			}
			if !seen[m.Name()] {
				seen[m.Name()] = true
				columns = append(columns, m.Name())
			}
		}
	}
	return columns, len(columns) > 0
}

func (o outline) table(items []*jsondoc.Value, columns []string, indent string) {
	fmt.Fprintf(o.w, "%s%s\n", indent, strings.Join(columns, "\t"))
	for _, item := range items {
		cells := make([]string, len(columns))
		for i, c := range columns {
			cells[i] = cell(item.Get(c))
			if c == "metricValue" && o.unknown[item.Get("metricName").Text()] {
				cells[i] = "n/a"
			}
		}
		fmt.Fprintf(o.w, "%s%s\n", indent, strings.TrimRight(strings.Join(cells, "\t"), "\t"))
	}
	o.w.Flush() // flush: column widths are computed per table
}

// plain reports whether a value fits into a cell: it is not an object, and a list only if it contains such values or
// places.
func plain(v *jsondoc.Value) bool {
	if v.Kind() == jsondoc.Object {
		return false
	}
	for _, item := range v.Items() {
		if item.Kind() == jsondoc.Array || item.Kind() == jsondoc.Object && !isPlace(item) {
			return false
		}
	}
	return v.Kind() != jsondoc.Array || len(v.Items()) > 0
}

// isPlace reports whether an object is only a time and the words said then.
func isPlace(v *jsondoc.Value) bool {
	for _, m := range v.Members() {
		if m.Name() != "s" && m.Name() != "e" && m.Name() != "exact" {
			return false
		}
	}
	return len(v.Members()) > 0
}

// place formats a place.
func place(v *jsondoc.Value) string {
	at := cell(v.Get("s"))
	if exact := v.Get("exact"); exact != nil {
		return at + " " + cell(exact)
	}
	return at + "–" + cell(v.Get("e"))
}

// cell formats a value: times as minutes and seconds.
func cell(v *jsondoc.Value) string {
	switch v.Kind() {
	case jsondoc.Null:
		return ""
	case jsondoc.String:
		return harmless(v.Text())
	case jsondoc.Object:
		return place(v)
	case jsondoc.Array:
		var all []string
		for _, item := range v.Items() {
			all = append(all, cell(item))
		}
		return strings.Join(all, ", ")
	}
	if ms, ok := v.Int(); ok && (v.Name() == "s" || v.Name() == "e" || v.Name() == "length") {
		at := (time.Duration(ms) * time.Millisecond).Truncate(100 * time.Millisecond)
		return fmt.Sprintf("%d:%04.1f", int(at.Minutes()), (at % time.Minute).Seconds())
	}
	return string(v.Bytes())
}
