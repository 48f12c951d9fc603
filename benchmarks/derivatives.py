"""Derivatives of forward dynamics, one call: against Pinocchio's, and against a complex step through our kernels."""

from __future__ import annotations

import flexible_models
import models
import numpy as np
import pinocchio as pin
from dynamics import AGREEMENT, attribute, repeated
from loops import CHANGE
from peers.with_pinocchio import Pinocchio
from results import Row
from timing import in_turn

import jourdain as jd
from jourdain.kernels import entry_point, workspace
from jourdain.kernels.derivatives.derivative_layout import partials
from jourdain.kernels.derivatives.dynamics_derivatives import forward_derivatives
from jourdain.kernels.derivatives.spd_inverse import invert, minus_product
from jourdain.kernels.tree.model_functions import forward_state, inverse_state, mass_matrix

PINOCCHIO_TARGET = 0.5
"""Within twice Pinocchio's time."""
CHAIN_TARGET, COMPLEX_TARGET = 1.5, 5.0
COORDINATES = jd.Modes(bending=4, torsion=1)
"""Nine a link: with three links and three joints, 30 coordinates."""
H = 1e-40


@entry_point
def analytical(model, ws, sl, q, v, effort, latched, acceleration, dq, dv, minv, times):
    """The recursion, `times` times."""
    for i in range(times):
        q[q.size - 1] += CHANGE
        effort[0] = CHANGE * i
        forward_derivatives(model, ws, sl, q, v, effort, latched, acceleration, dq, dv, minv)


@entry_point
def complex_step(model, ws, wc, sl, q, v, effort, latched, acceleration, dq, dv, minv, qc, vc, ac, out, times):
    """The same by complex steps through inverse dynamics, which are cheaper than those through forward dynamics, and by
    the composite mass matrix; for models whose velocities are all rates of coordinates."""
    n = v.size
    for i in range(times):
        q[q.size - 1] += CHANGE
        effort[0] = CHANGE * i
        forward_state(model, ws, q, v, effort, latched, acceleration)
        mass_matrix(model, ws, q, sl.mass)
        for k in range(n):
            qc[k], vc[k], ac[k] = q[k], v[k], acceleration[k]
        for k in range(n):
            qc[k] = q[k] + 1j * H
            inverse_state(model, wc, qc, vc, ac, latched, out)
            qc[k] = q[k]
            for j in range(n):
                sl.stiffness[j, k] = out[j].imag / H
            vc[k] = v[k] + 1j * H
            inverse_state(model, wc, qc, vc, ac, latched, out)
            vc[k] = v[k]
            for j in range(n):
                sl.damping[j, k] = out[j].imag / H
        invert(sl.mass, minv)
        minus_product(minv, sl.stiffness, dq)
        minus_product(minv, sl.damping, dv)


def buffers(model: jd.Model, at: jd.State) -> tuple:
    """Arguments of `analytical` but the last."""
    n = model.nv
    matrices = [np.empty((n, n)) for _ in range(3)]
    ws, sl = workspace(model.arrays), partials(model.arrays)
    return model.arrays, ws, sl, at.q.copy(), at.v.copy(), np.zeros(n), np.zeros(0), np.empty(n), *matrices


def same(name: str, mine: tuple, theirs: tuple) -> None:
    """Results agree, before anything is timed."""
    for one, other in zip(mine, theirs, strict=True):
        error = np.max(np.abs(one - other)) / np.max(np.abs(other))
        assert error < AGREEMENT, f"{name}: differs by {error:.3g}"


def against_pinocchio(model: jd.Model, rounds: int, target: float | None) -> list[Row]:
    """Pinocchio's `computeABADerivatives`, its Python overhead taken off."""
    at = models.state(model)
    peer = Pinocchio(model)
    q, v, effort = peer.coordinates.position(at.q), peer.coordinates.map(at.q) @ at.v, np.zeros(model.nv)
    pin.computeABADerivatives(peer.model, peer.data, q, v, effort)
    back = np.linalg.inv(peer.coordinates.map(at.q))
    inverse = np.triu(peer.data.Minv) + np.triu(peer.data.Minv, 1).T
    theirs = (back @ slope @ np.linalg.inv(back) for slope in (peer.data.ddq_dq, peer.data.ddq_dv))
    same(model.name, model.forward_dynamics_derivatives(at, effort), (*theirs, back @ inverse @ back.T))
    empty = pin.Model()
    nothing, none = empty.createData(), np.zeros(0)
    mine = buffers(model, at)
    contestants = {
        "ours": lambda n: analytical(*mine, n),
        "theirs": repeated(pin.computeABADerivatives, peer.model, peer.data, q, v, effort),
        "bare": repeated(pin.computeABADerivatives, empty, nothing, none, none, none),
    }
    for name in ("ddq_dq", "ddq_dv", "Minv"):
        contestants |= {f"large {name}": attribute(peer.data, name), f"small {name}": attribute(nothing, name)}
    best = in_turn(contestants, rounds)
    off = best["bare"]
    for name in ("ddq_dq", "ddq_dv", "Minv"):
        off += max(0.0, best[f"large {name}"] - best[f"small {name}"])
    what = f"derivatives of forward dynamics, {model.name}"
    return [Row(what, "Pinocchio", best["ours"], best["theirs"] - off, target)]


def against_complex_step(rounds: int) -> list[Row]:
    """An arm of three flexible links, 30 coordinates."""
    model = flexible_models.three_links(COORDINATES)
    at = flexible_models.moving_state(model)
    mine, other = buffers(model, at), buffers(model, at)
    n = model.nv
    vectors = np.empty(model.nq, complex), np.empty(n, complex), np.empty(n, complex), np.empty(n, complex)
    wc = workspace(model.arrays, np.complex128)
    stepped = (*other[:2], wc, *other[2:], *vectors)
    analytical(*mine, 1)
    complex_step(*stepped, 1)
    same("complex step", mine[-3:], other[-3:])
    best = in_turn(
        {"ours": lambda n: analytical(*mine, n), "stepped": lambda n: complex_step(*stepped, n)}, max(5, rounds // 4)
    )
    what = f"derivatives of forward dynamics, 3 flexible links, {n} coordinates"
    return [Row(what, "our complex step", best["ours"], best["stepped"], COMPLEX_TARGET)]


def measure(rounds: int) -> list[Row]:
    """All comparisons."""
    rows = against_pinocchio(models.arm(), rounds, PINOCCHIO_TARGET)
    rows += against_pinocchio(models.chain(40), rounds, CHAIN_TARGET)
    rows += against_pinocchio(models.humanoid(), rounds, None)
    return rows + against_complex_step(rounds)


if __name__ == "__main__":
    from results import COMPARED, table

    print(table(COMPARED, [row.cells() for row in measure(20)]))
