"""
A two-link flexible arm on its spacecraft
=========================================

The arm of S.-W. Kim's thesis (McGill 1999, section 6.3): two links of 8.13 m on a spacecraft of 100 t whose attitude is
free. Its tip, at 0.1 m/s, strikes a payload of 884 kg without loss. How hard it strikes depends on how many modes its
links have: with each one more a shorter piece of the arm takes part. Afterwards the links ring down, with 1 % of
critical damping. The thesis takes one mode a link and quotes 16 rad/s as the lowest frequency in the pose of section
6.5; three static tip shapes, the default, say that eleven would be right.
"""

import matplotlib.pyplot as plt
import numpy as np

import jourdain as jd

LENGTH, PAYLOAD = 8.13, 884.3


def arm(modes, basis="clamped-free"):
    system = jd.System("Kim's arm")
    craft = jd.RigidBody("craft", mass=1e5, inertia=(8e5, 8e5, 8e5), frames={"shoulder": (1, 0, 0)})
    system.add(craft, joint=jd.Revolute("attitude", axis="z"))
    for i, to in ((1, "craft.shoulder"), (2, "link1.tip")):
        shapes = {"modes": jd.Modes(bending_y=modes), "basis": basis, "damping": 0.01}
        link = jd.Beam(f"link{i}", LENGTH, mass_per_length=163 / LENGTH, EA=1e8, EI=88.1e3, GJ=1e5, **shapes)
        system.add(link, joint=jd.Revolute(f"joint{i}", axis="z"), to=to)
    gripper = jd.RigidBody("gripper", mass=2.3, inertia=(0.18, 0.18, 0.18))
    system.add(gripper, joint=jd.Revolute("wrist", axis="z"), to="link2.tip")
    return system.compile()


def lowest(model):
    """Lowest elastic frequency at rest in the pose of section 6.5, all joints free [rad/s]."""
    pose = model.state({"joint1": np.radians(30), "joint2": np.radians(120)})
    return model.frequencies(pose).rad[0]


counts = np.arange(1, 7)
frequency = {basis: [lowest(arm(int(n), basis)) for n in counts] for basis in ("clamped-free", "polynomial")}

# %%
# The impact: an impulse p changes the velocities by M^-1 J^T p, and the tip's effective mass is 1 / (J M^-1 J^T).

impulse, ringing = [], {}
for n in (0, 1, 2, 3):
    model = arm(n)
    state = model.state({"joint1": np.radians(67.3), "joint2": np.radians(45.4)})
    rates = {"joint1": np.radians(0.911), "joint2": np.radians(-1.82), "wrist": np.radians(0.911)}
    state = model.state(state.q, rates)
    J = model.jacobian("gripper.origin", state)[4]
    kick = np.linalg.solve(model.mass_matrix(state), J)
    effective = 1.0 / (J @ kick)
    p = 2 * (J @ state.v) * effective * PAYLOAD / (effective + PAYLOAD)
    impulse.append(p)
    if n == 1:
        run = jd.simulate(model, model.state(state.q, state.v - kick * p), until=10.0, output=0.01)
        ringing = {name: 1e3 * run.deflection(name, LENGTH)[:, 0].sel(axis="y").values for name in ("link1", "link2")}

fig, (left, middle, right) = plt.subplots(1, 3, figsize=(12, 3.6), layout="constrained")
for basis, values in frequency.items():
    left.plot(counts, values, "o-", label=basis)
left.axhline(16.0, color="k", linestyle=":", label="thesis: 16, one mode")
left.set(xlabel="functions a link", ylabel="[rad/s]", title="lowest frequency of the arm")
left.legend()
middle.bar_label(middle.bar(range(4), impulse), fmt="%.1f")
middle.margins(y=0.1)
middle.set(xlabel="modes a link", ylabel="[N s]", title="impulse on the payload", xticks=range(4))
for name, values in ringing.items():
    right.plot(run.time, values, label=name)
right.set(xlabel="time after the impact [s]", ylabel="[mm]", title="tip deflection of the links, one mode")
right.legend()
plt.show()
