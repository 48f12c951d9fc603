"""
Linear elastodynamics of a spinning blade, geometric stiffness
==============================================================

Vlase, Tofan and Goia (NATO ASI, part B, section 17) take the rigid motion as known, and write linear equations for what
deforms on it: mass, Coriolis, Euler, centrifugal and geometric stiffness. `model.elastodynamics` gives these matrices
at any time, frequencies with the motion frozen, and the deformation over time. A blade spins up from rest. Without
the geometric stiffness its frequency in the plane falls and vanishes at 3.516 sqrt(EI / m l^4), which no blade does;
with it, the linear blade does what the whole equations say as long as it bends little.
"""

import matplotlib.pyplot as plt
import numpy as np

import jourdain as jd

system = jd.System("rotor")
system.add(jd.RigidBody("hub", mass=1.0, inertia=(1, 1, 1)), joint=jd.Revolute("hub", axis="z"))
bends = jd.Modes(bending=4)
blade = jd.Beam("blade", length=1.0, mass_per_length=1.0, EA=1e6, EI=1.0, GJ=1.0, modes=bends, inertia_per_length=1e-9)
system.add(blade, joint=jd.Weld("root"), to="hub.origin")
model = system.compile()

# %%
# Frequencies at constant speeds, with and without geometric stiffness.

speeds = np.linspace(0.0, 12.0, 41)


def softest(speed, geometric):
    """The slowest mode in the plane; a negative number is a rate of growth."""
    steady = model.elastodynamics(
        {"hub": jd.Polynomial(0.0, speed)}, model.state(v={"hub": speed}), geometric=geometric
    )
    found = steady.frequencies()
    across = np.array(["bending_z" in name for name in found.names])
    inside = np.abs(found.shapes[~across]).max(axis=0) > np.abs(found.shapes[across]).max(axis=0)
    grows = found.eigenvalues.real.max()
    return -grows if grows > 1e-6 else found.rad[inside][0]


with_it = [softest(speed, True) for speed in speeds]
without = [softest(speed, False) for speed in speeds]

# %%
# Spinning up to a speed of 6 in ten units of time.

times = np.linspace(0.0, 10.0, 101)
ramp = 6.0 * (0.5 * times**2 / 10.0 + 10.0 / (2 * np.pi) ** 2 * (np.cos(2 * np.pi * times / 10.0) - 1.0))
spin_up = {"hub": jd.Table(times, ramp, speeds=(0.0, 6.0))}
linear = model.elastodynamics(spin_up).integrate(10.0, 5e-3)
run = jd.simulate(model, model.state(), until=10.0, output=5e-3, motions=spin_up)
tip = run.q["blade.bending_y[0]"].values
difference = float(np.max(np.abs(linear["blade.bending_y[0]"] - tip)) / np.max(np.abs(tip)))

fig, (left, right) = plt.subplots(1, 2, figsize=(11, 4), layout="constrained")
left.plot(speeds, with_it, label="with geometric stiffness")
left.plot(speeds, without, label="without")
left.axhline(0.0, color="0.8")
left.axvline(3.516, color="0.8", ls="--")
left.set(xlabel="speed", ylabel="first frequency in the plane", title="below zero: rate of growth")
left.legend()
right.plot(run.time, tip, label="whole equations")
right.plot(linear.time, linear["blade.bending_y[0]"], "--", label="linear, on the known motion")
right.set(
    xlabel="time", ylabel="first bending amplitude over the length", title=f"spin-up; apart by {100 * difference:.1f} %"
)
right.legend()
plt.show()
