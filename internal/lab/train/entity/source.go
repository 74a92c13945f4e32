package main

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"
)

// natural marks rivers and mountains until it is known whether their names are also names of persons.
const natural = 'n'

// files maps WordNet's lexicographer files with names (lexnames(5WN)) to the kinds of those names.
var files = map[string]byte{"14": 'o', "15": 'p', "17": natural, "18": 's'}

// lines calls f with the lines of a file.
func lines(path string, packed bool, f func(line string) error) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	scanner := bufio.NewScanner(file)
	if packed {
		unpacked, err := gzip.NewReader(file)
		if err != nil {
			return err
		}
		scanner = bufio.NewScanner(unpacked)
	}
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		if err := f(scanner.Text()); err != nil {
			return err
		}
	}
	return scanner.Err()
}

// addWordNet adds the instances among the nouns, and returns the words that are not names.
func (g gazetteer) addWordNet(folder string) (map[string]bool, error) {
	ordinary := map[string]bool{}
	for _, part := range []string{"noun", "verb", "adj", "adv"} {
		err := lines(filepath.Join(folder, "data."+part), false, func(line string) error {
			if strings.HasPrefix(line, "  ") {
				return nil
			}
			f := strings.Fields(line)
			count, err := strconv.ParseInt(f[3], 16, 32)
			if err != nil {
				return err
			}
			instance := strings.Contains(line, " @i ")
			for i := range count {
				word := strings.ReplaceAll(f[4+2*i], "_", " ")
				switch kind, known := files[f[1]]; {
				case !instance && strings.ToLower(word) == word:
					ordinary[word] = true
				case instance && known && !strings.Contains(line, "constellation") && unicode.IsUpper(rune(word[0])) &&
					!strings.ContainsAny(word, "0123456789.()"):
					g.addInstance(word, kind)
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return ordinary, nil
}

// namesOf are the lexicographer files whose nouns are often names.
var namesOf = map[string]bool{"14": true, "15": true, "17": true, "18": true}

// countWords returns the frequencies of words other than names in WordNet's tagged texts, from lines such as
// "grant%2:40:00:: 1 19".
func countWords(folder string) (map[string]int, error) {
	counts := map[string]int{}
	err := lines(filepath.Join(folder, "cntlist.rev"), false, func(line string) error {
		f := strings.Fields(line)
		word, key, _ := strings.Cut(f[0], "%")
		count, err := strconv.Atoi(f[2])
		if parts := strings.Split(key, ":"); parts[0] != "1" || !namesOf[parts[1]] {
			counts[word] += count
		}
		return err
	})
	return counts, err
}

// addInstance adds a name from WordNet. It splits names of persons into first names and surname.
func (g gazetteer) addInstance(name string, kind byte) {
	words := strings.Fields(name)
	if len(words) > 4 || kind == 'o' && len(words) == 1 {
		return
	}
	g.add(name, kind)
	if last := words[len(words)-1]; kind == 's' && len(words) > 1 && !strings.ContainsAny(last, "IVX") &&
		len(last) > 2 {
		g.add(last, 's')
	}
}

// Minimum population of a city in the gazetteer, by country and for other countries.
var (
	inhabitants = map[string]uint64{"US": 20_000, "CA": 40_000, "GB": 50_000, "AU": 40_000, "NZ": 40_000, "IE": 40_000}
	elsewhere   = uint64(300_000)
)

// addCities reads GeoNames records, length-prefixed protocol buffers: field 2 is the name, 3 the country, 9 the
// population.
func (g gazetteer) addCities(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	for len(data) > 0 {
		length, n := binary.Uvarint(data)
		if n <= 0 || length > uint64(len(data)-n) {
			return errors.New("cities: corrupt file")
		}
		city := data[n : n+int(length)]
		data = data[n+int(length):]
		var name, country string
		var people uint64
		for body := city; len(body) > 0; {
			f, rest, err := field(body)
			if err != nil {
				return err
			}
			body = rest
			switch f.number {
			case 2:
				name = string(f.bytes)
			case 3:
				country = string(f.bytes)
			case 9:
				people = f.value
			}
		}
		least, ok := inhabitants[country]
		if !ok {
			least = elsewhere
		}
		if people >= least && !strings.ContainsAny(name, "(/,") {
			g.add(plain(name), 'p')
		}
	}
	return nil
}

// record is one field of a protocol buffer.
type record struct {
	number uint64
	value  uint64 // of a number field
	bytes  []byte // of a text or message field
}

func field(data []byte) (record, []byte, error) {
	key, n := binary.Uvarint(data)
	value, m := binary.Uvarint(data[max(n, 0):])
	if n <= 0 || m <= 0 {
		return record{}, nil, errors.New("cities: corrupt file")
	}
	rest := data[n+m:]
	switch key & 7 {
	case 0:
		return record{number: key >> 3, value: value}, rest, nil
	case 2:
		if value > uint64(len(rest)) {
			return record{}, nil, errors.New("cities: corrupt file")
		}
		return record{number: key >> 3, bytes: rest[:value]}, rest[value:], nil
	}
	return record{}, nil, errors.New("cities: a field of unknown type")
}

// plain removes the accents from a name, because recognisers output none.
func plain(name string) string {
	bare, _, err := transform.String(transform.Chain(norm.NFD, runes.Remove(runes.In(unicode.Mn)), norm.NFC), name)
	if err != nil {
		return name
	}
	return bare
}

// talk counts how often words start with a lower-case or capital letter inside sentences.
type talk struct{ small, large map[string]int }

func readTalk(paths []string) (talk, error) {
	t := talk{map[string]int{}, map[string]int{}}
	for _, path := range paths {
		err := lines(path, true, func(line string) error {
			inside := false
			for _, w := range strings.Fields(line[strings.LastIndexByte(line, '\t')+1:]) {
				bare := strings.Trim(w, ".,?!;:\"()")
				if inside && bare != "" {
					if unicode.IsUpper(rune(bare[0])) {
						t.large[strings.ToLower(bare)]++
					} else {
						t.small[bare]++
					}
				}
				inside = !strings.ContainsAny(w[len(w)-1:], ".?!")
			}
			return nil
		})
		if err != nil {
			return t, err
		}
	}
	return t, nil
}
