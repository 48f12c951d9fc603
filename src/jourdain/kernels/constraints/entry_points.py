"""The rows of the constraints for Python: `model.constraints` and what is built on it."""

from __future__ import annotations

from ..compiler import entry_point
from ..model_arrays import ModelArrays, Workspace
from ..rows import copy_row, table_of
from ..signatures import Matrix, Vector
from ..tree.articulated import articulated_accelerations
from ..tree.joint_springs import passive_efforts
from ..tree.kinematics import kinematics
from ..tree.markers import apply_loads
from .constraint_jacobian import apply_rows, lay_rows, place_rows, row_accelerations, row_jacobian, rows_transposed
from .constraint_layout import ConstraintRow

rows_of = table_of(ConstraintRow)


@entry_point
def constraint_rows(model: ModelArrays, ws: Workspace, t: float, q: Vector, v: Vector, out: Matrix) -> None:
    """All rows at time t, as ws.constraint_rows has them, into out (rows, ConstraintRow.size)."""
    ws.ledger.time = t
    kinematics(model, ws, q, v)
    place_rows(model, ws, t, q, v)
    for r in range(out.shape[0]):
        copy_row(rows_of(out)[r], ws.constraint_rows[r])


@entry_point
def constraint_jacobian(
    model: ModelArrays, ws: Workspace, t: float, q: Vector, v: Vector, out: Matrix, flat: Vector
) -> None:
    """Rows (rows, ConstraintRow.size) into out, and A (rows nv,), row after row, into flat."""
    constraint_rows(model, ws, t, q, v, out)
    for r in range(out.shape[0]):
        row_jacobian(model, ws, r, q, v, flat, r * v.size)


@entry_point
def constraint_transposed(
    model: ModelArrays, ws: Workspace, t: float, q: Vector, v: Vector, force: Vector, out: Vector
) -> None:
    """A^T force (nv,) into out."""
    ws.ledger.time = t
    kinematics(model, ws, q, v)
    lay_rows(model, ws, t, q, v)
    for r in range(force.size):
        ws.constraint_rows[r].multiplier = force[r]
    for k in range(out.size):
        out[k] = 0.0
    rows_transposed(model, ws, q, v, out)


@entry_point
def constrained_accelerations(
    model: ModelArrays, ws: Workspace, t: float, q: Vector, v: Vector, force: Vector, effort: Vector, latched: Vector,
    out: Vector, rates: Vector,
) -> None:  # fmt: skip
    """Accelerations of the tree (nv,) under given multipliers and efforts, and those of the rows that follow."""
    ws.ledger.time = t
    kinematics(model, ws, q, v)
    apply_loads(model, ws, q, v)
    lay_rows(model, ws, t, q, v)
    for r in range(force.size):
        ws.constraint_rows[r].multiplier = force[r]
    for k in range(v.size):
        ws.effort[k] = effort[k]
    passive_efforts(model, q, v, latched, ws.effort)
    apply_rows(model, ws, q, v)
    articulated_accelerations(model, ws, ws.effort, out)
    row_accelerations(model, ws, q, v, out, rates)
