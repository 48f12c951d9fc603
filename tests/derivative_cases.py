"""Models for tests of derivatives, and how two ways of taking these are compared."""

from __future__ import annotations

import numpy as np
from strategies import Case, random_body, random_joint, random_pose, random_state

import jourdain as jd

SOFT = dict(length=1.3, mass_per_length=2.0, EA=40.0, EI=(3.0, 5.0), GJ=2.0)
"""So soft that stiffness does not hide the inertial terms."""


def agree(one, other, digits=1e-10):
    """Each matrix relative to its largest entry; one that is zero, to what rounding leaves of the others."""
    rounding = 1e-14 * max(np.max(np.abs(b)) for b in other)
    for a, b in zip(one, other, strict=True):
        assert np.max(np.abs(a - b)) <= digits * np.max(np.abs(b)) + rounding


def both(case: Case):
    """Inverse and forward derivatives by both methods."""
    model, state = case.model, case.state
    a, effort = case.vector(), case.vector()
    agree(
        model.inverse_dynamics_derivatives(state, a),
        model.inverse_dynamics_derivatives(state, a, method="complex-step"),
    )
    agree(
        model.forward_dynamics_derivatives(state, effort),
        model.forward_dynamics_derivatives(state, effort, method="complex-step"),
        digits=1e-10 + 1e-15 * np.linalg.cond(model.mass_matrix(state)),
    )


def bent(model, rng, size=0.15):
    """A random state, internal coordinates small."""
    state = random_state(model, rng)
    for name, j in model.index.q.items():
        if "[" in name:
            state.q[j] *= size
    return state


def arm(kind="revolute", **options):
    """Two beams, a branch, an offset load, forces in both axes at frames that deform."""
    rng = np.random.default_rng(7)
    system = jd.System("arm", gravity=(1.0, 0.5, -9.0))
    modes = jd.Modes(bending=2, torsion=1, axial=1)
    place = dict(position=(0.1, 0.2, -0.3), rotation=random_pose(rng).rotation)
    system.add(jd.Beam("upper", **SOFT | {"modes": modes} | options), random_joint(rng, kind, "j0", True, True))
    system.add(jd.Beam("fore", **SOFT | {"modes": modes} | options), jd.Spherical("j1"), to="upper.tip", **place)
    system.add(random_body(rng, "hand"), random_joint(rng, kind, "j2", True, False), to="fore.tip", **place)
    system.add(random_body(rng, "side"), jd.Prismatic("j3", axis=(1, 1, 0)), to="upper.tip", **place)
    for i, (at, axes) in enumerate([("upper.tip", "world"), ("fore.tip", "body"), ("fore.tip", "world")]):
        system.force(f"f{i}", at, rng.normal(size=3), rng.normal(size=3), axes=axes)
    system.force("last", "hand.tip", rng.normal(size=3), rng.normal(size=3))
    model = system.compile()
    return Case(system, model, bent(model, rng), rng)
