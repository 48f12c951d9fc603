"""The linear plant that a regulator is designed on: a model about a state, its inputs and what is held."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..basics.errors import ModelError
from ..basics.values import as_number, shown, suggestion
from ..describe.motions import Motion
from ..model.selection import entries, joint_entries, motors

if TYPE_CHECKING:
    from ..model.model import Model
    from ..model.state import State

RESTS = 1e-6
"""Largest acceleration, over 1 + the largest effort, that an equilibrium may have."""


@dataclass(frozen=True, eq=False)
class LinearPlant:
    """x' = A x + B u: displacements of `names` in the tangent space, their rates, then internal states.

    A, B       (n, n), (n, m)
    G          (n, coordinates): how efforts on every one of `names` enter
    names      of the velocities that move
    states     names of the entries of x, as `model.linearize` has them: "x:elbow", "v:elbow", "z:touch.bristle.x"
    inputs     names of the m efforts
    effort     (nv,) that the state is in equilibrium with
    """

    A: np.ndarray
    B: np.ndarray
    G: np.ndarray
    names: tuple[str, ...]
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    effort: np.ndarray


def linear_plant(
    model: Model, state: State, inputs: Iterable[str] | None = None, hold: Iterable[str] = (), effort: Any = None
) -> LinearPlant:
    """The model near a state by `model.linearize`, with efforts that balance it there.

    inputs    names of the velocities on which efforts act, of a joint with a drive its motor's; None: every joint that
              is not held
    hold      names of velocities that stay as they are
    effort    (nv,) or a dict; None: what keeps the state as it is, which must act on inputs or on what is held
    """
    from ..model.kernel_calls import checked_efforts
    from ..model.linear.constrained import constrained

    if constrained(model):
        raise ModelError.at(
            model.constraints.names[0],
            "controllers designed on a linear model know trees only, and this model has constraints; linearise "
            "it with model.linearize(state, independent=...) and design with linear.to_control()",
        )
    held = entries(model, hold, "hold")
    actuated = _actuated(model, held) if inputs is None else _motored(model, entries(model, inputs, "inputs"))
    if not actuated:
        raise ModelError.at("inputs", "there are none; name velocities on which efforts act")
    for k in actuated:
        if k in held:
            raise ModelError.at(model.names.v[k], "is held and an input; it can be one of both")
    nominal = _balance(model, state, [*actuated, *held]) if effort is None else checked_efforts(model, effort)
    linear = model.linearize(state, nominal, hold=[model.names.v[k] for k in held])
    names = tuple(name for k, name in enumerate(model.names.v) if k not in held)
    driven = tuple(model.names.v[k] for k in actuated)
    B = linear.B[:, [linear.inputs.index(name) for name in driven]]
    return LinearPlant(linear.A, B, linear.B, names, linear.states, driven, nominal)


def all_seen(plant: LinearPlant, what: str) -> None:
    """Raises where the plant has states that are no displacement or velocity: those of laws and of contacts."""
    unseen = [name for name in plant.states if name.startswith("z:")]
    if unseen:
        raise ModelError.at(
            unseen[0],
            f"{what}: {len(unseen)} of the plant's states (laws, contacts that touch) are neither displacements nor "
            "velocities, which alone are fed back; estimate them (jd.control.LQG), or design on a model without them",
        )


def _actuated(model: Model, held: list[int]) -> list[int]:
    return _motored(model, [int(k) for k in joint_entries(model) if int(k) not in held])


def _motored(model: Model, actuated: list[int]) -> list[int]:
    """Entries of v on which efforts act: the motor's where a joint has a drive."""
    driven = {joint: motor for motor, (joint, _) in motors(model).items()}
    return list(dict.fromkeys(driven.get(k, k) for k in actuated))


def _balance(model: Model, state: State, actuated: list[int]) -> np.ndarray:
    """Efforts that keep the state as it is; an error names what moves although nothing acts there."""
    needed = model.inverse_dynamics(state)
    nominal = np.zeros(model.nv)
    nominal[actuated] = needed[actuated]
    left = needed - nominal
    M = model.mass_matrix(state)
    worst = int(np.argmax(np.abs(left)))
    if np.max(np.abs(np.linalg.solve(M, left))) > RESTS * (1.0 + np.max(np.abs(needed))):
        raise ModelError.at(
            model.names.v[worst],
            f"the state is no equilibrium: this takes an effort of {left[worst]:.4g} and is no input; "
            "give a state at rest, more inputs, or effort=",
        )
    return nominal


def state_weight(plant: LinearPlant, given: Any) -> Any:
    """Weights of the states from a dict: names to a number (of the displacement) or two (and of its rate).

    An internal state has the name that it has in `plant.states`, and one weight.
    """
    if not isinstance(given, Mapping):
        return given
    n = len(plant.names)
    out = np.zeros(len(plant.states))
    for name, value in given.items():
        if name in plant.states[2 * n :]:
            out[plant.states.index(name)] = as_number(value, f"{name}: Q")
            continue
        if name not in plant.names:
            known = [*plant.names, *plant.states[2 * n :]]
            raise ModelError.at(str(name), f"Q: no such coordinate; {suggestion(str(name), known)}", "Q")
        pair = np.atleast_1d(np.asarray(value, float))
        if pair.shape not in ((1,), (2,)):
            raise ModelError.at(str(name), f"Q: got {shown(value)}; give one weight, or two (displacement, rate)", "Q")
        i = plant.names.index(name)
        out[i] = pair[0]
        out[n + i] = pair[1] if len(pair) == 2 else 0.0
    return out


def input_weight(plant: LinearPlant, given: Any) -> Any:
    """Weights of the inputs from a dict of all of them."""
    if not isinstance(given, Mapping):
        return given
    for name in (*plant.inputs, *given):
        if name not in given or name not in plant.inputs:
            raise ModelError.at(str(name), f"R: give a weight for each input: {', '.join(plant.inputs)}", "R")
    return np.array([float(given[name]) for name in plant.inputs])


def deviation(
    model: Model, state: State, names: Iterable[str], reference: Mapping[str, Motion] | None
) -> dict[str, list[dict[str, Any]]]:
    """A `kernels.control.state_error.Deviation`."""
    index = entries(model, names, "coordinates")
    motions = dict(reference or {})
    for name, motion in motions.items():
        if name not in model.index.v or model.index.v[name] not in index:
            known = [model.names.v[k] for k in index]
            raise ModelError.at(
                str(name), f"reference: no such coordinate; {suggestion(str(name), known)}", "reference"
            )
        if model.arrays.q_index[model.index.v[name]] < 0:
            raise ModelError.at(name, "reference: the entries of a rotation have none", "reference")
        if not isinstance(motion, Motion):
            raise ModelError.at(
                name, f"reference: got {type(motion).__name__}; give a profile, such as jd.Cycloid", "reference"
            )
    rows: list[dict[str, Any]] = []
    turns: list[dict[str, Any]] = []
    groups = {int(k): (int(j), bool(free)) for j, k, free in model.arrays.rotations.array}
    for i, k in enumerate(index):
        j = int(model.arrays.q_index[k])
        name = model.names.v[k]
        value = float(state.q[j]) if j >= 0 else 0.0
        row: dict[str, Any] = {"q": j, "v": k, "value": value, "rate": float(state.v[k])}
        if name in motions:
            one = motions[name]
            row |= {"moves": True, "reference": {"code": one.code, "data": one.numbers(value, name)}}
        rows.append(row)
        if k in groups:
            first, free = groups[k]
            if list(range(k, k + 3 + 3 * free)) != index[i : i + 3 + 3 * free]:
                raise ModelError.at(model.owners[k], "a rotation is fed back as a whole, or held")
            quaternion = state.q[first + 3 * free : first + 3 * free + 4]
            place = first if free else -1
            turns.append({"first": i, "q": first + 3 * free, "position": place, "quaternion": quaternion})
        owner = next((g for g in groups if g <= k < g + 6 and groups[g][1] and k >= g + 3), None)
        if j < 0 and owner is not None:
            row["value"] = float(state.q[groups[owner][0] + k - owner - 3])
        elif j < 0 and not any(g <= k < g + 3 for g in groups):
            raise ModelError.at(name, "is no coordinate of its own")
    return {"entries": rows, "rotations": turns}
