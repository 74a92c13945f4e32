package pocketsphinx

import (
	"bytes"
	"context"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"time"
)

// mnemonics maps espeak-ng's names of the sounds of American English to the 39 phones of the model. Stress marks and
// pauses map to nothing.
var mnemonics = map[string]string{
	"i:": "IY", "i": "IY", "i@": "IY AH", "IR": "IH R", "I": "IH", "I2": "IH", "I#": "IH", "E": "EH", "E2": "EH",
	"E#": "EH", "e@": "EH R", "a": "AE", "aa": "AE", "a#": "AH", "A:": "AA", "A@": "AA R", "A#": "AA", "0": "AA",
	"0#": "AA", "02": "AA", "O:": "AO", "O": "AO", "O@": "AO R", "o@": "AO R", "oU": "OW", "oU#": "OW", "o": "OW",
	"u:": "UW", "u": "UW", "U": "UH", "U@": "UH R", "V": "AH", "Vr": "ER", "VR": "ER", "3": "ER", "3:": "ER", "@": "AH",
	"@2": "AH", "@5": "AH", "@L": "AH L", "aI": "AY", "aU": "AW", "eI": "EY", "OI": "OY", "p": "P", "b": "B", "t": "T",
	"t#": "T", "t2": "T", "d": "D", "d#": "D", "k": "K", "g": "G", "f": "F", "v": "V", "T": "TH", "D": "DH", "s": "S",
	"z": "Z", "S": "SH", "Z": "ZH", "h": "HH", "tS": "CH", "dZ": "JH", "m": "M", "n": "N", "n-": "AH N", "N": "NG",
	"l": "L", "r": "R", "r-": "ER", "j": "Y", "w": "W", "x": "K", "'": "", ",": "", "%": "", "=": "", "_": "", ":": "",
	"|": "", "-": "", ";": "",
}

const longestMnemonic = 3

var plainWord = regexp.MustCompile(`^[a-z]+('[a-z]+)?$`)

// espeakTime is the timeout of espeak-ng, including time on a machine busy with other work.
const espeakTime = 2 * time.Minute

// espeak returns the pronunciations of words by espeak-ng. Words that it cannot pronounce are missing, and all words
// if it is not installed. It is started without another sandbox: this process is already a confined child, and its
// children inherit its limits, environment and process group.
func espeak(ctx context.Context, words []string) map[string]string {
	asked := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return !plainWord.MatchString(w) })
	if len(asked) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, espeakTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, "espeak-ng", "-q", "-x", "-v", "en-us", "--stdin")
	cmd.WaitDelay = time.Second
	cmd.Stdin = strings.NewReader(strings.Join(asked, ".\n\n") + ".\n")
	var out bytes.Buffer
	cmd.Stdout = &out
	if cmd.Run() != nil {
		return nil
	}
	lines := strings.FieldsFunc(out.String(), func(r rune) bool { return r == '\n' })
	if len(lines) != len(asked) {
		return nil
	}
	said := make(map[string]string, len(asked))
	for i, w := range asked {
		if phones := greedy(strings.ReplaceAll(lines[i], " ", ""), mnemonics, longestMnemonic); phones != "" {
			said[w] = phones
		}
	}
	return said
}
