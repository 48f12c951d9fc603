"""The kernels that runs and results ask for by name, each with its one signature.

A stage of a run is one of these behind its address; `entry` gives it, compiled, with the parts that a model needs.
Python calls it by `entry(...).python`.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numba import types

from .compiler import FEATURES, Overload
from .compiling.descriptors import named
from .constraints.constraint_layout import CONSTRAINING
from .derivatives.applied.applied_layout import AppliedDerivatives
from .derivatives.derivative_layout import DerivativeScratch
from .integrate.linear_operator import LinearOperator
from .integrate.loop_records import (
    ACTING,
    ATTEMPT,
    BALANCE,
    BEGIN,
    BETWEEN,
    CLOSING,
    CORRECT,
    FINISH,
    FIRST,
    HERE,
    RESUME,
    ROWS,
    SHIFT,
    SLOPE,
    STORE,
    Loop,
)
from .integrate.partitioned.solver_layout import ANSWER, FACTOR_OF
from .kind_registry import OVERLAPS, SITES
from .law_table import LAW_ROW, SAMPLER_ROW, WATCH_ROW
from .model_arrays import ModelArrays, RunTables, Workspace
from .optimal.controlled_plant import RATE_AT, REMEMBER, SLOPE_AT
from .optimal.ddp import Penalties, Sweep
from .optimal.shooting_intervals import ShootingProblem
from .optimal.user_ode import UserOde
from .parallel.sparse_solve_layout import MASS_ANSWER, NODES
from .records import Function
from .stage_functions import (
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
    RATES,
    SAMPLE,
    SETTLE,
    WATCH,
    WITH_CONTROL_MODEL,
    WITHOUT_MODEL,
    ContactFunctions,
    StageFunctions,
    f,
    i,
    m,
    none,
    x,
)
from .surface_contact.surface_records import SurfaceContact

M, W = ModelArrays, Workspace
cube, integers, complexes = types.Array(f, 3, "C"), types.int64[::1], types.complex128[::1]
_steps = types.UniTuple(i, 3)
OPERATIONS: dict[str, Any] = LinearOperator.fields

ENTRIES: dict[str, tuple[str, Function]] = {
    # the loop
    "fixed_steps": ("integrate.loop", Function(_steps, Loop, f, f, i, i, i, i, i)),
    "adaptive_steps": ("integrate.loop", Function(types.UniTuple(i, 2), Loop, f, i, i)),
    "fixed_cases": ("integrate.loop", Function(none, Loop, f, f, i, i, m, m, m, m, m, i, integers)),
    "given_steps": ("integrate.lockstep", Function(_steps, Loop, x, integers)),
    "accept_state": ("integrate.external_integration", Function(none, Loop, i)),
    "state_changes": ("integrate.external_integration", Function(i, Loop)),
    "unit_rotations": ("integrate.external_integration", Function(none, M, x)),
    "device_case": ("integrate.gpu_steps", Function(none, Loop, f, f, i, i, m, m, m, m, integers)),
    # methods of integration
    "explicit_attempt": ("integrate.runge_kutta", ATTEMPT),
    "pool_attempt": ("parallel.phases", ATTEMPT),
    "pool_here": ("parallel.phases", HERE),
    "pool_shift": ("parallel.phases", SHIFT),
    "explicit_between": ("integrate.runge_kutta", BETWEEN),
    "explicit_finish": ("integrate.runge_kutta", FINISH),
    "explicit_first": ("integrate.runge_kutta", FIRST),
    "alpha_attempt": ("integrate.generalized_alpha", ATTEMPT),
    "alpha_between": ("integrate.generalized_alpha", BETWEEN),
    "alpha_finish": ("integrate.generalized_alpha", FINISH),
    "bdf_attempt": ("integrate.bdf", ATTEMPT),
    "bdf_between": ("integrate.bdf", BETWEEN),
    "bdf_finish": ("integrate.bdf", FINISH),
    "radau_attempt": ("integrate.radau", ATTEMPT),
    "radau_between": ("integrate.radau", BETWEEN),
    "radau_finish": ("integrate.radau", FINISH),
    "implicit_first": ("integrate.newton", FIRST),
    "tree_jacobian": ("integrate.newton_jacobian", SLOPE),
    "difference_jacobian": ("integrate.newton_jacobian", SLOPE),
    "applied_partials": ("derivatives.applied.all_applied", ACTING),
    "multiplier_partials": ("derivatives.applied.all_applied", CLOSING),
    "solve_together": ("parallel.sparse_solve", ANSWER),
    "factor_together": ("parallel.sparse_solve", FACTOR_OF),
    "mass_together": ("parallel.sparse_solve", MASS_ANSWER),
    "nodes_together": ("parallel.sparse_solve", NODES),
    "solving_thread": ("parallel.sparse_solve", Function(none, Loop, i)),
    "partitioned_jacobian": ("integrate.partitioned.partitioned_solver", SLOPE),
    "partitioned_correction": ("integrate.partitioned.correction", CORRECT),
    "partitioned_loop_correction": ("integrate.partitioned.correction", CORRECT),
    "all_rows": ("integrate.step_points", ROWS),
    "saddle_point_correction": ("surface_contact.saddle_point", CORRECT),
    "impulse_correction": ("surface_contact.impulse_step", CORRECT),
    **{f"dense_{name}": ("surface_contact.dense_operator", kind) for name, kind in OPERATIONS.items()},
    **{f"partitioned_{name}": ("surface_contact.partitioned_operator", kind) for name, kind in OPERATIONS.items()},
    "store_contact": ("surface_contact.saddle_point", STORE),
    "resume_contact": ("surface_contact.saddle_point", RESUME),
    "begin_balance": ("surface_contact.momentum_balance", BEGIN),
    "balance": ("surface_contact.momentum_balance", BALANCE),
    "touching_gaps": ("surface_contact.gap_functions", Function(none, M, W, SurfaceContact, x, x)),
    "initial_wrenches": ("surface_contact.contact_wrench", Function(none, M, W, SurfaceContact, x, x, x)),
    # the right-hand side
    "tree_rates": ("tree.right_hand_side", RATES),
    "pool_rates": ("parallel.parallel_rates", RATES),
    "pool_thread": ("parallel.phases", Function(none, Loop, i)),
    "momentum_rates": ("constraints.canonical_momenta", RATES),
    "transmitted": ("tree.right_hand_side", RATES),
    "coordinate_rates": ("tree.batch_right_hand_side", Function(none, M, W, x, x, x)),
    "rates_rows": (
        "tree.batch_right_hand_side",
        Function(none, StageFunctions, M, RunTables, x, W, f, m, m, m, x, m, m, m, cube),
    ),
    # the model functions at many states
    "forward_rows": ("tree.batch", Function(i, StageFunctions, M, RunTables, x, W, i, x, m, m, m, m, x, m, m, m)),
    "inverse_rows": ("tree.batch", Function(i, StageFunctions, M, RunTables, x, W, i, x, m, m, m, m, x, m, m)),
    "reaction_rows": (
        "tree.batch",
        Function(i, StageFunctions, M, RunTables, x, W, i, x, m, m, m, m, x, m, integers, m, x, cube),
    ),
    "energy_rows": ("tree.batch", Function(i, StageFunctions, M, W, i, x, m, m, m, m, x, m)),
    "mass_matrix_rows": ("tree.batch", Function(none, M, W, m, cube)),
    "bias_rows": ("tree.batch", Function(none, M, W, x, m, m, m)),
    "jacobian_rows": ("tree.batch", Function(none, M, W, i, m, cube)),
    "acceleration_rows": ("tree.batch", Function(none, M, W, i, x, m, m, m, m)),
    "momentum_rows": ("tree.batch", Function(none, M, W, i, x, m, m, x, m)),
    "centre_rows": ("tree.batch", Function(none, M, W, m, m)),
    # laws
    "add_along": ("tree.line_loads", Function(none, M, W, x, i, x, x, x)),
    "line_emf": ("tree.line_loads", Function(f, M, W, x, x, x)),
    "apply_laws": ("law_table", LAW),
    "apply_laws_along": ("law_table", LAW),
    "sample_laws": ("law_table", SAMPLE),
    "watch_conditions": ("law_table", WATCH),
    # contact
    "contact_rates": ("contact.contact_forces", CONTACT),
    "accept_contacts": ("contact.memory.latches", ACCEPT),
    "changed_contacts": ("contact.memory.latches", CHANGED),
    "pile_rates": ("contact.granular", CONTACT),
    "accept_piles": ("contact.granular", ACCEPT),
    "pool_accept": ("parallel.parallel_rates", ACCEPT),
    "changed_piles": ("contact.granular", CHANGED),
    **{f"find_{name}": (f"contact.narrow_phase.{name}", FINDER) for name in SITES if name != "pile"},
    **{f"find_{name}": (f"contact.volumetric.{name}", PARTS) for name in OVERLAPS},
    "foundation_wrench": ("contact.volumetric.patch_forces", FOUNDATION),
    "contact_history": ("contact.memory.recorded_states", Function(f, M, StageFunctions, m, m, m, m, W, x, cube)),
    "patch_history": ("contact.memory.recorded_states", Function(none, M, StageFunctions, m, m, m, m, W, x, cube)),
    "contact_sites": ("contact.memory.recorded_states", Function(i, M, ContactFunctions, x, x, x, x, W, x, m)),
    "contact_gaps": ("contact.narrow_phase.separation", Function(i, M, ContactFunctions, x, x, x, W, m)),
    "contact_indicators": ("contact.memory.event_indicators", Function(none, M, ContactFunctions, x, x, x, W, x)),
    # constraints
    "constrain": ("constraints.stabilization", CONSTRAIN),
    "settle": ("constraints.stabilization", SETTLE),
    "act": ("constraints.stabilization", ACT),
    "watch_closure": ("constraints.row_selection", CLOSURE),
    "row_responses": ("constraints.stabilization", Function(none, M, RunTables, f, x, x, W, m, m)),
    "settle_partition": ("constraints.partition_selection", SETTLE),
    "chosen_entries": ("constraints.partition_selection", Function(none, M, RunTables, f, x, x, W, integers)),
    "adjust_momenta": ("constraints.canonical_momenta", ADJUST),
    "settle_momenta": ("constraints.canonical_momenta", SETTLE),
    "adjust_linked": ("constraints.constrained_momenta", ADJUST),
    "settle_linked": ("constraints.constrained_momenta", SETTLE),
    "adjust_orthogonal": ("constraints.orthogonal_decomposition", ADJUST),
    "settle_orthogonal": ("constraints.orthogonal_decomposition", SETTLE),
    "adjust_unit": ("constraints.orthogonal_decomposition", ADJUST),
    "settle_unit": ("constraints.orthogonal_decomposition", SETTLE),
    "settle_unit_velocity": ("constraints.orthogonal_decomposition", SETTLE),
    "adjust_choice": ("constraints.coordinate_partitioning", ADJUST),
    "settle_choice": ("constraints.coordinate_partitioning", SETTLE),
    "adjust_partition": ("constraints.coordinate_partitioning", ADJUST),
    "constrain_nullspace": ("constraints.null_space", CONSTRAIN),
    "constrain_gradients": ("constraints.conjugate_gradient", CONSTRAIN),
    "settle_gradients": ("constraints.conjugate_gradient", SETTLE),
    "constraint_rows": ("constraints.entry_points", Function(none, M, W, f, x, x, m)),
    "constraint_jacobian": ("constraints.entry_points", Function(none, M, W, f, x, x, m, x)),
    "constraint_transposed": ("constraints.entry_points", Function(none, M, W, f, x, x, x, x)),
    "constrained_accelerations": ("constraints.entry_points", Function(none, M, W, f, x, x, x, x, x, x, x)),
    # derivatives
    "inverse_derivatives": (
        "derivatives.dynamics_derivatives",
        Function(none, M, W, DerivativeScratch, x, x, x, x, m, m, m),
    ),
    "marker_partials": ("derivatives.applied.all_applied", Function(none, M, W, DerivativeScratch, i, x, x, m)),
    "forward_derivatives": (
        "derivatives.dynamics_derivatives",
        Function(none, M, W, DerivativeScratch, x, x, x, x, x, m, m, m),
    ),
    "rate_partials": (
        "derivatives.rate_jacobian",
        Function(
            none,
            M,
            RunTables,
            StageFunctions,
            f,
            x,
            x,
            x,
            x,
            x,
            W,
            DerivativeScratch,
            AppliedDerivatives,
            i,
            x,
            m,
            m,
            m,
            integers,
            m,
            m,
            x,
            x,
            m,
        ),  # fmt: skip
    ),
    # trajectories
    "forward_derivative_rows": (
        "optimal.node_dynamics",
        Function(none, M, W, DerivativeScratch, x, m, m, m, x, m, cube, cube, cube),
    ),
    "forward_curvature_rows": (
        "optimal.node_dynamics",
        Function(none, M, W, DerivativeScratch, x, m, m, m, x, m, m, m, cube, cube, cube, cube),
    ),
    "rigid_curvature_rows": (
        "optimal.node_dynamics",
        Function(none, M, W, DerivativeScratch, x, m, m, x, m, m, cube, cube, cube, x, m, m, m, cube, cube, cube, cube),
    ),
    "forward_step_rows": (
        "optimal.node_dynamics",
        Function(none, M, "Wc", x, m, m, m, x, cube, complexes, complexes, complexes, complexes, cube, cube, cube),
    ),
    "marker_slope_rows": ("optimal.node_dynamics", Function(none, M, W, DerivativeScratch, i, m, m, cube)),
    "plain_rows": ("optimal.user_ode", Function(none, UserOde, x, m, m, x, m)),
    "plain_slope_rows": (
        "optimal.user_ode",
        Function(none, UserOde, x, m, m, x, complexes, x, x, complexes, complexes, complexes, cube),
    ),
    **dict.fromkeys(("tree_rate", "plain_rate"), ("optimal.controlled_plant", RATE_AT)),
    **dict.fromkeys(
        ("tree_slope", "touching_slope", "differenced_slope", "plain_slope"), ("optimal.controlled_plant", SLOPE_AT)
    ),
    "remember_touching": ("optimal.controlled_plant", REMEMBER),
    "ddp_rollout": ("optimal.ddp", Function(f, ShootingProblem, Penalties, Sweep, f, f, x, m, m, f, i, m, m, m, x)),
    "ddp_cost": ("optimal.ddp", Function(f, ShootingProblem, Penalties, f, f, x, m, m, m, x, x)),
    "ddp_partials": ("optimal.ddp", Function(none, ShootingProblem, Penalties, Sweep, f, f, x, m, m, m, x, x, m, cube)),
    "ddp_tangent": ("optimal.ddp", Function(none, ShootingProblem, Sweep, m, m, cube, m)),
    "ddp_backward": ("optimal.ddp", Function(i, Sweep, Penalties, m, f)),
    "shot_rows": ("optimal.multiple_shooting", Function(none, ShootingProblem, f, f, x, m, m, m, m, x)),
    "shot_slope_rows": (
        "optimal.multiple_shooting",
        Function(none, ShootingProblem, f, f, x, m, m, m, x, m, x, cube, m, cube),
    ),
    "shot_curvature": (
        "optimal.multiple_shooting",
        Function(none, ShootingProblem, f, f, x, m, m, m, x, x, x, x, f, m, integers, x, m, x, m, cube),
    ),
    "ddp_predict": ("optimal.ddp", Function(none, Sweep, x)),
    "factor_fronts": (
        "optimal.multifrontal",
        Function(types.UniTuple(i, 2), *(integers,) * 9, x, integers, i, x, integers, integers, integers, x),
    ),
    "solve_fronts": ("optimal.multifrontal", Function(none, integers, integers, integers, x, x, x)),
    "less_product": ("optimal.multifrontal", Function(none, integers, integers, x, x, x)),
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
    "marker_path": Function(none, M, W, integers, m, m, m),
    "displaced": Function(none, M, W, x, x, x),
    "energy": Function(none, M, W, x, x, x, x),
    "momentum": Function(none, M, W, x, x, x, x),
    "unturning_momentum": Function(none, M, W, x, x, x, x),
    "centre_of_mass": Function(f, M, W, x, x),
}
"""The model functions, which Python calls."""


CONTROL_LAWS: dict[str, Function] = {
    "accommodation.accommodate": WITH_CONTROL_MODEL,
    "line_load_laws.conducted": WITHOUT_MODEL,
    "line_load_laws.uniform": WITHOUT_MODEL,
    "closed_loops.computed_torque": WITH_CONTROL_MODEL,
    "closed_loops.pid_with_model": WITH_CONTROL_MODEL,
    "feedback.observed_feedback": WITHOUT_MODEL,
    "feedback.state_feedback": WITHOUT_MODEL,
    "filters.filtered": WITH_CONTROL_MODEL,
    "external_laws.foreign": WITHOUT_MODEL,
    "gearing.geared": WITH_CONTROL_MODEL,
    "impedance.impedance": WITH_CONTROL_MODEL,
    "inputs.applied": WITHOUT_MODEL,
    "joint_control.antagonists": WITHOUT_MODEL,
    "joint_control.pid": WITHOUT_MODEL,
    "joint_control.pid_with_model": WITH_CONTROL_MODEL,
    "computed_torque.computed_torque": WITH_CONTROL_MODEL,
    "computed_torque.computed_torque_open": WITH_CONTROL_MODEL,
    "muscles.contract": WITH_CONTROL_MODEL,
    "hand_controller.fly": WITH_CONTROL_MODEL,
    "trajectory_tracking.feedforward": WITHOUT_MODEL,
    "trajectory_tracking.tracking": WITHOUT_MODEL,
    "predictive.relinearized": WITH_CONTROL_MODEL,
    "predictive.scheduled": WITHOUT_MODEL,
    "sampling.hold": WITHOUT_MODEL,
    "tyres.tyre": WITHOUT_MODEL,
    "wheelsets.wheelset": WITHOUT_MODEL,
}
"""The package's own control laws: module and name in `control`."""


GATES = (
    ("public:forward_dynamics", "{M}{W}<f1><f1><f1><f1>"),
    ("public:inverse_dynamics", "{M}{W}<f1><f1><f1><f1>"),
    ("public:bias", "{M}{W}<f1><f1><f1>"),
    ("public:mass_matrix", "{M}{W}<f1><f2>"),
    ("public:jacobian", "{M}{W}i<f1><f2>"),
    ("public:marker_motion", "{M}{W}i<f1><f1><f1>"),
    ("public:acceleration", "{M}{W}i<f1><f1><f1><f1>"),
    ("public:energy", "{M}{W}<f1><f1><f1><f1>"),
    ("public:momentum", "{M}{W}<f1><f1><f1><f1>"),
    ("public:centre_of_mass", "{M}{W}<f1><f1>"),
    ("contact.laws.fastsim:creep_forces", "<f1><f1><f1>i<f1>"),
    ("control.wheelsets:wheel_contacts", "<f1><f2><f2>"),
    ("tree.orbit:orbital_frame", "<f1>f<f1>"),
    ("control.paths:sample_path", "i<f1><f1><f2>"),
    ("control.predictive:plan", "i<f2><f2><f2><f1><f1><f1><f2><f2><f1><f2><f1><f1><f2><f1><f1><f1><f2><f2>"),
    ("constraints.canonical_momenta:momenta", "{M}{W}<f1><f1><f1>"),
    ("constraints.canonical_momenta:momenta", "{M}{Wc}<c1><c1><c1>"),
    ("constraints.canonical_momenta:velocities", "{M}{W}<f1><f1><f1>"),
    ("constraints.canonical_momenta:begin_momentum_rates", "{M}{W}<f1><f1>"),
    ("constraints.canonical_momenta:finish_momentum_rates", "{M}{W}<f1><f1><f1><f1><f1>"),
    ("linalg.supernodal_cholesky:factor_sparse", "<i1>i<f1>i<i1><f1>"),
    ("linalg.supernodal_cholesky:solve_sparse", "<i1>i<f1>i<f1><f1><f1>"),
    ("bodies.ancf_cable_tangent:cable_step_matrix", "{M}i<f1><f1>fff<f1>"),
    ("bodies.simo_reissner_tangent:rod_step_matrix", "{M}i<f1><f1>fff<f1><f1>"),
    ("bodies.ancf_shell_tangent:shell_step_matrix", "{M}{W}i<f1><f1>fff<f1><f1>"),
    ("contact.laws.bristle_path:bristle_path", "<f1><f1><f1>i<i1><f1><f1><f2>"),
    ("contact.laws.bristle_path:bristle_partials", "<f1><f1><f1>i<i1><f1><f1><f2><f2><i1><i1>f<f2>"),
    ("rasterizer:fill_triangles", "<f2><f2><i2>f<o2><s2>"),
    ("rasterizer:shrink", "<o2><o2>"),
    ("mesh_decimation:simplify", "<f2><f2><i1><i2>fif<i1><i1><f2><i1><i1><f1><f1>"),
)
"""Gates that Python calls as they are, with the types that it calls them with (`compiling.type_strings`)."""


@cache
def overload(name: str) -> Overload:
    """An entry or a model function, as it is compiled; nothing is compiled yet."""
    module, function = ENTRIES[name] if name in ENTRIES else ("tree.model_functions", FUNCTIONS[name])
    kernel = getattr(importlib.import_module(f".{module}", __package__), name)
    return kernel.overload(function.signature.args)


def entry(name: str, features: Iterable[str] = ()) -> Overload:
    """An entry, compiled, with the parts that models with these features need."""
    return overload(name).ready(frozenset(features))


def control_law(kernel: str) -> Overload:
    """One of the package's own control laws, by its module and name in `control`; nothing is compiled yet."""
    module, name = kernel.rsplit(".", 1)
    function = getattr(importlib.import_module(f".control.{module}", __package__), name)
    return function.overload(CONTROL_LAWS[kernel].signature.args)


def everything() -> list[tuple[Overload, frozenset[str]]]:
    """All that Python can ask for by name, for models that have every feature."""
    found = [overload(name) for name in (*ENTRIES, *FUNCTIONS)] + [control_law(name) for name in CONTROL_LAWS]
    found += [named(f"{__package__}.{address}", spelling) for address, spelling in GATES]
    for module in pkgutil.walk_packages([str(Path(__file__).parent)], f"{__package__}."):
        importlib.import_module(module.name)
    return [(one, frozenset(FEATURES)) for one in found]


def model_functions(features: Iterable[str]) -> list[tuple[Overload, frozenset[str]]]:
    """The model functions, for models with these features."""
    return [(overload(name), frozenset(features)) for name in FUNCTIONS]


def task(
    motion_index: Any = (),
    motion_data: Any = (),
    sensors: Any = (),
    constraining: Any = None,
    laws: Any = (),
    samplers: Any = (),
    watches: Any = (),
) -> RunTables:
    """A `RunTables` with the dtypes and flags that kernels take."""
    arrays = (
        np.array(motion_index, np.int64).reshape(-1, 3),
        np.array(motion_data, np.float64).reshape(-1),
        np.array(sensors, np.int64).reshape(-1, 3),
        np.zeros(CONSTRAINING) if constraining is None else np.array(constraining, np.float64),
        np.array(laws, np.int64).reshape(-1, LAW_ROW),
        np.array(samplers, np.int64).reshape(-1, SAMPLER_ROW),
        np.array(watches, np.int64).reshape(-1, WATCH_ROW),
    )
    return RunTables.frozen(*arrays)
