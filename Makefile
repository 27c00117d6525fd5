# Everything a developer types. `make help` lists it; each target sets up what it needs.
.DEFAULT_GOAL := help
.PHONY: help setup build test demo bench soak check format coverage mutate clean
PRESET ?= release
BUILD := build/$(PRESET)
JOBS ?= $(shell nproc)

help: ## This list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' Makefile

setup: ## Install what is missing (the other targets do this by themselves)
	@scripts/setup

build: setup ## Build the binary: build/sluice
	@scripts/build $(PRESET) $(JOBS)

test: setup ## Build and run every test, with and without sanitizers
	@scripts/test

demo: setup ## Real models under overload: fifo against sluice (KEEP=1 leaves it running)
	@scripts/build release $(JOBS) sluice
	@scripts/demo $(if $(KEEP),--keep)

bench: setup ## Measure: core cycle, proxy against HAProxy; JSON in build/bench/
	@scripts/build release $(JOBS) sluice bench_core
	@scripts/bench

soak: setup ## Run against faults until told to stop
	@scripts/build release $(JOBS) sluice
	@scripts/soak

check: setup ## Layering, formatting and clang-tidy
	@scripts/check

coverage: setup ## Which lines and branches of src/core its tests reach; JSON in build/coverage/
	@scripts/coverage $(JOBS)

mutate: setup ## Break src/core where it matters, one place at a time, and see a test fail each time
	@scripts/mutate $(JOBS)

format: setup ## Format the sources
	@git ls-files '*.h' '*.cc' | xargs clang-format-14 -i

clean: ## Remove what was built (not what was installed)
	rm -rf build
