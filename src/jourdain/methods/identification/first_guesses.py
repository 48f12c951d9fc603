"""Where identification starts from: rough values read off a record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np

from ...basics.errors import ModelError
from .contact_record import ContactRecord
from .fitted_laws import BristleForces, Parameter
from .fitting import Fit, Motion, fit

GUESSING = 6
"""Steps of friction within an interval while guessing: the time constants tried are no shorter than an interval."""


def pressed(record: ContactRecord) -> np.ndarray:
    """Samples at which the normal force, averaged over nine, stands out of the noise by four standard errors."""
    width = 9
    mean = np.convolve(record.normal_force, np.ones(width) / width, mode="same")
    return mean > 4.0 * record.force_noise / np.sqrt(width)


def normal_guess(record: ContactRecord, fixed: Mapping[str, float]) -> dict[str, float]:
    """Stiffness and surface from a straight line: position = surface - (force / k)^(1/p)."""
    force, position = record.normal_force, record.normal_position
    p = fixed.get("exponent", 1.5)
    firm = force > max(0.1 * np.max(force), 8.0 * record.force_noise)
    if np.count_nonzero(firm) < 10:
        raise ModelError.at(
            "record",
            f"the normal force reaches {np.max(force):.3g} N, and its noise is {record.force_noise:.3g} N: nothing of "
            "the normal law can be identified; press harder",
        )
    root = force[firm] ** (1.0 / p)
    slope, surface = np.polyfit(root, position[firm], 1)
    if not slope < 0.0:
        slope = -max(np.ptp(position), 10.0 * record.position_noise) / np.max(root)
        surface = float(np.mean(position[firm] - slope * root))
    return {"stiffness": (-slope) ** -p, "exponent": p, "damping": 0.2, "surface": float(surface)}


class FrictionHints:
    """What is plain to see in a record of friction.

    speed      the largest slip speed in contact [m/s]
    reach      the largest ratio of friction to load, smoothed
    kinetic    median ratio at more than half that speed
    """

    def __init__(self, record: ContactRecord, motion: Motion, touching: np.ndarray) -> None:
        load = record.normal_force
        firm = touching & (load > max(10.0 * record.force_noise, 0.2 * np.max(load)))
        if np.count_nonzero(firm) < 10:
            raise ModelError.at(
                "record",
                f"the load reaches {np.max(load):.3g} N, and its noise is {record.force_noise:.3g} N: nothing of "
                "friction can be identified; press harder",
            )
        slip = np.abs(motion.shapes(record.time, 1) @ motion.smooth())
        ratio = np.where(firm, -record.tangential_force / np.where(firm, load, 1.0), 0.0)
        smooth = np.abs(np.convolve(ratio, np.ones(5) / 5.0, mode="same"))
        self.speed = float(max(np.max(slip[firm]), record.position_noise / (record.time[-1] - record.time[0])))
        self.reach = float(max(np.max(smooth), record.force_noise / np.max(load)))
        self.kinetic = float(max(np.median(smooth[firm & (slip >= 0.5 * np.max(slip[firm]))]), 0.1 * self.reach))
        self.step = float(np.median(np.diff(record.time)))
        self.duration = float(record.time[-1] - record.time[0])


def friction_guess(
    forces: BristleForces,
    c: np.ndarray,
    hints: FrictionHints,
    parameters: Sequence[Parameter],
    given: Mapping[str, float],
) -> np.ndarray:
    """theta from a coarse search with the motion as smoothed from positions alone, the best refined.

    A Stribeck speed far above the largest slip speed stands for a record that never slides.

    given    values from which to start where they are known
    """
    names = [one.name for one in parameters]
    if set(names) <= {*given, "bristle_at_start"}:
        return np.array([one.theta(given.get(one.name, 0.0)) for one in parameters])
    forces.divide(GUESSING)
    presliding = (5e-6, 2e-5, 8e-5, 3e-4)
    lags = hints.step * np.array([1.0, 4.0, 16.0])
    stribeck = hints.speed * np.array([10.0, 0.6, 0.2, 0.06, 0.02])
    dwells = hints.duration * np.array([0.003, 0.02, 0.1])
    best: list[Fit] = []
    for slow in stribeck:
        found: list[tuple[float, int, np.ndarray]] = []
        for far, lag, dwell, spare in product(presliding, lags, dwells, (1.0, 3.0)):
            stiffness = hints.reach * spare / far
            values = {
                "static": hints.reach * spare,
                "kinetic": hints.kinetic * spare,
                "bristle_stiffness": stiffness,
                "bristle_damping": stiffness * lag,
                "viscous": 0.0,
                "stribeck": slow,
                "dwell": dwell,
                "bristle_at_start": 0.0,
            } | dict(given)
            theta = np.array([one.theta(values[one.name]) for one in parameters])
            residuals = forces.residuals(theta, c)
            found.append((float(residuals @ residuals), len(found), theta))
        _, _, theta = min(found)
        best.append(fit(forces, forces.motion, theta, c, still=True, informed=False, most=30))
    return min(best, key=lambda one: one.chi2).theta
