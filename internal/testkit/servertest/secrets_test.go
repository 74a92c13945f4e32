package servertest

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

const card = "4111056789123452"

func TestSecretsAreFoundInEverySpelling(t *testing.T) {
	s := Secrets{card: true, "123456789": true}
	packer, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	spoken := "four triple one oh five six seven eight nine one two three four five two"
	var words []string
	for w := range strings.FieldsSeq(spoken) {
		words = append(words, fmt.Sprintf(`{"p":1,"w":%q,"s":12}`, w))
	}
	packed := packer.EncodeAll([]byte(spoken), []byte("pr1"))
	noise := make([]byte, 3*page) // incompressible
	for i := range noise {
		noise[i] = byte(i * i * 7 / 13)
	}
	long := packer.EncodeAll(append(noise, spoken...), nil)
	paged := append(make([]byte, page-100), long[:100]...)
	for rest := long[100:]; len(rest) > 0; rest = rest[min(len(rest), page-overflow):] {
		paged = append(append(paged, 0, 0, 0, 9), rest[:min(len(rest), page-overflow)]...)
	}
	for name, text := range map[string]string{
		"digits":   "x" + " " + card + ".",
		"groups":   "4111 0567 8912-3452",
		"spoken":   strings.ToUpper(spoken),
		"json":     `{"words":[` + strings.Join(words, ",") + `]}`,
		"base64":   `{"data":"` + base64.StdEncoding.EncodeToString([]byte(spoken)) + `"}`,
		"together": "xx" + strings.ReplaceAll(spoken, " ", "") + "yy",
		"joined":   "isfour111oh567-89123452that",
		"packed":   "garbage" + string(packed) + "garbage",
		"paged":    string(paged),
		"mixed":    "four 111 oh 567 8912 three four five two",
	} {
		if got := s.Found([]byte(text)); !slices.Equal(got, []string{card}) {
			t.Errorf("%s: %q", name, got)
		}
	}
	for _, text := range []string{"1" + card, card[:15], "four one one one", "4111 0567 and 8912 3452",
		card[:8] + "    " + card[8:]} {
		if got := s.Found([]byte(text)); len(got) != 0 {
			t.Errorf("%s: %q", text, got)
		}
	}
}
