"""The machines of examples/loops, for tests."""

import importlib.util
from pathlib import Path

_PATH = Path(__file__).resolve().parents[1] / "examples" / "loops" / "machines.py"
_spec = importlib.util.spec_from_file_location("machines", _PATH)
assert _spec is not None and _spec.loader is not None
machines = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(machines)
