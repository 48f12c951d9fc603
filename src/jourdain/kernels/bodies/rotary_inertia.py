"""Sections of a lumped body whose inertia turns with them, in the beam's axes.

A section is a rigid slice without mass at a station of `slices`, turned by R = exp(b) exp(phi d) whatever the rotation
scheme of the body's frames. With theta_k its shapes, w its angular velocity relative to the frame and J = R J0 R^T, it
takes the moment

    N = J a + (omega + w) x J (omega + w),    a = alpha + omega x w + theta_k e_k'' + (what is left of w'),

and of e_k the effort theta_k . N: nothing is expanded, so that the mass matrix stays positive however the beam bends.
The gyroscopic forces of a spinning shaft are in it.

Floats: d (3) and axes (9) of the beam in its own axes, as `station` reads them; then the sections, each its inertia
about x, y and z (3) and its station.
"""

from __future__ import annotations

from ..columns import EV, FLEX, FLOATS, INTEGERS, TURNING, TURNING_AT, E, N
from ..compiler import kernel, optional_kernel
from ..flat_arrays import accumulate, accumulate31, get, vec1
from ..spatial import add, add6, cross, dot, rotate_sym, scale, sym_times
from .lumped_beam import station
from .rotation_schemes import EXPONENTIAL


@kernel
def first_section(model, i):
    """Where the head of the sections of body i and the first one begin in model.floats, and how long each is."""
    n = model.table[i, N]
    head = model.table[i, FLOATS] + model.integers[model.table[i, INTEGERS] + TURNING_AT]
    return head, head + 12, 7 + 6 * n + n * (n + 1)


@kernel
def section_motion(model, ws, i, head, at, q, v):
    """Inertia of the section at model.floats[at] in the beam's axes, its angular velocity relative to the frame, and
    the acceleration that is left where e does not accelerate; shapes as `station`."""
    table, flex = model.table, ws.flex
    n, base = table[i, N], flex.size - 6 * table[i, N]
    _, R, _, w, _, bias = station(
        model.floats, at + 3, head, EXPONENTIAL, 0.0, 1.0, n, q, table[i, E], v, table[i, EV], flex, base
    )
    zero = 0.0 * flex[0]
    x, y, z = vec1(model.floats, at)
    return rotate_sym(R, (x + zero, y + zero, z + zero, zero, zero, zero)), w, bias


@optional_kernel("sections", returns=(6, 3))
def turned_inertia(model, ws, i, q, v, omega):
    """Adds the sections of body i to its blocks. Returns their inertia and the moment that they take without
    accelerations."""
    flex = ws.flex
    n, o = model.table[i, N], model.table[i, FLEX]
    ee = o + 6 * n
    be = ee + n * n
    theta = flex.size - 6 * n
    zero = 0.0 * flex[0]
    J, moment = (zero, zero, zero, zero, zero, zero), (zero, zero, zero)
    head, at, step = first_section(model, i)
    for _ in range(model.integers[model.table[i, INTEGERS] + TURNING]):
        own, w, bias = section_motion(model, ws, i, head, at, q, v)
        at += step
        spin = add(omega, w)
        taken = add(sym_times(own, add(bias, cross(omega, w))), cross(spin, sym_times(own, spin)))
        J = add6(J, own)
        moment = add(moment, taken)
        for k in range(n):
            turn = vec1(flex, theta + 6 * k)
            inertial = sym_times(own, turn)
            accumulate31(flex, o + 6 * k, inertial)
            accumulate(flex, be + k, dot(turn, taken))
            for l in range(k + 1):
                accumulate(flex, ee + n * k + l, dot(inertial, vec1(flex, theta + 6 * l)))
    return J, moment


@optional_kernel("sections")
def turned_attraction(model, ws, i, q, v, G):
    """Takes theta_k . int rho x G rho dm off the block b of body i, G without trace and in the beam's axes.

    With int rho rho^T dm = 1/2 tr(J) - J the moment is that of the skew part of J G, its sign changed.
    """
    n = model.table[i, N]
    be = model.table[i, FLEX] + 6 * n + n * n
    theta = ws.flex.size - 6 * n
    head, at, step = first_section(model, i)
    for _ in range(model.integers[model.table[i, INTEGERS] + TURNING]):
        own, _, _ = section_motion(model, ws, i, head, at, q, v)
        at += step
        x = sym_times(own, (G[0], G[3], G[4]))  # columns of J G
        y = sym_times(own, (G[3], G[1], G[5]))
        z = sym_times(own, (G[4], G[5], G[2]))
        inertial = (z[1] - y[2], x[2] - z[0], y[0] - x[1])
        for k in range(n):
            accumulate(ws.flex, be + k, dot(vec1(ws.flex, theta + 6 * k), inertial))


@kernel
def driven(flex, theta, n, acceleration, ev):
    """sum theta_k e_k''."""
    zero = 0.0 * flex[0]
    a = (zero, zero, zero)
    for k in range(n):
        a = add(a, scale(get(acceleration, ev + k), vec1(flex, theta + 6 * k)))
    return a
