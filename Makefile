# make help lists the targets. Everything is installed into .venv, in the versions of constraints.txt.

PYTHON ?= python3
GAME ?=
PLAYER ?=
SIDE ?=
SEED ?=
WORKERS ?= 2

BIN := .venv/bin
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
PYTEST := $(BIN)/python -m pytest
CHECKED := src tests benchmarks $(wildcard examples)

.DEFAULT_GOAL := help
.PHONY: help play serve test test-slow lint format docs golden bench system-packages clean fuzz test-bounds test-positions

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

play: .venv/.installed ## play a game in the terminal; GAME="hex(size=7)" PLAYER="uct(playouts=500)" SIDE=second SEED=1
	@$(BIN)/montego play $(if $(GAME),--game "$(GAME)") $(if $(PLAYER),--player "$(PLAYER)") \
		$(if $(SIDE),--side "$(SIDE)") $(if $(SEED),--seed "$(SEED)")

serve: .venv/.web ## play, analyse and run matches in a browser; SERVE="--port 8001 --folder games"
	@$(BIN)/montego serve $(SERVE)

# Test files are not split between workers, so that what one of them compiles is at hand for the rest of the file.
test: lint system-packages ## lint, then run the tests compiled and, those on small boards, interpreted
	$(PYTEST) -m "not slow" -n $(WORKERS) --dist loadfile
	NUMBA_DISABLE_JIT=1 $(PYTEST) -m "both_modes and not slow" -n $(WORKERS)

test-slow: .venv/.dev system-packages ## run the slow tests too
	$(PYTEST) -n $(WORKERS) --dist loadfile

FUZZ ?= --inputs 100000
fuzz: .venv/.dev ## give made-up and damaged input to everything that reads; FUZZ="--inputs 1000000 --target sgf"
	$(BIN)/python -m tests.fuzz $(FUZZ)

# A cache of its own, as machine code with bounds checks is other code.
test-bounds: .venv/.dev ## try every parameter of every player at its bounds, compiled with bounds checks
	NUMBA_BOUNDSCHECK=1 MONTEGO_CACHE=$(CURDIR)/.bounds-cache $(BIN)/python -m tests.bounds $(BOUNDS)

test-positions: .venv/.dev system-packages ## compare a million positions with OpenSpiel, GNU Go and naive versions
	$(BIN)/python -m tests.games.positions

lint: .venv/.dev ## check style, types and the direction of imports
	$(BIN)/ruff check $(CHECKED)
	$(BIN)/ruff format --check $(CHECKED)
	$(BIN)/mypy
	$(BIN)/lint-imports

format: .venv/.dev ## bring the source into the house style
	$(BIN)/ruff check --fix $(CHECKED)
	$(BIN)/ruff format $(CHECKED)

docs: .venv/.installed ## write docs/cli.md, docs/api.md and docs/results/README.md from commands, names and results
	$(BIN)/python -m montego.cli.reference > docs/cli.md
	$(BIN)/python -m montego.cli.api_reference > docs/api.md
	$(BIN)/montego report docs/results --index > docs/results/README.md.new
	mv docs/results/README.md.new docs/results/README.md

golden: .venv/.dev ## write the stored search trees of the tests anew
	$(BIN)/python -m tests.search.golden

bench: .venv/.dev ## measure playouts and searches beside OpenSpiel's; BENCH="--quick" for a first look
	$(BIN)/python benchmarks/playouts.py $(BENCH)
	$(BIN)/python benchmarks/search.py $(BENCH)

system-packages: ## install the Debian packages that tests use, if they are missing
	@tools/install-system-packages

clean: ## remove the environment and everything that tools leave behind
	rm -rf .venv .bounds-cache build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/.created:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Montego needs Python 3.11 or newer; name one by: make PYTHON=python3.12 ..." >&2; exit 1; }
	$(PYTHON) -m venv .venv
	@touch $@

.venv/.installed: .venv/.created pyproject.toml constraints.txt
	$(PIP_INSTALL) --editable .
	@touch $@

.venv/.web: .venv/.installed
	$(PIP_INSTALL) --editable '.[web]'
	@touch $@

.venv/.dev: .venv/.installed
	$(PIP_INSTALL) --editable '.[dev]'
	@touch $@
