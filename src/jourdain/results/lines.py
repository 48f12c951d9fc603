"""Tension of cables as one number a time: the largest along the line, and where it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..model.bodies import body_of

if TYPE_CHECKING:
    from ..model.model import Model
    from .run import Run

PARTS = 4
"""Places in each element of a cable: its stretch is a curve between nodes."""


def lines(model: Model, bodies: list[str]) -> list[str]:
    """Those of some bodies that are under tension."""
    return [name for name in bodies if (body := body_of(model, name)) is not None and body.has_tension]


def most(run: Run, body: str) -> tuple[np.ndarray, np.ndarray]:
    """Of every sample the largest tension along a cable [N], and how far along it that is [m]."""
    one = body_of(run.model, body)
    x = np.linspace(0.0, one.line_end, PARTS * one.elements + 1)  # type: ignore[union-attr]
    values = run.tension(body, x).values
    return values.max(axis=1), x[np.argmax(values, axis=1)]
