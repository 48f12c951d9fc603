"""Plots of a run: ours against each peer, and cost against size."""

from __future__ import annotations

from pathlib import Path
from typing import Any

COLOURS = {
    "MuJoCo": "#0072b2",
    "Pinocchio": "#009e73",
    "Exudyn": "#d55e00",
    "Drake": "#cc79a7",
    "CasADi": "#e69f00",
    "Crocoddyl": "#7a5195",
    "PyElastica": "#56b4e9",
}
"""Of each peer; whatever else ours is compared with (itself, by another way) is not shown."""


def code_of(peer: str) -> str | None:
    """The code that a peer's name begins with."""
    return next((name for name in COLOURS if peer.startswith(name)), None)


def draw(results: dict[str, Any], folder: Path) -> None:
    """ratios.png and sizes.png."""
    import matplotlib

    matplotlib.use("Agg")
    folder.mkdir(parents=True, exist_ok=True)
    rows = [row for section in results["sections"].values() for row in section["rows"] if code_of(row["peer"])]
    curves = [curve for section in results["sections"].values() for curve in section["curves"]]
    _ratios(rows, folder / "ratios.png")
    _sizes(curves, folder / "sizes.png")


def _ratios(rows: list[dict[str, Any]], path: Path) -> None:
    """How many times as fast ours is, a dot a row with its spread, peer by peer."""
    import matplotlib.pyplot as plt

    order = list(COLOURS)
    rows = sorted(rows, key=lambda row: (order.index(code_of(row["peer"]) or ""), row["ratio"]))
    figure, axes = plt.subplots(figsize=(11, 1.2 + 0.17 * len(rows)), layout="constrained")
    for k, row in enumerate(rows):
        half = 0.5 * (row["spread"] or 0.0) * row["ratio"]
        low = min(half, 0.9 * row["ratio"])
        axes.errorbar(row["ratio"], k, xerr=[[low], [half]], fmt="o", ms=4, color=COLOURS[code_of(row["peer"]) or ""])
        if row["target"] is not None:
            axes.plot(row["target"], k, "|", color="black", ms=8)
    axes.axvline(1.0, color="grey", lw=0.8)
    axes.set_xscale("log")
    axes.set_yticks(range(len(rows)), [f"{row['what']} - {row['peer']}" for row in rows], fontsize=6)
    axes.set_ylim(-1, len(rows))
    axes.set_xlabel("times as fast as the peer (bar: spread; tick: target)")
    axes.grid(axis="x", alpha=0.3)
    figure.savefig(path, dpi=90)
    plt.close(figure)


def _sizes(curves: list[dict[str, Any]], path: Path) -> None:
    """Seconds against size, with the line of cost in proportion to it."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(9, 5.5), layout="constrained")
    for curve in curves:
        axes.loglog(curve["sizes"], curve["seconds"], "o-", ms=4, label=f"{curve['what']} ({curve['of']})")
    if curves:
        low, high = (bound(bound(curve["sizes"]) for curve in curves) for bound in (min, max))
        base = min(curve["seconds"][0] / curve["sizes"][0] for curve in curves)
        axes.loglog([low, high], [0.5 * base * low, 0.5 * base * high], "k:", lw=1, label="in proportion")
        axes.legend(fontsize=8)
    axes.set_xlabel("size")
    axes.set_ylabel("time [s]")
    axes.grid(which="major", alpha=0.3)
    figure.savefig(path, dpi=90)
    plt.close(figure)
