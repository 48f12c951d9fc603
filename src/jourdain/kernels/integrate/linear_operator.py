"""The linear system of a Newton correction as an operator: dense for trees, partitioned where bodies are sparse.

M, C and K are the derivatives of inverse dynamics by accelerations, velocities and displacements, mu and nu those of
the method by velocities (`implicit_layout`). The matrix of a correction is

    S = M + C / mu + K / (mu nu).

What needs no more of it than products and solutions, such as surface contact, is written once for both:
`dense_operator` has S as LU factors, `partitioned_operator` as a sparse Cholesky factor of each nodal body and a Schur
complement of the rest.
"""

from __future__ import annotations

from ..records import Function, Record
from ..stage_functions import f, i, none, x

MASS_MATRIX, STEP_MATRIX = 0, 1
"""Which matrix is meant: M with the constraints, or S."""


class LinearOperator(Record, name="Lo"):
    """The operations of a linear system on vectors of all velocities, (nv,); None where a method has no use for one.

    refactor     refactor(run, first, count) brings the matrices to the trial, after `kinematics`; first: 1 at the first
                 correction of a step; count: how many nodes may touch
    residual     residual(run): the equations of motion at the trial without contact forces, into memory.residual;
                 returns the power of what moves prescribed entries [W]
    correct      correct(run) puts the correction for memory.residual in its place
    solve        solve(run, which, b, x): x = M^-1 b, or S^-1 b with integrated states and multipliers where x has room
    multiply     multiply(run, which, x, v, out): out = M x, or K x + C v
    compliance   compliance(run, count): the Delassus operators of the rows P of the nodes that may touch, into
                 SurfaceContact: P S^-1 P^T / mu, or with impulses P M^-1 P^T, P S^-1 C M^-1 P^T / mu and
                 P S^-1 K M^-1 P^T / mu. 1 where they are new, 0 where those at hand serve, -1 where the
                 capacity is exceeded
    """

    refactor = Function(none, "L", i, i)
    residual = Function(f, "L")
    correct = Function(none, "L")
    solve = Function(none, "L", i, x, x)
    multiply = Function(none, "L", i, x, x, x)
    compliance = Function(i, "L", i)
