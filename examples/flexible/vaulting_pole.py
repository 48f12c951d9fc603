"""
Pole vault with a flexible pole (ANCF cable)
============================================

Tofan, Vlase and Micu (NATO ASI, part B, section 14): a pole turns in its box and is bent by a vaulter of two bodies.
The run-up brings some 60 to 70 % of the energy, the hands the rest. Without their work the vault is lower. From film of
the pole, here its shape with 2 mm of noise, the elastica tells force and moment of the hands at any moment, and the
fit is compared with what the joint carried. The pole is a `jd.Cable`, which has no shear and bends as far as it
likes. A pole of 1200 N m^2 has a critical load of 474 N, less than the vaulter's 785 N, and does not lift him at all;
this one has 2500 N m^2.
"""

import matplotlib.pyplot as plt
import numpy as np
from vaulting import ELEMENTS, LENGTH, centre, hands, screw, take_off, vaulter

import jourdain as jd

EI = 2500.0
model = vaulter(EI)
state, grip = take_off(model), float(model.index.v["grip"])
options = {"until": 1.6, "output": 0.02, "rtol": 1e-7, "atol": 1e-9, "progress": False}
runs = {
    "with hands": jd.simulate(model, state, controller=hands(grip, 300.0, 100.0), **options),
    "without": jd.simulate(model, state, controller=hands(grip, 0.0, 0.0), **options),
}
heights = {name: float(np.max(centre(run)[:, 1])) for name, run in runs.items()}

# %%
# Who pays: what the vaulter has at his highest, over what he had at take-off.

run = runs["with hands"]
top = int(np.argmax(centre(run)[:, 1]))
run_up, work = (float(run.energy[one].values[i]) for one, i in (("kinetic", 0), ("work", top)))
share = work / (run_up + work)

# %%
# Film: points of the pole, with noise; the elastica through them gives the screw of the hands. The pole is light, so
# that what the joint of the grip carries is the same, but for the ringing of the pole's stretch: its mean over one
# period, 0.14 s, is what the shape can tell.

noise = np.random.default_rng(1)
nodes = [run.frame(f"pole.mark{k}").position.values[:, :2] for k in range(1, ELEMENTS + 1)]
film = np.stack([np.zeros_like(nodes[0]), *nodes], axis=1)
moments = [i for i in range(15, 66, 5) if np.linalg.norm(film[i, -1]) < 0.97 * LENGTH]
found = [screw(film[i] + 2e-3 * noise.standard_normal(film[i].shape), EI) for i in moments]
forces = np.array([one[0] for one in found])
felt = -run.reaction["grip"].force.values[:, :2]
carried = np.stack([np.convolve(one, np.ones(7) / 7, "same") for one in felt.T], axis=1)
missed = np.linalg.norm(forces - carried[moments], axis=1) / np.linalg.norm(carried[moments], axis=1)

fig, (left, right) = plt.subplots(1, 2, figsize=(11, 4.5), layout="constrained")
for i in range(0, len(run.time), 10):
    left.plot(*film[i].T, color=plt.cm.viridis(i / len(run.time)))
for name, one in runs.items():
    left.plot(*centre(one).T, "k-" if name == "with hands" else "k:", label=f"{name}: {heights[name]:.2f} m")
left.set(xlabel="x [m]", ylabel="y [m]", aspect="equal", title="pole, and the vaulter's centre of mass")
left.legend(loc="lower right")
right.plot(run.time, np.linalg.norm(felt, axis=1), color="0.8", label="force that the grip carries")
right.plot(run.time[5:-5], np.linalg.norm(carried, axis=1)[5:-5], label="its mean over a period of the stretch")
right.plot(run.time[moments], np.linalg.norm(forces, axis=1), "o", label="force from the film")
right.plot(run.time[moments], [one[1] for one in found], "s", label="moment from the film [N m]")
right.axhline(-300.0, color="0.6", ls="--", label="moment of the hands")
right.set(xlabel="time [s]", ylabel="[N]", ylim=(-800, 2500), title=f"work of the hands: {100 * share:.0f} %")
right.legend()
plt.show()
