"""
Slews without vibration: input shaping and optimal control
==========================================================

A boom with a camera turns by half a radian in 1.6 s, which is little more than a period of its first mode. A ZV shaper
(Singer & Seering 1990) cancels that mode as long as motions are small; `jd.optimal.slew` brings the nonlinear model to
rest, both modes, in the same time and with the least effort. Given 2.4 s it does so for a band of frequencies of 10 %
to either side: the right panel is the swing that is left in the simulation of models with other stiffness.
"""

import matplotlib.pyplot as plt
import numpy as np

import jourdain as jd

TURN, SHORT, LONG = 0.5, 1.6, 2.4


def boom(ratio=1.0):
    """A boom whose frequencies are multiplied by a ratio."""
    system = jd.System("boom")
    system.add(jd.RigidBody("bus", mass=50.0, inertia=(5, 5, 5)), jd.Revolute("hub", axis="z"))
    stiff = 600.0 * ratio**2
    beam = jd.Beam("boom", 4.0, mass_per_length=0.5, EA=2e6, EI=stiff, GJ=500.0, modes=jd.Modes(bending_y=2))
    system.add(beam, jd.Weld("root"), to="bus.origin")
    system.add(jd.RigidBody("camera", 1.0, inertia=(0.01, 0.01, 0.01)), jd.Weld("flange"), to="boom.tip")
    return system.compile()


def swing(plant, motion, end):
    """Times and tip deflection [m], and its amplitude once the hub stands still."""
    run = jd.simulate(plant, plant.state(), until=end + 2.0, output=0.01, motions={"hub": motion})
    tip = run.deflection("boom", 4.0)[:, 0].sel(axis="y").values
    return run.time.values, tip, np.max(np.abs(tip[run.time.values >= end - 1e-9]))


model = boom()
HZ = model.frequencies(model.state(), hold=("hub",)).hz[0]
shaper = jd.control.Shaper(HZ, kind="ZV")
best = jd.optimal.slew(model, end={"hub": TURN}, until=SHORT)
short = {
    "unshaped": swing(model, jd.Cycloid(to=TURN, duration=SHORT), SHORT),
    "ZV": swing(model, shaper.shape(jd.Cycloid(to=TURN, duration=SHORT - shaper.duration)), SHORT),
    "optimal": swing(model, best.motions["hub"], SHORT),
}

# %%
# With a longer time a band of frequencies is left at rest.

band = np.linspace(0.9, 1.1, 9)
plants = [boom(one) for one in band]
zvd = jd.control.Shaper(HZ, kind="ZVD")
commands = {
    "ZVD": zvd.shape(jd.Cycloid(to=TURN, duration=LONG - zvd.duration)),
    "optimal": jd.optimal.slew(model, end={"hub": TURN}, until=LONG).motions["hub"],
    "robust": jd.optimal.slew(model, end={"hub": TURN}, until=LONG, robust=0.10).motions["hub"],
}
plain = swing(model, jd.Cycloid(to=TURN, duration=LONG), LONG)[2]
left = {name: np.array([swing(p, motion, LONG)[2] for p in plants]) / plain for name, motion in commands.items()}

fig, (one, other) = plt.subplots(1, 2, figsize=(11, 4), layout="constrained")
for name, (t, tip, amplitude) in short.items():
    one.plot(t, 1e3 * tip, label=f"{name}: {1e3 * amplitude:.2g} mm left")
one.set(xlabel="time [s]", ylabel="[mm]", title=f"deflection of the tip, {TURN} rad in {SHORT} s")
one.legend()
for name, values in left.items():
    other.plot(band, 100 * values, ".-", label=name)
other.axvspan(0.9, 1.1, alpha=0.1)
other.set(xlabel="true frequency / frequency of the model", ylabel="[%]", ylim=(0, 20))
other.set_title(f"swing left, of the unshaped one, {LONG} s")
other.legend()
plt.show()
