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
    OPEN,
)
from .surface_records import SurfaceContact


@outlined_kernel
def store_wrenches(model, ws, s):
    """Lays force and torque on the first body of every contact into Workspace.contact_wrenches, the torque about its
    origin."""
    for pair in range(len(s.pairs)):
        clear_row(ws.contact_wrenches[s.pairs[pair].wrench])
    for i in range(len(s.nodes)):
        if s.state[i].region == OPEN:
            continue
        pair = s.pairs[s.nodes[i].pair]
        f = float(pair.sign) * s.node[i].force
        origin = ws.bodies[model.markers[pair.body].body].p_WB
        result = ws.contact_wrenches[pair.wrench]
        result.force += f
        result.torque += cross(Vec3(vec(s.place, s.nodes[i].point, 0)) - origin, f)


@entry_point
def initial_wrenches(
    model: ModelArrays, ws: Workspace, s: SurfaceContact, q: Vector, v: Vector, latched: Vector
) -> None:
    """The same at the start of a run, of the forces that its state remembers."""
    touching_gaps(model, ws, s, q, v)
    for i in range(len(s.nodes)):
        at = s.nodes[i].latched
        s.state[i].region = int(latched[at])
        for k in range(3):
            s.node[i].force_numbers[k] = latched[at + 1 + k]
    store_wrenches(model, ws, s)
