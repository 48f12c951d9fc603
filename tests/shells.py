"""What tests of shells share: states with nodes on a given surface, and statics by Newton's method."""

from __future__ import annotations

import numpy as np
from scipy.linalg import lu_factor, lu_solve

from jourdain.model.derivatives import tree_derivatives


def laid(model, body, place, along, across):
    """A state whose nodes lie on a surface without twist: place and gradients of (x, y)."""
    grads, state = body.surface.gradients, model.state()
    values = grads.values.copy()
    for a, (name, node) in enumerate(zip(grads.names, grads.nodes, strict=True)):
        x, y = body.mesh.points[node][:2]
        values[a] = {"": place, "1": along, "2": across, "12": lambda x, y: (0.0, 0.0, 0.0)}[name](x, y)
    sheet = body.nodal
    state.q[:] = np.einsum("kc,kc->k", sheet.ways, (values - grads.values)[sheet.owner])
    return state


def rested(model, state, steps=30, still=0.0):
    """Where a model rests, by Newton's method with the natural test (Deuflhard 2004): the exact tangent, dense.

    still    what is left over of the forces that counts as none: a membrane has motions that hardly anything opposes
    """
    zero = np.zeros(model.nv)
    left = model.inverse_dynamics(state, zero)
    for _ in range(steps):
        factor = lu_factor(tree_derivatives(model, state, zero)[0])
        step = -lu_solve(factor, left)
        size, start, part = np.linalg.norm(step), state.q.copy(), 1.0
        while part > 1e-3:
            state.q[:] = start + part * step
            left = model.inverse_dynamics(state, zero)
            if np.linalg.norm(lu_solve(factor, left)) < (1.0 - 0.25 * part) * size:
                break
            part *= 0.5
        if size < 1e-9 or np.max(np.abs(left)) < still:
            return state
    raise AssertionError(f"no rest: the last step was {size:.3g}")


def settled(model, state, still, steps=50):
    """Where a model comes to rest by its weight and elasticity alone: Newton's method with a multiple of the mass on
    the tangent, less of it as long as energy falls (Levenberg 1944). A membrane's own tangent is all but singular.

    still    what is left over of the forces that counts as none
    """
    zero, mass, shift = np.zeros(model.nv), model.mass_matrix(state.q), 1e4

    def energy():
        of = model.energy(state)
        return of.strain + of.gravity

    now = energy()
    for _ in range(steps):
        left = model.inverse_dynamics(state, zero)
        if np.max(np.abs(left)) < still:
            return state
        K, start = tree_derivatives(model, state, zero)[0], state.q.copy()
        for _ in range(steps):
            state.q[:] = start - lu_solve(lu_factor(K + shift * mass), left)
            if energy() <= now + 1e-14 * abs(now):
                break
            shift *= 4.0
        now, shift = energy(), 0.2 * shift
    raise AssertionError(f"no rest: {np.max(np.abs(left)):.3g} is left of the forces")


def edge_points(y0, y1):
    """Places and weights of three points of Gauss along an edge."""
    x, w = np.polynomial.legendre.leggauss(3)
    return [(float(y0 + 0.5 * (y1 - y0) * (a + 1.0)), float(0.5 * b)) for a, b in zip(x, w, strict=True)]
