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
    from ...kernels.control.actuators import affine_actuators

    @law
    def actuators(t, q, v, z, s, p, effort, dz):
        rows = affine_actuators(p, 0)
        total = 0.0 * v[0] if v.size else 0.0
        for k in range(len(rows)):
            one = rows[k]
            force = one.constant + one.per_length * (one.gear * q[one.q]) + one.per_rate * (one.gear * v[one.v])
            # comparisons instead of min and max, so that the law has its derivative in complex numbers
            if one.limited:
                if force.real < one.low.real:
                    force = 0.0 * force + one.low
                if force.real > one.high.real:
                    force = 0.0 * force + one.high
            total = total + one.gear * force
            if one.last:
                if total.real < one.least.real:
                    total = 0.0 * total + one.least
                if total.real > one.most.real:
                    total = 0.0 * total + one.most
                effort[one.v] += total
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
    from ...kernels.control.actuators import AffineActuator

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
        least, most = (ranges or {}).get(one.joint, (-ENDLESS, ENDLESS))
        row = AffineActuator.made(q=model.index.q[one.joint], v=model.index.v[one.joint], gear=one.gear)
        row.constant, row.per_length, row.per_rate = one.bias[0] + one.gain * u, one.bias[1], one.bias[2]
        row.low, row.high, row.limited = low, high, one.force_range is not None
        row.last = k + 1 == len(ordered) or ordered[k + 1].joint != one.joint
        row.least, row.most = least, most
        parameters += row.numbers.tolist()
    return _law()(*parameters)
