package stage

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/ProtonMail/gopenpgp/v3/crypto"

	"parley/internal/analysis/talk"
	"parley/internal/call/plan"
	"parley/internal/flow/pipeline"
	"parley/internal/terminal/client"
	"parley/sample"
)

type object = map[string]any

// sides is the ingest configuration of calls: the agent is on the left channel.
var sides = object{"stereo": object{"left": object{"speakerName": "Agent"}, "right": object{"speakerName": "Caller"}}}

// definitions are the saved ones, and those that are built in.
func definitions() plan.Definitions {
	d := plan.Definitions{Detectors: pipeline.Detectors(), Classifiers: pipeline.BuiltInClassifiers()}
	for name, keywords := range groups {
		d.Groups = append(d.Groups, plan.Group{Name: name, Keywords: keywords})
	}
	for _, c := range categories {
		d.Categories = append(d.Categories, plan.Category{Name: c.name, Query: c.condition})
	}
	return d
}

// everything is a configuration with every analysis of words.
func everything() object {
	var asked object
	if err := json.Unmarshal(plan.Everything(pipeline.Built(), definitions()), &asked); err != nil {
		panic(err) // it is JSON
	}
	asked["ingest"], asked["searchability"] = sides, object{"searchable": true}
	asked["publish"] = object{"enableAnalyticIndexing": true}
	return asked
}

// heard is a configuration with every analysis of a recording, and of the trained classifier.
func heard() object {
	asked := everything()
	asked["speechModel"] = object{"features": []string{"advancedPunctuation", "voiceFeatures"}}
	asked["metrics"] = append(asked["metrics"].([]any), object{"metricGroupName": talk.Tone})
	prediction := asked["prediction"].(object)
	prediction["classifiers"] = append(prediction["classifiers"].([]any), object{"classifierName": "topic"})
	return asked
}

// special is one of the special items.
type special struct {
	kind          string
	title         string
	configuration object
	recording     []byte
	name          string
	transcript    []byte
	goesOn        bool // it is not waited for
}

// specials submits the special items, and waits for them.
func (s *Stage) specials(ctx context.Context) error {
	items, err := s.list(ctx)
	if err != nil {
		return err
	}
	for _, i := range items {
		configuration, err := json.Marshal(i.configuration)
		if err != nil {
			return err
		}
		metadata, err := json.Marshal(object{"title": i.title, "externalId": "stage-" + i.kind,
			"extended": object{"team": "Special", "outcome": i.kind}})
		if err != nil {
			return err
		}
		item, err := s.client().Submit(ctx, client.Submission{Name: i.name, Media: bytes.NewReader(i.recording),
			Configuration: string(configuration), Metadata: string(metadata), Transcript: string(i.transcript)})
		if err != nil {
			return fmt.Errorf("the item %q: %w", i.kind, err)
		}
		s.Items[i.kind] = item.MediaID
	}
	for _, i := range items {
		if i.goesOn {
			continue
		}
		end, err := s.client().Wait(ctx, s.Items[i.kind], 50*time.Millisecond, func(client.Progress) {})
		if err != nil {
			return err
		}
		want := "finished"
		if i.kind == Failed || i.kind == Withheld {
			want = "failed"
		}
		if end.Status != want {
			return fmt.Errorf("the item %q is %s: %v", i.kind, end.Status, end.Errors)
		}
	}
	return nil
}

func (s *Stage) list(ctx context.Context) ([]special, error) {
	call, words, err := sampleWords()
	if err != nil {
		return nil, err
	}
	entries := long()
	hours, err := compressed(ctx, entries, longLength)
	if err != nil {
		return nil, err
	}
	key, err := s.publicKey(ctx)
	if err != nil {
		return nil, err
	}
	plain := object{"ingest": sides, "publish": object{"enableAnalyticIndexing": true},
		"searchability": object{"searchable": true}}
	and := func(base object, key string, value any) object {
		out := object{}
		for k, v := range base {
			out[k] = v
		}
		out[key] = value
		return out
	}
	redactor := object{"detectors": []object{{"detectorName": "PCI", "redactor": object{
		"transcript": object{"replacement": "[redacted]"}, "audio": object{"tone": 270, "gain": 0.5}}}}}
	delivered := func(path string) object {
		return object{"enableAnalyticIndexing": true, "callbacks": []object{{"url": s.receiver.Base + path},
			{"url": s.receiver.Base + path + "/text", "method": "PUT", "type": "transcript", "format": "text"}}}
	}
	mono, length := script([]Line{{0, "Hello, this is a message for Daniel Carter. Your new router has arrived, and you can " +
		"pick it up at our store until Friday. Please bring your order number. If you have questions, call us at " +
		"two zero six, five five five, zero one four seven. Thank you, and goodbye."}}, 1)
	list := []special{
		{kind: Redacted, title: "Payment by card, redacted", configuration: and(plain, "prediction", redactor)},
		{kind: Sealed, title: "Sealed for its owner", configuration: and(plain, "encryption",
			object{"publicKeyId": key})},
		{kind: Delivered, title: "Delivered call", configuration: and(plain, "publish", delivered("/accepts"))},
		{kind: Refused, title: "Receiver is down", configuration: and(plain, "publish", delivered("/refuses"))},
		{kind: GivenUp, title: "Receiver is gone", configuration: and(plain, "publish", delivered("/gone"))},
		{kind: Failed, title: "Damaged recording", configuration: plain, recording: damaged, name: "damaged.wav"},
		{kind: Withheld, title: "Damaged recording to be redacted", configuration: and(plain, "prediction", redactor),
			recording: damaged, name: "damaged.wav"},
		{kind: Mono, title: "Message of one speaker", configuration: and(and(heard(), "ingest",
			object{"speakerName": "Agent"}), "priority", "normal"), recording: sound(mono, length, 1), name: "mono.wav",
			transcript: document(mono, "Agent")},
	}
	for _, l := range []struct{ kind, title, language string }{
		{Hebrew, "שיחה על חשבון", "he-IL"}, {Arabic, "مكالمة حول الفاتورة", "ar-EG"}, {Chinese, "关于账单的通话", "zh-CN"}} {
		entries, length := script(lines(l.language), 5)
		list = append(list, special{kind: l.kind, title: l.title, name: l.kind + ".wav", recording: sound(entries, length, 2),
			configuration: and(plain, "speechModel", object{"language": l.language}),
			transcript:    document(entries, "Agent", "Caller")})
	}
	list = append(list, special{kind: Processing, title: "Is being processed", goesOn: true,
		configuration: and(plain, "speechModel", object{"model": Endless}), transcript: nil, recording: call, name: sample.Name},
		special{kind: Long, title: "Three hours", configuration: everything(), recording: hours, name: "long.mp3",
			transcript: document(entries, "Agent", "Caller")},
		special{kind: Sample, title: "Sample call", configuration: heard()})
	for i := range list {
		if list[i].recording == nil {
			list[i].recording, list[i].name, list[i].transcript = call, sample.Name, words
		}
	}
	return list, nil
}

// damaged is a recording that cannot be decoded.
var damaged = append(header(40_000, 1)[:40], bytes.Repeat([]byte("damaged "), 200)...)

// sampleWords returns the sample call and its words, with times within the turns.
func sampleWords() (call, words []byte, err error) {
	turns, err := sample.Turns()
	if err != nil {
		return nil, nil, err
	}
	var entries []said
	for n, t := range turns {
		speaker := map[string]int{"Agent": 0, "Caller": 1}[t.Speaker]
		parts, letters := split(t.Text), 0
		for _, p := range parts {
			letters += len(p) + 2
		}
		at := t.Start.Milliseconds()
		for i, p := range parts {
			long := (t.End - t.Start).Milliseconds() * int64(len(p)+2) / int64(letters)
			confidence := 1 - float64((n*7+i*13)%31)/100
			if (n+i)%17 == 5 {
				confidence = .42
			}
			entries = append(entries, said{S: at, E: at + long - 20, C: &confidence, W: p, speaker: speaker})
			at += long
		}
	}
	return sample.Call(), document(entries, "Agent", "Caller"), nil
}

// publicKey makes a key pair, uploads the public key, and returns its id.
func (s *Stage) publicKey(ctx context.Context) (string, error) {
	private, err := crypto.PGP().KeyGeneration().AddUserId("Stage", "stage@example.com").New().GenerateKey()
	if err != nil {
		return "", err
	}
	public, err := private.GetArmoredPublicKey()
	if err != nil {
		return "", err
	}
	var answer struct {
		PublicKeyID string `json:"publicKeyId"`
	}
	err = s.send(ctx, http.MethodPost, "/v3/security/public-keys", "application/octet-stream", []byte(public), &answer)
	return answer.PublicKeyID, err
}
