# Two commands: `make run` tries the server with a sample call, `make test verify` runs all tests.
# Everything but the programs with the race detector is compiled with these flags, so that each package is compiled once.
export CGO_ENABLED := 0
export GOFLAGS += -trimpath

GO       ?= go
VERSION  ?= $(shell git describe --tags --match 'v[0-9]*' --always --dirty 2>/dev/null || echo devel)
LDFLAGS  := -s -w -X main.version=$(VERSION)
PARLEY   := bin/parley
# The race detector makes what is all arithmetic five to ten times slower. It leaves out SQLite, which is C that was translated to Go, with
# locks of its own and data outside Go's memory, and computations on sound, which start no goroutines. What uses sync.Map must not be left out:
# its copies of generic code may become those of the whole program, which then seems to have races where it has none.
UNWATCHED := modernc.org/... $(addprefix parley/internal/,speech/cepstrum speech/diarize words/sound speech/vad speech/voice)
RACE      := -race $(foreach p,$(UNWATCHED),'-gcflags=$(p)=-race=false -d=checkptr=0')

# What make chaos runs: seeds, kinds of faults, and single for each kind alone.
TRIALS   ?= single,1-200

.PHONY: help run build web web-vendor sherpa onnx setup setup-lint setup-test test verify lint hooks soak chaos bench bench-ui screenshots fuzz clean

help: ## show this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

run: setup build ## install what is missing, start the server over ./data and transcribe the sample call
	@exec $(PARLEY) demo --data data

build: ## build bin/parley
	@$(GO) build -ldflags '$(LDFLAGS)' -o $(PARLEY) ./cmd/parley

web: ## make the pages that the server embeds, from web/src (needs no Node)
	@$(GO) run ./web/make

web-vendor: ## make web/vendor, the libraries of the pages, from web/package-lock.json (needs npm)
	@npm ci --prefix web --no-audit --no-fund --ignore-scripts
	@$(GO) run ./web/make vendor web/node_modules

sherpa: ## build bin/parley-sherpa, which runs neural models (needs gcc; 31 MB)
	@sh scripts/setup.sh sherpa
	@GO='$(GO)' sh scripts/sherpa.sh

onnx: ## build bin/parley-onnx, which runs text classification networks (14 MB)
	@cd cmd/parley-onnx && $(GO) build -tags NODOWNLOAD -ldflags '-s -w' -o ../../bin/parley-onnx .

setup: ## install ffmpeg and the PocketSphinx recogniser
	@sh scripts/setup.sh run

setup-lint: ## install what the checks need as well: shellcheck, codespell
	@sh scripts/setup.sh lint

setup-test: ## install what the tests need as well: gcc, PostgreSQL, Chromium
	@sh scripts/setup.sh test

# Race reports are printed at once, so a test program need not wait a second for them when it exits. make lint runs vet.
test: setup-test build ## run the tests with the race detector and print the counts
	@PARLEY_PROGRAM='$(CURDIR)/$(PARLEY)' PARLEY_BROWSER=$$(command -v chromium) GORACE=atexit_sleep_ms=0 CGO_ENABLED=1 \
		$(GO) tool gotestsum --format pkgname-and-test-fails --format-hide-empty-pkg -- $(RACE) -short -vet=off -timeout=20m ./...
	@cd cmd/parley-sherpa && CGO_ENABLED=1 $(GO) test -race -timeout=5m ./...
	@cd cmd/parley-onnx && $(GO) test -tags NODOWNLOAD -timeout=5m ./...
	@cd internal/lab/compare && $(GO) test -vet=off -timeout=5m ./...

verify: setup-test build ## run the long tests: real recognition, every codec, whole servers that are killed
	@PARLEY_BROWSER=$$(command -v chromium) GO='$(GO)' sh scripts/verify.sh

lint: setup-lint ## vet, staticcheck, known vulnerabilities, formatting, module files, shell scripts, spelling
	@$(GO) vet ./...
	@cd cmd/parley-sherpa && CGO_ENABLED=1 $(GO) vet ./...
	@cd cmd/parley-onnx && $(GO) vet -tags NODOWNLOAD ./...
	@cd internal/testkit/s3test/server && $(GO) vet ./...
	@cd internal/lab/compare && $(GO) vet ./...
	@test -z "$$(gofmt -l .)" || { gofmt -l .; echo "run gofmt -w on these files" >&2; exit 1; }
	@$(GO) mod tidy -diff
	@cd cmd/parley-sherpa && $(GO) mod tidy -diff
	@cd cmd/parley-onnx && $(GO) mod tidy -diff
	@cd internal/testkit/s3test/server && $(GO) mod tidy -diff
	@cd internal/lab/compare && $(GO) mod tidy -diff
	@GO='$(GO)' sh scripts/lint.sh

hooks: setup-lint ## check formatting and spelling before each commit
	@install -m 755 scripts/pre-commit.sh "$$(git rev-parse --git-path hooks)/pre-commit"

soak: setup-test build ## the long tests: hundreds of kills, millions of random cases
	@PARLEY_SOAK=1 CGO_ENABLED=1 $(GO) tool gotestsum -- -count=1 -timeout=4h ./...
	@sh scripts/fuzz.sh 60s

chaos: setup-test ## a cluster under faults, each kind alone and then by 200 seeds; TRIALS=7,kill-node runs some of them
	@PARLEY_CHAOS='$(TRIALS)' PARLEY_CHAOS_LEDGER='$(CURDIR)/internal/testkit/chaos/ledger.tsv' CGO_ENABLED=0 \
		$(GO) test -count=1 -timeout=6h -v -run TestAClusterUnderFaultsKeepsWhatItAcknowledged ./internal/testkit/soak

fuzz: ## fuzz every parser for a minute each
	@sh scripts/fuzz.sh 60s

bench: build ## benchmarks
	@$(GO) test -run='^$$' -bench=. -benchmem ./...

bench-ui: setup-test ## measure the pages in a browser, with 100,000 calls and a call of three hours (the first run fills caches)
	@PARLEY_BENCH_UI=1 PARLEY_BROWSER=$$(command -v chromium) \
		$(GO) test -count=1 -timeout=1h -run TestBarsOfThePages ./internal/web/workbench

screenshots: setup-test ## pictures of all pages into ./screenshots, and those of the documents into docs/pictures
	@PARLEY_SCREENSHOTS='$(CURDIR)/screenshots' PARLEY_BROWSER=$$(command -v chromium) \
		$(GO) test -count=1 -timeout=30m -run TestPictures ./internal/web/workbench

clean: ## remove what was built (not the data)
	@rm -rf bin
