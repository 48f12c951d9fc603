"""Kernels take complex numbers: a complex step differentiates any of them to rounding."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.kernels import forward_dynamics, inverse_dynamics, workspace


def rigid():
    system = jd.System("tree", gravity=(1.0, -2.0, -9.0))
    kinds = [
        jd.Free("free"),
        jd.Revolute("r", axis=(1, 2, 2), stiffness=3.0, damping=0.2, limits=(-0.1, 0.1), limit_stiffness=50.0),
        jd.Prismatic("p", axis="x"),
        jd.Screw("s", axis="z", pitch=0.2),
        jd.Cylindrical("c", axis="y"),
        jd.Universal("u", axes=("x", (0, 1, 1))),
        jd.Spherical("b"),
        jd.Planar("pl"),
    ]
    to = "world"
    for i, joint in enumerate(kinds):
        body = jd.RigidBody(f"body{i}", 1.0 + i, (0.1, 0.2, -0.1), (0.3, 0.4, 0.5), {"tip": (0.5, 0.1, 0.2)})
        system.add(body, joint, to=to)
        to = f"body{i}.tip"
    return system.compile()


def flexible():
    system = jd.System("arm", gravity=(0.0, 0.0, -9.81))
    beam = dict(length=2.0, mass_per_length=3.0, EA=1e6, EI=(900.0, 1100.0), GJ=700.0)
    modes = jd.Modes(bending=2, torsion=1, axial=1)
    system.add(jd.Beam("upper", **beam, modes=modes), jd.Revolute("shoulder", axis="y"))
    system.add(jd.Beam("fore", **beam, modes=modes, tip_rotation="euler-321"), jd.Spherical("elbow"), to="upper.tip")
    system.add(jd.RigidBody("load", 5.0, (0.1, 0, 0), (1, 1, 1)), jd.Revolute("wrist", axis="z"), to="fore.tip")
    return system.compile()


@pytest.mark.parametrize("build", [rigid, pytest.param(flexible, marks=pytest.mark.slow)])
@pytest.mark.parametrize("kernel", [forward_dynamics, inverse_dynamics], ids=["forward", "inverse"])
def test_complex_step_against_central_differences(build, kernel):
    model = build()
    rng = np.random.default_rng(1)
    q = model.neutral + 0.2 * rng.normal(size=model.nq)
    v, given = rng.normal(size=model.nv), rng.normal(size=model.nv)
    real, complex_ws = workspace(model.arrays), workspace(model.arrays, np.complex128)
    direction = rng.normal(size=model.nq + 2 * model.nv)
    dq, dv, dg = np.split(direction, [model.nq, model.nq + model.nv])
    out = np.zeros(model.nv, complex)
    h = 1e-30
    kernel(model.arrays, complex_ws, q + 1j * h * dq, v + 1j * h * dv, given + 1j * h * dg, out)
    step = out.imag / h
    sides = []
    for s in (1e-6, -1e-6):
        side = np.zeros(model.nv)
        kernel(model.arrays, real, q + s * dq, v + s * dv, given + s * dg, side)
        sides.append(side)
    plain = np.zeros(model.nv)
    kernel(model.arrays, real, q, v, given, plain)
    np.testing.assert_allclose(out.real, plain, rtol=1e-10, atol=1e-10 * np.max(np.abs(plain)))
    np.testing.assert_allclose(step, (sides[0] - sides[1]) / 2e-6, rtol=1e-6, atol=1e-6 * np.max(np.abs(step)))
