"""
A mechanism as particles at constant distances
==============================================

Talaba (NATO ASI, part B, section 11) builds mechanisms of particles at fixed distances: no rotations, no torques, four
kinds of equations. His planar six-bar has one freedom in each of three views: as a chain (7 - 2 x 3), as bodies
(15 - 14) and as twelve particles (24 - 23). The particles move as bodies with the same mass, centre and inertia do. For
any body there are four particles that have these; here they tumble beside it.
"""

import matplotlib.pyplot as plt
import numpy as np
from six_bar import ROWS, body_six_bar, particle_six_bar, particle_system, six_bar_places

import jourdain as jd

particles, bodies = particle_six_bar().compile(), body_six_bar().compile()
counts = jd.mechanism.mobility_counts(body_six_bar(), planar=True)

# %%
# Over a turn of the crank: the places of C, E and F, and the three counts.

found, state = {}, particles.state(six_bar_places(0.0))
for degrees in range(0, 361, 5):
    angle = np.radians(degrees)
    state.q[[particles.index.q[name] for name in ("B1 x", "B1 y")]] = 0.1 * np.cos(angle), 0.1 * np.sin(angle)
    state = particles.assemble(state, hold=("B1 x", "B1 y"))
    found[degrees] = {name: state.q[particles.index.q[name]] for name in ("C1 x", "C1 y", "E1 x", "E1 y", "F1 x")}
mobility = particles.mobility(state)
equations = (counts.dofs + counts.rows, 3 * counts.bodies + counts.rows, mobility.velocities + mobility.rows)

# %%
# Motion under gravity from a crank at 0 that turns with 5 rad/s, as particles and as bodies.

OPTIONS = dict(until=0.5, method="dop853", rtol=1e-11, atol=1e-12, output=0.01)
moving = particles.assemble(particles.state(six_bar_places(0.0), {"B1 x": 0.0, "B1 y": 0.5}), hold=("B1 x", "B1 y"))
many = jd.simulate(particles, moving, **OPTIONS)
angles = {"coupler": 0.795503, "ternary": 1.590794, "link": -2.085167, "slide": 0.469448}
rough = bodies.assemble(bodies.state({"crank": 0.0, **angles}, {"crank": 5.0}), hold=("crank",))
few = jd.simulate(bodies, rough, **OPTIONS)
apart = np.max(np.abs(many.record.q[:, particles.index.q["F1 x"]] - few.record.q[:, bodies.index.q["slide"]]))

# %%
# A body that tumbles, and its four particles.

body = jd.RigidBody("body", 3.0, (0.1, -0.2, 0.05), (0.10, 0.16, 0.22, 0.01, -0.02, 0.015))
free = jd.System("body")
free.add(body, jd.Free("pose"))
rigid = free.compile()
masses, places = jd.mechanism.particles(body)
spin, speed = np.array([1.0, 2.0, -0.5]), np.array([0.1, 0.0, 0.2])
tumble = jd.simulate(rigid, rigid.state(v={"pose": (*spin, *speed)}), **OPTIONS | {"until": 3.0})
four = particle_system(masses, places).compile()
start = four.state(v=(np.cross(spin, places) + speed).ravel())
cloud = jd.simulate(four, start, **OPTIONS | {"until": 3.0})
poses = [rigid.pose("body.origin", q) for q in tumble.record.q]
wanted = np.array([places @ one.rotation.T + one.position - places for one in poses])
tumbled = np.max(np.abs(cloud.record.q.reshape(wanted.shape) - wanted))

figure, (left, middle, right) = plt.subplots(1, 3, figsize=(13, 4), layout="constrained")
for name in ("C1", "E1"):
    left.plot(*([one[f"{name} {c}"] for one in found.values()] for c in "xy"), label=name[0])
left.plot([one["F1 x"] for one in found.values()], np.full(len(found), 0.1), label="F")
left.set(
    aspect="equal",
    xlabel="x [m]",
    ylabel="y [m]",
    title=f"{len(ROWS)} joint rows and 9 distances, mobility {mobility.degrees}",
)
left.legend()
middle.plot(many.record.time, many.record.q[:, particles.index.q["F1 x"]], label="particles")
middle.plot(few.record.time, few.record.q[:, bodies.index.q["slide"]], "k--", label="bodies")
middle.set(xlabel="time [s]", ylabel="slider [m]", title=f"{apart:.0e} m apart")
middle.legend()
right.plot(cloud.record.time, cloud.record.q[:, :3])
right.plot(cloud.record.time, wanted[:, 0], "k--")
right.set(xlabel="time [s]", ylabel="[m]", title=f"a particle of a tumbling body, {tumbled:.0e} m apart")
plt.show()
