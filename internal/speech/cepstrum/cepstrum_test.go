package cepstrum_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/ebitengine/purego"

	"parley/internal/speech/cepstrum"
	"parley/internal/words/sound"
)

// sphinx computes features with sphinxbase at a given frame rate, with the options of the acoustic model.
type sphinx struct {
	parse   func(into, definitions uintptr, n int32, argv **byte, strict int32) uintptr
	args    func() uintptr
	init    func(config uintptr) uintptr
	setLog  func(file uintptr)
	start   func(fe uintptr)
	startUt func(fe uintptr) int32
	frames  func(fe uintptr, samples **int16, n *uintptr, cepstra *uintptr, frames *int32, index *int32) int32
	end     func(fe uintptr, cepstrum *float32, frames *int32) int32
}

func openSphinx(t *testing.T) *sphinx {
	t.Helper()
	lib, err := purego.Dlopen("libsphinxbase.so.3", purego.RTLD_NOW|purego.RTLD_GLOBAL)
	if err != nil {
		t.Fatalf("%v: install the package libsphinxbase3", err)
	}
	s := new(sphinx)
	for name, f := range map[string]any{
		"cmd_ln_parse_r": &s.parse, "fe_get_args": &s.args, "fe_init_auto_r": &s.init, "fe_start_stream": &s.start,
		"err_set_logfp": &s.setLog,
		"fe_start_utt":  &s.startUt, "fe_process_frames": &s.frames, "fe_end_utt": &s.end,
	} {
		purego.RegisterLibFunc(f, lib, name)
	}
	s.setLog(0)
	return s
}

func (s *sphinx) features(t *testing.T, samples []int16, rate int) [][cepstrum.Coefficients]float32 {
	t.Helper()
	options := []string{
		"-lowerf", "130", "-upperf", "6800", "-nfilt", "25", "-transform", "dct", "-lifter", "22",
		"-remove_noise", "yes", "-remove_silence", "no", "-frate", fmt.Sprint(rate),
	}
	argv := make([]*byte, len(options))
	for i, o := range options {
		argv[i] = &append([]byte(o), 0)[0]
	}
	fe := s.init(s.parse(0, s.args(), int32(len(argv)), &argv[0], 1))
	if fe == 0 {
		t.Fatal("sphinxbase refuses the options")
	}
	s.start(fe)
	s.startUt(fe)
	out := make([][cepstrum.Coefficients]float32, len(samples)/(cepstrum.Rate/rate)+2)
	rows := make([]uintptr, len(out))
	for i := range out {
		rows[i] = uintptr(unsafe.Pointer(&out[i]))
	}
	n, frames, last := uintptr(len(samples)), int32(len(out)-1), int32(0)
	from := &samples[0]
	if s.frames(fe, &from, &n, &rows[0], &frames, nil) < 0 || s.end(fe, &out[frames][0], &last) < 0 {
		t.Fatal("sphinxbase failed")
	}
	return out[:frames+last]
}

// speechlike returns filtered noise of varying level, with a tone.
func speechlike(n int) []int16 {
	random := rand.New(rand.NewPCG(7, 9))
	samples := make([]int16, n)
	low := 0.0
	for i := range samples {
		low = 0.9*low + random.NormFloat64()
		loud := 1500 * math.Max(0, math.Sin(float64(i)/3000))
		samples[i] = int16(20*random.NormFloat64() + loud*low/3 + loud*math.Sin(float64(i)*0.2))
	}
	return samples
}

func TestFeaturesAreThoseOfSphinxbase(t *testing.T) {
	library := openSphinx(t)
	e, err := cepstrum.New()
	if err != nil {
		t.Fatal(err)
	}
	all := speechlike(48000)
	for _, rate := range []int{100, 112} {
		for _, n := range []int{1850, 1851, 2001, 2010, 16000, 48000} {
			shift := int(float64(cepstrum.Rate)/float64(rate) + 0.5)
			want := library.features(t, all[:n], rate)
			got := e.Find(&cepstrum.Request{PCM: &sound.PCM{Rate: cepstrum.Rate, Samples: all[:n]}, Shift: shift})
			if len(got) != len(want) {
				t.Errorf("%d samples, shift %d: %d frames, sphinxbase has %d", n, shift, len(got), len(want))
				continue
			}
			worst := 0.0
			for i := range got {
				for j := range got[i] {
					worst = math.Max(worst, math.Abs(float64(got[i][j]-want[i][j])))
				}
			}
			if worst > 5e-3 {
				t.Errorf("%d samples, shift %d: differs by up to %g", n, shift, worst)
			}
		}
	}
}
