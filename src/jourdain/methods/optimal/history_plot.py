"""How a search went, as a figure: what it records of each of its iterations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MARKS = {"gradient": "v", "restoration": "^"}
SMALLEST = 1e-16
"""What is smaller is drawn as this."""


def history_figure(history: Mapping[str, list[Any]]) -> Figure:
    """A panel for each list of numbers, by iteration; of gradient and restoration its errors in one, phase by phase."""
    import matplotlib.pyplot as plt

    phased = "phase" in history
    single = [name for name, one in history.items() if one and name not in (("phase", "P", "Q") if phased else ())]
    count = len(single) + phased
    figure, axes = plt.subplots(1, count, figsize=(1.0 + 3.6 * count, 3.4), squeeze=False, layout="constrained")
    panels = list(axes[0])
    if phased:
        draw_phases(panels.pop(0), history)
    for panel, name in zip(panels, single, strict=True):
        values = np.asarray(history[name], float)
        panel.plot(np.arange(1, len(values) + 1), values, ".-")
        if np.all(values > 0.0) and np.max(values) > 100.0 * np.min(values):
            panel.set_yscale("log")
        panel.set(xlabel="phase" if phased else "iteration", title=name)
    return figure


def draw_phases(panel: Axes, history: Mapping[str, list[Any]]) -> None:
    """Constraint error P after every phase, marked by its kind, and optimality error Q after those of the gradient."""
    kind, P, Q = np.array(history["phase"]), *(np.maximum(history[name], SMALLEST) for name in "PQ")
    steps = np.arange(1, len(kind) + 1)
    panel.semilogy(steps, P, color="0.7", label="constraint error P")
    for phase, mark in MARKS.items():
        at = kind == phase
        panel.semilogy(steps[at], P[at], mark, label=f"after {phase}")
    at = kind == "gradient"
    panel.semilogy(steps[at], Q[at], "k.-", label="optimality error Q")
    panel.set(xlabel="phase")
    panel.legend(fontsize=8)
