"""The short facts about a run: what made it, of which model, how large it is."""

from __future__ import annotations

import json
import platform
import sys
from typing import TYPE_CHECKING, Any

from ..basics.storage import plain

if TYPE_CHECKING:
    from .run import Run

FORMAT = 2
"""The format number of run files that are written; those of format 1 have no digest and are read with a warning."""


def installed_versions() -> dict[str, str]:
    """Versions of what a result depends on, as installed here."""
    from importlib.metadata import PackageNotFoundError, version

    found = {}
    for package in ("jourdain", "numpy", "numba"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = str(getattr(sys.modules.get(package), "__version__", "not installed"))
    return found | {"python": platform.python_version(), "machine": platform.machine()}


def metadata(run: Run) -> dict[str, Any]:
    """The short facts about a run that a file carries as attributes."""
    options = plain(run.options)
    return {
        "jourdain_format": FORMAT,
        "system": run.model.name,
        "model_hash": run.model.hash,
        "partial": int(run.partial),
        "versions": json.dumps(run.versions),
        "seeds": json.dumps(options.get("seeds", options.get("seed"))),
        "n_time": len(run),
        "n_q": run.record.q.shape[1],
        "n_v": run.record.v.shape[1],
        "n_z": run.record.z.shape[1],
    }
