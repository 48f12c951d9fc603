"""Cables under tension that hardly resist bending: whether their slopes mean anything.

A cubic with a gradient g at both ends of an element and no displacement has the slope g (1 - 6 s + 6 s^2), which is
zero at both points at which the stretch is taken (`describe.bodies.nodal_coordinates.cable_tables.stretch_rule`): the
tension T does not feel
it, but for a small share. What holds this hourglass motion is bending, with w^2 = 2520 EI / (rho l^4), l being the
length of an element and rho its mass per length. Where that is slower than a wave with k l = 1, w^2 = T / (rho l^2), it
mixes with waves that the elements could carry, and slopes of nodes take on what loads leave there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...basics.warn import warn

if TYPE_CHECKING:
    from ..model import Model
    from ..state import State

ENOUGH = 2520.0
"""T l^2 over the EI that makes the hourglass motion as fast as a wave with k l = 1."""


class SlopesWarning(UserWarning):
    """A cable whose slopes nothing holds."""


def warn_of_hourglass(model: Model, state: State) -> None:
    """Warns of each cable whose hourglass motion is slower than the waves that its elements could carry."""
    if "cable" not in model.features:
        return
    from ..bodies import body_of

    for i in model.arrays.flexible:
        body: Any = body_of(model, model.bodies[i - 1])
        if body is None or body.kind != "cable":
            continue
        EI, part = float(body.EI), body.length / body.elements
        e = np.array([[state.q[model.index.q[name]] for name in body.coordinate_names()]])
        tension = float(np.max(body.tension(e, 0.0 * e)[1], initial=0.0))
        needed = tension * part**2 / ENOUGH
        if EI >= 0.99 * needed:
            continue
        given = float(f"{1.01 * needed:.3g}")
        warn(
            f'{model.name}: nothing holds the slopes of "{body.name}" at its nodes: under {tension:.3g} N an EI of '
            f"{EI:g} N m^2 leaves every element a motion (hourglass) that is slower than the waves it could carry, so "
            f"that low modes may be spurious and slopes wrong; give EI={given:g}, which makes waves longer than six "
            "elements faster by less than 1/5000",
            SlopesWarning,
        )
