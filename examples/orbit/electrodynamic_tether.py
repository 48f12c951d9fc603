"""
De-orbiting by an electrodynamic tether
=======================================

A conducting tether of 2 km hangs below a satellite of 500 kg in an orbit of 51.6 degrees. Its motion through the
Earth's field makes an emf of two hundred volts, which drives a current through the tether and back through the
plasma; the field pushes on that current, against the motion. The orbit loses what the resistance burns. The field is
that of a tilted dipole that turns with the Earth, so that emf and force change along the orbit, and pump the swing of
the tether.
"""

import matplotlib.pyplot as plt
import numpy as np

import jourdain as jd

LENGTH = 2000.0
orbit = jd.Orbit(altitude=700e3, inclination=np.radians(51.6), node=np.radians(30.0))


def tethered(**circuit):
    """Satellite, tether downwards, and an end mass."""
    system = jd.System("tethered", environment=orbit)
    system.add(jd.RigidBody("satellite", 500.0, inertia=(80, 90, 100)), jd.Free("free"))
    tether = jd.Cable("tether", LENGTH, 2.7e-3, EA=7e4, EI=1e-3, elements=8, damping=(20.0, 0.0))
    system.add(tether, jd.Weld("reel"), to="satellite.origin", rotation=(0, 0, 0, 1))
    system.add(jd.RigidBody("end", 20.0, inertia=(1, 1, 1)), jd.Weld("clamp"), to="tether.tip")
    system.force("drag", "tether", jd.Electrodynamic(**circuit))
    return system.compile()


model = tethered(resistance=180.0)
run = jd.simulate(
    model, model.state(), until=5900.0, method="generalized-alpha", step=2.0, output=20.0, progress=False,
    energy_tolerance=float("inf"),
)  # fmt: skip

# %%
# The semi-major axis of the orbit that the satellite has at each time, from its place and velocity.

emf, power = (jd.quantity(run, f"{name}:drag").values for name in ("emf", "power"))
path = run.frame("satellite.origin").path
frames = [orbit.frame(t) for t in run.time]
place = np.array([f.position + f.rotation @ p[:3] for f, p in zip(frames, path, strict=True)])
speed = np.array(
    [f.velocity + f.rotation @ (p[10:] + np.cross((0, 0, f.rate), p[:3])) for f, p in zip(frames, path, strict=True)]
)
axis = 1.0 / (2.0 / np.linalg.norm(place, axis=1) - np.sum(speed**2, axis=1) / orbit.mu)
tip = run.frame("end.origin").path[:, :3] - path[:, :3]
pitch, roll = np.arctan2(-tip[:, 1], -tip[:, 0]), np.arcsin(tip[:, 2] / np.linalg.norm(tip, axis=1))
print(f"emf {emf.min():.0f} to {emf.max():.0f} V, power {power.mean():.0f} W on average")

fig, axes = plt.subplots(1, 3, figsize=(12, 3.6), layout="constrained")
t = run.time / orbit.period
axes[0].plot(t, emf)
axes[0].set(xlabel="orbits", ylabel="emf [V]")
axes[1].plot(t, axis - axis[0])
axes[1].set(xlabel="orbits", ylabel="fall of the semi-major axis [m]")
axes[2].plot(t, np.degrees(pitch), label="in the plane")
axes[2].plot(t, np.degrees(roll), label="across it")
axes[2].set(xlabel="orbits", ylabel="angle from the vertical [deg]")
axes[2].legend()
plt.show()
