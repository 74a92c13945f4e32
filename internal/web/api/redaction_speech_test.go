package api_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"parley/internal/testkit/flite"
	"parley/internal/testkit/servertest"
	"parley/internal/testkit/verify"
)

// interval is a range of samples.
type interval struct{ from, to int }

// spokenCall is a call spoken by synthetic voices: the agent on the left channel, the caller on the right.
type spokenCall struct {
	channels [2][]int16
	digits   []interval // with digits to hide
	speech   []interval // with any other speech
}

// callers are voices of flite.
var callers = []string{"rms", "slt", "awb", "rms", "kal16"}

// say appends an utterance after a pause.
func (c *spokenCall) say(t *testing.T, channel int, voice, text string, pause time.Duration, secret bool) {
	t.Helper()
	at := max(len(c.channels[0]), len(c.channels[1])) + int(pause.Seconds()*flite.Rate)
	speech := say(t, voice, text)
	for i := range c.channels {
		c.channels[i] = append(c.channels[i], make([]int16, at+len(speech)-len(c.channels[i]))...)
	}
	copy(c.channels[channel][at:], speech)
	said := interval{at, at + len(speech)}
	if secret {
		c.digits = append(c.digits, said)
	} else {
		c.speech = append(c.speech, said)
	}
}

// say synthesizes a text and trims the silence around it.
func say(t *testing.T, voice, text string) []int16 {
	t.Helper()
	const quiet = 200
	samples := flite.Say(t, voice, text)
	from, to := 0, len(samples)
	for from < to && max(samples[from], -samples[from]) < quiet {
		from++
	}
	for to > from && max(samples[to-1], -samples[to-1]) < quiet {
		to--
	}
	return samples[from:to]
}

// bytes returns the call as a WAV file, with the noise of a quiet line.
func (c *spokenCall) bytes(noise *rand.Rand) []byte {
	frames := max(len(c.channels[0]), len(c.channels[1])) + flite.Rate
	var b bytes.Buffer
	b.WriteString("RIFF")
	binary.Write(&b, binary.LittleEndian, uint32(36+4*frames))
	b.WriteString("WAVEfmt ")
	for _, v := range []any{uint32(16), uint16(1), uint16(2), uint32(flite.Rate), uint32(4 * flite.Rate), uint16(4),
		uint16(16)} {
		binary.Write(&b, binary.LittleEndian, v)
	}
	b.WriteString("data")
	binary.Write(&b, binary.LittleEndian, uint32(4*frames))
	for i := range frames {
		for _, channel := range c.channels {
			x := int16(noise.IntN(3) - noise.IntN(3))
			if i < len(channel) {
				x += channel[i] / 2
			}
			binary.Write(&b, binary.LittleEndian, x)
		}
	}
	return b.Bytes()
}

// dialogue returns a call in which a card or social security number is said, in groups of digits as people do.
func dialogue(t *testing.T, p *people, n int) *spokenCall {
	t.Helper()
	c := &spokenCall{}
	caller, agent := callers[n%len(callers)], "slt"
	if caller == "slt" {
		agent = "rms"
	}
	asked, said, number, groups := p.number()
	for len(number) == 10 || n%2 == 0 && len(number) == 9 || n%2 == 1 && len(number) != 9 {
		asked, said, number, groups = p.number()
	}
	turn := func(channel int, text string) {
		voice := agent
		if channel == 1 {
			voice = caller
		}
		c.say(t, channel, voice, text, 400*time.Millisecond, false)
	}
	turn(0, "thank you for calling customer service. this call may be recorded. how can i help you today?")
	turn(1, "hello. i would like to pay my bill. i received it last week and i think that i am late.")
	turn(0, "i can help you with that. i just need some information before we begin. "+asked+"?")
	turn(1, said)
	for _, g := range groups {
		c.say(t, 1, caller, spellOut(number[:g]), 250*time.Millisecond, true)
		number = number[g:]
	}
	turn(0, "thank you very much. please give me a moment while i look for your account.")
	turn(1, "that is fine. take your time. i was also wondering when the new service is going to start.")
	turn(0, "it will start next monday. is there anything else that i can do for you?")
	turn(1, "no. that was everything. thank you for your help. good bye.")
	return c
}

func spellOut(number string) string {
	var words []string
	for i := range number {
		words = append(words, spokenDigits[number[i]-'0'])
	}
	return strings.Join(words, " ")
}

// silenced counts the samples in some intervals that were changed, on either channel, in blocks of 10 ms: a block with
// any change counts as a whole, since single samples may be equal by chance.
func silenced(before, after []byte, stretches []interval) (changed, all int) {
	const header, frame, block = 44, 4, flite.Rate / 100
	for _, s := range stretches {
		for at := s.from; at < s.to; at += block {
			end := min(at+block, s.to)
			all += end - at
			if !bytes.Equal(before[header+at*frame:header+end*frame], after[header+at*frame:header+end*frame]) {
				changed += end - at
			}
		}
	}
	return changed, all
}

// TestSpokenNumbersAreSilencedAndLittleElse has synthetic voices speak card and social security numbers, and recognises
// them with the built-in recogniser. With PARLEY_SOAK it does so a hundred times.
func TestSpokenNumbersAreSilencedAndLittleElse(t *testing.T) {
	verify.Long(t)
	calls := 3
	if os.Getenv("PARLEY_SOAK") != "" {
		calls = 100
	}
	s := servertest.Start(t, servertest.Options{Real: true})
	p := newPeople(7)
	noise := rand.New(rand.NewPCG(1, 1))
	made, bodies, ids := make([]*spokenCall, calls), make([][]byte, calls), make([]string, calls)
	for i := range calls {
		made[i] = dialogue(t, p, i)
		bodies[i] = made[i].bytes(noise)
		detector := []string{"PCI", "SSN"}[i%2]
		ids[i] = s.Submit(t, servertest.File("media", "call.wav", bodies[i]), configured(fmt.Sprintf(
			`{"prediction":{"detectors":[{"detectorName":%q,"redactor":{"transcript":{"replacement":"[redacted]"},"audio":{"tone":270,"gain":0.3}}}]},%s}`, detector, agentAndCaller)))
	}
	var hidden, digits, lost, speech int
	for i, id := range ids {
		if item := s.Await(t, id); item["status"] != "finished" {
			t.Fatalf("%v", item["errors"])
		}
		after := ok(t, s.Get(t, "/v3/media/"+id+"/streams/redacted-audio")).Body
		h, d := silenced(bodies[i], after, made[i].digits)
		l, o := silenced(bodies[i], after, made[i].speech)
		hidden, digits, lost, speech = hidden+h, digits+d, lost+l, speech+o
		t.Logf("%d (%s): %.1f%% of the digits, %.1f%% of other speech: %s", i, callers[i%len(callers)],
			100*float64(h)/float64(d), 100*float64(l)/float64(o), text(t, s, id))
	}
	t.Logf("%d calls: %.2f%% of the digits' time and %.2f%% of other speech are silenced", calls,
		100*float64(hidden)/float64(digits), 100*float64(lost)/float64(speech))
	if float64(hidden) < .98*float64(digits) || float64(lost) > .15*float64(speech) {
		t.Errorf("of the digits' time at least 98%% should be silenced, of other speech at most 15%%")
	}
}
