"""Linear filters of what a controller sees and of what it asks for.

p from `at` on: number of channels, then for each its signal, entry in q, entry in v, order n, A (n, n), B (n), C (n),
D. The states of all channels lie in z one after the other; y = C z + D u, and A z + B u is dz, or the next z of a
discrete filter.
"""

from __future__ import annotations

from ..compiler import entry_point, kernel
from ..model_arrays import ModelArrays, Workspace
from ..signatures import Vector
from ..stage_functions import WITH_CONTROL_MODEL, WITHOUT_MODEL

POSITION, VELOCITY, DERIVATIVE, EFFORT = 0, 1, 2, 3


@kernel
def channel(p, row, u, z, dz, at):
    """Output of the channel whose numbers begin at p[row] and whose states at z[at], and the rates of these."""
    n = int(p[row + 3])
    A = row + 4
    B = A + n * n
    C = B + n
    y = p[C + n] * u
    for i in range(n):
        total = p[B + i] * u
        for j in range(n):
            total += p[A + i * n + j] * z[at + j]
        dz[at + i] = total
        y += p[C + i] * z[at + i]
    return y


@kernel
def filter_signals(p, at, q, v, z, dz, qf, vf):
    """qf, vf = q, v, with the channels of positions, velocities and derivatives filtered."""
    for j in range(q.size):
        qf[j] = q[j]
    for k in range(v.size):
        vf[k] = v[k]
    row, state = at + 1, 0
    for _ in range(int(p[at])):
        signal, j, k, n = int(p[row]), int(p[row + 1]), int(p[row + 2]), int(p[row + 3])
        if signal == POSITION:
            qf[j] = channel(p, row, q[j], z, dz, state)
        elif signal == VELOCITY:
            vf[k] = channel(p, row, v[k], z, dz, state)
        elif signal == DERIVATIVE:
            vf[k] = channel(p, row, q[j], z, dz, state)
        state += n
        row += 5 + n * n + 2 * n


@kernel
def filter_efforts(p, at, asked, z, dz, effort):
    """Adds what is asked for to the effort, the channels of efforts filtered."""
    row, state = at + 1, 0
    for _ in range(int(p[at])):
        k, n = int(p[row + 2]), int(p[row + 3])
        if int(p[row]) == EFFORT:
            asked[k] = channel(p, row, asked[k], z, dz, state)
        state += n
        row += 5 + n * n + 2 * n
    for k in range(effort.size):
        effort[k] += asked[k]


# Scratch of `filtered`: address of the law behind, 1 where it uses a model, where its parameters and its states
# begin, nq, nv of the plant, period of a digital filter or 0, 1 where the law behind is discrete itself; then
# filtered q and v and the effort asked for; then the scratch of the law behind
FILTER_BEHIND, FILTER_MODELLED, FILTER_P, FILTER_Z = range(4)
FILTER_PLANT_Q, FILTER_PLANT_V, FILTER_PERIOD, FILTER_DISCRETE = range(4, 8)
FILTER_HEAD = 8


@entry_point
def filtered(
    control: ModelArrays, cws: Workspace, x: Vector, t: float, q: Vector, v: Vector, z: Vector, s: Vector, p: Vector,
    effort: Vector, dz: Vector,
) -> None:  # fmt: skip
    """A law that sees, or acts, through filters."""
    nq, nv, p0, z0 = int(x[FILTER_PLANT_Q]), int(x[FILTER_PLANT_V]), int(x[FILTER_P]), int(x[FILTER_Z])
    a, b, c = FILTER_HEAD + nq, FILTER_HEAD + nq + nv, FILTER_HEAD + nq + 2 * nv
    qf, vf, asked = x[FILTER_HEAD:a], x[a:b], x[b:c]
    for k in range(nv):
        asked[k] = 0.0
    filter_signals(p, 0, q, v, z, dz, qf, vf)
    if x[FILTER_MODELLED] == 1.0:
        WITH_CONTROL_MODEL(int(x[FILTER_BEHIND]))(control, cws, x[c:], t, qf, vf, z[z0:], s, p[p0:], asked, dz[z0:])
    else:
        WITHOUT_MODEL(int(x[FILTER_BEHIND]))(t, qf, vf, z[z0:], s, p[p0:], asked, dz[z0:])
    if x[FILTER_PERIOD] > 0.0 and x[FILTER_DISCRETE] == 0.0:
        for k in range(z0, dz.size):
            dz[k] = z[k] + x[FILTER_PERIOD] * dz[k]
    filter_efforts(p, 0, asked, z, dz, effort)
