"""Conditions of a run, put together into the compiled stage that the loop calls once an accepted step."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .errors import ModelError
from .samplers import compile_law

if TYPE_CHECKING:
    from .events import BoundCondition, Condition
    from .model import Model
    from .stages import Laws

ABOVE, BELOW, DONE, MET = 0.0, 1.0, 2.0, 3.0
"""What is remembered of a condition: above zero and not to be counted, below zero, past, just met."""


class Watch(NamedTuple):
    """A condition in a stage: where its sensed numbers, its parameters and its memory (in ws.control) lie."""

    condition: Condition
    s: tuple[int, int]
    p: tuple[int, int]
    at: int


def with_conditions(model: Model, laws: Laws, conditions: Sequence[BoundCondition]) -> tuple[Laws, tuple[Watch, ...]]:
    """Laws with room for what the conditions sense, their parameters and their memory behind their own."""
    from .kernels.layout import SENSES_CONTACT, SENSES_MARKER

    watches, sensors = [], [laws.sensors]
    s, p, at = laws.sensed, len(laws.parameters), len(laws.control)
    for i, one in enumerate(conditions):
        markers = [model.marker(address) for address in one.condition.markers]
        contacts = [model.contact(name) for name in one.condition.contacts]
        for name, number in zip(one.condition.contacts, contacts, strict=True):
            if number >= len(model.description["contacts"]):
                raise ModelError.at(one.name, f'senses "{name}", a pile, which has no one force; name a pair')
        rows = [(SENSES_MARKER, m, s + 13 * j) for j, m in enumerate(markers)]
        rows += [(SENSES_CONTACT, c, s + 13 * len(markers) + 6 * j) for j, c in enumerate(contacts)]
        sensors.append(np.array(rows, np.int64).reshape(-1, 3))
        ds, dp = 13 * len(markers) + 6 * len(contacts), len(one.parameters)
        watches.append(Watch(one.condition, (s, s + ds), (p, p + dp), at + i))
        s, p = s + ds, p + dp
    wider = laws._replace(
        parameters=np.concatenate([laws.parameters, *(one.parameters for one in conditions)]),
        sensors=np.concatenate(sensors),
        sensed=s,
        control=np.concatenate([laws.control, np.full(len(conditions), ABOVE)]),
    )
    return wider, tuple(watches)


def sensing(watches: Sequence[Watch]) -> int:
    """0 without conditions, 2 where one of them senses markers or contacts, else 1."""
    return 0 if not watches else 2 if any(one.s[1] > one.s[0] for one in watches) else 1


@lru_cache(maxsize=64)
def compiled_watch(watches: tuple[Watch, ...], flexible: int) -> Any:
    """The conditions as one first-class function; the package's empty one without any."""
    from .kernels.entries import first_class, signatures

    stage = first_class("watch", flexible)
    if not watches:
        return stage
    for watch in watches:
        stage = _behind(stage, watch)
    compile_law(stage, signatures(flexible)["watch"], ", ".join(one.condition.name for one in watches))
    return stage


def _behind(before: Any, one: Watch) -> Any:
    """A function that does `before` and then looks at the condition."""
    import numba

    from .kernels.compiler import STAGE

    condition = one.condition.compiled()
    (s0, s1), (p0, p1), at = one.s, one.p, one.at

    def watch(model, t, q, v, z, s, p, ws, mark):
        found = before(model, t, q, v, z, s, p, ws, mark)
        memory = ws.control
        if memory[at] == DONE:
            return found
        value = float(condition(t, q, v, z[: z.size - 2], s[s0:s1], p[p0:p1]))
        if value > 0.0:
            if memory[at] == BELOW or (mark == 0 and memory[at] == MET):
                found += 1
                if mark == 1:
                    memory[at] = MET
        elif mark == 1 and memory[at] == ABOVE and value <= 0.0:
            memory[at] = BELOW
        return found

    return numba.njit(**STAGE)(watch)
