"""By what a model is known: a hash of its content."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from ..kernels.model_arrays import ModelArrays
    from .model import Names


def content_hash(arrays: ModelArrays, names: Names, description: dict[str, Any]) -> str:
    """Of its arrays, names and description.

    Columns that a table got later count only where they say something, so that models without them, and run files of
    them, are known by the hash that they had before.
    """
    from ..kernels.contact.contact_rows import ContactEntries, ShapeEntries

    digest = hashlib.sha256()
    for name, array in zip(arrays.fields, arrays, strict=True):
        if name == "without_velocity":  # paths are known; wrenches of joints came later
            array = array[len(arrays.paths) :]
        if name == "flexible" or (name == "without_velocity" and not len(array)):  # follows from the others; came later
            continue
        later = {"shapes": ShapeEntries.columns.link, "contacts": ContactEntries.columns.normal_kind}.get(name)
        if later is not None and not np.any(array[:, later:]):
            array = array[:, :later]
        digest.update(f"{array.dtype.str}{array.shape}".encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    # laws are not in a run file: a model rebuilt from one must be known by the same hash
    forces = [force for force in description["forces"] if isinstance(force["force"], list)]
    digest.update(json.dumps([names, description | {"forces": forces}], sort_keys=True).encode())
    return digest.hexdigest()
