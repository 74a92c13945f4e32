package corpus

import (
	"math"
	"math/rand/v2"
	"strings"
)

// Vocabulary is the number of distinct words, without numbers.
const Vocabulary = 40_000

const frequent = `the you i to a and that is it of in for your my so we on have this me be okay do not can was with just are it's yeah
if but they all what up right at i'm or no know get now one like out go as here there will don't then about that's see from call when
account would he well time how let thank because two yes number an really going been want back our them which too call's today good had
need sorry by over got she did sure work make her has some first next than day could take who more said phone three name only think down
card order pay month where after give information help year look four tell look's why find please send five email before other change wait
something still try address than week bill payment charge way minute problem us correct twenty internet service last box days money again
check every ask thing line able moment question anything month's system hold customer use put come hundred another his people thirty
store plan home any new side speak seven six eight long mean guess wanted open much zero since date keep internet's while online old`

// The sentences of each speaker, the most frequent first.
var sentences = [2][]string{
	{
		"how can I help you today", "may I have your order number please", "let me check that for you",
		"I am sorry to hear that",
		"is there anything else I can do", "I will transfer you to a supervisor", "your refund was approved",
		"the technician will visit on Thursday",
		"this call may be recorded", "we do not accept that coupon",
	},
	{
		"I would like to cancel my account", "my internet is very slow", "I want to speak to a manager",
		"I never got the refund",
		"the invoice is wrong again", "I am very happy with your service", "you promised to call me back",
		"this is unacceptable",
		"I will call my lawyer", "the red light keeps blinking",
	},
}

const (
	opening = "Thank you for calling customer service, how may I help you?"
	closing = "Thank you for your call. Goodbye!"
)

var topics = []string{
	"Billing dispute", "Refund request", "Broken router", "Slow internet", "Address change", "Contract renewal",
	"Cancellation", "Delivery delay",
	"Wrong item", "Password reset", "Technician visit", "Warranty claim", "Price question", "Upgrade offer",
	"Complaint about staff", "Praise",
	"Invoice copy", "Payment failed", "Double charge", "New connection",
}

var campaigns = []string{"spring", "summer", "autumn", "winter", "loyalty", "win back", "referral"}

// vocabulary returns the words by rank: frequent English words, then invented ones.
func vocabulary() []string {
	words := make([]string, 0, Vocabulary)
	taken := map[string]bool{}
	add := func(w string) {
		if !taken[w] && len(words) < Vocabulary {
			taken[w] = true
			words = append(words, w)
		}
	}
	for _, w := range strings.Fields(frequent) {
		add(w)
	}
	r := rand.New(rand.NewPCG(1, 2)) // all corpora share one vocabulary
	for len(words) < Vocabulary {
		syllables := 2
		for syllables < 5 && r.IntN(Vocabulary) < len(words) {
			syllables++
		}
		var b strings.Builder
		for range syllables {
			b.WriteString(onsets[r.IntN(len(onsets))])
			b.WriteString(nuclei[r.IntN(len(nuclei))])
		}
		b.WriteString(codas[r.IntN(len(codas))])
		add(b.String())
	}
	return words
}

var (
	onsets = strings.Fields("b c d f g h j l m n p r s t v w br cr dr fl gr pl pr sh sp st tr th")
	nuclei = strings.Fields("a e i o u ai ea ee ou io")
	codas  = []string{"", "", "n", "r", "s", "t", "l", "ng", "nt", "ed"}
)

// alias draws numbers from a discrete distribution in constant time (Walker's alias method).
type alias struct {
	keep  []float64 // probability of keeping the number
	other []int32   // the number used otherwise
}

// zipf returns the Zipf-Mandelbrot distribution, with an exponent for which 1,500 words have about 450 distinct ones.
func zipf(n int) alias {
	chance, sum := make([]float64, n), 0.0
	for i := range chance {
		chance[i] = math.Pow(float64(i)+8, -1.42)
		sum += chance[i]
	}
	a := alias{make([]float64, n), make([]int32, n)}
	var small, large []int32
	for i := range chance {
		chance[i] *= float64(n) / sum
		if chance[i] < 1 {
			small = append(small, int32(i))
		} else {
			large = append(large, int32(i))
		}
	}
	for len(small) > 0 && len(large) > 0 {
		s, l := small[len(small)-1], large[len(large)-1]
		small = small[:len(small)-1]
		a.keep[s], a.other[s] = chance[s], l
		if chance[l] += chance[s] - 1; chance[l] < 1 {
			large = large[:len(large)-1]
			small = append(small, l)
		}
	}
	for _, i := range append(small, large...) {
		a.keep[i] = 1
	}
	return a
}

func (a alias) draw(r *rand.Rand) int {
	i := r.IntN(len(a.keep))
	if r.Float64() < a.keep[i] {
		return i
	}
	return int(a.other[i])
}
