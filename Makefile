# The front door. `make demo` shows what Windflower does; `make test` proves it.
# All that is needed beforehand: python3 (3.11 or newer, with venv) and make.

PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test check slow clean

demo: .venv/ready
	$(BIN)/windflower demo --out out

test: .venv/ready
	$(BIN)/python -m pytest -q -n 2

check: .venv/ready
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

.venv/ready: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Windflower needs Python 3.11 or newer; name one with: make PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || \
	  { echo "Python's venv module is missing; install it with: apt-get install python3-venv"; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[all,dev]'
	@touch $@

clean:
	rm -rf .venv out .mypy_cache .ruff_cache .pytest_cache
