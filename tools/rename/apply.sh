#!/usr/bin/env bash
# Renames modules, names and phrases by the tables beside this file; run from the root of a clean checkout.
set -euo pipefail
here=tools/rename
export PYTHONPATH=$PWD/src
tidy() { .venv/bin/ruff check --fix -q . || true; .venv/bin/ruff format -q .; python3 $here/wrap.py; .venv/bin/ruff format -q .; .venv/bin/ruff check .; .venv/bin/python $here/import_all.py; git add -A; git commit -qm "$1"; }
python3 $here/move_modules.py; tidy "Modules are named by their algorithm or object"
python3 $here/move_symbols.py; python3 $here/finders.py; tidy "Classes and decorators speak the language of the field"
python3 $here/move_identifiers.py; tidy "Identifiers speak the language of the field"
python3 $here/phrases.py; python3 $here/terms.py; tidy "Phrases and standard names of algorithms"
