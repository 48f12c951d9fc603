"""Contact wrenches of surfaces for sensors: those of the last step."""

from __future__ import annotations

from ..algebra import cross
from ..compiler import entry_point, outlined_kernel
from ..model_arrays import ModelArrays, Workspace
from ..rows import clear_row
from ..signatures import Vector
from .gap_functions import touching_gaps
from .surface_layout import OPEN, latched_node
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
        node, pair = s.nodes[i], s.pairs[s.nodes[i].pair]
        f = float(pair.sign) * s.node[i].force
        result = ws.contact_wrenches[pair.wrench]
        result.force += f
        result.torque += cross(s.place[node.point].position - ws.bodies[model.markers[pair.body].body].p_WB, f)


@entry_point
def initial_wrenches(
    model: ModelArrays, ws: Workspace, s: SurfaceContact, q: Vector, v: Vector, latched: Vector
) -> None:
    """The same at the start of a run, of the forces that its state remembers."""
    touching_gaps(model, ws, s, q, v)
    for i in range(len(s.nodes)):
        before = latched_node(latched, s.nodes[i].latched)
        s.state[i].region, s.node[i].force = before.region, before.force
    store_wrenches(model, ws, s)
