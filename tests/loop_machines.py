"""The machines of the examples of loops, for tests."""

import importlib.util

from example_files import example_file

_spec = importlib.util.spec_from_file_location("machines", example_file("machines"))
assert _spec is not None and _spec.loader is not None
machines = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(machines)
