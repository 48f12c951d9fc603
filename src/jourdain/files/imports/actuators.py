"""Actuators of MJCF: affine in the command, the coordinate and its rate, behind a gear."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from ...basics.errors import ModelError
from ...basics.values import as_number, suggestion

WIDTH = 12
"""Numbers of an actuator in the law's parameters."""

ENDLESS = 1e300
"""An effort that no limit stops."""


@dataclass(frozen=True)
class Actuator:
    """What gives the effort ``gear (gain u + bias)`` to a joint, for a command u.

    name             in `Imported.control`
    joint            coordinate that it acts on
    gear             joint's effort for a unit of the actuator's; its length is ``gear * q``
    gain             of the command
    bias             (constant, per length, per rate of length)
    control_range    that commands are cut to; None for none
    force_range      that ``gain u + bias`` is cut to; None for none
    """

    name: str
    joint: str
    gear: float = 1.0
    gain: float = 1.0
    bias: tuple[float, float, float] = (0.0, 0.0, 0.0)
    control_range: tuple[float, float] | None = None
    force_range: tuple[float, float] | None = None


@cache
def _law() -> Any:
    from ...describe.laws import law

    @law
    def actuators(t, q, v, z, s, p, effort, dz):
        total = 0.0 * v[0] if v.size else 0.0
        for k in range(p.size // 12):
            at = 12 * k
            gear, iv = p[at + 2], int(p[at + 1])
            length, rate = gear * q[int(p[at])], gear * v[iv]
            force = p[at + 3] + p[at + 4] * length + p[at + 5] * rate
            low, high = p[at + 6], p[at + 7]
            # comparisons instead of min and max, so that the law has its derivative in complex numbers
            if p[at + 8] > 0.0:
                if force.real < low:
                    force = 0.0 * force + low
                if force.real > high:
                    force = 0.0 * force + high
            total = total + gear * force
            if p[at + 9] > 0.0:  # the last one of the joint
                if total.real < p[at + 10]:
                    total = 0.0 * total + p[at + 10]
                if total.real > p[at + 11]:
                    total = 0.0 * total + p[at + 11]
                effort[iv] += total
                total = 0.0 * total

    return actuators


def actuator_law(
    actuators: Sequence[Actuator],
    model: Any,
    values: Mapping[str, float],
    ranges: Mapping[str, tuple[float, float]] | None = None,
) -> Any:
    """The law of all actuators at constant commands; see `Imported.control`.

    ranges    (low, high) of what all actuators of a joint make together
    """
    known = [one.name for one in actuators]
    for name in values:
        if name not in known:
            raise ModelError.at(str(name), f'there is no actuator "{name}"; {suggestion(name, known)}')
    parameters: list[float] = []
    joints = list(dict.fromkeys(one.joint for one in actuators))
    ordered = sorted(actuators, key=lambda one: joints.index(one.joint))
    for k, one in enumerate(ordered):
        if one.joint not in model.index.v:
            hint = suggestion(one.joint, model.index.v)
            raise ModelError.at(one.name, f'the model has no coordinate "{one.joint}"; {hint}')
        u = as_number(values.get(one.name, 0.0), one.name)
        if not math.isfinite(u):
            raise ModelError.at(one.name, f"the command is {u}; give a finite number")
        if one.control_range is not None:
            u = float(np.clip(u, *one.control_range))
        low, high = one.force_range or (0.0, 0.0)
        parameters += [
            float(model.index.q[one.joint]), float(model.index.v[one.joint]), one.gear, one.bias[0] + one.gain * u,
            one.bias[1], one.bias[2], low, high, float(one.force_range is not None),
            float(k + 1 == len(ordered) or ordered[k + 1].joint != one.joint),
            *(ranges or {}).get(one.joint, (-ENDLESS, ENDLESS)),
        ]  # fmt: skip
    return _law()(*parameters)
