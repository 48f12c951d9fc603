"""
Input shaping of a flexible slew
================================

A hub turns a slender boom with a camera at its tip by half a radian in two seconds and stops; the boom goes on
swinging by half a metre. A shaper splits the command into two or three copies, half a period of the boom apart, whose
swings cancel (Singer & Seering 1990): ZV leaves nothing if the frequency is known, ZVD and EI forgive an error of it.
The frequency comes from `model.frequencies`. The right panel shows what is left of the swing in the nonlinear
simulation when the payload is not the one that the shaper was made for (half to twice its mass), against theory.
"""

import matplotlib.pyplot as plt
import numpy as np

import jourdain as jd

TURN, DURATION = 0.5, 2.0


def boom(payload=1.0):
    system = jd.System("boom")
    hub = jd.RigidBody("hub", mass=50.0, inertia=(5, 5, 5))
    system.add(hub, joint=jd.Revolute("hub", axis="z"))
    beam = jd.Beam("boom", 4.0, mass_per_length=0.5, EA=2e6, EI=600.0, GJ=500.0, modes=jd.Modes(bending_y=3))
    system.add(beam, joint=jd.Weld("root"), to="hub.origin")
    camera = jd.RigidBody("camera", mass=payload, inertia=np.full(3, 0.01 * payload))
    system.add(camera, joint=jd.Weld("flange"), to="boom.tip")
    return system.compile()


model = boom()
mode = model.frequencies(model.state(), hold=("hub",))
slew = jd.Cycloid(to=TURN, duration=DURATION)
shapers = {kind: jd.control.Shaper(mode.hz[0], kind=kind) for kind in ("ZV", "ZVD", "EI")}


def swing(plant, motion, end):
    """Times and tip deflection [m], and its amplitude once the hub stands still."""
    run = jd.simulate(plant, plant.state(), until=end + 4.0, output=0.01, motions={"hub": motion})
    tip = run.deflection("boom", 4.0)[:, 0].sel(axis="y").values
    return run.time.values, tip, np.max(np.abs(tip[run.time.values >= end]))


commands = {"unshaped": (slew, DURATION)}
commands |= {kind: (one.shape(slew), DURATION + one.duration) for kind, one in shapers.items()}
histories = {name: swing(model, *command) for name, command in commands.items()}

# %%
# Other payloads have other frequencies; the shapers stay those of the nominal one.

payloads = np.array([0.5, 0.65, 0.8, 1.0, 1.25, 1.55, 2.0])
plants = [boom(m) for m in payloads]
ratio = np.array([plant.frequencies(plant.state(), hold=("hub",)).hz[0] for plant in plants]) / mode.hz[0]
plain = np.array([swing(plant, slew, DURATION)[2] for plant in plants])
left = {kind: np.array([swing(p, *commands[kind])[2] for p in plants]) / plain for kind in shapers}

fig, (top, right) = plt.subplots(1, 2, figsize=(11, 4), layout="constrained")
for name, (t, tip, amplitude) in histories.items():
    top.plot(t, 1e3 * tip, label=f"{name}: {1e3 * amplitude:.3g} mm left")
top.set(xlabel="time [s]", ylabel="[mm]", title=f"deflection of the tip, {mode.hz[0]:.3f} Hz")
top.set(ylim=(-600, 1000))
top.legend(ncols=2)
band = np.linspace(0.7, 1.3, 200)
for kind, one in shapers.items():
    (line,) = right.plot(band, 100 * one.residual(band * mode.hz[0]), label=f"{kind}, theory")
    right.plot(ratio, 100 * left[kind], "o", color=line.get_color())
right.set(xlabel="true frequency / frequency of the shaper", ylabel="[%]", title="swing left, of the unshaped one")
right.set(xlim=(0.7, 1.3), ylim=(0, 50))
right.legend()
plt.show()
