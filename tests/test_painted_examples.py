"""The examples of machines that look like what they are run, and a number from each is held."""

import matplotlib.pyplot as plt
import numpy as np
from example_files import run_example
from scipy.linalg import expm


def test_satellite():
    """Momentum stays zero; the satellite turns and rings as its linear equations do under the same torque. What these
    leave out is the square of the rate of turning over the frequency of the panels."""
    plt.close("all")
    found = run_example("satellite")
    assert len(plt.get_fignums()) == 1
    plt.close("all")
    assert found["momentum"] < 1e-9
    model, run = found["model"], found["run"]
    linear = model.linearize(model.state())
    spin, yaw = model.index.v["spin"], model.index.v["float.wz"]
    t = run.time.values
    torque = np.where(t < found["HALF"], 1.0, np.where(t < 2.0 * found["HALF"], -1.0, 0.0)) * found["TORQUE"]
    step = expm(0.05 * np.block([[linear.A, linear.B[:, [spin]]], [np.zeros((1, 2 * model.nv + 1))]]))
    x, turned = np.zeros(2 * model.nv + 1), []
    for u in torque:  # held from sample to sample, as the torque is: its jumps are at samples
        turned.append(x[yaw])
        x[-1] = u
        x = step @ x
    rate, hz = np.max(np.abs(run.v["float.wz"])), model.frequencies(model.state()).hz
    small = float(rate / (2 * np.pi * np.min(hz[hz > 1e-3]))) ** 2
    assert np.max(np.abs(found["turned"] - turned)) < small * np.ptp(turned)


def test_rover():
    """On the flat the loads are those of the levers. With its left front wheel on the ledge, 1.5 m ahead of the bogie's
    pivot, the left rocker leans by asin(0.12 / 1.5), but for wheels that sink in by 2 mm, and the body by half."""
    plt.close("all")
    found = run_example("rover")
    assert len(plt.get_fignums()) == 1
    plt.close("all")
    run, expected, felt = found["run"], found["expected"], found["felt"]
    for name, load in expected.items():
        assert abs(felt[name] / load - 1.0) < 1e-3, name
    assert abs(sum(felt.values()) / (2.0 * found["weight"]) - 1.0) < 1e-4
    front = run.frame("left front wheel.origin").position.values[:, 0]
    standing = (front > 1.75) & (front < 1.95)
    leaning = found["pitch"].values[standing]
    assert standing.sum() > 10 and np.allclose(leaning, 0.5 * np.arcsin(0.12 / 1.5), rtol=0.03)
    assert float(np.abs(run.q["left rocking"] + run.q["right rocking"]).max()) < 1e-6
    assert float(front[-1]) > 4.5 and run.trusted
