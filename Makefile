# The front door. `make demo` shows what Windflower does; `make test` proves it.
# All that is needed beforehand: python3 (3.11 or newer, with venv) and make.

PYTHON ?= python3
BIN := .venv/$(if $(filter Windows_NT,$(OS)),Scripts,bin)

GPU := $(BIN)/python -c 'from windflower.core.device import open_gpu; print(open_gpu().summary)'
# Each worker has its half, in order, so that what the tests of a file share is made once.
PYTEST := WINDFLOWER_REQUIRE_GPU=1 $(BIN)/python -m pytest -q -n 2 --dist worksteal
SEED ?= 0

# Compiled modules are kept, where machines are told not to keep them, too: hundreds of processes would each compile them anew.
export PYTHONDONTWRITEBYTECODE :=

# Install Debian packages, where we may.
apt = [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && export DEBIAN_FRONTEND=noninteractive && \
  apt-get update -q && apt-get install -y -q $(1)

# Install Windflower from this folder with the extras of the target; what pip says is kept in a file.
PIP = $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[$(EXTRAS)]' >.venv/pip.log 2>&1 || { \
  echo "Packages could not be installed; check the network and run make again (.venv/pip.log ends with: $$(tail -n 1 .venv/pip.log))."; \
  exit 1; }

.PHONY: demo stills test test-core test-again test-all test-sample fuzz clients browser check docs site notebook lesson dist driver display clean

demo: .venv/ready driver
	$(BIN)/windflower demo --out out

# The pictures of README and docs that show scenes, and the papers' figures, all anew: minutes on a graphics card, an hour without.
stills: .venv/ready driver
	$(BIN)/python benchmarks/stills.py docs
	$(BIN)/windflower species-sheet -o docs/species.webp
	$(BIN)/windflower gallery -o docs/gallery
	$(BIN)/python -m book.species_pictures
	$(BIN)/python benchmarks/window_picture.py docs/viewer.webp

# Without the sweeps. What is skipped is told at the end, with what it needs.
test: .venv/ready driver display
	$(PYTEST) -m "not slow"

# What needs no graphics, no other programs and no particular system: plants, mechanics, winds and motions in NumPy.
CORE := beams plate plant growth species importers importers_mtg importers_roundtrip modes mechanics_wood mechanics_strain \
  oscillator modal_motion_sway cantilever wind_gusts wind_turbulence wind_files scene_file scans reference table_pages
test-core: .venv/ready
	$(BIN)/python -m pytest -q -n 2 -m "not slow" $(wildcard $(CORE:%=tests/test_%.py))

test-all: .venv/ready driver display
	$(PYTEST)

# Those that failed in the last run.
test-again: .venv/ready
	WINDFLOWER_REQUIRE_GPU=1 $(BIN)/python -m pytest -q --last-failed --last-failed-no-failures none

# A few of the sweeps, others for another SEED.
test-sample: .venv/ready driver display
	$(PYTEST) -m slow --slow-sample 16 --slow-seed "$(SEED)"

# So many damaged files, random scenes, commands and calls; failures are kept in out/fuzz. `make fuzz TARGET=mtg` is one kind.
COUNT ?= 500000
fuzz: .venv/ready driver
	$(BIN)/python -m tests.fuzz $(TARGET) --count $(COUNT) --seed $(SEED)

# A Vulkan driver: Mesa's software one where there is none, installed if we may.
driver: .venv/ready
	@$(GPU) 2>/dev/null || { $(call apt,mesa-vulkan-drivers) && $(GPU) 2>/dev/null; } || { \
	  echo "No graphics driver was found that can draw. Install Mesa's with: sudo apt-get install mesa-vulkan-drivers" \
	    "(what other systems need is told by $(BIN)/windflower doctor)"; exit 1; }

# A virtual display for the test of the real window, which is skipped without one.
display:
	@command -v Xvfb >/dev/null || { $(call apt,xvfb); } || \
	  echo "No Xvfb: the window is not tested. Install it with: sudo apt-get install xvfb"

# Other people's programs that tests drive if they are there: a browser, what steers it, USD's library, Blender,
# three.js, and the glTF validator.
clients: .venv/clients browser .venv/node/ready .venv/blender/ready

.venv/clients: EXTRAS := clients
.venv/clients: .venv/ready
	@$(PIP)
	@touch $@

browser:
	@command -v chromium >/dev/null || command -v google-chrome >/dev/null || { $(call apt,chromium); } || { \
	  echo "No browser was found. Install one with: sudo apt-get install chromium"; exit 1; }

# Blender's module runs in one Python only and wants an environment of its own.
.venv/blender/ready: .venv/ready
	@command -v python3.11 >/dev/null || { echo "No Python 3.11: Blender is not tested. Install it, and run make again."; exit 1; }
	@python3.11 -m venv .venv/blender
	@.venv/blender/bin/python -m pip install --quiet --disable-pip-version-check 'bpy>=4.2' >.venv/pip.log 2>&1 || { \
	  echo "Blender's module could not be installed (.venv/pip.log ends with: $$(tail -n 1 .venv/pip.log))."; exit 1; }
	@touch $@

.venv/node/ready: .venv/ready
	@command -v npm >/dev/null || { $(call apt,npm); } || { echo "No npm: glTF is not tested. Install it, and run make again."; exit 1; }
	@npm install --silent --no-audit --no-fund --prefix .venv/node gltf-validator three typescript @webgpu/types prettier >.venv/npm.log 2>&1 || { \
	  echo "Packages of npm could not be installed (.venv/npm.log ends with: $$(tail -n 1 .venv/npm.log))."; exit 1; }
	@touch $@

check: .venv/ready
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

# The site, in out/site; a warning is an error.
docs: .venv/docs
	$(BIN)/python -m book

# Live plants for the site, six packs in out/live (some ten minutes without a graphics card), and the site with them.
site: .venv/docs driver
	$(BIN)/python -m book.live
	$(BIN)/python -m book

.venv/docs: EXTRAS := docs
.venv/docs: .venv/ready
	@$(PIP)
	@touch $@

# The lecture hour, in a browser.
notebook: .venv/lesson
	$(BIN)/jupyter lab examples/why-trees-sway.ipynb

.venv/lesson: EXTRAS := lesson
.venv/lesson: .venv/ready
	@$(PIP)
	@touch $@

# The lesson, from its first cell to its last.
lesson: .venv/ready
	$(BIN)/python -m pytest -q tests/test_book.py

# Wheel and sdist, checked, and the wheel tried in an empty environment: what needs no extra, then a picture.
dist: .venv/dist
	rm -rf dist out/empty
	$(BIN)/python -m build --quiet
	$(BIN)/python -m twine check --strict dist/*
	$(PYTHON) -m venv out/empty
	out/empty/bin/python -m pip install --quiet --disable-pip-version-check dist/*.whl
	cd out/empty && bin/windflower --version && bin/windflower modes silver-birch --count 4 --detail 0.2
	wheel=$$(ls dist/*.whl) && out/empty/bin/python -m pip install --quiet --disable-pip-version-check "$$wheel[plot]"
	cd out/empty && bin/windflower show silver-birch --detail 0.2 -o birch.png && test -s birch.png

.venv/dist: EXTRAS := dist
.venv/dist: .venv/ready
	@$(PIP)
	@touch $@

.venv/ready: EXTRAS := all,dev
.venv/ready: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Windflower needs Python 3.11 or newer; name one with: make PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || \
	  { echo "Python's venv module is missing; install it with: sudo apt-get install python3-venv"; exit 1; }
	@echo "Setting up .venv: a minute or two."
	@$(PYTHON) -m venv .venv
	@$(PIP)
	@touch $@
	@echo "Set up. The command is $(BIN)/windflower; after '. $(BIN)/activate' it is windflower."

clean:
	rm -rf .venv out dist .hypothesis .mypy_cache .ruff_cache .pytest_cache
