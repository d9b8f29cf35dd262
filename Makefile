# The front door. `make demo` shows what Windflower does; `make test` proves it.
# All that is needed beforehand: python3 (3.11 or newer, with venv) and make.

PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test check driver display clean

demo: .venv/ready driver
	$(BIN)/windflower demo --out out

test: .venv/ready driver display
	WINDFLOWER_REQUIRE_GPU=1 $(BIN)/python -m pytest -q -n 2

# A Vulkan driver: Mesa's software one where there is none, installed if we may.
driver: .venv/ready
	@$(BIN)/python -c 'from windflower.core.device import open_gpu; print(open_gpu().summary)' 2>/dev/null || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    apt-get update -q && apt-get install -y -q mesa-vulkan-drivers; \
	  else \
	    echo "No Vulkan driver was found. Install one with: sudo apt-get install mesa-vulkan-drivers"; exit 1; \
	  fi; }

# A virtual display for the test of the real window, which is skipped without one.
display:
	@command -v Xvfb >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && \
	  apt-get update -q && apt-get install -y -q xvfb; } || echo "No Xvfb: the window is not tested. apt-get install xvfb"

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
