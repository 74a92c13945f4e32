package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// program puts the program under the name of the program in front of a user's PATH.
func (u *user) program() {
	u.t.Helper()
	bin := filepath.Join(u.home, "bin")
	if err := os.MkdirAll(bin, 0o700); err != nil {
		u.t.Fatal(err)
	}
	if err := os.Symlink(programPath(u.t), filepath.Join(bin, "parley")); err != nil {
		u.t.Fatal(err)
	}
	u.env = append(u.env, "PATH="+bin+":"+os.Getenv("PATH"))
}

// shell runs a script with a shell of this machine, in the user's home.
func (u *user) shell(name string, args ...string) string {
	u.t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		u.t.Skipf("no %s on this machine", name)
	}
	cmd := exec.CommandContext(u.t.Context(), path, args...)
	cmd.Env, cmd.Dir = u.env, u.home
	out, err := cmd.CombinedOutput()
	if err != nil {
		u.t.Fatalf("%s: %v\n%s", name, err, out)
	}
	return string(out)
}

// TestTheExampleOfTheDocumentationInstallsCompletionForBash runs the example in a home without any of its folders.
func TestTheExampleOfTheDocumentationInstallsCompletionForBash(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/cli.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "\n## Completion\n")
	_, example, _ := strings.Cut(section, "```sh\n")
	example, _, ok := strings.Cut(example, "```")
	if !ok {
		t.Fatal("no example")
	}
	u := newUser(t)
	u.program()
	out := u.shell("bash", "-c", "set -e\n"+example+`
. ~/.local/share/bash-completion/completions/parley
COMP_WORDS=(parley transcript x --format w) COMP_CWORD=4
_parley
echo "${COMPREPLY[@]}"`)
	if out != "webvtt\n" {
		t.Errorf("%q", out)
	}
}

// TestZshLoadsTheCompletionByItself has the file where compinit looks, as the help says, and a shell that completes a
// word.
func TestZshLoadsTheCompletionByItself(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.program()
	u.write(".zfunc/_parley", []byte(u.must("completion", "zsh")))
	for name, script := range map[string]string{
		"autoload": `fpath=(~/.zfunc $fpath); autoload -Uz compinit; compinit -u -D
			[[ $_comps[parley] == _parley ]] || { echo "not registered"; exit }`,
		"source": `compdef() { registered=$1:$2 }; source ~/.zfunc/_parley; [[ $registered == _parley:parley ]] || { echo "not registered"; exit }`,
	} {
		out := u.shell("zsh", "-f", "-c", script+`
			compadd() { offered=("${(@P)2}"); }
			_files() { print files; }
			words=(parley transcript x --format w) CURRENT=5
			_parley
			print -r -- $offered`)
		if out != "webvtt\n" {
			t.Errorf("%s: %q", name, out)
		}
	}
}

// TestEveryCommandShowsAnExampleThatIsWrittenRightly parses the examples; files that they name are made.
func TestEveryCommandShowsAnExampleThatIsWrittenRightly(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{
		"call.wav", "calls.csv", "churn.txt", "competitors.txt", "configuration.json", "examples.csv", "metadata.json",
		"parley.tar.zst", "products.txt",
		"public.asc", "transcript.json",
	} {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir("recordings", 0o700); err != nil {
		t.Fatal(err)
	}
	parser := newParser(t.Context())
	left := map[string]bool{}
	for name := range examples {
		left[name] = true
	}
	var look func(node *kong.Node, path string)
	look = func(node *kong.Node, path string) {
		for _, child := range node.Children {
			name := strings.TrimSpace(path + " " + child.Name)
			look(child, name)
			if child.Hidden || len(child.Children) > 0 {
				continue
			}
			delete(left, name)
			if !strings.Contains(child.Help, " ") || !strings.HasSuffix(child.Help, ".") {
				t.Errorf("%s: %q is not a sentence", name, child.Help)
			}
			for line := range strings.SplitSeq(examples[name], "\n") {
				parseExample(t, parser, name, line)
			}
		}
	}
	look(parser.Model.Node, "")
	if len(left) > 0 {
		t.Errorf("examples of no command: %v", left)
	}
}

func parseExample(t *testing.T, parser *kong.Kong, name, line string) {
	t.Helper()
	command, _, _ := strings.Cut(strings.NewReplacer(" < ", " | ", " > ", " | ").Replace(line), " | ")
	words, err := exec.CommandContext(t.Context(), "bash", "-c",
		"printf '%s\\n' "+strings.TrimPrefix(command, "parley ")).Output()
	if err != nil || !strings.HasPrefix(command, "parley "+name) {
		t.Errorf("%s: the example %q (%v)", name, line, err)
		return
	}
	if _, err := parser.Parse(strings.Split(strings.TrimSuffix(string(words), "\n"), "\n")); err != nil {
		t.Errorf("%s: %v", line, err)
	}
}
