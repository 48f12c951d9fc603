"""The kernels that runs and results ask for by name, each with its one signature.

A stage of a run is one of these behind its address; `entry` gives it, compiled, with the parts that a model needs.
Python calls it by `entry(...).python`.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from typing import Any

import numpy as np
from numba import types

from .compiler import Overload
from .constraints.layout import CONSTRAINING
from .derivatives_layout import Slopes
from .integrate.records import ACTING, ATTEMPT, BETWEEN, CLOSING, FINISH, FIRST, ROWS, SLOPE, Loop
from .laws import LAW_ROW, SAMPLER_ROW, WATCH_ROW
from .layout import ModelArrays, Task, Workspace
from .records import Function
from .stages import (
    ACCEPT,
    ACT,
    ADJUST,
    CHANGED,
    CLOSURE,
    CONSTRAIN,
    CONTACT,
    FINDER,
    FOUNDATION,
    LAW,
    PARTS,
    PILOTED,
    PLAIN,
    RATES,
    SAMPLE,
    SETTLE,
    WATCH,
    Stages,
    Touch,
    f,
    i,
    m,
    none,
    x,
)

M, W = ModelArrays, Workspace
cube, integers = types.Array(f, 3, "C"), types.int64[::1]
_steps = types.UniTuple(i, 3)

ENTRIES: dict[str, tuple[str, Function]] = {
    # the loop
    "fixed_steps": ("integrate.loop", Function(_steps, Loop, f, f, i, i, i, i, i)),
    "adaptive_steps": ("integrate.loop", Function(types.UniTuple(i, 2), Loop, f, i, i)),
    "fixed_cases": ("integrate.loop", Function(none, Loop, f, f, i, i, m, m, m, m, m, i, integers)),
    # methods of integration
    "explicit_attempt": ("integrate.explicit", ATTEMPT),
    "explicit_between": ("integrate.explicit", BETWEEN),
    "explicit_finish": ("integrate.explicit", FINISH),
    "explicit_first": ("integrate.explicit", FIRST),
    "alpha_attempt": ("integrate.alpha", ATTEMPT),
    "alpha_between": ("integrate.alpha", BETWEEN),
    "alpha_finish": ("integrate.alpha", FINISH),
    "bdf_attempt": ("integrate.bdf", ATTEMPT),
    "bdf_between": ("integrate.bdf", BETWEEN),
    "bdf_finish": ("integrate.bdf", FINISH),
    "radau_attempt": ("integrate.radau", ATTEMPT),
    "radau_between": ("integrate.radau", BETWEEN),
    "radau_finish": ("integrate.radau", FINISH),
    "implicit_first": ("integrate.newton", FIRST),
    "tree_jacobian": ("integrate.jacobians", SLOPE),
    "difference_jacobian": ("integrate.jacobians", SLOPE),
    "applied_slopes": ("slopes.applied", ACTING),
    "multiplier_slopes": ("slopes.applied", CLOSING),
    "all_rows": ("integrate.points", ROWS),
    # the right-hand side
    "tree_rates": ("rates", RATES),
    "momentum_rates": ("constraints.momenta", RATES),
    "transmitted": ("rates", RATES),
    "coordinate_rates": ("rows", Function(none, M, W, x, x, x)),
    "rates_rows": ("rows", Function(none, Stages, M, Task, x, W, f, m, m, m, x, m, m, m, cube)),
    # laws
    "apply_laws": ("laws", LAW),
    "sample_laws": ("laws", SAMPLE),
    "watch_conditions": ("laws", WATCH),
    # contact
    "contact_rates": ("contact.sites", CONTACT),
    "accept_contacts": ("contact.memory", ACCEPT),
    "changed_contacts": ("contact.memory", CHANGED),
    "pile_rates": ("contact.piles", CONTACT),
    "accept_piles": ("contact.piles", ACCEPT),
    "changed_piles": ("contact.piles", CHANGED),
    "find_round": ("contact.round", FINDER),
    "find_points": ("contact.points", FINDER),
    "find_meshes": ("contact.meshes", FINDER),
    "find_caps": ("contact.caps", PARTS),
    "find_balls": ("contact.balls", PARTS),
    "find_rolls": ("contact.rolls", PARTS),
    "find_flats": ("contact.flats", PARTS),
    "find_holes": ("contact.holes", PARTS),
    "find_mixed": ("contact.mixed", PARTS),
    "foundation_wrench": ("contact.volumetric", FOUNDATION),
    "contact_history": ("contact.history", Function(f, M, Stages, m, m, m, m, W, x, cube)),
    "patch_history": ("contact.history", Function(none, M, Stages, m, m, m, m, W, x, cube)),
    "contact_sites": ("contact.history", Function(i, M, Touch, x, x, x, x, W, x, m)),
    "contact_gaps": ("contact.gaps", Function(i, M, Touch, x, x, x, W, m)),
    # constraints
    "constrain": ("constraints.keeping", CONSTRAIN),
    "settle": ("constraints.keeping", SETTLE),
    "act": ("constraints.keeping", ACT),
    "watch_closure": ("constraints.exchange", CLOSURE),
    "row_responses": ("constraints.keeping", Function(none, M, Task, f, x, x, W, m, m)),
    "settle_partition": ("constraints.partitions", SETTLE),
    "chosen_entries": ("constraints.partitions", Function(none, M, Task, f, x, x, W, integers)),
    "adjust_momenta": ("constraints.momenta", ADJUST),
    "settle_momenta": ("constraints.momenta", SETTLE),
    "adjust_linked": ("constraints.momenta_linked", ADJUST),
    "settle_linked": ("constraints.momenta_linked", SETTLE),
    "adjust_orthogonal": ("constraints.orthogonal", ADJUST),
    "settle_orthogonal": ("constraints.orthogonal", SETTLE),
    "adjust_unit": ("constraints.orthogonal", ADJUST),
    "settle_unit": ("constraints.orthogonal", SETTLE),
    "settle_unit_velocity": ("constraints.orthogonal", SETTLE),
    "adjust_choice": ("constraints.partitioning", ADJUST),
    "settle_choice": ("constraints.partitioning", SETTLE),
    "adjust_partition": ("constraints.partitioning", ADJUST),
    "constrain_nullspace": ("constraints.nullspace", CONSTRAIN),
    "constrain_gradients": ("constraints.gradients", CONSTRAIN),
    "settle_gradients": ("constraints.gradients", SETTLE),
    "constraint_rows": ("constraints.gates", Function(none, M, W, f, x, x, m)),
    "constraint_jacobian": ("constraints.gates", Function(none, M, W, f, x, x, m, x)),
    "constraint_transposed": ("constraints.gates", Function(none, M, W, f, x, x, x, x)),
    "constrained_accelerations": ("constraints.gates", Function(none, M, W, f, x, x, x, x, x, x, x)),
    # derivatives
    "inverse_derivatives": ("derivatives", Function(none, M, W, Slopes, x, x, x, x, m, m, m)),
    "forward_derivatives": ("derivatives", Function(none, M, W, Slopes, x, x, x, x, x, m, m, m)),
}

FUNCTIONS: dict[str, Function] = {
    "forward_dynamics": Function(none, M, W, x, x, x, x),
    "inverse_dynamics": Function(none, M, W, x, x, x, x),
    "forward_state": Function(none, M, W, x, x, x, x, x),
    "inverse_state": Function(none, M, W, x, x, x, x, x),
    "begin": Function(none, M, W, x, x),
    "add_wrench": Function(none, M, W, i, i, x, x, x),
    "finish_forward": Function(none, M, W, x, x, x, x, x),
    "finish_inverse": Function(none, M, W, x, x, x, x, x),
    "bias": Function(none, M, W, x, x, x),
    "mass_matrix": Function(none, M, W, x, m),
    "jacobian": Function(none, M, W, i, x, m),
    "marker_motion": Function(none, M, W, i, x, x, x),
    "acceleration": Function(none, M, W, i, x, x, x, x),
    "body_motion": Function(none, M, W, i, x, x, x, x),
    "marker_path": Function(none, M, W, i, m, m, m),
    "displaced": Function(none, M, W, x, x, x),
    "energy": Function(none, M, W, x, x, x, x),
    "momentum": Function(none, M, W, x, x, x, x),
    "unturning_momentum": Function(none, M, W, x, x, x, x),
    "centre_of_mass": Function(f, M, W, x, x),
}
"""The model functions, which Python calls."""


def overload(name: str) -> Overload:
    """An entry or a model function, as it is compiled; nothing is compiled yet."""
    module, function = ENTRIES[name] if name in ENTRIES else ("functions", FUNCTIONS[name])
    kernel = getattr(importlib.import_module(f".{module}", __package__), name)
    return kernel.overload(function.signature.args)


def entry(name: str, features: Iterable[str] = ()) -> Overload:
    """An entry, compiled, with the parts that models with these features need."""
    return overload(name).ready(frozenset(features))


def control_law(kernel: str, uses_model: bool) -> Overload:
    """One of the package's own control laws, by its module and name in `control`."""
    module, name = kernel.rsplit(".", 1)
    function = getattr(importlib.import_module(f".control.{module}", __package__), name)
    return function.overload((PILOTED if uses_model else PLAIN).signature.args)


def task(
    motion_index: Any = (),
    motion_data: Any = (),
    sensors: Any = (),
    constraining: Any = None,
    laws: Any = (),
    samplers: Any = (),
    watches: Any = (),
) -> Task:
    """A Task with the dtypes and flags that kernels take."""
    arrays = (
        np.array(motion_index, np.int64).reshape(-1, 3),
        np.array(motion_data, np.float64).reshape(-1),
        np.array(sensors, np.int64).reshape(-1, 3),
        np.zeros(CONSTRAINING) if constraining is None else np.array(constraining, np.float64),
        np.array(laws, np.int64).reshape(-1, LAW_ROW),
        np.array(samplers, np.int64).reshape(-1, SAMPLER_ROW),
        np.array(watches, np.int64).reshape(-1, WATCH_ROW),
    )
    return Task.frozen(*arrays)
