"""
Impact of two elastic spheres
=============================

The validation of S.-W. Kim's thesis (McGill 1999, section 6.2, after Chaudhary & Bathe 1986): two equal elastic
spheres of radius 5 meet at 3 each, without units, for three moduli of elasticity. By symmetry it is one sphere on a
rigid plane, and its half section is the mesh. Hertz's theory takes what deforms as massless and the place that touches
as small against the radius; a soft sphere is neither, and the elements say so: the force is 14 % above Hertz at E =
100 and 3 % at E = 1e5. The nodes that may touch are coordinates, the others follow statically and by 40 modes.
"""

import matplotlib.pyplot as plt
import numpy as np

import jourdain as jd

R, NU, DENSITY, SPEED = 5.0, 0.3, 0.01, 3.0
CELLS, LAYERS, MODES, STEPS = 24, 14, 40, 400


def hertz(E):
    """Largest force, displacement, time until then, radius and pressure there of a sphere on a plane."""
    mass, star = DENSITY * 4.0 / 3.0 * np.pi * R**3, E / (1.0 - NU**2)
    depth = (15.0 * mass * SPEED**2 / (16.0 * np.sqrt(R) * star)) ** 0.4
    force, radius = 4.0 / 3.0 * np.sqrt(R) * star * depth**1.5, np.sqrt(R * depth)
    return {"f": force, "u": depth, "t": 1.47164 * depth / SPEED, "a": radius, "p": 1.5 * force / (np.pi * radius**2)}


def impact(E):
    """A run, and what is largest in it: force, displacement of the centre of mass, and when that is."""
    theory = hertz(E)
    mesh = jd.mesh.half_disc(R, CELLS, LAYERS, grade=0.7)
    near = {"sole": lambda x: (x[1] < 0) & (np.hypot(x[0], x[1]) > R * (1 - 1e-9)) & (x[0] < 1.6 * theory["a"])}
    ball = jd.Solid("ball", mesh, jd.Material(E=E, nu=NU, density=DENSITY), "axisymmetric", element="linear",
                    masters="sole", modes=MODES, surfaces=near)  # fmt: skip
    system = jd.System("a sphere and a plane")
    system.add(ball, joint=jd.Prismatic("fall", axis="y"))
    system.contact("plane", ball.surface("sole"), jd.Plane((0, 1, 0)).at("world", position=(0, -R - 1e-9, 0)),
                   normal=jd.contact.MultiplierContact())  # fmt: skip
    model = system.compile()
    until = 2.2 * theory["t"]
    run = jd.simulate(model, model.state(v={"fall": -SPEED}), until=until, step=until / STEPS,
                      method="generalized-alpha")  # fmt: skip
    velocity = np.array([model.momentum(one)[1][1] for one in run.states]) / ball.mass
    time, force = run.record.time, run.contact["plane"].force.sel(axis="y").values
    moved = -np.concatenate([[0.0], np.cumsum(0.5 * (velocity[1:] + velocity[:-1]) * np.diff(time))])
    rebound, energy = velocity[-1], run.record.energy.sum(axis=1)
    found = {"f": force.max(), "u": moved.max(), "t": time[np.argmax(moved)], "rebound": rebound}
    return found | {"energy": energy[-1] / energy[0] - 1.0}, theory, run, ball, moved


table, cases = {}, {}
for E in (1e2, 1e3, 1e5):
    found, theory, *cases[E] = impact(E)
    table[E] = found
    words = ", ".join(f"{name}* {found[name]:.4g} ({100 * (found[name] / theory[name] - 1):+.1f} %)" for name in "fut")
    print(f"E = {E:g}: {words}, rebounds at {found['rebound']:.3f}, energy {found['energy']:+.0e}")

# %%
# Forces over time, and the pressure when the sphere is compressed most, both over Hertz's largest.

fig, (left, right) = plt.subplots(1, 2, figsize=(10, 3.6), layout="constrained")
for E, (run, ball, moved) in cases.items():
    theory, touch = hertz(E), run.contact["plane"]
    left.plot(run.time / theory["t"], touch.normal_force / theory["f"], label=f"E = {E:g}")
    radius = ball.nodes[touch.nodes, 0]
    order, most = np.argsort(radius), int(np.argmax(moved))
    right.plot(radius[order] / theory["a"], touch.pressure.values[most, order] / theory["p"], "o-", ms=3)
depth = np.sin(np.linspace(0.0, np.pi, 200))  # Hertz's motion is nearly a sine
left.plot(np.linspace(0, 2, 200), depth**1.5, "k--", lw=1, label="Hertz, nearly")
left.set(xlabel="t / t*", ylabel="f / f*", title="force")
left.legend()
r = np.linspace(0, 1, 200)
right.plot(r, np.sqrt(1 - r * r), "k--", lw=1)
right.set(xlabel="r / a", ylabel="p / p0", title="pressure at the largest compression", xlim=(0, 1.6))
plt.show()
