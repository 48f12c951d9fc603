"""
Ride comfort of a seated driver (ISO 2631-1)
============================================

Valentini & Vita (NATO ASI, part B, section 15) seat a dummy of twelve bodies on springs between seat, pedals and
steering wheel, shake it, and judge the ride by the vibration dose value. `jd.human.dummy` is theirs, with the segments
of de Leva 1996 and springs of ours, since they print none. The linear model tells how much of the seat's vertical
motion arrives at pelvis and head; a ride of ten seconds on a rough road, weighed by ISO 2631, tells how it feels. The
same driver is then seated on a softer cushion. In the paper's coordinates it has 105 of them, seven a body.
"""

import matplotlib.pyplot as plt
import numpy as np

import jourdain as jd

CAR, STEP = ["seat", "pedals", "wheel"], 1e-3


def seated(**options):
    """A driver who has sunk into the seat."""
    model = jd.human.dummy(**options).compile()
    return model, model.equilibrium(model.state(), hold=CAR).state


def transmissibility(model, state, hz, place):
    """Vertical motion of a place over that of a car whose parts move as one, from efforts at each of them."""
    linear = model.linearize(state, inputs=CAR, outputs=[*(f"v:{name}" for name in CAR), place])
    out = []
    for f in hz:
        H = linear.C @ np.linalg.solve(2j * np.pi * f * np.eye(len(linear.A)) - linear.A, linear.B) + linear.D
        out.append(H[3] @ np.linalg.solve(H[:3], np.ones(3)))
    return np.array(out)


# %%
# A rough road: accelerations of the floor between 1 and 20 Hz, 0.5 m/s^2, from rest and back.

times = np.arange(0.0, 10.0 + STEP / 2, STEP)
hz_road = np.arange(1.0, 20.0, 0.1)
phases = np.random.default_rng(1).uniform(0, 2 * np.pi, len(hz_road))
ramp = np.sin(np.pi * times / 10.0) ** 2
floor = 0.05 * ramp * np.sum(np.cos(2 * np.pi * np.outer(times, hz_road) + phases) / (2 * np.pi * hz_road) ** 2, axis=1)
road = jd.Table(times, floor - floor[0])

hz = np.geomspace(0.2, 30.0, 150)
ways, rides, runs = {}, {}, {}
for name, options in {"first seat": {}, "soft seat": {"springs": {"buttock": (12e3, 500.0)}}}.items():
    model, state = seated(**options)
    ways[name] = {place: transmissibility(model, state, hz, f"{place}.vz") for place in ("pelvis.origin", "upper.head")}
    run = jd.simulate(model, state, 10.0, step=2e-4, method="rk4", output=STEP, motions=dict.fromkeys(CAR, road))
    paths = {place: run.frame(place).velocity.values for place in ("pelvis.origin", "upper.head", "seat.origin")}
    moved = {place: np.gradient(path, STEP, axis=0, edge_order=2) for place, path in paths.items()}
    felt = {"pelvis z": moved["pelvis.origin"][:, 2], "back x": moved["upper.head"][:, 0]}
    rides[name] = jd.human.comfort(felt, STEP, {"pelvis z": "Wk", "back x": "Wc"}, {"pelvis z": 1.0, "back x": 0.8})
    runs[name] = run

fig, (left, right) = plt.subplots(1, 2, figsize=(11, 4), layout="constrained")
for (name, way), style in zip(ways.items(), ("-", "--"), strict=True):
    for place, T in way.items():
        left.loglog(hz, np.abs(T), style, label=f"{place.split('.')[0]}, {name}")
left.set(xlabel="frequency [Hz]", ylabel="vertical motion over that of the seat", ylim=(0.05, 5))
left.legend(fontsize="small")
for weighting in ("Wk", "Wd", "Wc"):
    right.loglog(hz, np.abs(jd.human.weighting_factor(hz, weighting)), label=weighting)
told = [f"{name}: {ride.rms:.2f} m/s², dose {ride.vdv:.2f}, {ride.reaction}" for name, ride in rides.items()]
right.set(xlabel="frequency [Hz]", title="\n".join(told))
right.title.set_fontsize(9)
right.legend()
plt.show()
