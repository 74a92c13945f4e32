package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// helpCommand shows the help of a command.
type helpCommand struct {
	Command []string `arg:"" optional:"" help:"The command, such as submit or categories put."`
}

// Run prints the help and ends the program.
func (c *helpCommand) Run(k *kong.Context) error {
	if _, err := k.Kong.Parse(append(slices.Clone(c.Command), "--help")); err != nil {
		return misuse(err)
	}
	return nil
}

// completionCommand prints completion scripts for shells.
type completionCommand struct {
	Shell string `arg:"" help:"bash, zsh or fish." enum:"bash,zsh,fish"`
}

// Help says where to put the script.
func (completionCommand) Help() string {
	return `Save it where your shell looks for completions, then open a new shell:

  bash: mkdir -p ~/.local/share/bash-completion/completions
        parley completion bash > ~/.local/share/bash-completion/completions/parley
  zsh:  mkdir -p ~/.zfunc
        parley completion zsh > ~/.zfunc/_parley
        and, in ~/.zshrc: fpath=(~/.zfunc $fpath); autoload -Uz compinit; compinit
  fish: mkdir -p ~/.config/fish/completions
        parley completion fish > ~/.config/fish/completions/parley.fish

bash needs the package bash-completion; without it: source <(parley completion bash).`
}

// shellScripts ask this program for the words that can follow, and complete file names if there are none.
var shellScripts = map[string]string{
	"bash": `_parley() {
	local IFS=$'\n'
	COMPREPLY=($("${COMP_WORDS[0]}" complete-words -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _parley parley
`,
	"zsh": `#compdef parley
_parley() {
	local -a found
	found=("${(@f)$("${words[1]}" complete-words -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
	found=(${found:#})
	if (( ${#found} )); then
		compadd -a found
	else
		_files
	fi
}
if [[ "${funcstack[1]}" == _parley ]]; then
	_parley "$@" # the file is the body of the function that compinit loads
else
	compdef _parley parley
fi
`,
	"fish": `function __parley_words
	set -l words (commandline -opc) (commandline -ct)
	$words[1] complete-words -- $words[2..] 2>/dev/null
end
complete -c parley -a '(__parley_words)'
`,
}

// Run prints the script.
func (c *completionCommand) Run() error {
	fmt.Print(shellScripts[c.Shell])
	return nil
}

// completeCommand answers the completion scripts of shells.
type completeCommand struct {
	Words []string `arg:"" optional:"" passthrough:""`
}

// Run prints one word per line; the last of the given words is incomplete.
func (c *completeCommand) Run(k *kong.Context) error {
	words := c.Words
	if len(words) > 0 && words[0] == "--" {
		words = words[1:]
	}
	for _, word := range candidates(k.Model.Node, words) {
		fmt.Println(word)
	}
	return nil
}

// candidates returns the words that can replace the last one: commands, flags, or values from a small set.
func candidates(node *kong.Node, words []string) []string {
	if len(words) == 0 {
		words = []string{""}
	}
	last := words[len(words)-1]
	var pending *kong.Flag // flag that takes the next word
	positions := 0
	for _, word := range words[:len(words)-1] {
		switch next := subcommand(node, word); {
		case pending != nil:
			pending = nil
		case strings.HasPrefix(word, "-"):
			pending = pendingFlag(node, word)
		case next != nil:
			node, positions = next, 0
		default:
			positions++
		}
	}
	var all []string
	switch {
	case pending != nil:
		all = choices(pending.Value)
	case strings.HasPrefix(last, "-"):
		all = flagNames(node)
	default:
		for _, c := range node.Children {
			if !c.Hidden {
				all = append(all, c.Name)
			}
		}
		if positions < len(node.Positional) {
			all = append(all, choices(node.Positional[positions])...)
		}
	}
	all = slices.DeleteFunc(all, func(word string) bool { return !strings.HasPrefix(word, last) })
	slices.Sort(all)
	return all
}

func subcommand(node *kong.Node, name string) *kong.Node {
	for _, c := range node.Children {
		if c.Name == name || slices.Contains(c.Aliases, name) {
			return c
		}
	}
	return nil
}

// pendingFlag returns the flag that a word names if its value is the next word.
func pendingFlag(node *kong.Node, word string) *kong.Flag {
	for _, flags := range node.AllFlags(false) {
		for _, f := range flags {
			if (word == "--"+f.Name || f.Short != 0 && word == "-"+string(f.Short)) && !f.IsBool() {
				return f
			}
		}
	}
	return nil
}

func flagNames(node *kong.Node) (names []string) {
	for _, flags := range node.AllFlags(true) {
		for _, f := range flags {
			names = append(names, "--"+f.Name)
		}
	}
	return names
}

// choices returns the values of an argument with an enumeration.
func choices(v *kong.Value) []string {
	return slices.DeleteFunc(v.EnumSlice(), func(word string) bool { return word == "" })
}
