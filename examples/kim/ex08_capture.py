"""
A payload is captured
=====================

The capture of S.-W. Kim's thesis (McGill 1999, section 6.4): the flexible arm of section 6.3 meets a free payload of
884 kg at 0.1 m/s. At first touch two spring-dashpots engage between pairs of grapple points (50 kN/m, 40 kN s/m) and
pull the bodies together; the payload is turned by half a degree, so that one finger strikes after the other. When they
are slow against each other, a latch closes rigidly. Grapple points, fingers and the speed at which the latch closes are
not in the thesis and chosen here; the dashpots act along the line between their points, so that they exert no couple,
and the spacecraft floats: momentum is that of the approach throughout.
"""

import matplotlib.pyplot as plt
import numpy as np

import jourdain as jd

LENGTH, APOTHEM, OFFSET, REACH = 8.13, 2.31, 0.25, 0.2
system = jd.System("capture")
craft = jd.RigidBody("craft", mass=1e5, inertia=(8e5, 8e5, 8e5), frames={"shoulder": (1, 0, 0)})
system.add(craft, joint=jd.Planar("float"))
for i, to in ((1, "craft.shoulder"), (2, "link1.tip")):
    link = jd.Beam(f"link{i}", LENGTH, mass_per_length=163 / LENGTH, EA=1e8, EI=88.1e3, GJ=1e5, damping=0.01,
                   modes=jd.Modes(bending_y=1), basis="clamped-free")  # fmt: skip
    system.add(link, joint=jd.Revolute(f"joint{i}", axis="z"), to=to)
places = {"left": -OFFSET, "right": OFFSET}
tips = {name: (x, REACH, 0) for name, x in places.items()} | {"port": (0, REACH, 0)}
system.add(jd.RigidBody("gripper", mass=2.3, inertia=(0.18, 0.18, 0.18), frames=tips),
           joint=jd.Revolute("wrist", axis="z"), to="link2.tip")  # fmt: skip
points = {name: (x, 0.02 - APOTHEM, 0) for name, x in places.items()} | {"face": (0, -APOTHEM, 0)}
system.add(jd.RigidBody("payload", mass=884.3, inertia=(2495, 2495, 2495), frames=points), joint=jd.Planar("drift"))
for name in places:
    system.contact(name, jd.Sphere(0.02).at(f"gripper.{name}"), jd.Plane((0, -1, 0)).at("payload.face"),
                   normal=jd.contact.HuntCrossleyContact(stiffness=1e7, restitution=0.7),
                   friction=jd.CoulombFriction(0.15))  # fmt: skip
    grapple = jd.constraints.Spring(f"{name} grapple", stiffness=5e4, damping=4e4, length=0.0)
    system.connect(grapple, f"gripper.{name}", f"payload.{name}", active=False)
system.connect(jd.Weld("latch"), "gripper.port", "payload.face", active=False)
model = system.compile()

# %%
# The pose and the rates before impact (Table 6.3); the wrist is turned so that the gripper faces the payload.

pose = {"joint1": 67.3, "joint2": 45.4, "wrist": -112.7}
rates = {"joint1": 0.911, "joint2": -1.82, "wrist": 0.911}
height = 15.0 + REACH + 0.02 + APOTHEM + 0.006
state = model.state({name: np.radians(x) for name, x in pose.items()} | {"drift": (1.0, height, np.radians(0.5))},
                    {name: np.radians(x) for name, x in rates.items()})  # fmt: skip
events = [
    jd.Event(when=(name, "touches"), connect=f"{name} grapple", name=f"{name} grapple engages") for name in places
] + [jd.Event(when=(("gripper.port", "payload.face"), "slower", 2e-3), connect="latch", name="latch")]
run = jd.simulate(model, state, until=20.0, events=events)

# %%
# Impacts until the latch closes, what the latch carries afterwards, and what is left of the approach.

time, latched = run.record.time, run.events[-1].time
fingers = {name: np.linalg.norm(run.contact[name].force, axis=1) for name in places}
latch = np.linalg.norm(run.constraint["latch"].force, axis=1)
impacts = sum(int(np.sum((force[1:] > 0) & (force[:-1] == 0))) for force in fingers.values())
momenta = np.array([np.concatenate(model.momentum(one)) for one in run.states])
drift = np.max(np.abs(momenta - momenta[0])) / np.max(np.abs(momenta[0]))
closing = run.frame("gripper.port").velocity.values - run.frame("payload.face").velocity.values
for event in run.events:
    print(f"{event.time:8.4f} s  {event.name}: {event.loss:.2g} J lost")
print(f"{impacts} impacts, the hardest {max(one.max() for one in fingers.values()):.0f} N")
print(f"the latch carries {latch.max():.0f} N at most; momentum within {drift:.0e}")

fig, (left, middle, right) = plt.subplots(1, 3, figsize=(12, 3.6), layout="constrained")
for name, force in fingers.items():
    left.plot(time, force, label=f"{name} finger")
left.set(xlabel="time [s]", ylabel="force [N]", title="impacts", xlim=(0, 1.1 * latched))
left.legend()
middle.semilogy(time, np.linalg.norm(closing, axis=1) + 1e-12)
middle.axvline(latched, color="k", lw=1, ls="--")
middle.set(xlabel="time [s]", ylabel="speed [m/s]", title="gripper against payload", xlim=(0, 1.1 * latched))
right.plot(time, latch)
right.set(xlabel="time [s]", ylabel="force [N]", title="in the latch")
plt.show()
