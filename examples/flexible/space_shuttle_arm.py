"""
The Space Shuttle arm with a heavy payload
==========================================

The arm of Damaren and Sharf (1995, section 4.2), two of its six links flexible, swings a payload of 15 t by the torques
that would turn each joint of a rigid arm by 0.4 rad in 20 s: their fast manoeuvre, open loop, so that no model follows
the command. With the paper's one stretch mode a boom the *exact* model locks and bends half as much as it should. The
*inconsistent* one bends rightly, but clamped-free modes are poor under a payload, and its joints end elsewhere too. The
default, with static tip shapes, stays with a chain of rigid segments and springs.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.spatial.transform import Rotation

import jourdain as jd

LENGTH, MASS, AXIS = [0.9, 6.4, 7.0, 0.5, 0.8, 0.6], [95.0, 138.0, 85.0, 8.0, 44.0, 41.0], "zyyyzx"
EI, GJ, EA, ROLL, PIECES = {1: 4.046e6, 2: 2.807e6}, 2.04e6, 2.79e8, [0.2, 0.4, 0.4, 0.2, 0.2, 0.2], 4


def rod(name, l, m, roll):
    across = m * l**2 / 12 + roll / 2
    return jd.RigidBody(name, m, com=(l / 2, 0, 0), inertia=(roll, across, across), frames={"tip": (l, 0, 0)})


def arm(kind, **options):
    system, to = jd.System(kind), "world"
    for i, (l, m, roll, axis) in enumerate(zip(LENGTH, MASS, ROLL, AXIS)):
        joint, h = jd.Revolute(f"j{i}", axis=axis), l / PIECES
        if kind == "beams" and i in EI:
            system.add(jd.Beam(f"l{i}", l, m / l, EA, EI[i], GJ, inertia_per_length=roll / l, **options), joint, to)
        elif kind == "segments" and i in EI:  # springs at the middles of equal cells
            for k, d in enumerate(np.diff([0.0, *(h * (np.arange(PIECES) + 0.5)), l])):
                for a in "yz" if k else "":
                    spring = jd.Revolute(f"spring-{a}{i}{k}", axis=a, stiffness=EI[i] / h)
                    system.add(jd.RigidBody(f"{a}{i}{k}", 1e-6, inertia=(1e-6, 1e-6, 1e-6)), spring, to)
                    to = f"{a}{i}{k}.origin"
                held = jd.Revolute(f"spring-x{i}{k}", axis="x", stiffness=GJ / h) if k else joint
                system.add(rod(f"l{i}" if k == PIECES else f"l{i}_{k}", d, m * d / l, roll * d / l), held, to)
                to = f"l{i}_{k}.tip"
        else:
            system.add(rod(f"l{i}", l, m, roll), joint, to)
        to = f"l{i}.tip"
    system.add(jd.RigidBody("drum", 15e3, com=(5, 0, 0), inertia=(3e4, 1.4e5, 1.4e5)), jd.Weld("grapple"), to)
    return system.compile()


rigid, turn = arm("rigid"), 2 * np.pi * np.linspace(0, 1, 1001)[:, None] * np.ones(6)
command = 0.4 * (turn - np.sin(turn)) / (2 * np.pi)
profile = zip(command, 0.4 / 20 * (1 - np.cos(turn)), 0.4 / 400 * 2 * np.pi * np.sin(turn))
TORQUE = np.array([rigid.inverse_dynamics(rigid.state(q, v), a) for q, v, a in profile])


@jd.law
def torques(t, q, v, z, s, p, effort, dz):
    i = min(int(50.0 * t), 999)
    for k in range(6):
        effort[int(p[k])] += TORQUE[i, k] + (50.0 * t - i) * (TORQUE[i + 1, k] - TORQUE[i, k])


paper = {"modes": jd.Modes(2, axial=1, torsion=1), "basis": "clamped-free", "axial": "modes"}
cases = {"segments": {}, "default": {}, "exact, 1 stretch mode": paper}
cases["inconsistent, clamped-free"], bent, pitch = {**paper, "fidelity": "inconsistent"}, {}, {}
fig, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
for name, options in cases.items():
    model = arm("segments" if name == "segments" else "beams", **options)
    law = torques(*(model.index.v[f"j{i}"] for i in range(6)))
    run = jd.simulate(model, model.state(), until=20.0, output=0.05, controller=law, rtol=1e-6, atol=1e-8)
    root, tip = run.frame("l1_0" if name == "segments" else "l1").path, run.frame("l1.tip").path
    there = Rotation.from_quat(root[:, [4, 5, 6, 3]]).apply(tip[:, :3] - root[:, :3], inverse=True)
    bent[name], pitch[name], n = there[:, 2], run.q["j1"].values, 8 if name == "segments" else 1
    left.plot(run.time[::n], bent[name][::n], "k." if n > 1 else "-", label=f"{name}: {np.max(bent[name]):.3f} m")
    right.plot(run.time[::n], pitch[name][::n], "k." if n > 1 else "-")
right.plot(20 * turn[:, 1] / (2 * np.pi), command[:, 1], "k:", label="command to the rigid arm")
left.set(xlabel="time [s]", ylabel="[m]", title="tip of the upper boom, in the frame of its root")
right.set(xlabel="time [s]", ylabel="[rad]", title="shoulder pitch")
fig.legend(loc="outside lower center", ncols=3, fontsize=8)
plt.show()
