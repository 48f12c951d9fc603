"""Linear filters of what a controller sees and of what it asks for.

The states of all channels lie in z one after the other, then those of the law behind; y = C z + D u, and A z + B u is
dz, or the next z of a discrete filter.
"""

from __future__ import annotations

from ..compiler import entry_point, kernel
from ..model_arrays import ModelArrays, Workspace
from ..parameter_rows import Block, Parameters
from ..signatures import Vector
from ..stage_functions import WITH_CONTROL_MODEL, WITHOUT_MODEL

POSITION, VELOCITY, DERIVATIVE, EFFORT = 0, 1, 2, 3


class Channel(Parameters):
    """A filter of one signal, of order n."""

    signal: int  # POSITION, VELOCITY, DERIVATIVE or EFFORT
    q: int  # entries of the coordinate
    v: int
    A: Block[float]  # (n, n)
    B: Block[float]  # (n,)
    C: Block[float]  # (n,)
    D: float


class FilterParameters(Parameters):
    """Filters, and the parameters of the law behind them."""

    channels: Block[Channel]
    period: float  # of digital filters [s], 0 of continuous ones
    discrete: bool  # whether the law behind is discrete itself
    behind: Block[float]


class WrappedLaw(Parameters):
    """What scratch of a law begins with that has another one behind it."""

    address: int
    uses_model: bool


LAW_BEHIND = WrappedLaw.size


@kernel
def call_behind(control, cws, x, t, q, v, z, s, p, effort, dz):
    """Calls the law behind one; x is the scratch of both, see `WrappedLaw` and `scratch_behind`."""
    behind = WrappedLaw(x)
    if behind.uses_model:
        own = x[LAW_BEHIND + q.size + 2 * v.size :]
        WITH_CONTROL_MODEL(behind.address)(control, cws, own, t, q, v, z, s, p, effort, dz)
    else:
        WITHOUT_MODEL(behind.address)(t, q, v, z, s, p, effort, dz)


@kernel
def scratch_behind(x, nq, nv):
    """Of such scratch: q and v as the law behind sees them, and the effort that it asks for, which is zero."""
    a, b, c = LAW_BEHIND + nq, LAW_BEHIND + nq + nv, LAW_BEHIND + nq + 2 * nv
    asked = x[b:c]
    for k in range(nv):
        asked[k] = 0.0
    return x[LAW_BEHIND:a], x[a:b], asked


@kernel
def channel_output(one, u, z, dz, at):
    """Output of a channel whose states begin at z[at], and the rates of these."""
    A, B, C = one.A, one.B, one.C
    n = len(B)
    y = one.D * u
    for i in range(n):
        total = B[i] * u
        for j in range(n):
            total += A[i * n + j] * z[at + j]
        dz[at + i] = total
        y += C[i] * z[at + i]
    return y


@kernel
def filter_signals(channels, q, v, z, dz, qf, vf):
    """qf, vf = q, v, with the channels of positions, velocities and derivatives filtered; how many states all have."""
    for j in range(q.size):
        qf[j] = q[j]
    for k in range(v.size):
        vf[k] = v[k]
    state = 0
    for i in range(len(channels)):
        one = channels[i]
        if one.signal == POSITION:
            qf[one.q] = channel_output(one, q[one.q], z, dz, state)
        elif one.signal == VELOCITY:
            vf[one.v] = channel_output(one, v[one.v], z, dz, state)
        elif one.signal == DERIVATIVE:
            vf[one.v] = channel_output(one, q[one.q], z, dz, state)
        state += len(one.B)
    return state


@kernel
def filter_efforts(channels, asked, z, dz, effort):
    """Adds what is asked for to the effort, the channels of efforts filtered."""
    state = 0
    for i in range(len(channels)):
        one = channels[i]
        if one.signal == EFFORT:
            asked[one.v] = channel_output(one, asked[one.v], z, dz, state)
        state += len(one.B)
    for k in range(effort.size):
        effort[k] += asked[k]


@entry_point
def filtered(
    control: ModelArrays, cws: Workspace, x: Vector, t: float, q: Vector, v: Vector, z: Vector, s: Vector, p: Vector,
    effort: Vector, dz: Vector,
) -> None:  # fmt: skip
    """A law that sees, or acts, through filters."""
    law = FilterParameters(p)
    qf, vf, asked = scratch_behind(x, q.size, v.size)
    first = filter_signals(law.channels, q, v, z, dz, qf, vf)
    call_behind(control, cws, x, t, qf, vf, z[first:], s, law.behind, asked, dz[first:])
    if law.period > 0.0 and not law.discrete:
        for k in range(first, dz.size):
            dz[k] = z[k] + law.period * dz[k]
    filter_efforts(law.channels, asked, z, dz, effort)
