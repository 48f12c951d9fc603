"""Chen 1999, chapter 6: optimal trajectories of the arm on a fixed base, beside a re-run. Needs the extra `optimal`."""

import runpy
from pathlib import Path

import numpy as np

import jourdain as jd
from jourdain.study.published import rerun

ARM = Path(__file__).resolve().parents[1] / "optimal_control" / "planar_arm.py"
END = {"beta1": np.radians(47.0), "beta2": np.radians(43.0), "l2": 7.125}
BENCHMARKS = {  # by weights: cost, least and largest length [m], least and largest torque [N m]
    (1, 1, 1, 1000): (111779, (6.97, 7.93), (-52.6, 43.2)),
    (1, 1, 1, 300): (76165, (6.85, 7.66), (-51.0, 37.0)),
    (1, 10, 1, 1000): (119724, (7.00, 7.66), (-55.4, 48.4)),
}


def fine(weights: tuple) -> jd.optimal.Trajectory:
    """By collocation on 40 intervals."""
    task = runpy.run_path(str(ARM))["problem"]("1", weights, END)
    return task.solve("collocation", intervals=40, accuracy=1e-6)


def numbers_benchmarks():
    """Chen 1999, chapter 6: 60 s from rest to rest; cost, length of the second module, torque of the first joint."""
    both = ("least", "largest")
    for weights, (cost, lengths, torques) in BENCHMARKS.items():
        best, name = fine(weights), "weights " + ":".join(map(str, weights))
        yield rerun(f"{name}: cost", "", cost, best.cost, "0.01 %")
        yield rerun(f"{name}: length", "m", lengths, (np.min(best["l2"]), np.max(best["l2"])), 0.01, at=both)
        torque = best["effort:beta1"]
        yield rerun(f"{name}: torque", "N m", torques, (np.min(torque), np.max(torque)), 0.3, at=both)
