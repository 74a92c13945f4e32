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

// collar is the time around the edges of turns that NIST's evaluations ignore.
const collar = 250 * time.Millisecond

// DERRow is the result for one recording with one source of speech intervals. Rates are computed without a collar and
// with one of 0.25 s.
type DERRow struct {
	Name               string
	Speech             string // source of the speech intervals: "reference" or "found"
	Speakers, Found    int
	One, OneCollar     Diarization // baseline: all speech assigned to one speaker
	Turns, TurnsCollar Diarization // as diarized
}

// DERTable has two rows per recording.
type DERTable []DERRow

// String formats the table: numbers of speakers in the reference and found, then error rates in percent without and
// with collar, for the one-speaker baseline and for the found turns.
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

// DER diarizes every recording below dir that has a reference NAME.rttm next to it, mixed to one channel: once with the
// reference's speech intervals and once with detected ones. It finds at most most speakers. If the error is Failures or
// that of ctx, the table has the recordings that could be measured.
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

// withTurns lists the recordings below a folder that have reference turns.
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

// named returns turns for scoring: speech assigned to one speaker, or found turns.
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

// joined returns the intervals in which anybody speaks.
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
