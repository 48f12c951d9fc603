"""Current, emf and power of electrodynamic forces in a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..model.contact_states import touching
from ..model.kernel_calls import call, checked_q
from ..model.law_forces import laws_before
from ..model.state import State

if TYPE_CHECKING:
    from ..model.model import Model
    from .run import Run

CIRCUIT = {"current": "A", "emf": "V", "power": "W"}
"""What an electrodynamic force tells, and its unit."""


def conductors(model: Model) -> list[str]:
    """Names of the electrodynamic forces."""
    return [force.name for force in model.law_forces if force.law.more]


def circuit(run: Run, name: str) -> dict[str, np.ndarray]:
    """Current, emf and their product, the power that the current takes from the motion, at every sample."""
    from ..kernels.tree import model_functions as kernels
    from ..kernels.tree.line_loads import line_emf

    model, record = run.model, run.record
    contact_wrenches = touching(model, record.q, record.v, record.z)[..., :6] if model.contacts.names else None
    rows = []
    for i, (time, q, v, z) in enumerate(zip(record.time, record.q, record.v, record.z, strict=True)):
        found = laws_before(model, q, v, z, None if contact_wrenches is None else contact_wrenches[i])
        force, own, sensed = next(one for one in found if one[0].name == name)
        checked_q(model, State(time, q, v, z))
        call(kernels.begin, model, q, v)
        emf = call(line_emf, model, q, v, force.line)
        rows.append((force.law.speak(time, q, v, own, np.append(sensed, emf), 6)[0][0], emf))
    current, voltage = np.array(rows).reshape(-1, 2).T
    return {"current": current, "emf": voltage, "power": current * voltage}
