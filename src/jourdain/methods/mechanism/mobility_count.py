"""Mobility by counting, and rigid bodies as particles: the model views of Talaba 2002.

A kinematic chain has the degrees of freedom of its joints less S for each loop; a multibody system S for each body less
what each joint takes; S is 6 in space and 3 in a plane. Both are Gruebler's and Kutzbach's count; `model.mobility` has
the rank behind it. A rigid body is also four particles at fixed distances.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...basics.arguments import checked
from ...basics.errors import ModelError, Problem

if TYPE_CHECKING:
    from ...describe.bodies.rigid import RigidBody
    from ...describe.system import System

PLANE = {"revolute": 1, "prismatic": 1, "planar": 3, "weld": 0, "rod": 2}
"""Degrees of freedom that a joint leaves in a plane; others have no meaning there."""
CORNERS = np.array([(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)], float)
"""A tetrahedron whose second moments are those of unit masses on all axes."""


@checked
class Counts(NamedTuple):
    """The mobility of a mechanism by counting.

    chain        sum of the joints' degrees of freedom less S for each loop
    multibody    S for each body less what each joint takes
    dofs         degrees of freedom of all joints
    loops        joints more than bodies
    bodies       that move
    rows         what all joints take from bodies that were free
    """

    chain: int
    multibody: int
    dofs: int
    loops: int
    bodies: int
    rows: int


@checked
def mobility_counts(system: System, planar: bool = False) -> Counts:
    """How many ways a mechanism can move, by counting bodies and joints (Talaba 2002).

    planar    count in the plane that all of it moves in, S = 3 instead of 6

    The count is blind to special dimensions: `model.mobility(state)` has the rank at a configuration. Couplings take
    one degree of freedom each; flexible bodies count as rigid ones.
    """
    size = 3 if planar else 6
    left, problems = [], []
    closing = [one.element for one in system.connections if one.element.rows[0]]  # a spring takes nothing
    joints = [*(one.joint for one in system.attachments), *closing]
    for joint in joints:
        if planar and joint.kind not in PLANE:
            allowed = ", ".join(PLANE)
            problems.append(Problem(joint.name, f"a {joint.kind} joint has no count in a plane; allowed: {allowed}"))
            continue
        left.append(PLANE[joint.kind] if planar else 6 - joint.rows[0])
    if problems:
        raise ModelError(problems)
    bodies, couplings = len(system.attachments), len(system.couplings)
    loops, dofs = len(joints) - bodies, sum(left) - couplings
    rows = size * len(joints) - dofs
    return Counts(dofs - size * loops, size * bodies - rows, dofs, loops, bodies, rows)


@checked
def particles(body: RigidBody) -> tuple[np.ndarray, np.ndarray]:
    """Four particles with the mass, centre of mass and inertia of a rigid body: masses (4,) [kg], places (4, 3) [m].

    At c + (Sigma / m)^(1/2) t_k, of a quarter of the mass each: Sigma = tr(J) / 2 - J is the body's second moment about
    its centre, and t_k are the corners of a tetrahedron. With chosen places only mass and centre can be met.
    """
    J = np.asarray(body.inertia, float)
    J = np.diag(J) if J.ndim == 1 else J
    values, axes = np.linalg.eigh(0.5 * np.trace(J) * np.eye(3) - J)
    if not body.mass > 0.0 or values[0] < -1e-12 * max(values[-1], 1e-300):
        text = f"mass {body.mass:g} kg and second moments {values} kg m^2"
        raise ModelError.at(body.name, f"has {text}; only real bodies are particles: masses and moments above zero")
    root = axes @ np.diag(np.sqrt(np.maximum(values, 0.0) / body.mass)) @ axes.T
    return np.full(4, 0.25 * body.mass), np.asarray(body.com, float) + CORNERS @ root
