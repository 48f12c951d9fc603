"""A beam as a chain of rigid segments with springs between them: the nonlinear reference that shares no beam theory.

A beam of length L in `count` cells of h = L / count bends, twists and stretches only at the middles of its cells, by
springs EI / h, GJ / h and EA / h; between them it is rigid. Rotations of any size are right; the error falls as h^2
in plane bending. Bent in two planes it has a part in h, since a cell turns by its angles one behind the other.
"""

from __future__ import annotations

import numpy as np

import jourdain as jd
from jourdain.describe.joints import Joint


def add_segments(
    system: jd.System,
    name: str,
    joint: Joint,
    length: float,
    mass_per_length: float,
    EI: float | tuple[float, float],
    count: int,
    GJ: float | None = None,
    EA: float | None = None,
    polar: float = 0.0,
    to: str = "world",
) -> str:
    """Adds the chain `name0`, `name1`, ... along x, `name0` held by the joint; returns the address of its tip.

    EI       one number, or (against deflection along y, along z)
    GJ       None: the chain bends along y only, by revolutes about z; else it bends along y and z and twists
    EA       None: it does not stretch
    polar    inertia about x for a unit of length [kg m]
    """
    h = length / count
    ends = [0.0, *(h * (np.arange(count) + 0.5)), length]
    a, b = EI if isinstance(EI, tuple) else (EI, EI)
    springs = [("y", b / h), ("z", a / h), ("x", GJ / h)] if GJ is not None else [("z", a / h)]
    for k, (low, high) in enumerate(zip(ends, ends[1:])):
        l = high - low
        m = mass_per_length * l
        across = m * l**2 / 12 + 0.5 * polar * l
        segment = jd.RigidBody(
            f"{name}{k}", mass=m, com=(l / 2, 0, 0), inertia=(polar * l, across, across), frames={"tip": (l, 0, 0)}
        )
        if k == 0:
            system.add(segment, joint, to=to)
            continue
        place = f"{name}{k - 1}.tip"
        hinges: list[Joint] = [
            jd.Revolute(f"{name}{k}-{axis}", axis=axis, stiffness=stiffness) for axis, stiffness in springs
        ]
        if EA is not None:
            hinges.insert(0, jd.Prismatic(f"{name}{k}-u", axis="x", stiffness=EA / h))
        for i, hinge in enumerate(hinges[:-1]):
            system.add(jd.RigidBody(f"{name}{k}_{i}", mass=1e-6, inertia=(1e-6, 1e-6, 1e-6)), hinge, to=place)
            place = f"{name}{k}_{i}.origin"
        system.add(segment, hinges[-1], to=place)
    return f"{name}{count}.tip"


def seen_from(run: jd.Run, root: str, tip: str) -> np.ndarray:
    """Positions of the frame `tip` in the frame `root`, (time, 3) [m]."""
    r, t = run.frame(root).path, run.frame(tip).path
    w, u = r[:, 3:4], -r[:, 4:7]
    d = t[:, :3] - r[:, :3]
    return d + 2.0 * np.cross(u, np.cross(u, d) + w * d)
