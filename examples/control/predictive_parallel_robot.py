"""
Predictive control of a redundant parallel robot
================================================

Belda, Bohm and Valasek (NATO ASI 2002) drive a planar parallel robot that has more drives than degrees of freedom.
Here a platform moves in the plane, held by four struts that pull and push between the corners of a frame and its own:
three coordinates, four drives. The struts are light beside the platform, so they enter only through R^T T(x), the
forces of unit drive efforts; the platform is a body of the package on a `Planar` joint, and the controller a Python
function at 100 Hz. At each sample the platform is linearised, the criterion over the next ten samples is minimised, by
normal equations and in root form, and the generalised forces are handed to the drives: by the pseudoinverse, and with
the null space used so that every drive pulls with 5 N or more and no backlash is crossed. It begins 10 mm off its path;
with increments penalised the drives do not jump there. The dimensions of the paper are lost; these are our own.
"""

import matplotlib.pyplot as plt
import numpy as np

import jourdain as jd

PERIOD, HORIZON = 0.01, 10
CORNERS = np.array([(1, 1), (-1, 1), (-1, -1), (1, -1)])
HELD = np.array([(-0.1, 0.1), (0.1, 0.1), (-0.1, -0.1), (0.1, -0.1)])  # of the platform, crossed

system = jd.System("parallel robot")
system.add(jd.RigidBody("platform", mass=4.0, com=(0.02, 0, 0), inertia=(0.1, 0.1, 0.1)), joint=jd.Planar("tool"))
model = system.compile()


def transmission(x):
    """R^T T (3, 4): forces and moment on the platform of unit pulls of the struts."""
    c, s = np.cos(x[2]), np.sin(x[2])
    arms = HELD @ np.array([(c, s), (-s, c)])
    away = CORNERS - x[:2] - arms
    pulls = away / np.linalg.norm(away, axis=1)[:, None]
    return np.vstack([pulls.T, arms[:, 0] * pulls[:, 1] - arms[:, 1] * pulls[:, 0]])


def wanted(t):
    """A circle in three seconds, and a turn by 0.3 rad and back."""
    s = np.clip(t / 3.0, 0.0, 1.0)
    phase = 2 * np.pi * (s - np.sin(2 * np.pi * s) / (2 * np.pi))
    return np.array([0.3 * np.cos(phase), 0.3 * np.sin(phase), 0.15 * (1 - np.cos(phase))]).T


def controller(form, increments=0.0, least=None):
    """A Python controller that keeps what its drives did."""
    drives, before = [], np.zeros(3)

    def control(t, q, v):
        state = jd.State(t, q.copy(), v.copy())
        M = model.mass_matrix(state)
        slope = np.zeros((6, 6))
        slope[:3, 3:] = np.eye(3)
        for k in range(6):  # bias by differences: the centre of mass is off the joint
            h = np.eye(6)[k] * 1e-6
            sides = [(q + s * h[:3], v + s * h[3:]) for s in (1, -1)]
            ahead, behind = (np.linalg.solve(model.mass_matrix(x), -model.bias(x, dx)) for x, dx in sides)
            slope[3:, k] = (ahead - behind) / 2e-6
        force = np.vstack([np.zeros((3, 3)), np.linalg.inv(M)])
        drift = np.concatenate([v, -np.linalg.solve(M, model.bias(state))])
        A, both = jd.control.discretize(slope, np.column_stack([force, drift]), PERIOD)
        gpc = jd.control.GPC(A, both[:, :3], np.eye(3, 6), HORIZON, 1e-8, form, increments=increments)
        ahead = wanted(t + PERIOD * np.arange(1, HORIZON + 1)) - q
        FM = gpc.move(np.zeros(6), ahead, affine=both[:, 3], before=before)
        before[:] = FM
        drives.append(jd.control.allocate(transmission(q), FM, least=least))
        return transmission(q) @ drives[-1]

    return control, drives


runs, pulls = {}, {}
for name, options in {
    "root form": {"form": "qr"},
    "normal equations": {"form": "normal"},
    "increments penalised": {"form": "qr", "increments": 1e-6},
    "pull of 5 N at least": {"form": "qr", "least": 5.0},
}.items():
    control, drives = controller(**options)
    start = model.state({"tool": wanted(0.0) + (0.01, 0, 0)})
    runs[name] = jd.simulate(model, start, until=3.2, step=1e-3, controller=jd.control.Sampled(control, PERIOD))
    pulls[name] = np.array(drives)

settled = runs["root form"].record.time > 0.5
off = {name: np.abs(run.record.q - wanted(run.record.time))[settled].max(axis=0) for name, run in runs.items()}
alike = np.max(np.abs(pulls["root form"] - pulls["normal equations"]))
least = {name: u.min() for name, u in pulls.items()}

fig, axes = plt.subplots(1, 3, figsize=(13, 4), layout="constrained")
goal = wanted(np.linspace(0, 3, 200))
axes[0].plot(*goal[:, :2].T, "k", linewidth=4, alpha=0.25, label="wanted")
axes[0].plot(*runs["root form"].record.q[:, :2].T, label=f"tool, off by {1e3 * off['root form'][:2].max():.2g} mm")
axes[0].plot(*CORNERS.T, "ks")
corners = HELD + goal[0, :2]
axes[0].plot(np.stack([CORNERS[:, 0], corners[:, 0]]), np.stack([CORNERS[:, 1], corners[:, 1]]), "0.7")
axes[0].set(xlabel="x [m]", ylabel="y [m]", aspect="equal", title="the tool and its four struts")
axes[0].legend(loc="upper center")
time = PERIOD * np.arange(len(pulls["root form"]))
hardest = int(np.argmax(np.abs(pulls["root form"][0])))
for name in ("root form", "increments penalised"):
    axes[1].step(time, pulls[name][:, hardest], where="post", label=name)
axes[1].set(xlabel="time [s]", ylabel="[N]", title=f"drive {hardest + 1}, coming back to the path", xlim=(0, 0.5))
axes[1].legend()
for i, color in enumerate(("C0", "C1", "C2", "C3")):
    axes[2].step(time, pulls["root form"][:, i], color, where="post", linewidth=0.8, alpha=0.5)
    axes[2].step(time, pulls["pull of 5 N at least"][:, i], color, where="post", label=f"drive {i + 1}")
axes[2].axhline(5.0, color="k", linestyle=":")
axes[2].set(xlabel="time [s]", ylabel="[N]", title="drives: pseudoinverse (thin), 5 N at least", ylim=(-20, 40))
axes[2].legend(ncols=2)
plt.show()
