"""
Impact of an elastic bar on a wall
==================================

The first test of a simulator of elastic contact, in S.-W. Kim's thesis (McGill 1999) as elsewhere: a bar of 1 m meets a
wall with its end. A wave of the pressure rho c v runs through it and comes back; after 2 L / c the bar leaves, with
nearly all of its speed. The bar is a solid of 50 cells in a row, without Poisson's effect, and the wall a bed of
springs and dashpots on its nose, as stiff as a cell: stiffer ones let the mass of the last cell chatter.
"""

import matplotlib.pyplot as plt
import numpy as np

import jourdain as jd

LENGTH, HEIGHT, SPEED, CELLS = 1.0, 0.05, 1.0, 50
material = jd.Material(E=1e9, nu=0.0, density=1000.0)
wave = np.sqrt(material.E / material.density)
there_and_back = 2.0 * LENGTH / wave
plateau = material.density * wave * SPEED * HEIGHT**2

bar = jd.Solid("bar", jd.mesh.rectangle((LENGTH, HEIGHT), (CELLS, 1)), material, "stress", thickness=HEIGHT,
               element="linear", modes=150, surfaces={"nose": lambda x: x[0] < 1e-9})  # fmt: skip
system = jd.System("a bar and a wall")
system.add(bar, joint=jd.Free("flight"))
system.contact("wall", bar.surface("nose"), jd.Plane((1, 0, 0)).at("world", position=(-1e-6, 0, 0)),
               normal=jd.contact.PressureContact(stiffness=material.E * CELLS / LENGTH,
                                                 damping=material.density * wave))  # fmt: skip
model = system.compile()
run = jd.simulate(model, model.state(v={"flight.vx": -SPEED}), until=1.3 * there_and_back,
                  step=there_and_back / 1600, output=there_and_back / 800)  # fmt: skip

# %%
# The force on the nose against the theory of waves in bars, and where the pressure is at four times.

time, force = run.record.time / there_and_back, run.contact["wall"].force.sel(axis="x").values / plateau
pressed = np.flatnonzero(force > 0.5)
duration = time[pressed[-1]] - time[pressed[0]]
level = force[(time > 0.2) & (time < 0.8)].mean()
rebound = float(run.v["flight.vx"][-1]) / SPEED

fig, (left, right) = plt.subplots(1, 2, figsize=(10, 3.6), layout="constrained")
left.plot(time, force, label="50 cells, 150 modes")
left.plot([0, 0, 1, 1, 1.3], [0, 1, 1, 0, 0], "k--", lw=1, label="waves in bars")
left.set(xlabel="time / (2 L / c)", ylabel="force / (rho c v A)", title="force on the nose")
left.legend()
stress = run.field("bar", "stress").sel(component="xx")
axis = np.abs(stress.y - 0.0) < 1e-9
for fraction in (0.25, 0.45, 0.75, 1.1):
    i = int(np.argmin(np.abs(time - fraction)))
    here = stress[i, axis]
    order = np.argsort(here.x.values)
    right.plot(here.x.values[order], -here.values[order] * 1e-6, label=f"{fraction:g} of 2 L / c")
right.set(xlabel="x [m]", ylabel="pressure [MPa]", title="along the bar")
right.legend()
plt.show()
