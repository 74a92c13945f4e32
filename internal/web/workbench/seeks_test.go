package workbench_test

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"parley/internal/operation/config"
	"parley/internal/testkit/browsertest"
	"parley/internal/testkit/servertest"
)

// chirp tells in its pitch where one is in it: it rises from 300 to 2,300 Hz within each four seconds.
const chirp = "aevalsrc='0.4*sin(2*PI*(300*mod(t,4)+250*pow(mod(t,4),2)))':s=8000:d=10800"

// heardAt plays the beginning of a call and some places of it. For each it returns how many seconds what is heard is ahead
// of the clock of the audio element.
const heardAt = `(async (places) => {
	const a = document.querySelector("audio"), context = new AudioContext(), hear = context.createAnalyser();
	hear.fftSize = 2048;
	context.createMediaStreamSource(a.captureStream()).connect(hear);
	await context.resume();
	const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
	const off = () => {
		const wave = new Float32Array(hear.fftSize), crossings = [];
		hear.getFloatTimeDomainData(wave);
		const now = a.currentTime;
		for (let i = 1; i < wave.length; i++) if (wave[i - 1] < 0 && wave[i] >= 0) crossings.push(i - wave[i] / (wave[i] - wave[i - 1]));
		if (crossings.length < 5) return NaN;
		const pitch = ((crossings.length - 1) / (crossings.at(-1) - crossings[0])) * context.sampleRate;
		return ((((pitch - 300) / 500 - (now % 4)) % 4) + 6) % 4 - 2;
	};
	const found = [];
	for (const place of [0, ...places]) {
		if (place > 0) a.currentTime = place;
		await a.play();
		for (let tries = 0; (a.seeking || a.currentTime < place + 1) && tries < 1000; tries++) await sleep(20);
		const all = [];
		for (let i = 0; i < 15; i++) (await sleep(50), all.push(off()));
		found.push(all.filter((x) => !isNaN(x)).sort((x, y) => x - y)[7] ?? 9);
	}
	a.pause();
	return found;
})`

// seeks measures how far seeking misses, in recordings of three hours in which it is difficult.
func (m *bars) seeks(t *testing.T) {
	s := servertest.Start(t, servertest.Options{Settings: func(c *config.Settings) { c.MaxUpload = 1 << 30 }})
	b := browsertest.Open(t)
	signIn(b, s.Base, s.Token, "upload")
	for name, args := range map[string][]string{
		"vbr.mp3":  {"-c:a", "libmp3lame", "-q:a", "7"},
		"call.gsm": {"-c:a", "libgsm"}, // which browsers do not play, like AMR
		"8khz.wav": {"-c:a", "pcm_mulaw"},
	} {
		path := filepath.Join(t.TempDir(), name)
		out, err := exec.Command("ffmpeg", append(append([]string{"-v", "error", "-f", "lavfi", "-i", chirp}, args...), path)...).CombinedOutput()
		if err != nil {
			m.lack("seek error in "+name, fmt.Sprintf("ffmpeg: %s", out))
			continue
		}
		recording, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		id := s.Submit(t, servertest.File("media", name, recording), given(t, saidInSample(t)))
		s.Await(t, id)
		b.Open(fmt.Sprintf("%s/ui/#/call/%s", s.Base, id), ".player .play")
		b.Until("it can be played", `document.querySelector("audio")?.readyState >= 1 && document.querySelector("audio").duration > 10000`)
		b.Click(".player .play") // a page may make sound after somebody has pressed something
		b.Run(`document.querySelector("audio").pause(); document.querySelector("audio").currentTime = 0; 0`)
		var worst float64
		all := b.Run(heardAt + "([401, 1801, 3001, 5401, 7201, 8801, 10401, 61])").([]any)
		for _, off := range all {
			worst = max(worst, math.Abs(off.(float64)-all[0].(float64))*1000)
		}
		t.Log(name, all)
		m.add("seek error in "+name+" of 3 h, the worst of 8", worst, 50, "ms")
	}
}
