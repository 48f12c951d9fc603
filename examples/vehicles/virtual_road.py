"""
Equivalent road profile for a linear tyre
=========================================

A measured wheel acceleration belongs to a tyre that stiffens under load, and the model at hand has a linear one. Which
road would shake the linear tyre in the same way? W.-S. Yoo, M.-G. Kim and K.-S. Kim (*Modification of road profile to
compensate tyre non-linearity*, NATO ASI 2002) estimate the frequency response from a run on a white road, and correct
the road by what is still missing, pass by pass. Here the "measurement" is a quarter car with a cubic tyre on a road of
ISO 8608; vehicle data of the paper are not printed, and those here are ours. Their update adds power spectra to
amplitudes; ours is of complex amplitudes throughout. A linear system is met in one pass, a cubic one within 1 % in
five.
"""

import matplotlib.pyplot as plt
import numpy as np

import jourdain as jd

SAMPLES, SPACING, SPEED, BAND, CUBIC = 1024, 0.01, 10.0, (0.5, 20.0), 3e7  # 100 Hz, a frame of 10.24 s


def quarter_car(heights, cubic):
    """40 kg on a tyre, 250 kg on a spring and a damper."""
    system = jd.System("quarter car", gravity=(0, 0, -9.81))
    system.add(jd.RigidBody("wheel", 40.0, inertia=(1, 1, 1)), jd.Prismatic("z_u", "z"), position=(0, 0, 0.3))
    spring = jd.Prismatic("z_s", "z", stiffness=16e3, damping=1e3)
    system.add(jd.RigidBody("body", 250.0, inertia=(1, 1, 1)), spring, to="wheel.origin", position=(0, 0, 0.4))
    road = jd.contact.Road(SPEED * SPACING, heights)
    tyre = jd.contact.tyre("wheel.origin", road, radius=0.3, stiffness=160e3, cubic=cubic, speed=SPEED)
    system.force("tyre", "wheel.origin", tyre)
    return system.compile()


def wheel_acceleration(heights, cubic=0.0):
    """The fourth time over the road, when what the start left has died out, at fixed steps."""
    model = quarter_car(heights, cubic)
    run = jd.simulate(model, model.state(), until=4 * SAMPLES * SPACING, step=SPACING / 4, output=SPACING)
    speed = np.fft.rfft(np.asarray(run.v["z_u"])[-SAMPLES:])
    return np.fft.irfft(2j * np.pi * np.fft.rfftfreq(SAMPLES, SPACING) * speed, SAMPLES)


# %%
# The frequency response from road to wheel, from a white road, with the linear tyre.

white = 1e-3 * np.random.default_rng(1).normal(size=SAMPLES)
response = jd.study.estimate_response(white, wheel_acceleration(white), SPACING, SAMPLES)

# %%
# What is measured, on a road of class A; the virtual road for the linear tyre; and the cubic tyre driven to the same
# answer with the response of the linear one, which takes several passes.

road = np.asarray(jd.contact.Road.from_spectrum("A", SAMPLES * SPEED * SPACING, SPEED * SPACING, seed=3).heights)
measured = wheel_acceleration(road, cubic=CUBIC)
reconstruct = jd.study.reconstruct_input
virtual = reconstruct(wheel_acceleration, measured, response, (0.05, 50.0), gain=1.0, passes=1)
driven = reconstruct(lambda x: wheel_acceleration(x, CUBIC), measured, response, BAND, gain=0.7, passes=5)
tests = jd.study.estimate_response(road, measured, SPACING, SAMPLES)
first = jd.study.estimate_response(road, wheel_acceleration(road), SPACING, SAMPLES)
last = jd.study.estimate_response(virtual.input, virtual.output, SPACING, SAMPLES)

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
inside = (tests.frequency >= BAND[0]) & (tests.frequency <= BAND[1])
for label, one, style in (("linear tyre", first, "C1-"), ("virtual road", last, "C0-"), ("measured", tests, "k:")):
    smooth = np.convolve(one.output, np.ones(5) / 5, "same")
    left.semilogy(one.frequency[inside], smooth[inside], style, label=label)
left.set(xlabel="frequency [Hz]", ylabel="wheel acceleration [m²/s⁴/Hz]")
left.legend(frameon=False)
right.semilogy(driven.errors, "o-", label="cubic tyre driven, gain 0.7")
right.semilogy(virtual.errors, "s-", label="linear tyre driven, gain 1")
right.set(xlabel="pass", ylabel="error of the spectrum")
right.legend(frameon=False)
plt.show()
