package cepstrum_test

import (
	"bytes"
	"math"
	"testing"

	"parley/internal/lab/telephone"
	"parley/internal/speech/cepstrum"
	"parley/internal/testkit/flite"
	"parley/internal/words/sound"
)

// say synthesises speech.
func say(t *testing.T, text string) *sound.PCM {
	t.Helper()
	return &sound.PCM{Rate: flite.Rate, Samples: flite.Say(t, "rms", text)}
}

// distance returns the root mean square difference of filters after subtraction of their means.
func distance(a, b []cepstrum.Band, from, to int) float64 {
	a, b = cepstrum.Relative(a), cepstrum.Relative(b)
	sum, n := 0.0, 0
	for i := range min(len(a), len(b)) {
		for j := from; j < to; j++ {
			sum, n = sum+(a[i][j]-b[i][j])*(a[i][j]-b[i][j]), n+1
		}
	}
	return math.Sqrt(sum / float64(n))
}

func TestWhatTheTelephoneTookIsPredicted(t *testing.T) {
	e, err := cepstrum.New()
	if err != nil {
		t.Fatal(err)
	}
	good := say(t, "please send the parcels to the station on sixth street, she said, and fetch the keys from the shop")
	heard := telephone.Usual().Through(good)
	want := e.Bands(&cepstrum.Request{PCM: good, Shift: 160})
	left := e.Narrowed(&cepstrum.Request{PCM: heard, Shift: 160, Telephone: true})
	got := e.Bands(&cepstrum.Request{PCM: heard, Shift: 160, Telephone: true})
	nothing := make([]cepstrum.Band, len(want))
	for _, filters := range [][2]int{{0, 2}, {cepstrum.Narrow, cepstrum.Filters}} {
		predicted, as, unknown := distance(got, want, filters[0], filters[1]),
			distance(left, want, filters[0], filters[1]), distance(nothing, want, filters[0], filters[1])
		t.Logf("filters %v: %.2f from what was there, %.2f as heard, %.2f with nothing known", filters, predicted, as,
			unknown)
		if predicted > 0.75*as || predicted > 0.75*unknown {
			t.Errorf("filters %v: predicted powers are %.2f from what was there, %.2f as heard, %.2f with nothing known", filters, predicted, as, unknown)
		}
	}
}

// muffled attenuates by 12 dB per octave above 900 Hz.
func muffled(pcm *sound.PCM) *sound.PCM {
	out := &sound.PCM{Rate: pcm.Rate, Samples: make([]int16, len(pcm.Samples))}
	first, second := 0.0, 0.0
	for i, s := range pcm.Samples {
		first += 0.3 * (float64(s) - first)
		second += 0.3 * (first - second)
		out.Samples[i] = int16(second)
	}
	return out
}

func TestDullLinesAreTold(t *testing.T) {
	e, err := cepstrum.New()
	if err != nil {
		t.Fatal(err)
	}
	good := say(t, "hello, i would like to buy the black one, and i was wondering whether you could help me with "+
		"that today")
	if e.Dull(telephone.Usual().Through(good)) {
		t.Error("a usual line is dull")
	}
	line := telephone.Line{Lowest: 100, Highest: 2100}
	if !e.Dull(line.Through(good)) {
		t.Error("a line without treble is not dull")
	}
}

func TestWhatADullLineTookIsPredicted(t *testing.T) {
	e, err := cepstrum.New()
	if err != nil {
		t.Fatal(err)
	}
	good := say(t, "please send the parcels to the station on sixth street, she said, and fetch the keys from the shop")
	heard := telephone.Line{Lowest: 100, Highest: 3400}.Through(muffled(good))
	want := e.Bands(&cepstrum.Request{PCM: good, Shift: 160})
	got := e.Bands(&cepstrum.Request{PCM: heard, Shift: 160, Telephone: true})
	unknown := distance(make([]cepstrum.Band, len(want)), want, 0, cepstrum.Filters)
	predicted := distance(got, want, 0, cepstrum.Filters)
	t.Logf("%.2f from what was there, %.2f with nothing known", predicted, unknown)
	if predicted > 0.75*unknown {
		t.Errorf("predicted powers are %.2f from what was there, %.2f with nothing known", predicted, unknown)
	}
}

func TestTheLineAndTheLoudnessDoNotMatter(t *testing.T) {
	e, err := cepstrum.New()
	if err != nil {
		t.Fatal(err)
	}
	loud := telephone.Usual().Through(say(t, "how old is the brooklyn bridge"))
	quiet := &sound.PCM{Rate: loud.Rate, Samples: make([]int16, len(loud.Samples))}
	for i, s := range loud.Samples {
		quiet.Samples[i] = s / 4
	}
	bands := func(pcm *sound.PCM) []cepstrum.Band {
		return e.Bands(&cepstrum.Request{PCM: pcm, Shift: 160, Telephone: true})
	}
	if d := distance(bands(loud), bands(quiet), 0, cepstrum.Filters); d > 0.5 {
		t.Errorf("a quarter as loud is %.2f away", d)
	}
}

func TestTrainedWeightsComeBackAsWritten(t *testing.T) {
	weights := new([cepstrum.Filters][cepstrum.Known]float64)
	for j := range weights[1:] { // the first row stays zero
		for k := range weights[j+1] {
			weights[j+1][k] = math.Sin(float64(j*1000 + k))
		}
	}
	var first, second bytes.Buffer
	if err := cepstrum.NewExtension(weights).Write(&first); err != nil {
		t.Fatal(err)
	}
	read, err := cepstrum.ReadExtension(bytes.NewReader(first.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if err := read.Write(&second); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Errorf("%d bytes became %d others, %v", first.Len(), second.Len(), err)
	}
	if _, err := cepstrum.ReadExtension(bytes.NewReader(first.Bytes()[1:])); err == nil {
		t.Error("a file without its end is taken")
	}
}
