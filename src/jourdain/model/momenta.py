"""Canonical momenta of a model and Hamilton's equations in them, on NumPy arrays
(`kernels/constraints/canonical_momenta.py`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..basics.errors import ModelError
from ..basics.types import ByName
from .derivatives import STEP, displacements
from .functions import dynamics_under_forces
from .kernel_calls import call, checked_efforts, checked_qv, checked_vector

if TYPE_CHECKING:
    from .model import Model
    from .state import State


class HamiltonRates(NamedTuple):
    """Velocities (nv,) = M^-1 p, and the rates (nv,) of the momenta under all that acts."""

    velocity: np.ndarray
    momentum_rate: np.ndarray


def momenta(model: Model, state: State) -> np.ndarray:
    """Canonical momenta (nv,), p = M v, by recursion, O(N) [kg m/s, kg m^2/s].

    Those of spherical and free joints are conjugate to the velocities in body axes: the components of the angular and
    linear momentum of all that hangs on the joint. In an orbit it is M v of velocities relative to the orbital frame.
    """
    from ..kernels.constraints.canonical_momenta import momenta

    q, v = checked_qv(model, state)
    out = np.empty(model.nv)
    momenta(model.arrays, model.workspace(), q, v, out)
    return out


def hamilton_rates(
    model: Model, state: State, p: ArrayLike | None = None, effort: ByName | None = None
) -> HamiltonRates:
    """Hamilton's equations: the velocities of momenta and the rates of the momenta.

    state     whose coordinates, time and internal states are taken; its velocities only where p is not given
    p         (nv,) momenta; None for those of the state's velocities
    effort    nv numbers, or a dict from names to efforts

    dp/dt = effort + what springs, gravity, forces and contacts do - dH/dq, by the recursion of Lefeber et al. for the
    entries of joints. For internal coordinates, and rails on bodies that deform, it is effort - bias + (dM/dt) v, with
    dM/dt along the motion by complex step, exact to rounding. Constraints do not act here: their forces add to dp/dt.
    """
    from ..kernels.constraints.canonical_momenta import begin_momentum_rates, finish_momentum_rates, velocities
    from ..kernels.tree import model_functions as kernels

    if model.in_orbit:
        raise ModelError.at(
            model.name,
            "hamilton_rates: the world is an orbital frame, which turns, and M v is then no canonical momentum; "
            "use forward_dynamics",
        )
    from .state import State

    q = checked_vector(model, state.q, "q", model.nq)
    v = np.empty(model.nv)
    if p is None:
        v[:] = checked_vector(model, state.v, "v", model.nv)
    else:
        velocities(model.arrays, model.workspace(), q, checked_vector(model, p, "p", model.nv).copy(), v)
    now = State(state.time, q, v, state.z)
    tau = checked_efforts(model, effort)
    latched = np.ascontiguousarray(state.z[: model.latched], float)
    none = np.zeros(model.nv)
    kept = by_velocity(model)
    rate = np.empty(model.nv)
    if not kept.all():
        ws = model.workspace()
        begin_momentum_rates(model.arrays, ws, q, v)
        finish_momentum_rates(model.arrays, ws, q, v, tau, latched, rate)
    if model.contacts.names or model.law_forces or kept.any():
        alone, under = np.empty(model.nv), np.empty(model.nv)
        call(kernels.inverse_state, model, q, v, none, latched, alone)
        dynamics_under_forces(model, now, "inverse", q, v, none, under)
        rate += alone - under
        if kept.any():
            rate[kept] = (tau - under + inertia_rate(model, q, v))[kept]
    return HamiltonRates(v, rate)


def by_velocity(model: Model) -> np.ndarray:
    """Which entries of v (nv,) the recursion has no momenta for: internal coordinates, rails on bodies that deform."""
    from ..kernels.joints.plugin_joints import OWN_COLUMNS
    from ..kernels.kind_registry import RAIL

    out = np.zeros(model.nv, bool)
    for node in model.arrays.tree:
        out[node.ev : node.ev + node.ne] = True
        if node.joint in (RAIL, *OWN_COLUMNS):
            out[node.v : node.v + node.nv] = True
    return out


def inertia_rate(model: Model, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """(dM/dt) v (nv,) along the motion, by a complex step."""
    from ..kernels.constraints.canonical_momenta import momenta
    from ..kernels.model_arrays import workspace

    ws = getattr(model.scratch, "complex_workspace", None)
    if ws is None:
        ws = model.scratch.complex_workspace = workspace(model.arrays, np.complex128)
    out = np.empty(model.nv, complex)
    momenta(model.arrays, ws, q + 1j * STEP * (displacements(model, q) @ v), v.astype(complex), out)
    return out.imag / STEP
