"""What a site of a contact adds to the ledger and to the results."""

from __future__ import annotations

import math

from ..compiler import kernel


@kernel
def add_energy(ws, c, load, depth, slip, point, stored, held):
    """Adds the energies of a site of contact c, `held` that of the bristles, and what it does to the results."""
    ws.ledger.contact += stored + held
    ws.ledger.held += held
    result = ws.contact_wrenches[c]
    result.point += load * point
    result.load += load
    result.depth = max(result.depth, depth)
    result.slip = max(result.slip, math.sqrt(slip @ slip))
    result.sites += 1.0
    result.stored += stored + held
