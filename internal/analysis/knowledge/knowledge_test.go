package knowledge_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/internal/analysis/knowledge"
	"parley/internal/words/transcript"
)

const wordTime = 300 * time.Millisecond

// said returns a transcript of lines "A some words", each a turn of speaker A or B. A punctuation mark is a separate
// word.
func said(lines ...string) *transcript.Transcript {
	t := &transcript.Transcript{Speakers: []transcript.Speaker{{Name: "A"}, {Name: "B", Channel: 1}}}
	at := time.Second
	for _, line := range lines {
		f := strings.Fields(line)
		for _, text := range f[1:] {
			w := transcript.Word{Text: text, Speaker: strings.Index("AB", f[0]), Start: at, End: at + wordTime}
			if strings.ContainsAny(text[:1], ".,?!") {
				w.Kind, w.End = transcript.Punctuation, w.Start
			} else {
				at += wordTime
			}
			t.Words = append(t.Words, w)
		}
		at += time.Second
	}
	t.Length = at
	return t
}

func find(t testing.TB, said *transcript.Transcript) *knowledge.Result {
	t.Helper()
	lexicon, err := knowledge.Load()
	if err != nil {
		t.Fatal(err)
	}
	return knowledge.Find(said, &knowledge.Request{Lexicon: lexicon})
}

// keyword returns the keyword of the given text, nil without.
func keyword(f *knowledge.Result, text string) *transcript.Keyword {
	for i, k := range f.Keywords {
		if k.Text == text {
			return &f.Keywords[i]
		}
	}
	return nil
}

// places formats the mentions of a keyword: "A package, packages; B package".
func places(k *transcript.Keyword) string {
	if k == nil {
		return ""
	}
	var all []string
	for _, m := range k.Mentions {
		var exact []string
		for _, o := range m.Occurrences {
			exact = append(exact, o.Exact)
		}
		all = append(all, "AB"[m.Speaker:m.Speaker+1]+" "+strings.Join(exact, ", "))
	}
	return strings.Join(all, "; ")
}

func TestKeywordsAreFoundWhereverTheyAreSaid(t *testing.T) {
	for name, c := range map[string]struct {
		lines []string
		text  string
		want  string
	}{
		"by speaker": {[]string{"A i have a question about my invoice", "B the invoice came",
			"A this invoice is wrong"}, "invoice", "A invoice, invoice; B invoice"},
		"plurals": {[]string{"A which packages", "B the package"}, "packages", "A packages; B package"},
		"irregular plurals": {[]string{"A the mice and the mouse of my computer and mice"}, "mice",
			"A mice, mouse, mice"},
		"verbs": {[]string{"A i want to cancel", "B you cancelled it", "B i see you cancelled"},
			"cancelled", "A cancel; B cancelled, cancelled"},
		"possessives": {[]string{"A my landlord's phone", "B the landlord"}, "landlord",
			"A landlord's; B landlord"},
		"phrases": {[]string{"A my credit card was stolen", "B which credit card"}, "credit card",
			"A credit card; B credit card"},
		"fixed ones, inflected": {[]string{"A two credit cards", "B which credit card"}, "credit cards",
			"A credit cards; B credit card"},
		"fixed ones of function": {[]string{"A what is your date of birth"}, "date of birth", "A date of birth"},
		"acronyms": {[]string{"A my T.V. is broken", "B a t v antenna", "A TV"}, "tv",
			"A T.V., TV; B t v"},
		"hyphens": {[]string{"A a set-top box", "B the set top box"}, "set top box",
			"A set-top box; B set top box"},
		"names keep capitals": {[]string{"A this is about Mount Vernon", "B in Mount Vernon"}, "Mount Vernon",
			"A Mount Vernon; B Mount Vernon"},
		"sentences begin large": {[]string{"A Invoices are late", "B the invoices"}, "invoices",
			"A Invoices; B invoices"},
		"unknown words": {[]string{"A the frobnicator is broken", "B a frobnicator"}, "frobnicator",
			"A frobnicator; B frobnicator"},
	} {
		f := find(t, said(c.lines...))
		if got := places(keyword(f, c.text)); got != c.want {
			t.Errorf("%s: %q, want %q; all %s", name, got, c.want, strings.Join(texts(f.Keywords), ", "))
		}
	}
}

func TestPhrasesEndAtMarksPausesAndSpeakers(t *testing.T) {
	for name, c := range map[string]*transcript.Transcript{
		"marks":    said("A broken modem . router cable", "A broken modem . router cable"),
		"speakers": said("A broken modem", "B router cable", "A broken modem", "B router cable"),
		"pauses":   said("A broken modem", "A router cable", "B yes", "A broken modem", "A router cable"),
		"hidden":   said("A broken modem [redacted] router cable", "A broken modem [redacted] router cable"),
	} {
		for _, k := range find(t, c).Keywords {
			if strings.Contains(k.Text, "modem router") {
				t.Errorf("%s: %q", name, k.Text)
			}
		}
	}
}

func TestWhatPeopleSayInAnyCallDoesNotRank(t *testing.T) {
	f := find(t, said("A um okay hello good morning thank you for calling gonna you know i mean like really",
		"B hi yeah uh okay sure thanks",
		"A on monday or tuesday at ten thirty in the afternoon , two hundred forty dollars",
		"B great okay bye bye have a good weekend",
		"A um okay gonna monday hello", "B okay thank you very much sir", "A 650-897-5170 and $49.99 and 10:30"))
	if len(f.Keywords)+len(f.Topics) > 0 {
		t.Errorf("keywords %v, topics %v", texts(f.Keywords), f.Topics)
	}
}

func TestSpelledNamesAreNoKeywords(t *testing.T) {
	f := find(t, said("A last name anthony a n t h o n y", "B a n t h o n y okay"))
	for _, k := range f.Keywords {
		if len(k.Text) < 3 || strings.Contains(k.Text, " ") {
			t.Errorf("%q", k.Text)
		}
	}
}

func TestRedactedWordsAreNowhere(t *testing.T) {
	call := said("A my card number is modem number that is modem number", "B the card modem number was declined",
		"A [redacted] [modem] card")
	for i, w := range call.Words {
		if w.Text == "modem" {
			call.Words[i].Kind = transcript.Redacted
		}
	}
	f := find(t, call)
	for _, k := range f.Keywords {
		if text := k.Text + places(&k); strings.Contains(text, "modem") || strings.Contains(text, "redacted") {
			t.Errorf("%q: %s", k.Text, places(&k))
		}
	}
	if keyword(f, "card") == nil {
		t.Errorf("nothing else is found: %v", texts(f.Keywords))
	}
}

func TestAPartOfAPhraseCountsLessThanWhatStandsAlone(t *testing.T) {
	f := find(t, said("A a premium package", "B the premium package", "A a premium package", "B a router",
		"A the router", "B that router"))
	if part, alone := keyword(f, "premium"), keyword(f, "router"); part != nil && part.Relevance >= alone.Relevance {
		t.Errorf("premium %v, router %v", part.Relevance, alone.Relevance)
	}
	if f.Keywords[0].Text != "premium package" {
		t.Errorf("first is %q", f.Keywords[0].Text)
	}
}

func TestTopicsSayWhatACallIsAbout(t *testing.T) {
	for want, line := range map[string]string{
		"Cars and transport": "my car has a broken windshield and the brakes make a noise the mechanic said the " +
			"engine is fine",
		"Banking and credit":    "i would like to apply for a mortgage loan what is the interest rate at your bank",
		"Health":                "the doctor gave me a prescription for my fever and a headache",
		"Internet and networks": "the router shows no internet and the modem is offline the wifi is down",
		"Travel": "my flight was delayed and i missed the connecting flight at the airport they lost " +
			"my luggage",
		"Insurance": "the insurance policy has a deductible and i want to file an insurance claim",
		"Pets":      "our puppy and our kitten need to see the veterinarian",
		"Orders and delivery": "the parcel was damaged in shipment the delivery is late and the warehouse has no " +
			"tracking number",
		"Billing and payments":   "there is a late fee on my invoice and i want a refund of the payment",
		"Television and media":   "the television shows no channels and the satellite is off i cannot watch hbo",
		"Computers and software": "my laptop has a virus i forgot the password for the software and the keyboard is stuck",
	} {
		f := find(t, said("A "+line, "B i see"))
		if len(f.Topics) == 0 || f.Topics[0].Name != want {
			t.Errorf("%q: %+v, want %s", line, f.Topics, want)
			continue
		}
		top := f.Topics[0]
		if len(top.Subtopics) == 0 || len(top.Keywords) < 2 || top.Relevance <= 0 || top.Relevance > 1 ||
			top.Keywords[0].Relevance != 1 {
			t.Errorf("%s: %+v", want, top)
		}
	}
}

// checkFound reports violated invariants: mentions outside the transcript, relevance outside 0..1, a wrong order.
func checkFound(t *testing.T, said *transcript.Transcript, f *knowledge.Result) {
	t.Helper()
	check := func(k transcript.Keyword) {
		if k.Text == "" || len(k.Mentions) == 0 || !(k.Relevance > 0 && k.Relevance <= 1) {
			t.Fatalf("keyword %+v", k)
		}
		for _, m := range k.Mentions {
			last := time.Duration(-1)
			for _, o := range m.Occurrences {
				at := slices.IndexFunc(said.Words, func(w transcript.Word) bool {
					return w.Kind == transcript.Spoken && w.Speaker == m.Speaker && w.Start == o.Start &&
						strings.HasPrefix(o.Exact, w.Text)
				})
				if at < 0 || o.End < o.Start || o.End > said.Length || o.Start < last {
					t.Fatalf("%q: %+v of speaker %d is not in the transcript", k.Text, o, m.Speaker)
				}
				last = o.Start
			}
		}
	}
	for i, k := range f.Keywords {
		check(k)
		if i > 0 && k.Relevance > f.Keywords[i-1].Relevance+1e-9 {
			t.Fatalf("keyword %d is more relevant than the one before", i)
		}
	}
	for _, topic := range f.Topics {
		if !(topic.Relevance > 0 && topic.Relevance <= 1) {
			t.Fatalf("topic %+v", topic)
		}
		for _, k := range topic.Keywords {
			check(k)
		}
	}
}

func FuzzMentionsLieInTheTranscript(f *testing.F) {
	f.Add("credit card refund the of Mount Vernon [redacted] A.B.C. t v follow-up 5's 's ' - … 東京 card's", uint64(1))
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		words := strings.Fields(text)
		if len(words) == 0 {
			return
		}
		random := rand.New(rand.NewPCG(seed, 1))
		call := &transcript.Transcript{Speakers: []transcript.Speaker{{Name: "A"}, {Name: "B", Channel: 1}}}
		at, speaker := time.Duration(0), 0
		for range random.IntN(200) {
			if random.IntN(6) == 0 {
				speaker = 1 - speaker
			}
			w := transcript.Word{Text: words[random.IntN(len(words))], Speaker: speaker, Start: at,
				End: at + time.Duration(random.IntN(400))*time.Millisecond}
			if random.IntN(8) == 0 {
				w.Text, w.Kind, w.End = ".", transcript.Punctuation, w.Start
			}
			at += time.Duration(random.IntN(1200)) * time.Millisecond
			call.Words = append(call.Words, w)
			call.Length = max(call.Length, w.End)
		}
		checkFound(t, call, find(t, call))
	})
}

// hour returns a call of about an hour with common words.
func hour() *transcript.Transcript {
	random := rand.New(rand.NewPCG(3, 4))
	content := strings.Fields(`internet router modem cable package premium channel price refund invoice payment card credit account balance customer service
		technician appointment installation house phone number address cancel upgrade recommend watch television movie game speed connection problem`)
	glue := strings.Fields("the a my your i you we is are was to of for and that this it on in with what how do can " +
		"will have not okay yeah um so but")
	var lines []string
	for turn := range 650 {
		var b strings.Builder
		fmt.Fprintf(&b, "%c", "AB"[turn%2])
		for range 15 {
			list := glue
			if random.IntN(3) == 0 {
				list = content
			}
			b.WriteString(" " + list[random.IntN(len(list))])
		}
		lines = append(lines, b.String()+" .")
	}
	return said(lines...)
}

// BenchmarkHour analyses 9,750 words.
func BenchmarkHour(b *testing.B) {
	call := hour()
	find(b, call)
	for b.Loop() {
		find(b, call)
	}
}

func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		if _, err := knowledge.Unpack(); err != nil {
			b.Fatal(err)
		}
	}
}
