"""
Vibration and buckling of an accelerated arrow
==============================================

Zanevskyy (NATO ASI, part B, section 21): the string pushes an arrow by its nock, and the more it does, the softer the
shaft bends across. In axes that move with the arrow the acceleration is gravity, so that `model.frequencies` has the
frequencies under it and `model.buckling` the accelerations at which one of them vanishes. In the paper's numbers, phi =
m a l^2 / EJ, that is at 14 to 15 and 56 to 57. The turning of the arrow has no frequency: it grows. Nock, limb and
head weigh 0.2, 2.5 and 0.25 of the shaft, and the string's spring is 20 EJ / l^3.
"""

import matplotlib.pyplot as plt
import numpy as np

import jourdain as jd

SMALL = (1e-9, 1e-9, 1e-9)  # kg m^2: point masses


def arrow(push, bends=8, basis="polynomial"):
    """Limb, nock on the string's spring, shaft that turns on the nock, head; in units of the shaft."""
    system = jd.System("arrow", gravity=(-push, 0.0, 0.0))
    system.add(jd.RigidBody("limb", mass=2.5, inertia=(1, 1, 1)), joint=jd.Prismatic("limb", axis="y"))
    string = jd.Prismatic("string", axis="y", stiffness=20.0)
    system.add(jd.RigidBody("nock", mass=0.2, inertia=SMALL), joint=string, to="limb.origin")
    shapes = jd.Modes(bending_y=bends, bending_z=0)
    shaft = jd.Beam(
        "shaft",
        length=1.0,
        mass_per_length=1.0,
        EA=1e6,
        EI=1.0,
        GJ=1.0,
        modes=shapes,
        basis=basis,
        inertia_per_length=1e-9,
    )
    system.add(shaft, joint=jd.Revolute("turn", axis="z"), to="nock.origin")
    system.add(jd.RigidBody("head", mass=0.25, inertia=SMALL), joint=jd.Weld("head"), to="shaft.tip")
    return system.compile()


pushed = arrow(1.0)
critical = pushed.buckling(pushed.state(), "gravity")

# %%
# Frequencies over the push: what swings has a positive square, what grows a negative one.

pushes = np.linspace(0.5, 60.0, 120)
squares = []
for push in pushes:
    model = arrow(push)
    found = np.sort(-(model.frequencies(model.state()).eigenvalues ** 2).real)
    grows = found[found < 0.0][::2]  # once as it grows, once as it decays
    squares.append(np.concatenate([grows, found[found > 0.0]])[:4])

fig, (left, right) = plt.subplots(1, 2, figsize=(11, 4), layout="constrained")
left.plot(pushes, np.sign(squares) * np.sqrt(np.abs(squares)), "k.", ms=3)
for factor in critical.factors[:2]:
    left.axvline(factor, color="C1", ls="--", label=f"critical: {factor:.4f}")
left.set(
    xlabel=r"$\varphi = m a l^2 / EJ$",
    ylabel=r"$\pm\sqrt{|\lambda|}$",
    title="frequencies; below zero: rates of growth",
)
left.legend()
x = np.linspace(0.0, 1.0, 60)
names = pushed.names.v
for k, factor in enumerate(critical.factors[:2]):
    shape = dict(zip(names, critical.shapes[:, k], strict=True))
    bent = pushed.state(q={name: 0.1 * value for name, value in shape.items()})
    run = jd.simulate(pushed, bent, until=1e-9, step=1e-9)
    across = run.deflection("shaft", x).values[0, :, 1] + bent.q[pushed.index.q["turn"]] * x
    across += run.frame("nock.origin").position.values[0, 1]
    right.plot(x, across / np.max(np.abs(across)), label=f"at {factor:.2f}")
right.set(xlabel="along the arrow", title="buckling shapes")
right.legend()
plt.show()
