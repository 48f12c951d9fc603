"""Contact wrenches of surfaces for sensors: those of the last step."""

from __future__ import annotations

from ..columns import POS
from ..compiler import entry_point, outlined_kernel
from ..contact.contact_layout import CONTACT_WRENCH, WRENCH_FORCE, WRENCH_TORQUE
from ..model_arrays import ModelArrays, Workspace
from ..signatures import Vector
from ..spatial import accumulate3, cross, scale, sub, vec
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
        for k in range(CONTACT_WRENCH):
            ws.contact_wrenches[s.pairs[pair].wrench, k] = 0.0
    for i in range(len(s.nodes)):
        if s.state[i].region == OPEN:
            continue
        pair = s.nodes[i].pair
        c = s.pairs[pair].wrench
        f = scale(float(s.pairs[pair].sign), tuple(s.node[i].force))
        origin = vec(ws.work, model.marker_index[s.pairs[pair].body, 0], POS)
        accumulate3(ws.contact_wrenches, c, WRENCH_FORCE, f)
        accumulate3(ws.contact_wrenches, c, WRENCH_TORQUE, cross(sub(vec(s.place, s.nodes[i].point, 0), origin), f))


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
