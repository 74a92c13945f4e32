package workbench_test

import (
	"fmt"
	"testing"

	"parley/internal/testkit/browsertest"
	"parley/internal/testkit/servertest"
)

// The page shows what was typed a moment later, and must not take newer text for wrong then.
func TestWhatIsTypedFastStays(t *testing.T) {
	b := browsertest.Open(t)
	s := servertest.Start(t, servertest.Options{})
	signIn(b, s.Base, s.Token, "upload")
	openEditor(b, s.Base+"/ui/#/query")
	const text = "SELECT * FROM media WHERE length BETWEEN 1 AND 9"
	for round := range 3 {
		emptyEditor(b)
		b.Run(fmt.Sprintf(`(async () => {
			for (const c of %q) {
				document.execCommand("insertText", false, c);
				if (c === " ") await new Promise(requestAnimationFrame);
			}
		})()`, text))
		b.Run(within(".cm-content") + `.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }))`)
		b.Run("new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)))")
		if shown := fmt.Sprint(b.Run(within(".cm-content") + ".textContent")); shown != text {
			t.Fatalf("round %d: the editor shows %q, want %q", round, shown, text)
		}
	}
}
