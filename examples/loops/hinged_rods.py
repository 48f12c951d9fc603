"""
Two hinged rods in orbit
========================

Stroe's station: two bodies, each with coordinates of its own relative to the orbital frame, and a hinge that is a
constraint. Along the local vertical it rests; there two equal rods swing together at sqrt(3) n and fold at sqrt(12) n,
n being the orbital rate. The modes are those of the linear model on the constraint; a run shows them again.
"""

import matplotlib.pyplot as plt
import numpy as np
from machines import hinged_rods

import jourdain as jd

ORBIT = jd.Orbit(altitude=400e3)
n = ORBIT.mean_motion
model = hinged_rods().compile()
modes = model.frequencies(model.state())
swing, fold = (modes.rad[np.argmin(np.abs(modes.rad / n - np.sqrt(k)))] / n for k in (3.0, 12.0))

# %%
# Both modes at once, small, for an orbit: the inner and the outer angle against the sum of two cosines.

tilt, bend = 0.001, 0.001
length = 10.0


def folded(outer, inner):
    """A closed state with given angles of the rods, its centre of mass on the orbit."""
    half = 0.5 * length
    lift = 0.5 * half * np.array([np.cos(outer) - np.cos(inner), np.sin(outer) - np.sin(inner)])
    places = {"outer": (outer, 1.0), "inner": (inner, -1.0)}
    q = {}
    for name, (angle, sign) in places.items():
        centre = sign * half * np.array([np.cos(angle), np.sin(angle)]) - lift
        q |= {f"{name}.x": centre[0] - sign * half, f"{name}.y": centre[1], f"{name}.angle": angle}
    return model.state(q=q)


start = folded(tilt + bend, tilt - bend)
gap = np.max(np.abs(model.constraints.residual(start)))
run = jd.simulate(model, start, until=ORBIT.period, rtol=1e-11, atol=1e-13, output=ORBIT.period / 400)
outer, inner = run.q["outer.angle"].values, run.q["inner.angle"].values
together, apart = 0.5 * (outer + inner), 0.5 * (outer - inner)
phase = n * run.time.values
off = max(
    np.max(np.abs(together - tilt * np.cos(np.sqrt(3.0) * phase))),
    np.max(np.abs(apart - bend * np.cos(np.sqrt(12.0) * phase))),
)
jacobi = np.ptp(run.energy["total"].values)
force = run.constraint["hinge"].force.values

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.8), layout="constrained")
left.plot(phase / (2 * np.pi), np.degrees(together), label=f"together: {swing:.5f} n")
left.plot(phase / (2 * np.pi), np.degrees(apart), label=f"folding: {fold:.5f} n")
left.set(xlabel="orbits", ylabel="[deg]", title=f"linear theory to {off / tilt:.0e} of the amplitude")
left.legend(frameon=False)
right.plot(phase / (2 * np.pi), 1e3 * force[:, 0], label="along the vertical")
right.plot(phase / (2 * np.pi), 1e3 * force[:, 1], label="along the path")
right.set(xlabel="orbits", ylabel="force in the hinge [mN]", title="pulled by the gravity gradient")
right.legend(frameon=False)
plt.show()
