package eval

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"parley/internal/speech/audio"
	"parley/internal/speech/diarize"
	"parley/internal/words/sound"
)

// collar is the time around the edges of turns that NIST's evaluations leave out.
const collar = 250 * time.Millisecond

// DERRow is the measure of one recording with one choice of speech. Rates are measured without a collar
// and with one of 0.25 s.
type DERRow struct {
	Name               string
	Speech             string // whose: "reference" or "found"
	Speakers, Found    int
	One, OneCollar     Diarization // all speech given to one speaker
	Turns, TurnsCollar Diarization // as diarized
}

// DERTable has two rows a recording.
type DERTable []DERRow

// String prints the table: speakers of the reference and found, then error rates in percent without and
// with collar, of one speaker for all and of the turns found.
func (t DERTable) String() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "recording\tspeech\tspeakers\tfound\tone: DER %\tcollar\tDER %\tcollar\t")
	for _, r := range t {
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%.1f\t%.1f\t%.1f\t%.1f\t\n", r.Name, r.Speech, r.Speakers, r.Found,
			100*r.One.Rate(), 100*r.OneCollar.Rate(), 100*r.Turns.Rate(), 100*r.TurnsCollar.Rate())
	}
	w.Flush()
	return b.String()
}

// DER diarizes every recording below dir, mixed to one channel, that has its turns beside it in NAME.rttm:
// with the speech of the reference and with the speech that is found. At most so many speakers are found.
// With an error of type Failed, or that of ctx, the table has what could be measured.
func DER(ctx context.Context, dir string, decoder *audio.Decoder, most int) (DERTable, error) {
	recordings, err := withTurns(dir)
	if err != nil {
		return nil, err
	}
	if len(recordings) == 0 {
		return nil, fmt.Errorf("no recording with an .rttm file in %s", dir)
	}
	var table DERTable
	err = each(ctx, recordings, func(r Recording) error {
		file, err := os.Open(turnsOf(r.Path))
		if err != nil {
			return err
		}
		defer file.Close()
		reference, err := ReadTurns(file)
		if err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(file.Name()), err)
		}
		rows, err := diarized(ctx, r.Path, decoder, reference, most)
		table = append(table, rows...)
		return err
	})
	return table, err
}

// withTurns lists the recordings below a folder that have their turns beside them.
func withTurns(dir string) (found []Recording, err error) {
	err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !slices.Contains(audioFiles, strings.ToLower(filepath.Ext(path))) {
			return err
		}
		if _, err := os.Stat(turnsOf(path)); err == nil {
			found = append(found, Recording{Path: path})
		}
		return nil
	})
	return found, err
}

func turnsOf(path string) string { return strings.TrimSuffix(path, filepath.Ext(path)) + ".rttm" }

func diarized(
	ctx context.Context, path string, decoder *audio.Decoder, reference []SpeakerTurn, most int,
) ([]DERRow, error) {
	m, err := load(ctx, path, decoder, false)
	if err != nil {
		return nil, err
	}
	features := diarize.NewFeatures(m.channels[0].Rate, m.rate)
	features.Add(m.channels[0].Samples)
	var rows []DERRow
	for _, given := range []struct {
		name   string
		speech []sound.Segment
	}{{"reference", joined(reference)}, {"found", m.speech().Speech[0]}} {
		found := diarize.Find(&diarize.Request{Features: features, Speech: given.speech, Most: most})
		one, turns := named(given.speech, nil), named(nil, found.Turns)
		rows = append(rows, DERRow{
			Name: filepath.Base(path), Speech: given.name, Speakers: len(speakersOf(reference)), Found: found.Speakers,
			One: CompareTurns(reference, one, 0), OneCollar: CompareTurns(reference, one, collar),
			Turns: CompareTurns(reference, turns, 0), TurnsCollar: CompareTurns(reference, turns, collar),
		})
	}
	return rows, nil
}

// named makes turns to measure: of speech by one speaker, and of turns found.
func named(speech []sound.Segment, found []diarize.Turn) []SpeakerTurn {
	var turns []SpeakerTurn
	for _, s := range speech {
		turns = append(turns, SpeakerTurn{"0", s})
	}
	for _, t := range found {
		turns = append(turns, SpeakerTurn{fmt.Sprint(t.Speaker), t.Segment})
	}
	return turns
}

// joined returns when anybody speaks.
func joined(turns []SpeakerTurn) []sound.Segment {
	var speech []sound.Segment
	for _, t := range slices.SortedFunc(slices.Values(turns), func(a, b SpeakerTurn) int {
		return int(a.Start - b.Start)
	}) {
		if n := len(speech); n > 0 && t.Start <= speech[n-1].End {
			speech[n-1].End = max(speech[n-1].End, t.End)
			continue
		}
		speech = append(speech, t.Segment)
	}
	return speech
}
