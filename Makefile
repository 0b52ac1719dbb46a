# Everything that a developer or an owner starts by hand. `make up` needs Python, Node, npm and a C library, and nothing else.
#
# Each installing step leaves a stamp whose name carries the checksum of what it was made from, so that a second run does
# nothing and needs no network. Times of files say nothing after a clone; contents do.

MAKEFLAGS += --no-print-directory
UV_VERSION := 0.13.9
# The first interpreter that is new enough; name another with `make up PYTHON=/path/to/python`.
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; done)
VENV := .venv/bin
# What the installed programs read of the environment. A wheel that would have to be compiled here is an error, not a surprise.
export UV_PYTHON_DOWNLOADS := never
export UV_NO_PROGRESS := 1
# A shell that keeps Python from keeping what it compiled would have each of the hundreds of processes of a test run compile everything
# anew: 4.3 s of CPU for a command instead of 1.5. Empty means as usual.
export PYTHONDONTWRITEBYTECODE :=

# How many processes the tests are spread over, and where those stand that run on PostgreSQL as well.
TEST_PROCESSES ?= 3
# What most depends on the database, for every run; the others that use it are for test-postgresql.
ON_POSTGRESQL := tests/devices $(wildcard tests/thoughts/feed/test_feed*.py) tests/thoughts/feed/test_search_by_meaning.py tests/thoughts/index tests/agents/vault/test_search.py \
	tests/thoughts/taste/test_ranking.py $(wildcard tests/thoughts/watches/test_watch_*.py) tests/test_side_by_side.py \
	tests/penny_site/settings_pages/test_retention.py tests/agents/runs/test_runs.py tests/agents/runs/test_interrupted.py \
	tests/agents/schedules/test_schedules.py tests/agents/turns/test_transactions.py \
	tests/penny_site/backups/test_vault_in_backups.py
ALL_ON_POSTGRESQL := tests/agents tests/devices tests/penny_site tests/thoughts \
	tests/test_contract.py tests/test_conversation_contract.py tests/test_side_by_side.py

# A registry fails now and then: each installing step is tried three times.
retry = tries=0; until $(1); do tries=$$((tries + 1)); test $$tries -lt 3 || exit 1; echo 'Trying again' >&2; sleep $$tries; done

checksum = $(shell cat $(1) 2>/dev/null | cksum | tr ' ' -)
EXTENSION_SOURCES := $(shell find browser_ext/src browser_ext/entrypoints browser_ext/public browser_ext/scripts browser_ext/*.json browser_ext/*.ts penny_site/static/penny thoughts/text/private/*.json -type f 2>/dev/null | LC_ALL=C sort)

UV_STAMP := .venv/.uv-$(UV_VERSION)
SYNCED := .venv/.synced-$(call checksum,uv.lock)
SYNCED_DEV := .venv/.synced-dev-$(call checksum,uv.lock)
NODE_MODULES := browser_ext/node_modules/.installed-$(call checksum,browser_ext/package-lock.json)
EXTENSION := browser_ext/.output/.built-$(call checksum,$(EXTENSION_SOURCES))

# Pages of frameworks, for tests of acts: installed and bundled once.
PAGES_SOURCES := $(shell find tests/e2e/pages/src tests/e2e/pages/*.json tests/e2e/pages/*.mjs -type f 2>/dev/null | LC_ALL=C sort)
PAGES_MODULES := tests/e2e/pages/node_modules/.installed-$(call checksum,tests/e2e/pages/package-lock.json)
PAGES := tests/e2e/pages/.output/.built-$(call checksum,$(PAGES_SOURCES))

.PHONY: pages install up test verify test-postgresql test-long chaos bench demo lint types imports extension-checks extension-tests programs demo-programs checks installed installed-dev

install:
	@$(MAKE) -j2 installed

installed: $(SYNCED) $(EXTENSION)
	@:

installed-dev: $(SYNCED_DEV) $(EXTENSION)
	@:

up: install
	@exec $(VENV)/python manage.py up $(ARGS)

$(UV_STAMP):
	$(if $(PYTHON),,$(error Penny needs Python 3.11 or newer: install it, or name one with make PYTHON=/path/to/python))
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo 'penny: Python lacks its venv module: on Debian, apt-get install python3-venv' >&2; exit 2; }
	@echo "Making .venv with $$($(PYTHON) --version)"
	@$(PYTHON) -m venv .venv
	@$(call retry,$(VENV)/python -m pip install -qq --disable-pip-version-check uv==$(UV_VERSION))
	@touch $@

$(SYNCED): $(UV_STAMP)
	@echo 'Installing the locked Python packages'
	@$(call retry,$(VENV)/uv sync --quiet --locked --inexact --no-dev)
	@rm -f .venv/.synced-* && touch $@

$(SYNCED_DEV): $(UV_STAMP)
	@echo 'Installing the locked Python packages, those for development too'
	@$(call retry,$(VENV)/uv sync --quiet --locked --inexact)
	@rm -f .venv/.synced-* && touch $@ $(SYNCED)

$(NODE_MODULES):
	@major=$$(node -p 'process.versions.node.split(".")[0]' 2>/dev/null); test "$${major:-0}" -ge 20 || \
		{ echo 'penny: Penny needs Node 20 or newer, with npm: install it and run make again' >&2; exit 2; }
	@command -v npm >/dev/null || { echo 'penny: Penny needs npm: install it (on Debian, apt-get install npm) and run make again' >&2; exit 2; }
	@echo 'Installing the locked packages that build the extension'
	@cd browser_ext && $(call retry,npm ci --ignore-scripts --no-audit --no-fund --loglevel=error)
	@touch $@

$(EXTENSION): $(NODE_MODULES)
	@echo 'Building the extension for Firefox and Chrome'
	@cd browser_ext && npm run --silent build >.wxt-build.log 2>&1 || { cat .wxt-build.log; exit 1; }
	@rm -f browser_ext/.output/.built-* browser_ext/.wxt-build.log
	@touch $@

pages: $(PAGES)
	@:

$(PAGES_MODULES): $(NODE_MODULES)
	@echo 'Installing the locked packages of the pages that tests act on'
	@cd tests/e2e/pages && $(call retry,npm ci --ignore-scripts --no-audit --no-fund --loglevel=error)
	@touch $@

$(PAGES): $(PAGES_MODULES)
	@cd tests/e2e/pages && ../../../browser_ext/node_modules/.bin/vite build --logLevel error
	@touch $@

# Checks -----------------------------------------------------------------------------------------------------------------------

lint: $(SYNCED_DEV)
	@$(VENV)/ruff check --quiet .
	@$(VENV)/ruff format --check --quiet .
	@$(VENV)/djangofmt --check --quiet */templates || { $(VENV)/djangofmt --check */templates; exit 1; }

# The Django plugin reads the settings, which make their data folder.
types: $(SYNCED_DEV)
	@PENNY_DATA=$(CURDIR)/.mypy_cache/data $(VENV)/mypy

imports: $(SYNCED_DEV)
	@$(VENV)/lint-imports --no-logo >.import_linter.log 2>&1 || { cat .import_linter.log; exit 1; }
	@rm .import_linter.log

extension-checks: $(EXTENSION)
	@cd browser_ext && { npm run --silent check && npm run --silent format && npm run --silent imports && npm run --silent dead && \
		npm run --silent css && npm run --silent lint; } >.checks.log 2>&1 || { cat .checks.log; exit 1; }
	@rm browser_ext/.checks.log

extension-tests: $(EXTENSION)
	@cd browser_ext && node_modules/.bin/vitest run >.tests.log 2>&1 || { cat .tests.log; exit 1; }
	@rm browser_ext/.tests.log

# The longest first.
checks: extension-tests types extension-checks lint imports

# What the tests need besides: both browsers with a font, and PostgreSQL and nginx, of which only the programs are used. The demonstration
# needs one browser, and the other one for its pictures.
BROWSERS := chromium firefox-esr
demo-programs: BROWSERS := chromium $(if $(findstring --pictures,$(ARGS)),firefox-esr)
programs demo-programs:
	@missing=; for program in $(BROWSERS); do command -v $$program >/dev/null || missing="$$missing $$program"; done; \
	fc-list 2>/dev/null | grep -qi dejavu || missing="$$missing fonts-dejavu-core fontconfig"; \
	test $@ = demo-programs || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null || missing="$$missing postgresql"; \
	test $@ = demo-programs || PATH="$$PATH:/usr/sbin" command -v nginx >/dev/null || missing="$$missing nginx"; \
	test -z "$$missing" && exit 0; \
	if test "$$(id -u)" = 0 && test -e /etc/debian_version; then \
		echo "Installing$$missing"; \
		$(call retry,apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends $$missing >/dev/null); \
	else \
		echo "penny: what is missing here:$$missing. Install it (on Debian as root, apt-get install$$missing) and run make again" >&2; exit 2; \
	fi

# The tests wait more than they work: more of them than cores run side by side. tests/gate.py says what is green.
test:
	@$(MAKE) -j3 programs installed-dev pages
	+@$(VENV)/python -m tests.gate --processes $(TEST_PROCESSES) --postgresql $(ON_POSTGRESQL)

# The tests that are new or changed since BASE, of FLOOR if it is set, five times in other orders, beside two busy loops.
verify:
	@$(MAKE) -j3 programs installed-dev pages
	@$(VENV)/python -m tests.verify --processes $(TEST_PROCESSES) $(if $(BASE),--base $(BASE)) $(if $(FLOOR),--floor $(FLOOR))

test-postgresql:
	@$(MAKE) -j3 programs installed-dev
	@$(VENV)/python -m pytest -n $(TEST_PROCESSES) --database=postgresql $(ALL_ON_POSTGRESQL)

test-long:
	@$(MAKE) -j3 programs installed-dev pages
	@$(VENV)/python -m pytest -m long || test $$? = 5 # there may be none yet

# What goes wrong is printed as a seed: make chaos ARGS="--seed 7" does the same again.
chaos:
	@$(MAKE) -j3 installed-dev
	@exec $(VENV)/python -m tests.chaos $(ARGS)

# Penny on a small web of its own, with a browser in the background and nothing of yours: make demo ARGS="--data DIR" keeps what she finds.
demo:
	@$(MAKE) -j3 demo-programs installed-dev
	@exec $(VENV)/python -m tests.demo $(ARGS)

bench:
	@$(MAKE) -j3 programs installed-dev
	@for bench in start first_hour idle relay tools planner_tools panel pages slow_reader giving_way steady taste feed acting.steps; do $(VENV)/python -m tests.bench.$$bench || exit 1; done
	@$(VENV)/python -m tests.bench.feed --database postgresql
	@$(VENV)/python -m tests.bench.channels
