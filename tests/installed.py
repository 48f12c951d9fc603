"""Packages that some tests take: looked for without being imported, as every worker collects every test."""

from importlib.util import find_spec

import pytest


def needs(package: str, reason: str = "") -> None:
    """Skips a module of tests where a package is not installed."""
    if find_spec(package) is None:
        pytest.skip(reason or f"{package} is not installed", allow_module_level=True)
