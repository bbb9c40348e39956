# Targets with a comment after two hashes are listed by `make help`, the default.

GO ?= go
BUF := $(GO) run github.com/bufbuild/buf/cmd/buf@v1.75.0
GOLANGCI_LINT := $(GO) run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0

# The pages whose commands are run.
PAGES := README.md client/cmd/zermelo/TOUR.md server/OPERATIONS.md

# How long `make fuzz` runs each target.
FUZZTIME ?= 1m

# How long `make soak` calls the server.
SOAK ?= 10m

# The race detector needs a C compiler.
RACE := $(shell command -v "$$($(GO) env CC | cut -d' ' -f1)" >/dev/null 2>&1 && echo -race)

GO_FILES = $(shell git ls-files --cached --others --exclude-standard '*.go' | grep -v '^gen/')

.DEFAULT_GOAL := help

.PHONY: help
help: ## Show this list.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: demo
demo: ## Solve the examples of the sources and stream a trace, through a server in the same process.
	@$(GO) run ./client/cmd/zermelo demo

.PHONY: run
run: ## Run the server on 127.0.0.1:50051.
	$(GO) run ./server/cmd/zermelod

.PHONY: build
build: ## Build zermelod and zermelo into bin/.
	$(GO) build -o bin/ ./server/cmd/zermelod ./client/cmd/zermelo

.PHONY: test
test: ## Run all tests, with the race detector where there is a C compiler.
ifeq ($(RACE),)
	@echo "No C compiler found: testing without the race detector."
endif
	$(GO) test $(RACE) ./...

.PHONY: test-long
test-long: ## Run the comparisons, floods and kills that take minutes.
	ZERMELO_LONG=1 $(GO) test -timeout 60m ./server/... ./client/...

.PHONY: test-table
test-table: ## Compare the costs of Guess Number to 60,000 with the quadratic table (7 GiB).
	ZERMELO_TABLE=60000 $(GO) test -v -count=1 -timeout 30m -run RowEqualsTableFromOne ./server/games/guess

.PHONY: fuzz
fuzz: ## Fuzz every fuzz target for FUZZTIME (1m) each.
	@set -e; for package in $$($(GO) list ./...); do \
	  for target in $$($(GO) test -list '^Fuzz' $$package | grep '^Fuzz'); do \
	    echo "== $$package $$target"; \
	    $(GO) test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 1x $$package; \
	  done; \
	done

.PHONY: soak
soak: build ## Call a server of its own for ten minutes, with every answer checked; SOAK=1h for longer.
	$(GO) run ./server/cmd/soak --zermelod bin/zermelod --for $(SOAK)

.PHONY: interop
interop: ## Call the server with grpcurl, grpc_health_probe, ghz and a client for Node.js.
	.ci/interop/run

.PHONY: bench
bench: ## Measure the algorithms against the textbook ways, traces against a bare stream, batches against calls, Solve against an echo.
	$(GO) run ./server/cmd/bench
	$(GO) test -run '^$$' -bench 'Trace|Batch' -benchtime 7x ./server/rpc
	$(GO) test -run '^$$' -bench Unary -benchtime 75x ./server/rpc

.PHONY: generate
generate: ## Write gen/ from proto/.
	rm -rf gen
	$(BUF) generate

.PHONY: golden
golden: ## Write the golden traces and pages of the tests, after a change that is meant.
	$(GO) test ./server/rpc -run Golden -update
	$(GO) test ./client/cmd/zermelo -update

.PHONY: verify
verify: verify-format verify-vet verify-lint verify-proto verify-breaking verify-generate verify-tidy ## Run every check that is not a test.

.PHONY: fix
fix: fix-format fix-lint generate fix-tidy ## Mend what the checks of `make verify` can mend.

.PHONY: verify-format
verify-format:
	@unformatted="$$(gofmt -l $(GO_FILES))"; test -z "$$unformatted" || \
	  { echo "Not formatted (make fix-format):"; echo "$$unformatted"; exit 1; }
	$(BUF) format -d --exit-code

.PHONY: fix-format
fix-format:
	gofmt -w $(GO_FILES)
	$(BUF) format -w

.PHONY: verify-vet
verify-vet:
	$(GO) vet ./...

.PHONY: verify-lint
verify-lint:
	$(GOLANGCI_LINT) run

.PHONY: fix-lint
fix-lint:
	$(GOLANGCI_LINT) run --fix

.PHONY: verify-proto
verify-proto:
	$(BUF) lint

# Compares with the latest release.
.PHONY: verify-breaking
verify-breaking:
	@tag="$$(git describe --tags --abbrev=0 --match 'v*' 2>/dev/null)"; \
	if [ -z "$$tag" ]; then echo "No release yet: nothing that a change could break."; \
	else echo "Comparing with $$tag"; $(BUF) breaking --against ".git#tag=$$tag"; fi

.PHONY: verify-generate
verify-generate:
	@fresh="$$(mktemp -d)"; trap 'rm -rf "$$fresh"' EXIT; \
	$(BUF) generate -o "$$fresh" && diff -r gen "$$fresh/gen" || \
	  { echo "gen/ is not what proto/ says (make generate)."; exit 1; }

.PHONY: verify-tidy
verify-tidy:
	@$(GO) mod tidy -diff || { echo "go.mod is not tidy (make fix-tidy)."; exit 1; }

.PHONY: fix-tidy
fix-tidy:
	$(GO) mod tidy

.PHONY: verify-readme
verify-readme: ## Run the commands of the README and its pages and compare their output.
	$(GO) run ./.ci/readme $(PAGES)

.PHONY: fix-readme
fix-readme:
	$(GO) run ./.ci/readme -update $(PAGES)
