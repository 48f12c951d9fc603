"""Contact wrenches of surfaces for sensors: those of the last step."""

from __future__ import annotations

from ..algebra import Vec3, cross
from ..compiler import entry_point, outlined_kernel
from ..model_arrays import ModelArrays, Workspace
from ..rows import clear_row
from ..signatures import Vector
from ..spatial import vec
from .gap_functions import touching_gaps
from .surface_layout import (
    NODE_FORCE,
    NODE_LATCHED,
    NODE_PAIR,
    NODE_POINT,
    OPEN,
    PAIR_BODY,
    PAIR_SIGN,
    PAIR_WRENCH,
    REGION,
)
from .surface_records import SurfaceContact


@outlined_kernel
def store_wrenches(model, ws, s):
    """Lays force and torque on the first body of every contact into Workspace.contact_wrenches, the torque about its
    origin."""
    for pair in range(s.pairs.shape[0]):
        clear_row(ws.contact_wrenches[s.pairs[pair, PAIR_WRENCH]])
    for i in range(s.nodes.shape[0]):
        if s.state[i, REGION] == OPEN:
            continue
        pair = s.nodes[i, NODE_PAIR]
        c = s.pairs[pair, PAIR_WRENCH]
        f = float(s.pairs[pair, PAIR_SIGN]) * Vec3(vec(s.node, i, NODE_FORCE))
        origin = ws.bodies[model.markers[s.pairs[pair, PAIR_BODY]].body].p_WB
        result = ws.contact_wrenches[c]
        result.force += f
        result.torque += cross(Vec3(vec(s.place, s.nodes[i, NODE_POINT], 0)) - origin, f)


@entry_point
def initial_wrenches(
    model: ModelArrays, ws: Workspace, s: SurfaceContact, q: Vector, v: Vector, latched: Vector
) -> None:
    """The same at the start of a run, of the forces that its state remembers."""
    touching_gaps(model, ws, s, q, v)
    for i in range(s.nodes.shape[0]):
        at = s.nodes[i, NODE_LATCHED]
        s.state[i, REGION] = int(latched[at])
        for k in range(3):
            s.node[i, NODE_FORCE + k] = latched[at + 1 + k]
    store_wrenches(model, ws, s)
