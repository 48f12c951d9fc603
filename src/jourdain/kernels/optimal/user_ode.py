"""A user's ordinary differential equations (ODE) at many points in one call, with derivatives by a complex step.

f(t, x, u, p, out) writes rates, or outputs, of states x, inputs u and parameters p. The imaginary part of f at a point
with an imaginary step is its derivative, exact to rounding (Squire & Trapp 1998); a function that does not compile for
complex numbers is differenced.
"""

from __future__ import annotations

from numba import types

from ..compiler import entry_point, kernel
from ..records import Function, Record, given
from ..signatures import ComplexVector, Cube, Matrix, Vector
from ..stage_functions import f, none, x

STEP = 1e-40
_z = types.complex128
_zs = types.complex128[::1]
RATE = Function(none, f, x, x, x, x)
"""f(t, x, u, p, out), of floats."""
COMPLEX_RATE = Function(none, _z, _zs, _zs, _zs, _zs)
"""The same, of complex numbers."""


class UserOde(Record, name="Pl"):
    """A user's function of time, states, inputs and parameters.

    value    the function
    step     the same of complex numbers, None where it has no such form
    """

    value = RATE
    step = COMPLEX_RATE


@kernel
def difference(plain, t, x, u, p, j, low, high):
    """Derivative by the j-th of states, inputs, parameters and time, by a central difference, into `high`."""
    nx, nu, np = x.size, u.size, p.size
    kept = t
    if j < nx:
        kept = x[j]
    elif j < nx + nu:
        kept = u[j - nx]
    elif j < nx + nu + np:
        kept = p[j - nx - nu]
    h = 6e-6 * (abs(kept) if abs(kept) > 1.0 else 1.0)
    # value with argument j displaced to either side
    for side in range(2):
        moved = kept + h if side == 1 else kept - h
        s = t
        if j < nx:
            x[j] = moved
        elif j < nx + nu:
            u[j - nx] = moved
        elif j < nx + nu + np:
            p[j - nx - nu] = moved
        else:
            s = moved
        plain.value(s, x, u, p, high if side == 1 else low)
    if j < nx:
        x[j] = kept
    elif j < nx + nu:
        u[j - nx] = kept
    elif j < nx + nu + np:
        p[j - nx - nu] = kept
    for r in range(high.size):
        high[r] = (high[r] - low[r]) / (2.0 * h)


@entry_point
def ode_rows(plain: UserOde, t: Vector, X: Matrix, U: Matrix, p: Vector, out: Matrix) -> None:
    """Values (rows, n) at times (rows,), states (rows, nx) and inputs (rows, nu)."""
    for i in range(X.shape[0]):
        plain.value(t[i], X[i], U[i], p, out[i])


@entry_point
def ode_jacobian_rows(
    plain: UserOde, t: Vector, X: Matrix, U: Matrix, p: Vector, scratch: ComplexVector, low: Vector, high: Vector,
    xs: ComplexVector, us: ComplexVector, ps: ComplexVector, J: Cube,
) -> None:  # fmt: skip
    """Derivatives (rows, n, nx + nu + np + 1) by states, inputs, parameters and time.

    scratch       complex (n,)
    low, high     (n,) each
    xs, us, ps    complex (nx,), (nu,), (np,)
    """
    nx, nu, np = X.shape[1], U.shape[1], p.size
    for i in range(X.shape[0]):
        for j in range(nx + nu + np + 1):
            if given(plain.step):
                # complex step: df/dx_j = Im f(x + i h e_j) / h
                for k in range(nx):
                    xs[k] = X[i, k] + 0.0j
                for k in range(nu):
                    us[k] = U[i, k] + 0.0j
                for k in range(np):
                    ps[k] = p[k] + 0.0j
                s = t[i] + 0.0j
                if j < nx:
                    xs[j] += STEP * 1j
                elif j < nx + nu:
                    us[j - nx] += STEP * 1j
                elif j < nx + nu + np:
                    ps[j - nx - nu] += STEP * 1j
                else:
                    s += STEP * 1j
                plain.step(s, xs, us, ps, scratch)
                for r in range(J.shape[1]):
                    J[i, r, j] = scratch[r].imag / STEP
            else:
                difference(plain, t[i], X[i], U[i], p, j, low, high)
                for r in range(J.shape[1]):
                    J[i, r, j] = high[r]
