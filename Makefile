# Targets with a comment after two hashes are listed by `make help`, the default.

GO ?= go
BUF_VERSION := 1.75.0
BUF = $(GO) run github.com/bufbuild/buf/cmd/buf@v$(BUF_VERSION)
GOLANGCI_LINT := $(GO) run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
GOVULNCHECK := $(GO) run golang.org/x/vuln/cmd/govulncheck@v1.10.0
# The last one that builds with Go 1.26.
GORELEASER := $(GO) run github.com/goreleaser/goreleaser/v2@v2.17.0

# The pages whose commands are run.
PAGES := README.md client/cmd/zermelo/TOUR.md server/OPERATIONS.md

# How long `make fuzz` runs each target.
FUZZTIME ?= 1m

# How long `make soak` calls the server.
SOAK ?= 10m

# The race detector makes tests several times slower. It finds nothing where one goroutine does all the work, which is so
# in these packages; all others are tested with it, new ones too. A package that comes to start goroutines, or to share
# anything between them, leaves this list. The detector needs a C compiler.
ONE_GOROUTINE := $(addprefix github.com/zermelo-games/zermelo/, \
	client/proof client/games% client/rules% client/words% \
	server/engine/search server/engine/gametest server/engine/oracle \
	server/games/ends server/games/guess server/games/hundred server/games/nim)
RACE := $(shell command -v "$$($(GO) env CC | cut -d' ' -f1)" >/dev/null 2>&1 && echo -race)

PACKAGES = $(shell $(GO) list ./...)

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
test: ## Run all tests, with the race detector where goroutines meet.
ifeq ($(RACE),)
	@echo "No C compiler found: testing without the race detector."
endif
	$(GO) test -vet=off $(filter $(ONE_GOROUTINE),$(PACKAGES))
	$(GO) test -vet=off $(RACE) $(filter-out $(ONE_GOROUTINE),$(PACKAGES))

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
soak: ## Call a server of its own for ten minutes, with every answer checked; SOAK=1h for longer.
	ZERMELO_SOAK=$(SOAK) $(GO) test -count=1 -timeout 0 -v -run TestSoak ./server/cmd/zermelod

.PHONY: interop
interop: build ## Call the server with grpcurl, grpc_health_probe, ghz and a client for Node.js.
	.ci/with-server 127.0.0.1:0 .ci/interop/run

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

.PHONY: baseline
baseline: ## Take the contract as it is for the one that must not be broken: at a release.
	$(BUF) build --exclude-source-info -o proto/baseline.binpb

.PHONY: release-snapshot
release-snapshot: ## Build what a release is made of into dist/, without publishing it.
	$(GORELEASER) release --config .ci/goreleaser.yaml --snapshot --clean

.PHONY: verify
verify: verify-lint verify-proto verify-generate verify-tidy verify-faults verify-vulnerabilities ## Run every check that is not a test.

.PHONY: fix
fix: fix-lint fix-proto generate fix-tidy ## Mend what the checks of `make verify` can mend.

# Formatting and `go vet` are among the linters.
.PHONY: verify-lint
verify-lint:
	$(GOLANGCI_LINT) run ./... ./.ci/readme

.PHONY: fix-lint
fix-lint:
	$(GOLANGCI_LINT) run --fix ./... ./.ci/readme

.PHONY: verify-proto
verify-proto:
	$(BUF) format -d --exit-code
	$(BUF) lint
	$(BUF) breaking --against proto/baseline.binpb

.PHONY: fix-proto
fix-proto:
	$(BUF) format -w

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

# The tests that the page of faults names are there.
.PHONY: verify-faults
verify-faults:
	@for test in $$(grep -o 'Test[A-Z][A-Za-z]*' server/FAULTS.md); do \
	  git grep -q "^func $$test(" -- '*_test.go' || { echo "server/FAULTS.md names $$test, which is not there."; exit 1; }; \
	done

# Passes without an answer only where the database cannot be reached.
.PHONY: verify-vulnerabilities
verify-vulnerabilities:
	@report="$$($(GOVULNCHECK) ./... 2>&1)" && { echo "$$report"; exit 0; }; echo "$$report"; \
	case "$$report" in *"fetching vulnerabilities: "*"dial tcp"*) \
	  echo "NOT CHECKED for known vulnerabilities: their database cannot be reached from here.";; \
	*) exit 1;; esac

.PHONY: verify-readme
verify-readme: build ## Run the commands of the README and its pages and compare their output.
	.ci/with-server 127.0.0.1:50051 $(GO) run ./.ci/readme $(PAGES)

.PHONY: fix-readme
fix-readme: build ## Write the output of the commands into the README and its pages.
	.ci/with-server 127.0.0.1:50051 $(GO) run ./.ci/readme -update $(PAGES)
