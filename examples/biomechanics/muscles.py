"""
Load sharing of elbow muscles, co-contraction
=============================================

Benes (NATO ASI, part A, section 3) asks which muscles hold a weight in the hand: four flexors of the elbow share the
load with the least sum of squares of (activation - c), c being the level of voluntary co-contraction, at which the
heads of the triceps stay. Then 4 kg more fall on the forearm, faster than any reflex. Flexors that lengthen pull 1.4
times as much at most; with co-contraction they have more to give, and the triceps lets go by itself: the arm opens by
17 degrees in 0.3 s instead of 25. Arms, strengths and shares are those of the digest; c = 1 is beyond the flexors.
"""

import matplotlib.pyplot as plt
import numpy as np

import jourdain as jd

ARMS, STRENGTHS = (0.030, 0.030, 0.020, 0.050), (350.0, 300.0, 600.0, 160.0)
NAMES = ("biceps 1", "biceps 2", "brachialis", "brachioradialis")
TRICEPS = {"triceps 1": 400.0, "triceps 2": 500.0, "triceps 3": 300.0}
UP, LENGTH, FALLS = 0.25, 0.12, 4.0 * 9.81
levels = (0.0, 0.25, 0.5)

# %%
# The upper arm hangs and is held, the forearm lies level, 5 kg in the hand, 0.33 m from the elbow. Flexors run from
# 0.25 m above the elbow to where their arm is the one given; the triceps goes round the elbow, 25 mm from its axis.

inserts = {f"f{i}": (0.0, 0.0, -r * UP / np.sqrt(UP**2 - r**2)) for i, r in enumerate(ARMS)}
system = jd.System("arm", gravity=(0.0, 0.0, -9.81))
across = jd.Pose((0, 0, 0), np.array([1, 1, 0, 0]) / 2**0.5)
above = {"flexor": (0.0, 0.0, UP), "triceps": (-0.03, 0.0, UP), "axis": across}
system.add(jd.RigidBody("upper", 2.0, (0, 0, 0.14), (0.01, 0.01, 0.002), frames=above), jd.Weld("shoulder"))
fore = jd.RigidBody("fore", 5.0, (0.0, 0.0, -0.33), (1e-3, 1e-3, 1e-4),
                    frames={**inserts, "under": (-0.03, 0.0, -0.06), "middle": (0.0, 0.0, -0.165)})  # fmt: skip
system.add(fore, jd.Revolute("elbow", axis=(0, -1, 0)), to="upper.origin")
held = system.compile()


@jd.law
def falls(t, q, v, z, s, p, effort, dz):
    if t > 0.05:
        effort[5] -= p[0]


system.force("weight", at="fore.middle", force=falls(FALLS))
model = system.compile()
state = model.state(q={"elbow": np.pi / 2})


def muscles(slacks=(0.0,) * 7, **options):
    """Fibres of 0.12 m at their optimal length, where tendons are as long as the rest."""
    Muscle, bend = jd.human.Muscle, jd.human.Wrap("upper.axis", 0.025, way=1)
    paths = [("upper.flexor", f"fore.{name}") for name in inserts]
    found = [Muscle(*one, LENGTH, slack) for *one, slack in zip(NAMES, paths, STRENGTHS, slacks[:4], strict=True)]
    for (name, strength), slack in zip(TRICEPS.items(), slacks[4:], strict=True):
        found.append(Muscle(name, ("upper.triceps", "fore.under"), strength, LENGTH, slack, wrap=bend))
    return jd.human.Muscles(found, **options)


bare = muscles()
slacks = bare.lengths(model, state) - LENGTH
arms = bare.moment_arms(model, state)[model.index.v["elbow"]]
load = held.inverse_dynamics(held.state(q={"elbow": np.pi / 2}), np.zeros(1))
strengths = [one.strength for one in bare.muscles]
shares, runs = {}, {}
for c in levels:
    shares[c] = jd.human.share_load(arms, load, strengths, co_contraction=c, held=(4, 5, 6))
    pulling = muscles(slacks, excitation=shares[c].activations.tolist())
    runs[c] = jd.simulate(model, state, 0.35, controller=pulling, step=1e-4, method="rk4", output=1e-3)

fig, (left, right) = plt.subplots(1, 2, figsize=(11, 4), layout="constrained")
for k, c in enumerate(levels):
    left.bar(np.arange(7) + 0.27 * (k - 1), shares[c].activations, 0.25, label=f"co-contraction {c:g}")
    right.plot(runs[c].time, np.degrees(runs[c].q["elbow"]), label=f"co-contraction {c:g}")
left.set(xticks=range(7), xticklabels=[name.replace(" ", "\n") for name in (*NAMES, *TRICEPS)], ylabel="activation")
left.tick_params(axis="x", labelsize=8)
left.legend()
right.set(xlabel="time [s]", ylabel="flexion of the elbow [deg]", title="4 kg fall on the forearm at 0.05 s")
right.legend()
plt.show()
