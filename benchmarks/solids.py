"""Cost of an implicit step of a solid with all nodes as coordinates, against their number: a block on a floor.

A cube of 0.2 m of soft rubber (HEX8) is let go on a floor without friction, touches it with all nodes of its lower face
by multipliers, and is followed by Newmark's method (1/2, 1), which damps what the landing excites. What is timed are
steps after the first ones, in which the columns of the surface are made and kept; these are given apart.
"""

from __future__ import annotations

import time
import warnings

import numpy as np
from results import Curve, Limit
from timing import in_rounds, together

import jourdain as jd
from jourdain.contact import MultiplierContact

CELLS = (3, 4, 6, 8, 10, 14, 18)
"""Cells along an edge: 192 to 20,577 velocities."""
QUICK = (3, 4, 6, 8)
STEP, BEFORE, ROUNDS = 5e-4, 4, 3
GROWTH = 1.3
"""Power of the number of coordinates that a step may cost at most."""
COSTS = ("velocities", "nodes that touch", "numbers of the factor", "compile", "first steps", "a step", "a correction")


def block(cells: int) -> tuple[jd.Model, jd.State]:
    """The block just above the floor, falling slowly."""
    mesh = jd.mesh.block((0.2, 0.2, 0.2), (cells, cells, cells))
    low = float(mesh.points[:, 2].min())
    rubber = jd.Material(E=1e6, nu=0.3, density=1000.0)
    body = jd.Solid("block", mesh, rubber, element="linear", matrices="sparse", damping=jd.Rayleigh(0.0, 5e-4),
                    surfaces={"sole": lambda x: x[2] < low + 1e-9})  # fmt: skip
    system = jd.System("a block on a floor", gravity=(0.0, 0.0, -9.81))
    system.add(body, joint=jd.Free("flight"))
    floor = jd.Plane((0, 0, 1)).at("world", position=(0.0, 0.0, low - 1e-6))
    system.contact("floor", body.surface("sole"), floor, MultiplierContact(scheme="acceleration"))
    model = system.compile()
    return model, model.state(v={"flight.vz": -0.01})


def run_of(model: jd.Model, state: jd.State, steps: int) -> tuple[float, jd.Run]:
    """Processor time of a run of some steps [s], and the run."""
    begun = time.process_time()
    method = jd.implicit.Newmark(0.5, 1.0)
    run = jd.simulate(model, state, until=steps * STEP, step=STEP, method=method, rtol=1e-6, atol=1e-8)
    return time.process_time() - begun, run


def measure(quick: bool) -> tuple[list[tuple[str, ...]], Limit, Curve]:
    """Rows of a table, the power by which a step grows with the number of coordinates, and the curve."""
    rows, sizes, costs = [], [], []
    warnings.simplefilter("ignore")
    for cells in QUICK if quick else CELLS:
        begun = time.process_time()
        model, state = block(cells)
        compiled = time.process_time() - begun
        run_of(model, state, 1)  # compiles what is not yet
        steps = max(8, min(120, 120_000 // model.nv))
        early, run = run_of(model, state, BEFORE)[1], run_of(model, state, BEFORE + steps)[1]
        best = in_rounds(
            {n: lambda n=n, model=model, state=state: run_of(model, state, n)[0] for n in (BEFORE, BEFORE + steps)},
            ROUNDS,
        )
        first = best[BEFORE]
        step = (best[BEFORE + steps] - first) / steps
        made = run.options["statistics"]["iterations"] - early.options["statistics"]["iterations"]
        touching = int(run.contact["floor"].sites.values[-1])
        numbers = factor_size(model)
        sizes.append(model.nv)
        costs.append(step)
        rows.append(
            (
                f"{model.nv:,}",
                f"{touching}",
                f"{numbers:,}",
                f"{compiled:.2f} s",
                f"{first:.2f} s",
                f"{1e3 * step:.3g} ms",
                f"{1e3 * step * steps / made:.3g} ms",
            )
        )
        print(" ", rows[-1], flush=True)
    power = together(lambda *times: float(np.polyfit(np.log(sizes), np.log(times), 1)[0]), *costs)
    limit = Limit("an implicit step of a solid, power of the number of coordinates", power, "", GROWTH)
    return rows, limit, Curve("an implicit step, a solid on a floor", tuple(sizes), tuple(costs), "velocities")


def factor_size(model: jd.Model) -> int:
    """Numbers of the factor of mass and stiffness."""
    from jourdain.kernels.bodies.nodal_layout import STEP_FACTOR
    from jourdain.kernels.linalg.supernodal_cholesky import VALUES

    integers, own = model.arrays.integers, model.arrays.tree[1].integers
    return int(integers[own + integers[own + STEP_FACTOR] + VALUES])


if __name__ == "__main__":
    import sys

    found, limit, _ = measure("--quick" in sys.argv)
    print(limit)
