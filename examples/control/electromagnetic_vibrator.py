"""
An electromagnetic vibrator with its coil
=========================================

Jatsun, Zaisev & Jatsun (NATO ASI, part A, section 16) shake a mass by a magnet whose flux is a state of its own: with
the linked flux F, the gap lambda - x and kappa = (2 + K_S) / (mu_0 Z^2 S), the current is kappa F (lambda - x), the
flux follows the voltage, F' = U - R i, and the pull is kappa F^2 / 2 (the paper's force lacks the half, which energy
asks for). A load P pulls the mass away from the magnet. Raised mean voltage alone brings the amplitude back, but not
the centre; mean and alternating voltage together bring back both. The numbers of the machine are ours.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import brentq, fsolve

import jourdain as jd

M, C, BETA, GAP, KAPPA, R = 2.0, 4.0e4, 30.0, 6e-3, 1500.0, 10.0
RATE = 2 * np.pi * 16.0
U0, U1 = 10.0, 8.0
PULL_IN = np.sqrt(8 * C * KAPPA * R**2 * GAP**3 / 27)  # of a constant voltage; there x = GAP / 3

system = jd.System("vibrator")
system.add(
    jd.RigidBody("mass", M, inertia=(1, 1, 1)),
    jd.Prismatic("x", axis="x", stiffness=C, damping=BETA, limits=(-0.9e-3, 2e-3)),
)
model = system.compile()


@jd.law(states=3)
def magnet(t, q, v, z, s, p, effort, dz):
    """z: linked flux, energy taken from the source, energy lost in the coil; p: U0, U1, rate, load."""
    current = KAPPA * z[0] * (GAP - q[0])
    voltage = p[0] + p[1] * np.sin(p[2] * t)
    dz[0] = voltage - R * current
    dz[1], dz[2] = voltage * current, R * current**2
    effort[0] += 0.5 * KAPPA * z[0] ** 2 - p[3]


def shake(mean, alternating, load=0.0, until=1.5, **options):
    given = {"step": 2e-4, "method": "rk4", "output": 1e-3} | options
    return jd.simulate(model, model.state(), until, controller=magnet(mean, alternating, RATE, load), **given)


def swing(run):
    """Centre and amplitude of the last six periods [m]."""
    x = run.q["x"].values[-501:]
    return np.array([0.5 * (x.max() + x.min()), 0.5 * (x.max() - x.min())])


wanted = swing(shake(U0, U1))
loads = np.array([0.0, 10.0, 20.0, 30.0])
mean_only = [brentq(lambda u, P=P: swing(shake(u, U1, P))[1] - wanted[1], 9.0, 14.0, xtol=1e-4) for P in loads]
both = [np.array([U0, U1])]
for P in loads[1:]:  # from one load to the next, in short steps: beyond the pull-in there is nothing to solve
    both.append(fsolve(lambda u, P=P: 1e3 * (swing(shake(*u, P)) - wanted), both[-1], xtol=1e-5, factor=0.1))
runs = {
    "not adjusted": [shake(U0, U1, P) for P in loads],
    "mean voltage": [shake(u, U1, P) for u, P in zip(mean_only, loads, strict=True)],
    "both voltages": [shake(*u, P) for u, P in zip(both, loads, strict=True)],
}
swings = {name: np.array([swing(run) for run in one]) for name, one in runs.items()}

fig, (left, middle, right) = plt.subplots(1, 3, figsize=(13, 4), layout="constrained")
for name, one in swings.items():
    left.errorbar(loads, 1e3 * one[:, 0], 1e3 * one[:, 1], marker="o", capsize=4, label=name)
left.set(xlabel="load [N]", ylabel="centre and amplitude [mm]")
left.legend()
for name, one in runs.items():
    middle.plot(1e3 * one[-1].q["x"][-100:], one[-1].v["x"][-100:], label=name)
middle.set(xlabel="x [mm]", ylabel="speed [m/s]", title="load of 30 N")
middle.legend()
right.plot(loads, [u[0] for u in both], "o-", label="mean voltage")
right.plot(loads, [u[1] for u in both], "o-", label="alternating voltage")
right.plot(loads, mean_only, "s:", label="mean voltage alone")
right.set(xlabel="load [N]", ylabel="[V]")
right.legend()
plt.show()
