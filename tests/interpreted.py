"""Short runs of many kinds, compiled or interpreted. `python tests/interpreted.py FILE CASE ...` writes the last rows
of each, its coordinates, velocities, states and energies, into a file.

A case is a kind and a name of `export_kinds`, a method, and the number of steps: "body:nodes:generalized-alpha:4".
"""

from __future__ import annotations

import sys
import time

import export_kinds
import numpy as np
from surface_contact_solids import two_blocks

import jourdain as jd

STEP = 2.0**-10


def landed(case: str) -> dict[str, np.ndarray]:
    """The results of a case."""
    kind, name, method, steps = case.split(":")
    if kind == "solids":
        return rows(two_blocks(name, steps=int(steps)))
    make = getattr(export_kinds, kind)
    model, state, options = make(name) if name else make()
    step = None if method in ("dop853", "bdf") else options.get("step", STEP)
    options = {key: value for key, value in options.items() if key in ("controller", "motions", "constraints")}
    until = int(steps) * (step or STEP)
    return rows(jd.simulate(model, state, until=until, step=step, method=method, **options))


def rows(run: jd.Run) -> dict[str, np.ndarray]:
    """What a run ends with."""
    record = run.record
    return {name: np.asarray(getattr(record, name))[-1] for name in ("q", "v", "z", "energy")}


def main(file: str, *cases: str) -> None:
    found = {}
    for case in cases:
        begun = time.perf_counter()
        found |= {f"{case} {name}": value for name, value in landed(case).items()}
        print(f"{case}: {time.perf_counter() - begun:.1f} s", flush=True)
    np.savez(file, **found)


if __name__ == "__main__":
    main(*sys.argv[1:])
