"""Structures of the NATO ASI, Prague 2002: a folding truss of Sayapin, blades of Vlase, Tofan & Goia."""

import sys
from pathlib import Path

import numpy as np

import jourdain as jd
from jourdain.study.published import rerun, theory

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "flexible"))
import folding

QUICK = ("numbers_truss", "numbers_known_motion")
BLADE = {3.0: (4.7973, 23.320, 3.7435), 6.0: (7.3604, 26.809, 4.2632), 12.0: (13.1702, 37.603, 5.4271)}
"""First and second frequency across the plane and first in it, by speed, all over sqrt(EI / m l^4)."""


def numbers_truss():
    """Sayapin 2002 (B 8): a belt of twelve folding rods opens by itself; loops, latches and energy."""
    shape = folding.belts(1)
    model = folding.truss(shape)
    law, numbers = folding.drives(model, shape)
    rods = len(shape.rods)
    numbers[2 * rods :] *= 1.0 + 0.05 * np.random.default_rng(0).standard_normal(rods)
    locks = [jd.Event(when=(f"hinge{r}", ">", 0.0), lock=f"hinge{r}") for r in range(rods)]
    run = jd.simulate(model, folding.stowed(model, shape), 1.2, output=0.05, rtol=1e-8, atol=1e-10, events=locks,
                      controller=law(*numbers), motions={"base": jd.Sine(0.0, 1.0)})  # fmt: skip
    yield theory("rods that latch, of a belt", "", 9 + 3, len(run.events), 0)
    gap = max(float(np.max(np.abs(run.constraint[f"pin{r}"].gap))) for r in range(rods))
    yield theory("loops that close, one of the latches redundant", "m", 0.0, gap, 1e-8)
    work = run.energy["work"].values
    balance = float(np.max(np.abs(run.energy["balance"]))) / float(np.max(work))
    yield theory("work of the springs less kinetic energy and losses of latches, over it", "", 0.0, balance, 1e-6)
    lost = sum(event.loss for event in run.events)
    yield theory("losses of latches over work of the springs, all latched", "", 1.0, lost / work[-1], 1e-6)


def numbers_known_motion():
    """Vlase, Tofan & Goia 2002 (B 17): frequencies of a blade on a known rotation, and the spurious softening."""
    system = jd.System("rotor")
    system.add(jd.RigidBody("hub", mass=1.0, inertia=(1, 1, 1)), joint=jd.Revolute("hub", axis="z"))
    beam = jd.Beam("beam", 1.0, mass_per_length=1.0, EA=1e6, EI=1.0, GJ=1.0, modes=jd.Modes(bending=8),
                   inertia_per_length=1e-9)  # fmt: skip
    system.add(beam, joint=jd.Weld("root"), to="hub.origin")
    model = system.compile()

    def at(speed, **told):
        spin = {"hub": jd.Polynomial(0.0, speed)}
        return model.elastodynamics(spin, model.state(v={"hub": speed}), **told).frequencies()

    still = at(0.0).rad
    yield theory("at rest: first and second", "", (3.5160, 22.034), still[[0, 2]], 1e-3, at=("first", "second"))
    for speed, (first, second, inside) in BLADE.items():
        found = at(speed)
        across = np.array(["bending_z" in name for name in found.names])
        flap = np.abs(found.shapes[across]).max(axis=0) > np.abs(found.shapes[~across]).max(axis=0)
        ours = (*found.rad[flap][:2], found.rad[~flap][0])
        yield rerun(f"at a speed of {speed:g}", "", (first, second, inside), ours, 1e-3,
                    at=("first across", "second across", "first in the plane"))  # fmt: skip
    soft = at(3.0, geometric=False).rad[0]
    yield theory("without geometric stiffness, speed 3: (3.516^2 - 9)^(1/2)", "", np.sqrt(3.51602**2 - 9), soft, 1e-4)
    for speed, grows in ((3.51, 0.0), (3.52, 1.0)):
        found = at(speed, geometric=False).eigenvalues.real.max()
        yield theory(f"the same at {speed:g}: unstable (1) or not (0)", "", grows, float(found > 1e-3), 0)
