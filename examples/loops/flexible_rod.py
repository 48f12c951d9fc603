"""
The spatial slider-crank with a flexible rod
============================================

The same machine with a rod that bends: a beam of the same mass, soft enough that it shows. As it is stiffened its
motion must become that of the rigid one. The loop closes on the beam's tip, which moves with its bending.
"""

import matplotlib.pyplot as plt
import numpy as np
from machines import spatial_slider_crank, spatial_slider_crank_start

import jourdain as jd

UNTIL = 1.0


def beam(EI, modes=3):
    """A rod of 0.3 m and 0.5 kg with the bending stiffness EI [N m^2]."""
    return jd.Beam(
        "rod",
        length=0.3,
        mass_per_length=0.5 / 0.3,
        EA=4e5,
        EI=(EI, EI),
        GJ=EI,
        modes=jd.Modes(bending=modes),
        inertia_per_length=4e-4 / 0.3,
    )


def run(body):
    model = spatial_slider_crank(body=body).compile()
    return jd.simulate(model, spatial_slider_crank_start(model), until=UNTIL, rtol=1e-8, atol=1e-10, output=0.005)


# %%
# The rigid rod of the same mass and inertia: a uniform one, of a little less inertia than Haug's.

uniform = jd.RigidBody("rod", 0.5, (0.15, 0, 0), (4e-4, 3.75e-3, 3.75e-3), frames={"tip": (0.3, 0, 0)})
rigid = run(uniform)
runs = {EI: run(beam(EI)) for EI in (2.0, 20.0)}
finer = run(beam(2.0, modes=4))


def slider(one):
    return one.frame("slider.origin").position.values[:, 0]


differs = {EI: np.max(np.abs(slider(one) - slider(rigid))) for EI, one in runs.items()}
converged = np.max(np.abs(slider(finer) - slider(runs[2.0])))
bent = np.linalg.norm(runs[2.0].deflection("rod").values[:, -1, 1:], axis=1)
middle = np.max(np.linalg.norm(runs[2.0].deflection("rod").values[:, :, 1:], axis=2))
energy = runs[2.0].energy["total"].values
drift = np.ptp(energy)

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.8), layout="constrained")
left.plot(rigid.time, slider(rigid), "k", lw=0.8, label="rigid")
for EI, one in runs.items():
    left.plot(one.time, slider(one), label=f"EI = {EI:g} N m²")
left.set(xlabel="time [s]", ylabel="slider [m]", title=f"three and four functions a plane: {converged:.0e} m apart")
left.legend(frameon=False)
for EI, one in runs.items():
    shape = one.deflection("rod").values
    right.plot(one.time, 1e3 * np.max(np.linalg.norm(shape[:, :, 1:], axis=2), axis=1), label=f"EI = {EI:g} N m²")
right.set(xlabel="time [s]", ylabel="largest deflection [mm]", title=f"energy kept to {drift:.0e} J")
right.legend(frameon=False)
plt.show()
