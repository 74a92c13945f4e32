package voice

import (
	"encoding/binary"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"parley/internal/words/sound"
)

// asked is a Praat script that prints the mean pitch (Hz, 0 if unvoiced) and the mean intensity (dB) of each 300 ms
// of a recording.
const asked = `form Ask
	sentence File
endform
sound = Read from file: file$
length = Get total duration
pitch = To Pitch: 0, 60, 500
selectObject: sound
intensity = To Intensity: 60, 0, "yes"
n = floor (length / 0.3)
writeInfo: ""
for i to n
	selectObject: pitch
	f = Get quantile: (i - 1) * 0.3, i * 0.3, 0.5, "Hertz"
	selectObject: intensity
	db = Get mean: (i - 1) * 0.3, i * 0.3, "energy"
	appendInfoLine: f, " ", db
endfor
`

// praat returns Praat's pitch and intensity for each 300 ms of a WAV file.
func praat(t *testing.T, file string) (pitch, intensity []float64) {
	t.Helper()
	if _, err := exec.LookPath("praat"); err != nil {
		t.Fatal("praat is missing; install the Debian package praat")
	}
	script := filepath.Join(t.TempDir(), "ask.praat")
	if err := os.WriteFile(script, []byte(asked), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("praat", "--run", script, file).Output()
	if err != nil {
		t.Fatalf("praat: %v\n%s", err, out)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		f := strings.Fields(line)
		pitch, intensity = append(pitch, value(f[0])), append(intensity, value(f[1]))
	}
	return pitch, intensity
}

// value parses a number printed by Praat, which may be undefined.
func value(s string) float64 {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return 0
	}
	return v
}

// TestRealSpeechSoundsAsPraatSays checks that volumes correlate with Praat's intensities, and that dominant
// frequencies of voiced speech are harmonics of its pitch.
func TestRealSpeechSoundsAsPraatSays(t *testing.T) {
	root := os.Getenv("PARLEY_DATA")
	if root == "" {
		t.Skip("PARLEY_DATA is not set: no real recordings to measure")
	}
	for _, name := range []string{"telco_account_update.wav", "azure_reading_audio1.wav", "mr_quilter.wav"} {
		file := filepath.Join(root, "audio", name)
		samples := samplesOf(t, file)
		pitch, intensity := praat(t, file)
		m := NewMeter(16000, 16000)
		var volumes, decibels []float64
		voiced, harmonic, fundamental := 0, 0, 0
		for i := range pitch {
			v := m.Measure(&sound.PCM{Rate: 16000, Samples: samples[i*4800 : (i+1)*4800]})
			if intensity[i] < 40 {
				continue
			}
			volumes, decibels = append(volumes, 20*math.Log10(v.Volume)), append(decibels, intensity[i])
			if f := v.Peaks[0].Frequency; pitch[i] > 0 && f >= 60 && f <= 500 {
				voiced++
				nearest := math.Max(1, math.Round(f/pitch[i]))
				if math.Abs(f/pitch[i]/nearest-1) < .1 {
					harmonic++
				}
				if nearest == 1 {
					fundamental++
				}
			}
		}
		r := correlation(volumes, decibels)
		t.Logf("%s: volume and intensity correlate %.3f over %d pieces; of %d voiced ones %.0f %% lie on a harmonic, "+
			"%.0f %% on the fundamental",
			name, r, len(volumes), voiced, 100*float64(harmonic)/float64(voiced),
			100*float64(fundamental)/float64(voiced))
		if r < .8 {
			t.Errorf("%s: volume and Praat's intensity correlate %.3f, want .8", name, r)
		}
		if float64(harmonic) < .85*float64(voiced) {
			t.Errorf("%s: %d of %d dominant frequencies are harmonics of Praat's pitch, want 85 %%", name, harmonic,
				voiced)
		}
	}
}

// samplesOf reads a 16 kHz mono WAV file of 16-bit samples.
func samplesOf(t *testing.T, file string) []int16 {
	t.Helper()
	out, err := exec.Command("ffmpeg", "-v", "error", "-i", file, "-ac", "1", "-ar", "16000", "-f", "s16le",
		"-").Output()
	if err != nil {
		t.Fatalf("ffmpeg, of the Debian package ffmpeg: %v", err)
	}
	samples := make([]int16, len(out)/2)
	for i := range samples {
		samples[i] = int16(binary.LittleEndian.Uint16(out[2*i:]))
	}
	return samples
}

func correlation(a, b []float64) float64 {
	n := float64(len(a))
	var sa, sb, saa, sbb, sab float64
	for i := range a {
		sa, sb = sa+a[i], sb+b[i]
		saa, sbb, sab = saa+a[i]*a[i], sbb+b[i]*b[i], sab+a[i]*b[i]
	}
	return (n*sab - sa*sb) / math.Sqrt((n*saa-sa*sa)*(n*sbb-sb*sb))
}
