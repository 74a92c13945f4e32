package workbench_test

import (
	"fmt"
	"strings"
	"testing"

	"parley/internal/testkit/browsertest"
	"parley/internal/testkit/servertest"
)

// The page shows what was typed a moment later, and must not take newer text for wrong then.
func TestWhatIsTypedFastStays(t *testing.T) {
	t.Parallel()
	b := browsertest.Open(t)
	s := servertest.Start(t, servertest.Options{})
	signIn(b, s.Base, s.Token, "upload")
	openEditor(b, s.Base+"/ui/#/query")
	const text = "SELECT * FROM media WHERE length BETWEEN 1 AND 9"
	for round := range 3 {
		emptyEditor(b)
		for word := range strings.SplitAfterSeq(text, " ") {
			b.Run(fmt.Sprintf(`for (const c of %q) document.execCommand("insertText", false, c)`, word))
		}
		settle(b)
		if shown := fmt.Sprint(b.Run(within(".cm-content") + ".textContent")); shown != text {
			t.Fatalf("round %d: the editor shows %q, want %q", round, shown, text)
		}
	}
}
