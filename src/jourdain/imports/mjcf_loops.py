"""Tendons and equalities of MJCF: springs between two places, and what closes loops."""

from __future__ import annotations

from typing import Any

from ..system import System


def add_loops(system: System, model: Any) -> None:
    """What <tendon> and <equality> say.

    model    the reading of the file: its document, sites and bodies
    """
    reader, root = model.reader, model.document.root
    for tag in ("tendon", "equality"):
        for section in root.every(tag):
            for child in section.children:
                reader.left(child, f"{tag}.{child.tag}")
