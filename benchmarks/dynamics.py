"""Forward dynamics, inverse dynamics and mass matrix, one call, against Pinocchio and MuJoCo."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import loops
import models
import mujoco
import numpy as np
import pinocchio as pin
from peers.with_mujoco import Mujoco
from peers.with_pinocchio import Pinocchio
from results import Row
from timing import in_turn

import jourdain as jd

AGREEMENT = 1e-9
"""Of results, relative, before anything is timed."""
ARM_TARGET, MASS_TARGET = 2.0, 1.5

Contestant = Callable[[int], object]


def ours(model: jd.Model, at: jd.State) -> dict[str, Contestant]:
    """Compiled loops over our kernels."""
    arrays, ws = model.arrays, jd.kernels.workspace(model.arrays)
    q, v, x, out = at.q.copy(), at.v.copy(), np.zeros(model.nv), np.empty(model.nv)
    M = np.empty((model.nv, model.nv))
    return {
        "forward dynamics": lambda n: loops.forward(arrays, ws, q, v, x, out, n),
        "inverse dynamics": lambda n: loops.inverse(arrays, ws, q, v, x, out, n),
        "mass matrix": lambda n: loops.mass(arrays, ws, q, M, n),
    }


def repeated(call: Callable, *arguments: Any) -> Contestant:
    """A Python loop around a call."""

    def run(n: int) -> None:
        for _ in range(n):
            call(*arguments)

    return run


def attribute(data: Any, name: str) -> Contestant:
    """A Python loop around reading an attribute."""

    def run(n: int) -> None:
        for _ in range(n):
            getattr(data, name)

    return run


def pinocchio_times(peer: Pinocchio, at: jd.State) -> dict[str, dict[str, Contestant]]:
    """Pinocchio's calls in both of its conventions, of which the faster counts, and what measures their overhead.

    A call's overhead is that of the same function on a model without joints ("bare"), where only the binding and the
    conversion of its arguments are left, plus what handing out the larger result takes more ("large" less "small").
    """
    model, data = peer.model, peer.data
    q, v = peer.coordinates.position(at.q), peer.coordinates.map(at.q) @ at.v
    x = np.zeros(model.nv)
    empty = pin.Model()
    none, nothing = np.zeros(0), empty.createData()
    local, world = pin.Convention.LOCAL, pin.Convention.WORLD
    out = {
        "forward dynamics": {
            "local": repeated(pin.aba, model, data, q, v, x, local),
            "world": repeated(pin.aba, model, data, q, v, x, world),
            "bare": repeated(pin.aba, empty, nothing, none, none, none, local),
        },
        "inverse dynamics": {
            "local": repeated(pin.rnea, model, data, q, v, x),
            "bare": repeated(pin.rnea, empty, nothing, none, none, none),
        },
        "mass matrix": {
            "local": repeated(pin.crba, model, data, q, local),
            "world": repeated(pin.crba, model, data, q, world),
            "bare": repeated(pin.crba, empty, nothing, none, local),
        },
    }
    for what, name in (("forward dynamics", "ddq"), ("inverse dynamics", "tau"), ("mass matrix", "M")):
        out[what] |= {"large": attribute(data, name), "small": attribute(nothing, name)}
    return out


def mujoco_times(peer: Mujoco, at: jd.State) -> tuple[dict[str, Contestant], dict[str, int], Contestant]:
    """The shortest sequences of MuJoCo's calls that do the same, how many calls each has, and a call that does nothing.

    Forward: kinematics, composite inertias and their factors, velocities and bias, accelerations. Inverse: kinematics,
    velocities and Newton-Euler. Mass matrix: kinematics, composite inertias, and the dense matrix.
    """
    model, data = peer.model, peer.data
    peer.set(at.q, at.v)
    mujoco.mj_forward(model, data)
    M, efforts = np.zeros((model.nv, model.nv)), np.zeros(model.nv)
    position = (mujoco.mj_kinematics, mujoco.mj_comPos)
    forward = (*position, mujoco.mj_makeM, mujoco.mj_factorM, mujoco.mj_fwdVelocity, mujoco.mj_fwdAcceleration)

    def run_forward(n: int) -> None:
        for _ in range(n):
            for call in forward:
                call(model, data)

    def run_inverse(n: int) -> None:
        for _ in range(n):
            for call in (*position, mujoco.mj_comVel):
                call(model, data)
            mujoco.mj_rne(model, data, 1, efforts)

    def run_mass(n: int) -> None:
        for _ in range(n):
            for call in (*position, mujoco.mj_makeM):
                call(model, data)
            mujoco.mj_fullM(model, data, M)

    calls = {"forward dynamics": run_forward, "inverse dynamics": run_inverse, "mass matrix": run_mass}
    return (
        calls,
        {"forward dynamics": 6, "inverse dynamics": 4, "mass matrix": 4},
        repeated(mujoco.mj_transmission, model, data),
    )


def check(model: jd.Model, at: jd.State, peers: list[Any]) -> None:
    """The codes agree on this model and state."""
    x = np.random.default_rng(5).normal(size=model.nv)
    for peer in peers:
        pairs = (
            (model.forward_dynamics(at, x), peer.forward_dynamics(at.q, at.v, x)),
            (model.inverse_dynamics(at, x), peer.inverse_dynamics(at.q, at.v, x)),
            (model.mass_matrix(at), peer.mass_matrix(at.q)),
        )
        for mine, theirs in pairs:
            error = np.max(np.abs(mine - theirs)) / np.max(np.abs(theirs))
            assert error < AGREEMENT, f"{model.name}: {type(peer).__name__} differs by {error:.3g}"


def compare(model: jd.Model, rounds: int) -> tuple[list[Row], list[Row]]:
    """Rows of compiled calls, overhead taken off the peers', and rows of plain Python calls."""
    at = models.state(model)
    pinocchio, other = Pinocchio(model), Mujoco(model)
    check(model, at, [pinocchio, other])
    mine = ours(model, at)
    pin_calls = pinocchio_times(pinocchio, at)
    mj_calls, mj_counts, idle = mujoco_times(other, at)
    x = np.zeros(model.nv)
    python = {
        "forward dynamics": repeated(model.forward_dynamics, at, x),
        "inverse dynamics": repeated(model.inverse_dynamics, at, x),
        "mass matrix": repeated(model.mass_matrix, at),
    }
    compiled_rows, python_rows = [], []
    for what in mine:
        contestants = {"ours": mine[what], "python": python[what], "mujoco": mj_calls[what], "idle": idle}
        best = in_turn(contestants | pin_calls[what], rounds)
        call = min(best["local"], best.get("world", best["local"]))
        off = best["bare"] + max(0.0, best["large"] - best["small"])
        name = f"{what}, {model.name}"
        target = ARM_TARGET if name == "forward dynamics, arm" else MASS_TARGET if what == "mass matrix" else None
        compiled_rows.append(Row(name, "Pinocchio", best["ours"], call - off, target))
        compiled_rows.append(Row(name, "MuJoCo", best["ours"], best["mujoco"] - mj_counts[what] * best["idle"]))
        python_rows.append(Row(f"{name}, from Python", "Pinocchio", best["python"], call))
    return compiled_rows, python_rows


def measure(rounds: int) -> tuple[list[Row], list[Row]]:
    """All models."""
    compiled, python = [], []
    for model in (models.arm(), models.chain(40), models.humanoid()):
        a, b = compare(model, rounds)
        compiled += a
        python += b
    return compiled, python
