package tagger

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

func load(t testing.TB) *Tagger {
	t.Helper()
	g, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestContractionsAreSplit(t *testing.T) {
	for text, want := range map[string]string{
		"I'm don't CAN'T won’t cannot": "i am do not can not will not can not",
		"gonna wanna it's they'd've":   "going to want to it 's they 'd have",
		"dont doesnt im":               "do not does not i am", "o'clock rock'n'roll 's": "o'clock rock'n'roll s",
		"Hello, world! -": "hello world ", "": "",
	} {
		var got []string
		for _, token := range Tokens(strings.Fields(text)) {
			got = append(got, token.Text)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	tokens := Tokens([]string{"you", "don't"})
	if len(tokens) != 3 || tokens[2].Word != 1 || tokens[1].Word != 1 {
		t.Errorf("%v", tokens)
	}
}

func TestVerbsAndNounsOfSpeechAreToldApart(t *testing.T) {
	g := load(t)
	for _, sentence := range []string{
		"i/PRON want/VERB to/PART cancel/VERB my/DET order/NOUN", "can/AUX you/PRON check/VERB my/DET bill/NOUN",
		"they/PRON charged/VERB my/DET card/NOUN",
		"the/DET check/NOUN was/AUX lost/VERB", "do/AUX you/PRON like/VERB it/PRON",
		"we/PRON ship/VERB the/DET box/NOUN on/ADP friday/PROPN",
		"my/DET internet/NOUN never/ADV works/VERB", "thank/VERB you/PRON for/SCONJ calling/VERB",
	} {
		var words []string
		for field := range strings.FieldsSeq(sentence) {
			words = append(words, field[:strings.Index(field, "/")])
		}
		var got []string
		for i, token := range g.Tag(words) {
			got = append(got, words[i]+"/"+token.Tag.String())
		}
		if strings.Join(got, " ") != sentence {
			t.Errorf("%v, want %s", got, sentence)
		}
	}
}

func TestBaseForms(t *testing.T) {
	l := load(t).Lexicon()
	for word, want := range map[string]string{
		"works": "work", "working": "work", "worked": "work", "charged": "charge", "stopped": "stop", "paid": "pay",
		"went": "go", "was": "be", "tried": "try", "goes": "go",
		"installed": "install", "cancelled": "cancel", "canceling": "cancel", "bring": "bring", "left": "leave",
		"bought": "buy", "need": "need", "xyzzed": "xyzzed", "uploaded": "upload",
	} {
		if got := l.VerbBase(word); got != want {
			t.Errorf("verb %s: %s, want %s", word, got, want)
		}
	}
	for word, want := range map[string]string{
		"cards": "card", "children": "child", "boxes": "box", "companies": "company", "bus": "bus",
		"address": "address", "status": "status", "news": "news", "minutes": "minute",
		"people": "people", "routers": "router", "glasses": "glasses", "women": "woman", "terms": "term",
		"business": "business", "gas": "gas", "frobs": "frob",
	} {
		if got := l.NounBase(word); got != want {
			t.Errorf("noun %s: %s, want %s", word, got, want)
		}
	}
}

func TestWhatIsLearnedIsReadAgain(t *testing.T) {
	l := load(t).Lexicon()
	var sentence []Token
	for field := range strings.FieldsSeq("blorg/NOUN zips/VERB blorg/NOUN") {
		word, tag, _ := strings.Cut(field, "/")
		sentence = append(sentence, Token{Text: word, Tag: ParseTag(tag)})
	}
	learned := Learn(l, [][]Token{sentence}, 20)
	var file bytes.Buffer
	if err := learned.Write(&file); err != nil {
		t.Fatal(err)
	}
	read, err := Read(&file, l)
	if err != nil {
		t.Fatal(err)
	}
	got := read.Retag(sentence)
	for i := range got {
		got[i].Kinds = 0
	}
	if !slices.Equal(got, sentence) || !slices.Equal(read.rows, learned.rows) {
		t.Errorf("%v, want %v", got, sentence)
	}
	if _, err := Read(strings.NewReader("no gzip"), l); err == nil {
		t.Error("a damaged model is read")
	}
}

func FuzzAnyWordsAreTagged(f *testing.F) {
	f.Add("i don't know what 's up")
	f.Add("\xff '' 's n't 'd'd é東京")
	f.Fuzz(func(t *testing.T, text string) {
		g := load(t)
		words := strings.Split(text, " ")
		tokens := g.Tag(words)
		if len(tokens) < len(words) {
			t.Fatalf("%d tokens of %d words", len(tokens), len(words))
		}
		for i, token := range tokens {
			if token.Word >= len(words) || i > 0 && token.Word < tokens[i-1].Word {
				t.Fatalf("token %d is of word %d", i, token.Word)
			}
			g.Lexicon().NounBase(token.Text)
			g.Lexicon().VerbBase(token.Text)
		}
	})
}

func BenchmarkHour(b *testing.B) {
	g := load(b)
	words := strings.Fields(strings.Repeat(
		"so i wanted to ask you about the bill that you sent me last month because they charged my card twice ", 500))
	for b.Loop() {
		for at := 0; at+20 <= len(words); at += 20 {
			g.Tag(words[at : at+20])
		}
	}
}
