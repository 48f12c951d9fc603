"""
A spinning craft with appendages
================================

The last check of S.-W. Kim's thesis (McGill 1999, section 6.2, after Misra et al. 1998): flexible appendages on a
spinning spacecraft, clamped at an offset from its centre. Its data are lost; here two booms of 10 m and 10 kg, whose
lowest frequency is 1.11 rad/s, are clamped 2 m outside the centre, or 2 m beyond it and pointing back through it, and
the craft spins at 1.5 rad/s. Without terms of second order in the deformation, a boom does not shorten as it bends,
the centrifugal force does not stiffen it, and it folds away: a wrong response, as the thesis says (here whatever the
sign of the offset, since only shortening knows of it). On the right booms of finite elements: leaving the deformation
out of the mass matrix, but not out of the forces of velocities, is not seen.
"""

import matplotlib.pyplot as plt
import numpy as np

import jourdain as jd

LENGTH, STIFFNESS, SPIN, SLOW, OFFSET = 10.0, 1e3, 1.5, 0.5, 2.0


def spin(boom, offset, rate, push):
    """The craft with two booms that `boom` makes, pushed the same way round; its run."""
    system = jd.System("spinning craft")
    mounts = {"a": (offset, 0, 0), "b": (-offset, 0, 0)}
    craft = jd.RigidBody("craft", mass=500.0, inertia=(1e4, 1e4, 1e4), frames=mounts)
    system.add(craft, joint=jd.Revolute("spin", axis="z"))
    for name, turned in (("a", (1, 0, 0, 0)), ("b", (0, 0, 0, 1))):
        system.add(boom(f"boom {name}"), joint=jd.Weld(f"mount {name}"), to=f"craft.{name}", rotation=turned)
    model = system.compile()
    first = [name for name in model.names.v if name.endswith(("bending_y[0]", "mode[0]"))]
    start = model.state({name: push for name in first}, {"spin": rate})
    run = jd.simulate(model, start, until=20.0, output=0.05, rtol=1e-8, energy_tolerance=0.1)
    return run.time.values, run.q[first[0]].values


def beam(fidelity):
    return lambda name: jd.Beam(name, LENGTH, mass_per_length=1.0, EA=1e7, EI=STIFFNESS, GJ=1e3, fidelity=fidelity,
                                modes=jd.Modes(bending_y=2), basis="clamped-free")  # fmt: skip


strip, height = jd.mesh.rectangle((LENGTH, 0.1), (20, 1), start=(0.0, -0.05)), 0.1
material = jd.Material(E=STIFFNESS * 12.0 / height**3, nu=0.0, density=1.0 / height)


def solid(inertia):
    return lambda name: jd.Solid(name, strip, material, "stress", thickness=1.0, modes=3, inertia=inertia,
                                 reference="root", surfaces={"root": lambda x: x[0] < 1e-9})  # fmt: skip


found = {}
for sign in (1.0, -1.0):
    for name in ("exact", "inconsistent"):
        found[name, sign] = spin(beam(name), sign * OFFSET, SPIN, 0.02)
mass = {inertia: spin(solid(inertia), OFFSET, SLOW, 0.05) for inertia in ("full", "constant")}
largest = {key: np.max(np.abs(bent)) for key, (_, bent) in found.items()}
apart = np.max(np.abs(mass["full"][1] - mass["constant"][1])) / np.max(np.abs(mass["full"][1]))
print({key: f"{value:.3g} m" for key, value in largest.items()}, f"mass matrices: {apart:.1e}")

fig, panels = plt.subplots(1, 3, figsize=(12, 3.6), layout="constrained")
for (name, sign), (time, bent) in found.items():
    panels[0 if sign > 0 else 1].plot(time, bent, label="all terms" if name == "exact" else "first order")
for panel, title in zip(panels, ("clamped outside", "pointing through the centre")):
    panel.set(xlabel="time [s]", ylabel="tip [m]", title=title, ylim=(-0.06, 0.06))
    panel.legend()
for (inertia, (time, bent)), style in zip(mass.items(), ("-", "k:")):
    panels[2].plot(time, bent, style, label=f"{inertia} mass matrix")
panels[2].set(xlabel="time [s]", title=f"finite elements at {SLOW:g} rad/s")
panels[2].legend()
plt.show()
