package caption

import (
	"bytes"
	"encoding/xml"
	"fmt"

	"parley/internal/words/transcript"
)

const dfxpHead = `<?xml version="1.0" encoding="UTF-8"?>
<tt xmlns="http://www.w3.org/ns/ttml" xmlns:ttm="http://www.w3.org/ns/ttml#metadata" xmlns:ttp="http://www.w3.org/ns/ttml#parameter" ttp:timeBase="media" xml:lang="%s">
`

// dfxp renders the Timed Text Markup Language 1.0 (W3C Recommendation; DFXP is its distribution format), with one
// paragraph per cue and named speakers as agents.
func dfxp(t *transcript.Transcript, cues []Cue) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, dfxpHead, escapeXML(t.Language))
	dfxpAgents(&b, t)
	b.WriteString("  <body>\n    <div>\n")
	for _, c := range cues {
		dfxpCue(&b, c)
	}
	b.WriteString("    </div>\n  </body>\n</tt>\n")
	return b.Bytes()
}

func dfxpAgents(b *bytes.Buffer, t *transcript.Transcript) {
	if !t.Named() {
		b.WriteString("  <head/>\n")
		return
	}
	b.WriteString("  <head>\n    <metadata>\n")
	for i, s := range t.Speakers {
		fmt.Fprintf(b, "      <ttm:agent type=\"person\" xml:id=\"speaker%d\"><ttm:name "+
			"type=\"full\">%s</ttm:name></ttm:agent>\n", i+1, escapeXML(clean(s.Name)))
	}
	b.WriteString("    </metadata>\n  </head>\n")
}

func dfxpCue(b *bytes.Buffer, c Cue) {
	fmt.Fprintf(b, `      <p begin="%s" end="%s"`, clock(c.Start, "."), clock(c.End, "."))
	if c.Name != "" {
		fmt.Fprintf(b, ` ttm:agent="speaker%d"`, c.Speaker+1)
	}
	b.WriteByte('>')
	for i, line := range c.Lines {
		if i > 0 {
			b.WriteString("<br/>")
		}
		b.WriteString(escapeXML(line))
	}
	b.WriteString("</p>\n")
}

func escapeXML(text string) string {
	var b bytes.Buffer
	xml.EscapeText(&b, []byte(text))
	return b.String()
}
