# Shoetrail. `make help` says what can be made; `make demo` and `make test` are all a newcomer needs.
.DEFAULT_GOAL := help
SHELL := /bin/sh
.DELETE_ON_ERROR:

# The first Python >= 3.11 of these; say `make clean demo PYTHON=/path/to/python` for another. One that was built
# without the optimizations of its own (pyenv's way, unless told) runs our services a fifth slower,
# and is taken only where the system has no other.
PYTHONS := python3 /usr/bin/python3 python3.13 python3.12 python3.11
NEW := import sys; sys.exit(sys.version_info < (3, 11))
WHOLE := import ensurepip, venv; $(NEW)
FAST := import ensurepip, sys, sysconfig, venv; built = sysconfig.get_config_var("CONFIG_ARGS") or ""; \
	sys.exit(sys.version_info < (3, 11) or sys.base_prefix != "/usr" and "--enable-optimizations" not in built)
PYTHON ?= $(shell for ask in '$(FAST)' '$(WHOLE)' '$(NEW)'; do for p in $(PYTHONS); do \
	$$p -c "$$ask" 2>/dev/null && { echo $$p; exit; }; done; done)

VENV := .venv
BIN := $(VENV)/bin
DEPS := $(VENV)/.deps
READY := $(VENV)/.ready
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
# So many tests at a time: more than processors, for some only wait. They start our commands again
# and again, and in several processes: what was compiled once is kept.
WORKERS ?= 3
SOURCES := schemas services tests $(wildcard benchmarks)

.PHONY: help demo test check bench schemas format clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-9s %s\n", $$1, $$2}' Makefile

demo: $(READY) ## deal, resolve, audit and replay a whole shoe (ARGS="--seed HEX --rounds N …")
	@$(BIN)/shoetrail demo $(ARGS)

test: $(READY) ## the whole test suite (ARGS="-k name …")
	@env -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m pytest -n $(WORKERS) $(ARGS)

check: $(READY) ## ruff, mypy and import-linter
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/mypy $(SOURCES)
	$(BIN)/lint-imports

bench: $(READY) ## the benchmarks, one `name value` a line
	@$(BIN)/python -m benchmarks $(ARGS)

schemas: $(READY) ## write schemas/published/ again from the types
	@$(BIN)/python -m schemas.publish

format: $(READY) ## ruff's formatter and its safe fixes
	$(BIN)/ruff format $(SOURCES)
	$(BIN)/ruff check --fix $(SOURCES)

clean: ## remove .venv and all caches
	rm -rf $(VENV) *.egg-info build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find $(SOURCES) -name __pycache__ -type d -prune -exec rm -rf {} +

# Everything fetched is checked against the hashes in requirements.lock: first what installs and
# builds, then the rest. Builds are not isolated, for an isolated one fetches tools unchecked.
$(DEPS): requirements.lock
	@test -n "$(PYTHON)" || { echo "shoetrail: no Python 3.11 or newer was found; install one or say: make demo PYTHON=/path/to/python" >&2; exit 2; }
	@$(PYTHON) -c '$(NEW)' 2>/dev/null || { echo "shoetrail: $(PYTHON) is not there, or no Python 3.11 or newer; say: make demo PYTHON=/path/to/python" >&2; exit 2; }
	@echo "building $(VENV) from requirements.lock (once; about a minute)" >&2
	@$(PYTHON) -m venv --clear $(VENV) || { echo "shoetrail: $(PYTHON) cannot make a venv; on Debian: apt-get install python3-venv" >&2; exit 2; }
	@awk '/^[a-z]/ {keep = /^(packaging|pip|setuptools|wheel)==/} keep' requirements.lock > $(VENV)/build.lock
	@$(PIP) install --require-hashes -r $(VENV)/build.lock
	@$(PIP) install --require-hashes --no-build-isolation -r requirements.lock
	@touch $@

$(READY): $(DEPS) pyproject.toml
	@PYTHONWARNINGS=ignore $(PIP) install --no-deps --no-build-isolation --no-index -e .
	@touch $@
