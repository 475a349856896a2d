# make play   set everything up and play
# make test   set everything up and run all checks and tests
# make check  formatting, lint, types
# make bench  the numbers of docs/performance.md
# make soak   an hour and a half of load, hostile messages and faults
# make golden write the golden playthroughs anew (look at the diff)

PYTHON ?= python3
BIN := .venv/bin
export PIP_CONSTRAINT := $(CURDIR)/constraints.txt
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: play test debian check bench soak golden clean

play: .venv/ready
	@$(BIN)/coyote table --open

test: .venv/ready-dev debian
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/python tools/run_tests.py  # and mypy, while the rules are compiled

# What some tests need besides Python. Without root they are skipped, and say what is missing. The whole
# Chromium will do in place of the one without a window.
DEBIAN := postgresql-15 nginx chromium-headless-shell node-typescript
debian:
	@missing=$$(for name in $(DEBIAN); do \
	    dpkg -s $$name > /dev/null 2>&1 || dpkg -s $${name%-headless-shell} > /dev/null 2>&1 || echo $$name; done); \
	  test -z "$$missing" || test "$$(id -u)" != 0 || ! command -v apt-get > /dev/null || \
	  { echo "Installing for the tests:" $$missing; apt-get update -qq && \
	    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing > /dev/null; }

check: .venv/ready-dev
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy

bench: .venv/ready-dev
	$(BIN)/python benchmarks/madness.py
	$(BIN)/python benchmarks/duel.py
	$(BIN)/python benchmarks/bots_madness.py speed
	$(BIN)/python benchmarks/bots_duel.py speed
	$(BIN)/python benchmarks/bots_games.py
	$(BIN)/python benchmarks/envs.py

soak: .venv/ready-dev
	$(BIN)/python tools/table_soak.py --minutes 30 --out docs/pictures/table-soak
	$(BIN)/python tools/table_hostile.py
	COYOTE_EXAMPLES=500 $(BIN)/pytest -q tests/table/test_api.py
	$(BIN)/pytest -q -m soak
	$(BIN)/python tools/table_kills.py --kills 100 --games 12
	$(BIN)/python tools/table_chaos.py --nginx

golden: .venv/ready-dev
	$(BIN)/python tools/make_golden.py

.venv/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Coyote needs Python 3.11 or newer: make PYTHON=python3.11")'
	$(PYTHON) -m venv .venv

.venv/ready: .venv/bin/python pyproject.toml constraints.txt
	@echo "Installing Coyote into .venv ..."
	$(BIN)/pip install --quiet --editable .
	@touch $@

.venv/ready-dev: .venv/ready
	$(BIN)/pip install --quiet --editable '.[dev]'
	@touch $@

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis
