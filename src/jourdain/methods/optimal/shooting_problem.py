"""A task laid out for shooting kernels: the plant, by which steps, at what cost.

Costs of states, inputs and parameters are integrated in the kernels, by the weights of the method. Other quantities
(`Rest`) are taken at the nodes, over all of them at once; their costs are integrated by the trapezoidal rule.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...basics.errors import ModelError
from ...basics.values import shown, suggestion
from .numeric_problem import NumericProblem
from .plants import Ode

TABLEAUX: dict[str, tuple[Any, Any, Any]] = {
    "rk4": (
        [[0, 0, 0, 0], [0.5, 0, 0, 0], [0, 0.5, 0, 0], [0, 0, 1.0, 0]],
        [1 / 6, 1 / 3, 1 / 3, 1 / 6],
        [0, 0.5, 0.5, 1.0],
    ),
    "semi-implicit": ([[0.0]], [1.0], [0.0]),
}
"""A, b and c of the methods."""
ORDERS = {"rk4": 4, "semi-implicit": 1}


def shooting_arrays(
    task: NumericProblem, integrator: str, steps: int, linear: bool = False, unknown: bool = False
) -> Any:
    """The record of a task for kernels.

    integrator    "rk4", or "semi-implicit", of first order, for models
    steps         of it in an interval
    linear        whether inputs are linear in an interval, or constant
    unknown       whether derivatives by the duration and by parameters are wanted
    """
    from ...kernels.optimal.controlled_plant import ode_jacobian, ode_rate
    from ...kernels.optimal.shooting_intervals import ShootingProblem, ShootingSettings

    if integrator not in TABLEAUX:
        raise ModelError.at("integrator", f"got {shown(integrator)}; {suggestion(str(integrator), TABLEAUX)}")
    if not isinstance(steps, int) or steps < 1:
        raise ModelError.at("steps", f"got {shown(steps)}; give a whole number, one or more")
    plant: Any = task.plant
    plain = isinstance(plant, Ode)
    if plain and integrator == "semi-implicit":
        raise ModelError.at("integrator", 'equations have no velocities of their own; take "rk4"')
    if not plain and not getattr(plant, "plain", False):
        text = "shooting steps through one model as it is, without parameters among the unknowns or variants of it"
        raise ModelError.at(plant.name, f'{text}; take "collocation"')
    A, b, c = (np.array(one, float) for one in TABLEAUX[integrator])
    nx, nu, count = task.nx, task.nu, task.parameters
    width = nx + nu * (2 if linear else 1) + (1 + count if unknown else 0)
    semi_implicit = integrator == "semi-implicit"
    settings = ShootingSettings.made(steps=steps, linear=linear, semi_implicit=semi_implicit, unknown=unknown)
    if plain:
        found = _plain(plant, nx, nu, count)
        kernels: tuple[Any, ...] = (ode_rate, ode_jacobian, None)
        q_index, rotations, place = np.zeros(0, np.int64), np.zeros((0, 3), np.int64), np.arange(nx)
        features: frozenset[str] = frozenset()
    else:
        model = plant.model
        found, kernels = _tree(plant, nx, nu)
        q_index, rotations, place = model.arrays.q_index, model.arrays.rotations.array, tangent_places(plant)
        features = model.features
        settings.coordinates = model.nq
    rates, jacobian, remember = (one and one.ready(features) for one in kernels)
    direct = direct_rows(task)
    at = np.array([task.quantities[r].column for r in direct], np.int64)
    costs = {"cost_linear": task.linear, "cost_square": task.squared, "cost_target": task.target}
    stages = max(2, len(b))
    scratch: dict[str, Any] = {"K": (stages, nx), "y": nx, "u": nu, "J": (nx, nx + nu + count + 1)}
    return ShootingProblem.zeros(
        scratch | {"KS": (stages, nx, width), "SY": (nx, width)},
        **{name: np.ascontiguousarray(one[direct]) for name, one in costs.items()},
        controlled=found,
        rates=rates,
        partials=jacobian,
        remember=remember,
        settings=settings.numbers,
        A=A,
        b=b,
        c=c,
        q_index=np.array(q_index, np.int64),
        rotations=np.array(rotations, np.int64, order="C"),
        place=np.array(place, np.int64),
        cost_at=at,
    )


def direct_rows(task: NumericProblem) -> np.ndarray:
    """Quantities that are local unknowns themselves and cost something along the way."""
    direct = np.array([one.column is not None for one in task.quantities], bool).reshape(-1)
    return np.flatnonzero(direct & ((task.linear != 0.0) | (task.squared != 0.0)))


def tangent_places(plant: Any) -> np.ndarray:
    """(n,) state of each entry of the tangent space; without quaternions the tangent space is that of the states."""
    if isinstance(plant, Ode) or not plant.turning:
        return np.arange(len(plant.states))
    model = plant.model
    return np.concatenate([model.arrays.q_index, model.nq + np.arange(model.nv)])


def _scratch(plant: Any, nx: int, nu: int, nq: int, nv: int, count: int, **known: Any) -> Any:
    from ...kernels.optimal.controlled_plant import ControlledPlant

    empty = dict.fromkeys(("model", "task", "stages", "ws", "partials", "applied", "accept", "plain"))
    sizes = {
        "q": nq,
        "v": nv,
        "effort": nv,
        "acceleration": nv,
        "z": 2,
        "dz": 2,
        "low": nx,
        "high": nx,
        "kept": nx + nu,
    }
    buffers: dict[str, Any] = {name: np.zeros(size) for name, size in sizes.items()}
    buffers |= {name: np.zeros((nv, nv)) for name in ("dq", "dv", "minv")}
    buffers |= {name: np.zeros(k, complex) for name, k in (("zx", nx), ("zu", nu), ("zp", count), ("zf", nx))}
    return ControlledPlant(**(empty | buffers | known))


def _plain(plant: Ode, nx: int, nu: int, count: int) -> Any:
    plain = plant.compiled_functions["rates"][0]
    actuated = np.zeros(0, np.int64)
    return _scratch(plant, nx, nu, 0, 0, count, plain=plain, actuated=actuated, p=plant.values.copy())


def _tree(plant: Any, nx: int, nu: int) -> tuple[Any, tuple[Any, ...]]:
    from ...kernels.derivatives.applied.applied_layout import applied
    from ...kernels.derivatives.derivative_layout import partials
    from ...kernels.model_arrays import workspace
    from ...kernels.optimal.controlled_plant import (
        contact_jacobian_of_rate,
        differenced_jacobian,
        remember_touching,
        tree_jacobian,
        tree_rate,
    )
    from ...model.batch import AppliedLoads
    from ...model.derivatives import analytical
    from ...model.run_stages import contact_stages

    model = plant.model
    known = AppliedLoads(model)
    ws = workspace(model.arrays)
    touches = bool(model.contacts.names)
    more: dict[str, Any] = {}
    slope = tree_jacobian if analytical(model) else differenced_jacobian
    if touches:
        stateless(model)
        more["accept"] = contact_stages(model)[1].ready(model.features)
        if analytical(model):
            slope = contact_jacobian_of_rate
            more["applied"] = applied(model.arrays, ws, 0, model.nq, fine=True)
    if analytical(model):
        more["partials"] = partials(model.arrays)
    found = _scratch(
        plant, nx, nu, model.nq, model.nv, 0, model=model.arrays, task=known.task, stages=known.stages, ws=ws,
        actuated=np.array(plant.actuated, np.int64), p=np.zeros(0), **more,
    )  # fmt: skip
    return found, (tree_rate, slope, remember_touching if touches else None)


def stateless(model: Any) -> None:
    """Refuses contacts that have states of their own, piles and surfaces that touch."""
    own = model.names.z[model.latched :]
    remedy = "take laws without: LinearContact or HertzContact without relaxation, CoulombFriction"
    if own:
        raise ModelError.at(own[0], f"is a state of a contact, which shooting does not carry; {remedy}")
    if model.contacts.piles or model.description.get("touching"):
        raise ModelError.at(
            model.contacts.names[0], "piles and surfaces that touch by multipliers are not shot through"
        )


@dataclass
class Rest:
    """Quantities of a task that are no local unknowns: what they cost and what holds them is taken at the nodes.

    cost      rows with a cost along the way
    end       rows with a cost at the end
    path      rows with limits along the way
    ended     rows with limits at the end
    """

    cost: np.ndarray
    end: np.ndarray
    path: np.ndarray
    ended: np.ndarray

    @property
    def used(self) -> np.ndarray:
        return np.unique(np.concatenate([self.cost, self.end, self.path, self.ended])).astype(int)


def rest_of(task: NumericProblem) -> Rest:
    """What of a task the kernels leave over."""
    computed = np.array([one.column is None for one in task.quantities], bool).reshape(-1)
    priced = (task.linear != 0.0) | (task.squared != 0.0)
    at_end = (task.end_linear != 0.0) | (task.end_squared != 0.0)
    return Rest(
        np.flatnonzero(computed & priced),
        np.flatnonzero(computed & at_end),
        np.flatnonzero(np.isfinite(task.path).any(axis=1)),
        np.flatnonzero(np.isfinite(task.end).any(axis=1)),
    )


def lead(task: NumericProblem, integrator: str, steps: int, trajectory: Any) -> np.ndarray:
    """(N, nx) where each interval of a trajectory leads with so many steps."""
    from ...kernels.optimal.multiple_shooting import shooting_rows

    sh = shooting_arrays(task, integrator, steps, not trajectory.constant)
    point = trajectory.point
    sh.controlled.p[:] = point.p
    ends, cost = np.zeros((len(point.X) - 1, task.nx)), np.zeros(len(point.X) - 1)
    X, U = np.ascontiguousarray(point.X), np.ascontiguousarray(point.U)
    latched = np.tile(getattr(task.plant, "begun", np.zeros(0)), (len(X), 1))
    shooting_rows.ready().python(sh, task.begin, point.T, trajectory.mesh.fractions, X, U, latched, ends, cost)
    return ends
