"""Cables by one number a time: the largest tension along the line and where it is, the length that is out."""

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


def wound(model: Model, bodies: list[str]) -> list[str]:
    """Those of some bodies that a winch winds."""
    return [name for name in bodies if (body := body_of(model, name)) is not None and body.lent]


def out(run: Run, body: str) -> np.ndarray:
    """Length of a cable that is out of its winch at every sample [m]."""
    one, e = run.deformation_of(body)
    return np.asarray(one.metres(e, np.ones(1))[:, 0])  # type: ignore[attr-defined]


def most(run: Run, body: str) -> tuple[np.ndarray, np.ndarray]:
    """Of every sample the largest tension along a cable [N], and how far along it that is [m]."""
    one, e = run.deformation_of(body)
    x = np.linspace(0.0, one.line_end, PARTS * one.elements + 1)  # type: ignore[attr-defined]
    values = run.tension(body, x).values
    places = one.metres(e, x)  # type: ignore[attr-defined]
    largest = np.argmax(values, axis=1)
    return values.max(axis=1), places[np.arange(len(values)), largest]
