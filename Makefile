# One file to build, test and show everything: `make help` lists the targets.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.NOTPARALLEL:

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Python compiles a module when it is first imported; pip would compile all of them, for half of the time that it takes.
PIP := $(BIN)/python -m pip install --disable-pip-version-check --no-compile
WORKERS ?= 3
QUICK := not slow and not peer
# Workers share the cores: more threads within one of them only get in the way of the others. Byte code is kept, whatever
# the environment says: workers and the processes that tests start import the same thousand modules again and again.
ALONE := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE=

# A stamp says that the environment holds what pyproject.toml asked for when it was written.
CORE := $(VENV)/.stamp-core
TEST := $(VENV)/.stamp-test
PEERS := $(VENV)/.stamp-peers
DOCS := $(VENV)/.stamp-docs

.DEFAULT_GOAL := help
.PHONY: help demo test verify reproduce bench bench-compare bench-precision peers docs figures warmup wheel sdist lint clean

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-15s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: $(CORE)  ## a flexible arm in orbit touches a payload and presses on it: runs, figures and report in out/demo
	$(BIN)/jourdain demo --out out/demo

# Types are checked beside the tests, on what these leave of the cores; what was found is told at the end. Tests are
# collected once before the workers do: one process writes the byte code of all of them while the types are checked.
# Each worker begins with a run of files of its own, so that what a file shares is made once, and takes from the others
# when it has none left. With CI set, the kernels compile into a fresh cache, so that no stale machine code can pass the tests.
test: $(TEST)  ## style, types and quick tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	mkdir -p build; \
	if [ -n "$${CI:-}" ]; then \
	  JOURDAIN_CACHE_DIR=$$(mktemp -d "$(CURDIR)/build/cache.XXXXXX"); \
	  export JOURDAIN_CACHE_DIR; \
	  trap 'rm -rf "$$JOURDAIN_CACHE_DIR"' EXIT; \
	fi; \
	$(BIN)/mypy > build/types.txt 2>&1 & types=$$!; \
	tested=0; typed=0; \
	$(ALONE) $(BIN)/python -m pytest --collect-only -q -m "$(QUICK)" > build/collected.txt 2>&1 || true; \
	$(ALONE) $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m "$(QUICK)" || tested=$$?; \
	wait $$types || typed=$$?; \
	echo "$(BIN)/mypy"; cat build/types.txt; \
	exit $$((tested > typed ? tested : typed))

verify: $(TEST)  ## slow verification against theory and published numbers, and many more random cases
	HYPOTHESIS_PROFILE=long $(BIN)/python -m pytest -m "(slow or hypothesis) and not peer"

reproduce: $(TEST)  ## the numbers of the sources again, beside ours, in out/reproduce/reproduce.html
	$(ALONE) $(BIN)/jourdain reproduce --out out/reproduce

peers: $(PEERS)  ## comparison with Pinocchio, MuJoCo and Exudyn
	$(BIN)/python -m pytest tests/peers -m peer

bench: $(PEERS)  ## measure against the peers, an hour at most; writes benchmarks/RESULTS.md, results.json and plots
	$(BIN)/python benchmarks/run.py

bench-compare: $(PEERS)  ## measure again into build/bench and flag what became slower than the stored run by more than noise
	$(BIN)/python benchmarks/run.py --out build/bench
	$(BIN)/python benchmarks/compare.py build/bench/results.json

bench-precision: $(PEERS)  ## error against processor time, beside the peers; draws docs/images/precision.png
	$(ALONE) $(BIN)/python benchmarks/precision.py

docs: $(DOCS)  ## build the documentation and its gallery into docs/_build/html
	$(BIN)/python -m sphinx -W --keep-going -b html docs docs/_build/html

figures: $(CORE)  ## draw the figures of the documentation again, into docs/images
	$(BIN)/python docs/figures.py

warmup: $(CORE)  ## compile the kernels once, so that later runs start at once
	$(BIN)/jourdain warmup

wheel: $(CORE)  ## the plain wheel, and one with compiled kernels for this platform, into dist/
	$(BIN)/python tools/wheel.py

sdist: $(CORE)  ## the source archive, into dist/
	$(PIP) build
	$(BIN)/python -m build --sdist --outdir dist .

lint: $(TEST)  ## style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

clean:  ## remove what was built, the environment excepted
	rm -rf build dist out docs/_build docs/gallery .pytest_cache .hypothesis .ruff_cache .mypy_cache .benchmarks
	find src tests examples benchmarks docs -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

$(BIN)/python:
	$(PYTHON) -c 'import sys; v = sys.version_info; sys.exit(None if v >= (3, 11) else f"Jourdain needs Python 3.11 or later, got {v[0]}.{v[1]}: set PYTHON=python3.11")'
	$(PYTHON) -m venv $(VENV)

$(CORE): pyproject.toml | $(BIN)/python
	$(PIP) -e '.[view,sweep]'
	touch $@

$(VENV)/.stamp-%: pyproject.toml | $(BIN)/python
	$(PIP) -e '.[view,sweep,$*]'
	touch $@ $(CORE)
