"""
Logarithmic norms: bounds and stability of solutions
====================================================

Boikov and Boikova (NATO ASI, part A, section 6) prove stability by the logarithmic norm, also where eigenvalues are
zero and say nothing. It bounds how fast solutions part: exp(Lambda t). The bound is that of a norm: of [[-1, 4],
[0, -1]] Euclid's says +1 though everything decays, and a norm made for the matrix (Lyapunov) says what is true. In the
middle x' = -x^3, whose eigenvalue is 0. On the right two runs of a regulated pendulum that begin apart, and the bound
of how far they can be from each other, from linear models between them.
"""

import matplotlib.pyplot as plt
import numpy as np

import jourdain as jd

A, B = np.array([[-2.0, 1.0], [0.5, -1.0]]), np.array([[-1.0, 4.0], [0.0, -1.0]])
norms = [jd.control.log_norm(A, p) for p in (1, np.inf, 2)]
plain = jd.control.log_norm(B)
P = jd.control.norm_weight(B)
weighted = jd.control.log_norm(B, weight=P)
cubic = jd.control.certify(lambda x: -3.0 * x[:, None] ** 2, size=1, radius=0.5)

times = np.linspace(0.0, 6.0, 121)
decay = np.exp(-times)
worst = np.array([np.linalg.norm(np.array([[1.0, 4.0 * t], [0.0, 1.0]]), 2) for t in times]) * decay  # |exp(B t)|

# %%
# A pendulum with a PD regulator, from two starts.

system = jd.System("pendulum", gravity=(0, -9.81, 0))
system.add(jd.RigidBody("bar", 1.0, (0.5, 0, 0), (1e-3, 0.09, 0.09)), jd.Revolute("swing", axis="z"))
model = system.compile()
law = jd.control.PD(["swing"], 20.0, 6.0, reference={"swing": -np.pi / 2})
runs = [
    jd.simulate(model, model.state({"swing": angle - np.pi / 2}), until=3.0, step=1e-3, output=0.02, controller=law)
    for angle in (1.0, 1.2)
]
between = np.array([np.concatenate([one.record.q, one.record.v], axis=1) for one in runs])


def mean_slope(i):
    """df/dx averaged between the two runs (Simpson), which leads from one to the other exactly."""
    ends = [one.state(i) for one in runs]
    middle = jd.State(ends[0].time, *(0.5 * (a + b) for a, b in zip((ends[0].q, ends[0].v), (ends[1].q, ends[1].v))))
    partials = [model.linearize(one, controller=law).A for one in (ends[0], middle, ends[1])]
    return np.average(partials, axis=0, weights=(1, 4, 1))


between_partials = np.array([mean_slope(i) for i in range(len(runs[0]))])
weight = jd.control.norm_weight(between_partials[-1])
off = np.linalg.norm((between[1] - between[0]) @ weight.T, axis=1)
bound = off[0] * jd.control.solution_bound(runs[0].record.time, between_partials, weight=weight)

figure, (left, middle, right) = plt.subplots(1, 3, figsize=(13, 4), layout="constrained")
left.semilogy(times, worst, "k", label="|exp(B t)|")
left.semilogy(times, np.exp(plain * times), label=f"exp({plain:g} t), Euclid's norm")
left.semilogy(times, np.linalg.cond(P) * np.exp(weighted * times), label=f"cond(P) exp({weighted:.2f} t)")
left.set(xlabel="t", ylim=(1e-2, 1e2), title="x' = B x, both eigenvalues -1")
left.legend()
x = np.linspace(-0.5, 0.5, 101)
middle.plot(x, -(x**2))
middle.set(xlabel="u", ylabel="Lambda", title="x' = -x^3: negative but at 0")
right.semilogy(runs[0].record.time, off, "k", label="apart")
right.semilogy(runs[0].record.time, bound, label="bound")
right.set(xlabel="time [s]", title="two runs of a regulated pendulum")
right.legend()
plt.show()
