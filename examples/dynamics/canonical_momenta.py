"""
A triple pendulum in canonical momenta
======================================

Lefeber, Naudet, Terze and Daerden (NATO ASI, Prague 2002) integrate Hamilton's equations instead of Newton's: two
sweeps over the bodies give q' and p' from q and p, and no acceleration is ever formed. Their recursion, written here
for planar chains, and a run of the pendulum must meet in p = M(q) v. Uniform rods of 1 m and 1 kg fall from rest.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.integrate import solve_ivp

import jourdain as jd

N, G = 3, 9.81
pendulum = jd.System("triple pendulum", gravity=(0, -G, 0))
for i in range(N):
    rod = jd.RigidBody(f"rod{i}", mass=1.0, com=(0.5, 0, 0), inertia=(0, 1 / 12, 1 / 12), frames={"tip": (1, 0, 0)})
    pendulum.add(rod, joint=jd.Revolute(f"q{i}", axis="z"), to=f"rod{i - 1}.tip" if i else "world")
model = pendulum.compile()

# %%
# Planar vectors are (x, y, angle) in the axes of the rod, about its joint. Velocities move outwards with T, forces and
# momenta inwards with its transpose; the numbers are those of the paper's equations.

ROD = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.5], [0.0, 0.5, 1 / 3]])
TURN = np.array([0.0, 0.0, 1.0])


def outward(angle):
    """Velocity of the next joint, in the next rod's axes, from that of a rod."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, s, s], [-s, c, c], [0, 0, 1]])


def hamilton(t, y):
    """Rates of q and p."""
    q, p = y[:N], y[N:]
    M, D, F, own = np.zeros((N, 3, 3)), np.zeros((N, 3)), np.zeros((N, 3)), np.cumsum(q)
    for k in reversed(range(N)):
        F[k] = np.array([-np.sin(own[k]), -np.cos(own[k]), -0.5 * np.cos(own[k])]) * G  # gravity
        M[k] = ROD
        if k < N - 1:
            T, e = outward(q[k + 1]), M[k + 1, :, 2] / M[k + 1, 2, 2]
            M[k] += T.T @ (M[k + 1] - np.outer(e, M[k + 1, 2])) @ T  # (20), (22)
            D[k] = T.T @ (D[k + 1] + e * (p[k + 1] - D[k + 1, 2]))
            F[k] += T.T @ F[k + 1]  # (15)
    dq, dp, V = np.zeros(N), np.zeros(N), np.zeros(3)
    for k in range(N):
        V = outward(q[k]) @ V if k else V
        dq[k] = (p[k] - D[k, 2] - M[k, 2] @ V) / M[k, 2, 2]  # (23)
        V = V + TURN * dq[k]
        P = M[k] @ V + D[k]
        dp[k] = F[k, 2] - (V[0] * P[1] - V[1] * P[0])  # (16)
    return np.concatenate([dq, dp])


# %%
# One run in accelerations, one in momenta.

run = jd.simulate(model, model.state(), until=2.0, output=0.01, rtol=1e-12, atol=1e-12)
momenta = np.array([model.mass_matrix(s) @ s.v for s in map(run.state, range(len(run)))])
times = run.record.time
hamiltonian = solve_ivp(hamilton, (0, 2), np.zeros(2 * N), "DOP853", t_eval=times, rtol=1e-12, atol=1e-12).y.T
apart = np.max(np.abs(hamiltonian - np.column_stack([run.record.q, momenta])))
final_q, final_p = run.record.q[-1], momenta[-1]

figure, panels = plt.subplots(1, 2, figsize=(10, 3.8), layout="constrained")
for panel, ours, columns in ((panels[0], run.record.q, slice(0, N)), (panels[1], momenta, slice(N, None))):
    for i in range(N):
        panel.plot(times, ours[:, i], color=f"C{i}", label=f"rod {i + 1}")
    panel.plot(times[::10], hamiltonian[::10, columns], "k.", ms=4, label=["Hamilton", None, None])
panels[0].set(xlabel="time [s]", ylabel="q [rad]", title="relative angles")
panels[1].set(xlabel="time [s]", ylabel="p = M v [kg m²/s]", title=f"canonical momenta, equal to {apart:.0e}")
panels[0].legend(frameon=False)
plt.show()
