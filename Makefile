# Everything runs in .venv, which tools/setup.sh makes and keeps up to date with pyproject.toml.
#   make report PYTHON=python3.13      another interpreter
#   make test PYTEST_ARGS='-k solver'  some of the tests

SPECS       ?= specs/credit_card.yaml
OUTPUT      ?= output
PYTEST_ARGS ?=
MINUTES     ?= 60
VENV        := .venv
BIN         := $(VENV)/bin

# Byte code is kept, whatever the environment says: tests start a hundred interpreters.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help report test test-slow test-browser test-pdf fuzz coverage check check-release lint types messages format bench docs docs-serve gallery man studies wheel wheel-check setup setup-dev clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

report: setup ## Build the example report into output/
	$(BIN)/atreport build $(SPECS) -o $(OUTPUT)

test: setup-dev ## Run the tests, on every core (a quick slice of the slow suites included)
	$(BIN)/python -m pytest -n auto --dist worksteal -m 'not slow' $(PYTEST_ARGS)

test-slow: setup-dev ## Run the slow suites: more random tables, every spec in veraPDF, the browser at every width
	ATREPORT_THOROUGH=1 $(BIN)/python -m pytest -n auto --dist worksteal -m 'slow or hypothesis' $(PYTEST_ARGS)

test-browser: setup-dev ## Run every test in Chromium, quick and slow
	$(BIN)/python -m pytest -n auto --dist worksteal -m browser $(PYTEST_ARGS)

fuzz: setup-dev ## Give hostile specs, files and reports to the program for MINUTES (60), and log findings in fuzz.jsonl
	ATREPORT_FUZZ_MINUTES=$(MINUTES) ATREPORT_FUZZ_LOG=fuzz.jsonl $(BIN)/python -m pytest tests/fuzz -k as_long_as_asked

test-pdf: setup-dev ## Run every test with veraPDF, quick and slow
	$(BIN)/python -m pytest -n auto --dist worksteal -m verapdf $(PYTEST_ARGS)

coverage: setup-dev ## Run the tests, show which branches they take, and write coverage.xml
	$(BIN)/python -m pytest -n auto --dist worksteal -m 'not slow' --cov --cov-report=term --cov-report=xml $(PYTEST_ARGS)

check: lint types test ## Everything a change must pass: format, lint, types, the wall, tests

check-release: SHELL := /bin/bash
check-release: setup-dev ## Everything a release must pass, hours of it: check, every slow suite (browser and veraPDF among them), the wheel
	@mkdir -p $(OUTPUT)
	@set -o pipefail; { \
	    git log -1 --format='%H %s' && git status --short && date -u && \
	    $(MAKE) --no-print-directory check && date -u && \
	    $(MAKE) --no-print-directory test-slow PYTEST_ARGS='--durations=40 $(PYTEST_ARGS)' && date -u && \
	    $(MAKE) --no-print-directory wheel-check && date -u && echo 'check-release: all of it holds'; \
	} 2>&1 | tee $(OUTPUT)/check-release.log

lint: setup-dev ## Check format, lint rules and the import contracts
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports

types: setup-dev ## Check types (mypy, strict)
	$(BIN)/mypy

messages: setup-dev ## Bring the catalogues of messages (atreport/languages) up to date with the code
	$(BIN)/python tools/messages.py

format: setup-dev ## Format the code and fix what ruff can fix
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

bench: setup-dev ## Measure the solver, a whole build, many of them, trade-off curves, records and verify, and write bench/*.md
	$(BIN)/python -m pip install --quiet 'cvxpy>=1.6' 'polars>=1.20'
	$(BIN)/python -m bench.solver
	$(BIN)/python -m bench.programming
	$(BIN)/python -m bench.document
	$(BIN)/python -m bench.batch
	$(BIN)/python -m bench.tradeoff
	$(BIN)/python -m bench.records
	$(BIN)/python -m bench.influence
	$(BIN)/python -m bench.verify

docs: setup-dev ## Make the documentation site in site/ (open site/index.html)
	NO_MKDOCS_2_WARNING=1 ATREPORT_GALLERY=$(OUTPUT)/gallery $(BIN)/mkdocs build --quiet --strict

docs-serve: docs ## Read the documentation at http://127.0.0.1:8000
	$(BIN)/python -m http.server --bind 127.0.0.1 --directory site 8000

gallery: setup-dev ## Build the example reports of docs/gallery, their register, and the site with both (site/gallery/index.html)
	$(BIN)/python docs/gallery/make_data.py
	$(BIN)/atreport build docs/gallery/specs specs/credit_card.yaml -o $(OUTPUT)/gallery --with-verifier
	$(BIN)/atreport register $(OUTPUT)/gallery --title "Gallery of invented reports" --publisher "The atreport project"
	@$(MAKE) --no-print-directory docs

studies: ## Make the tables and figures of docs/studies again, in an environment of their own
	@sh tools/setup.sh $(VENV)-studies studies
	$(VENV)-studies/bin/python -m docs.studies.leaks.opendp_noise
	$(VENV)-studies/bin/python -m docs.studies.differential_privacy
	$(VENV)-studies/bin/python -m docs.studies.the_paper
	$(VENV)-studies/bin/python -m docs.studies.peers

man: setup ## Write the manual page docs/atreport.1 again, after a change of the command line
	$(BIN)/python -m tools.man_page

wheel: setup-dev ## Build the sdist, and the wheel from it, into dist/
	rm -rf dist
	$(BIN)/python -m build --no-isolation --outdir dist .

wheel-check: wheel ## Install the wheel in a brand-new environment and build a report with it
	sh tools/wheel-check.sh $(BIN)/python dist/*.whl specs/credit_card.yaml

setup: ## Make .venv ready to build reports (the other targets do this themselves)
	@sh tools/setup.sh $(VENV)

setup-dev: ## Make .venv ready to work on the code (the other targets do this themselves)
	@sh tools/setup.sh $(VENV) dev

clean: ## Remove .venv, caches, dist/ and the reports in output/
	rm -rf $(VENV) $(VENV)-studies dist site .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .coverage coverage.xml
	find atreport tests -type d -name __pycache__ -prune -exec rm -rf {} +
	find output -mindepth 1 ! -name .gitkeep -prune -exec rm -rf {} +
