package main

import (
	"strings"

	"github.com/alecthomas/kong"
)

// examples are commands that work as pasted, by the command that they illustrate, one per line.
var examples = map[string]string{
	"serve":      "parley serve --data data --listen 127.0.0.1:8080",
	"demo":       "parley demo --data data",
	"doctor":     "parley doctor --data data",
	"transcribe": "parley transcribe call.wav --speakers Agent,Caller --format srt",
	"analyze":    "parley analyze transcript.json",

	"login":  "parley login < data/demo-token",
	"logout": "parley logout",
	"submit": "parley submit calls/ --metadata-csv calls.csv\nparley submit call.wav --format text",

	"list":                    "parley list --status finished --from 2026-11-01",
	"search":                  "parley search very slow internet",
	"get":                     "parley get MEDIA_ID",
	"transcript":              "parley transcript MEDIA_ID --format srt > call.srt",
	"progress":                "parley progress MEDIA_ID --wait",
	"download":                "parley download MEDIA_ID --output call.wav",
	"metadata":                "parley metadata MEDIA_ID --put metadata.json",
	"reprocess":               "parley reprocess MEDIA_ID --configuration configuration.json",
	"callbacks failing":       "parley callbacks failing",
	"callbacks list":          "parley callbacks list MEDIA_ID",
	"callbacks retry":         "parley callbacks retry MEDIA_ID",
	"callbacks secret create": "parley callbacks secret create",
	"callbacks secret list":   "parley callbacks secret list",
	"callbacks secret delete": "parley callbacks secret delete SECRET_ID",
	"delete":                  "parley delete MEDIA_ID --yes",

	"query": `parley query '"Caller" SAYS "very slow"' --from 2026-11-01` + "\n" +
		`parley query 'SELECT count(*), avg(length) FROM media WHERE "Caller" SAYS "very slow"'`,
	"explore": `parley explore '"Caller" SAYS "very slow"' --facet language --facet metadata:team --interval week` + "\n" +
		`parley explore --words '"very slow" -title:praise'`,
	"schema fields": "parley schema fields",
	"schema words":  "parley schema words canc",
	"schema values": "parley schema values metadata:team",
	"distributions": `parley distributions 'language = "en-US"'`,
	"export":        "parley export calls --output calls.parquet",

	"categories list":      "parley categories list",
	"categories get":       "parley categories get churn > churn.json",
	"categories put":       "parley categories put churn churn.txt",
	"categories delete":    "parley categories delete churn",
	"groups list":          "parley groups list",
	"groups get":           "parley groups get competitors > competitors.json",
	"groups put":           "parley groups put competitors competitors.txt",
	"groups delete":        "parley groups delete competitors",
	"vocabularies list":    "parley vocabularies list",
	"vocabularies get":     "parley vocabularies get products > products.json",
	"vocabularies put":     "parley vocabularies put products products.txt",
	"vocabularies delete":  "parley vocabularies delete products",
	"search-fields get":    "parley search-fields get",
	"search-fields put":    "parley search-fields put extended.campaign callDetails.agent.fullName",
	"search-fields delete": "parley search-fields delete",
	"classifier train":     "parley classifier train intent examples.csv",
	"classifier list":      "parley classifier list",
	"classifier get":       "parley classifier get intent",
	"classifier delete":    "parley classifier delete intent --version 1",
	"public-key add":       "parley public-key add public.asc",
	"public-key list":      "parley public-key list",
	"public-key get":       "parley public-key get PUBLIC_KEY_ID",
	"public-key delete":    "parley public-key delete PUBLIC_KEY_ID",

	"keys":  "parley keys",
	"usage": "parley usage 2026-11",
	"audit": "parley audit --limit 20",

	"token create": "parley token create --data data | parley login\n" +
		"parley token create --data data --scopes media:read,media:write --description dialler",
	"token list":         "parley token list --data data",
	"token revoke":       "parley token revoke TOKEN_ID --data data",
	"account create":     "parley account create acme --data data",
	"account list":       "parley account list --data data",
	"account limit":      "parley account limit acme --storage 500GiB --rate 20 --data data",
	"account disable":    "parley account disable acme --data data",
	"account retention":  "parley account retention acme 30d --data data",
	"account set":        "parley account set acme compat.scoreAsNumber=true --data data",
	"account delete":     "parley account delete acme --data data",
	"url-key rotate":     "parley url-key rotate --data data",
	"storage-key make":   "parley storage-key make storage.keys",
	"storage-key list":   "parley storage-key list --data data --storage-key-file storage.keys",
	"storage-key rewrap": "parley storage-key rewrap --data data --storage-key-file storage.keys",
	"queue list":         "parley queue list --state dead --data data",
	"queue requeue":      "parley queue requeue --all --data data",
	"backup":             "parley backup parley.tar.zst --data data",
	"restore":            "parley restore parley.tar.zst --data restored",
	"models list":        "parley models list --data data",
	"models pull":        "parley models pull parakeet-tdt-0.6b-v2 --data data",
	"models use":         "parley models use parakeet-tdt-0.6b-v2 --data data",
	"models delete":      "parley models delete whisper-small.en --data data",
	"migrate":            "parley migrate --data data",

	"bench callbacks": "parley bench callbacks --calls 1000",
	"bench calls":     "parley bench calls --url http://127.0.0.1:8080 --token TOKEN --rate 12 --duration 5m",
	"bench explore":   "parley bench explore --calls 10000",
	"bench fairness":  "parley bench fairness --rounds 2",
	"bench index": "parley bench index --calls 10000 --database postgres://postgres@127.0.0.1/bench " +
		"--blobs 's3://calls/bench?endpoint=http://127.0.0.1:9000&path_style=true'",
	"bench ingest":    "parley bench ingest --clients 16 --duration 5s",
	"bench query":     "parley bench query --calls 10000",
	"bench queue":     "parley bench queue --jobs 10000 --lanes 100",
	"bench recognize": "parley bench recognize --processes 1,2",
	"bench search":    "parley bench search --calls 10000",
	"bench stalled":   "parley bench stalled --uploads 100",
	"bench upload":    "parley bench upload --size 1GiB",
	"eval wer":        "parley eval wer --data recordings",
	"eval der":        "parley eval der --data recordings",
	"eval punct":      "parley eval punct --data recordings",

	"completion": "parley completion bash",
	"help":       "parley help categories put",
	"version":    "parley version",
}

// addExamples adds the examples to the help of the commands below a node.
func addExamples(node *kong.Node, path string) {
	for _, child := range node.Children {
		name := strings.TrimSpace(path + " " + child.Name)
		if example := examples[name]; example != "" {
			heading := "Example:"
			if strings.Contains(example, "\n") {
				heading = "Examples:"
			}
			lines := "  " + strings.ReplaceAll(example, "\n", "\n  ")
			child.Detail = strings.TrimSpace(child.Detail + "\n\n" + heading + "\n\n" + lines)
		}
		addExamples(child, name)
	}
}
