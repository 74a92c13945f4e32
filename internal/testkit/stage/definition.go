package stage

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"parley/internal/terminal/client"
)

// What the account has defined. Some categories match most calls, some match few, and one matches none.
var (
	categories = []struct{ name, description, condition, tag string }{
		{"at-risk", "Wants to leave", `"caller" SAYS ("cancel" || "better offer" || "never buy")`, "retention"},
		{"complaint", "Is unhappy with the service", `"caller" SAYS ("unacceptable" || "ridiculous" || "terrible" || "very angry" || "very bad service" || "not fair")`, "quality"},
		{"apology", "The agent says sorry", `"agent" SAYS ("i am sorry" || "i apologize" || "so sorry" || "really sorry")`, "quality"},
		{"greeting", "The call begins as agreed", `"agent" SAYS "thank you for calling northwind" [0s, 30s]`, "compliance"},
		{"offer-after-cancel", "An offer follows a cancellation", `"caller" SAYS "cancel" FOLLOWED BY WITHIN 120s "agent" SAYS ("offer" || "discount")`, "retention"},
		{"supervisor", "Somebody asks for a manager", `"caller" SAYS ("speak to a manager" || "supervisor")`, "quality"},
		{"long-silence", "Nobody speaks for five seconds", `silence(5s)`, "quality"},
		{"lawyer", "Legal threats", `"caller" SAYS ("lawyer" || "sue")`, "compliance"},
	}
	groups = map[string][]string{
		"payment":      {"refund", "credit card", "card number", "bill", "charged", "invoice", "dollars", "fee"},
		"cancellation": {"cancel*", "close my account", "better offer"},
		"equipment":    {"router", "red light", "cable", "screen", "washing machine", "laptop"},
		"competitors":  {"contoso", "fabrikam"},
	}
	queries = map[string]string{
		"cancellations-by-team": `SELECT metadata:team, count(*) AS calls FROM media WHERE "caller" SAYS "cancel" GROUP BY metadata:team ORDER BY calls DESC`,
		"calls-by-day":          `SELECT date_trunc('day', dateCreated) AS day, count(*) FROM media GROUP BY day ORDER BY day`,
		"unhappy-calls":         `SELECT mediaId, metadata:title, sentiment, hits() FROM media WHERE "caller" SAYS ("terrible" || "unacceptable") ORDER BY sentiment LIMIT 50`,
		"offers":                `SELECT mediaId, hits() FROM media WHERE "caller" SAYS "cancel" FOLLOWED BY WITHIN 120s "agent" SAYS "offer"`,
	}
	vocabularies = map[string]any{
		"products": map[string]any{"terms": []any{map[string]any{"term": "Northwind", "weight": 2},
			map[string]any{"term": "Zephyrix", "soundsLike": []string{"zeffer ix"}}, map[string]any{"term": "CapEx"}}},
		"greetings": map[string]any{"vocabularyType": "scripts",
			"scripts": []any{map[string]any{"script": "Thank you for calling Northwind. How can I help you today?"}}},
	}
)

// define saves the definitions of the account.
func (s *Stage) define(ctx context.Context) error {
	for i, c := range categories {
		if err := s.put(ctx, "/v3/definition/categories/"+c.name, map[string]any{"categoryDescription": c.description,
			"query": c.condition, "notes": "Agreed with the team of " + c.tag + ".", "tags": []string{c.tag},
			"version": fmt.Sprintf("1.%d", i)}); err != nil {
			return err
		}
	}
	for name, keywords := range groups {
		if err := s.put(ctx, "/v3/definition/spotting/groups/"+name, map[string]any{"keywords": keywords}); err != nil {
			return err
		}
	}
	for name, statement := range queries {
		if err := s.put(ctx, "/v3/analytics/queries/"+name, map[string]any{"query": statement}); err != nil {
			return err
		}
	}
	for name, v := range vocabularies {
		if err := s.put(ctx, "/v3/definition/vocabularies/"+name, v); err != nil {
			return err
		}
	}
	return s.train(ctx)
}

// train trains a classifier of topics from generated calls.
func (s *Stage) train(ctx context.Context) error {
	var examples []map[string]string
	for n := range 120 {
		t := NewTalk(10_000 + n)
		text := ""
		for _, l := range t.Lines {
			text += l.Text + " "
		}
		examples = append(examples, map[string]string{"text": text, "label": t.Topic})
	}
	body, err := json.Marshal(map[string]any{"classifierName": "topic", "classifierDisplayName": "Why they call",
		"examples": examples})
	if err != nil {
		return err
	}
	return s.send(ctx, http.MethodPost, "/v3/definition/prediction/classifiers", "application/json", body, nil)
}

func (s *Stage) client() *client.Client {
	return &client.Client{Base: s.Base, Token: s.Token, HTTP: http.DefaultClient}
}
