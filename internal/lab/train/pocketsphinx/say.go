package main

import (
	"strings"

	"parley/internal/speech/formatting"
)

// same maps words to their spelling in the dictionary, and words missing from it to their parts.
var same = map[string]string{"ok": "okay", "o.k": "okay", "o.k.": "okay", "e-mail": "email", "dont": "don't",
	"thats": "that's", "dvr": "d. v. r.", "hdtv": "h. d. t. v.", "hd": "h. d."}

// signs replaces punctuation inside words by words or spaces.
var signs = strings.NewReplacer("’", "'", "‘", "'", "“", " ", "”", " ", "\"", " ", "…", " ", "—", " ", "–", " ", " - ",
	" ", "*", " ", "_", " ", "w/", "with ", "...", " ")

// say converts a written text to spoken words in the form of PocketSphinx's dictionary: spelled letters with a full
// stop, numbers in words.
func say(text string) []string {
	var said []string
	for _, r := range formatting.Spoken(strings.Fields(signs.Replace(text))) {
		form := r.Forms[0]
		for i, w := range form {
			w = strings.Trim(w, ".,;:?!()[]")
			switch alone := len(form) == 1; {
			case len(w) == 1 && w >= "b" && w <= "z" && w != "i", w == "a" && !alone && i+1 < len(form) &&
				len(form[i+1]) == 1:
				w += "."
			case w == "" || w == "'":
				continue
			}
			if s, other := same[w]; other {
				w = s
			}
			said = append(said, strings.Fields(w)...)
		}
	}
	return said
}
