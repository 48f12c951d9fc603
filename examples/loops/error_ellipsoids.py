"""
Accuracy of a mechanism: error ellipsoids
=========================================

Boiadjiev and Vassileva (NATO ASI, part A, section 5) ask in which posture a bone drill errs least: two parallel turning
axes with a slide between. They measure orientation by sin(psi) u of the rotation matrix, and find a posture without
error, q1 + q3 = 90 degrees. It is their measure that vanishes there; the angle's error, of squared size 2, is the same
everywhere. On the right a parallel robot whose drives err by 1 mrad and whose pivots are 0.2 mm off: ellipses of two
standard deviations by linearisation, and an ensemble whose loops were closed one by one.
"""

import matplotlib.pyplot as plt
import numpy as np

import jourdain as jd

drill = jd.System("drill")
drill.add(jd.RigidBody("column", 1.0, inertia=(1e-2,) * 3), jd.Revolute("q1", axis="z"))
drill.add(jd.RigidBody("sledge", 1.0, inertia=(1e-2,) * 3), jd.Prismatic("q2", axis="z"), to="column.origin")
bit = jd.RigidBody("bit", 0.2, inertia=(1e-4,) * 3, frames={"tip": (0, 0, 0.1)})
drill.add(bit, jd.Revolute("q3", axis="z"), to="sledge.origin")
model = drill.compile()
UNIT = {"q1": 1.0, "q2": 1.0, "q3": 1.0}


def squared(q1, q3, measure):
    """Squared semi-axes of place and orientation for joint errors of unit size, and the ellipsoids themselves."""
    errors = jd.mechanism.pose_errors(model, model.state([q1, 0.095, q3]), "bit.tip", UNIT, orientation=measure)
    return [jd.mechanism.error_ellipsoid(part) for part in (errors.jacobian[3:], errors.jacobian[:3])]


place, sine = squared(0.7854, 0.8727, "sine")  # the posture of the paper's figure
_, angle = squared(0.7854, 0.8727, "rotation")
turns = np.linspace(0.0, np.pi, 61)
curves = {name: [squared(0.0, x, name)[1].values[0] for x in turns] for name in ("sine", "rotation")}

# %%
# A platform on three legs: one pose near the middle, one far out.

robot = jd.mechanism.planar_robot(3).compile()
rough = robot.state(
    {f"drive{i}": 2 * np.pi * (i + 0.5) / 3 + 2.0 for i in range(3)} | {f"elbow{i}": 1.5 for i in range(3)}
)
tolerances = {f"drive{i}": 1e-3 for i in range(3)} | {f"drive{i}.position.{c}": 2e-4 for i in range(3) for c in "xy"}
PLACES = ((0.0, 0.0), (0.12, 0.05), (0.02, 0.16))
found = []
for x, y in PLACES:
    rough.q[:3] = x, y, 0.0
    state = robot.assemble(rough, hold=("platform",))
    found.append(jd.mechanism.pose_errors(robot, state, "platform.origin", tolerances, samples=200, seed=5))
spread = np.array([[one.ellipsoid("place", sampled)[0][:2] for sampled in (False, True)] for one in found])
apart = np.max(np.abs(spread[:, 1] / spread[:, 0] - 1.0))

figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.4), layout="constrained")
left.plot(np.degrees(turns), curves["sine"], label="sin(psi) u, as in the paper")
left.plot(np.degrees(turns), curves["rotation"], label="rotation vector")
left.plot(np.degrees(0.7854 + 0.8727), sine.values[0], "ko", label=f"the paper's posture: {sine.values[0]:.6f}")
left.set(xlabel="q1 + q3 [deg]", ylabel="squared semi-axis", title="drill: orientation errors")
left.legend()
circle = np.array([np.cos(2 * np.pi * np.linspace(0, 1, 61)), np.sin(2 * np.pi * np.linspace(0, 1, 61))])
ENLARGED = 50.0
for k, (one, at) in enumerate(zip(found, PLACES)):
    sizes, axes = np.linalg.eigh(one.covariance[3:5, 3:5])
    ellipse = 2.0 * axes @ (np.sqrt(sizes)[:, None] * circle)
    right.plot(*(np.array(at)[:, None] + ENLARGED * ellipse), color=f"C{k}")
    right.plot(*(np.array(at)[:, None] + ENLARGED * one.samples[:, 3:5].T), ".", ms=2, color=f"C{k}", alpha=0.5)
    right.annotate(f"{1e3 * spread[k, 0, 0]:.2f} mm", at, fontsize=9)
right.set(aspect="equal", xlabel="x [m]", ylabel="y [m]", title=f"platform: errors {ENLARGED:g} times enlarged")
plt.show()
