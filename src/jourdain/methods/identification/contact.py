"""Parameters of a contact from a record of an approach, slides and breakaways (Gonthier 2007, 3.3 and 5.1.4).

Confidence intervals from the likelihood itself, where the linearised ones are too narrow.

The end of a 95 % interval of a parameter is where the least weighted sum of squares that is left to all others, motion
included, has risen by 1.96^2 (Bates & Watts 1988, 6.1). Where the law is linear in the parameter this is 1.96 standard
errors, and where it is curved it is not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np

from ...basics.arguments import checked
from ...basics.errors import ModelError, Problem
from ...basics.values import number_problems, suggestion
from ...basics.warn import warn
from ...describe.contact.normal import damping_factor
from .contact_record import ContactRecord
from .estimates import Estimate, FittedChannel, Identification
from .fitted_laws import FRICTION_NAMES, NORMAL_NAMES, BristleForces, LawParameter, NormalForces
from .fitting import LawFit, MotionSpline, fit, uncertainty

__all__ = ["ContactRecord", "IdentificationWarning", "identify_contact", "identify_friction", "identify_normal"]

CONFIDENT = 1.959963984540054
"""Half the width of a 95 % interval, in standard errors."""
VAGUE = 0.5
"""Standard error of theta beyond which a parameter is not determined: a factor of 2.7 either way, at 95 %."""
IMPOSSIBLE = 1e-6
"""Probability of the residuals below which the laws do not describe the record."""

UNITS = {
    "stiffness": "N/m^p",
    "exponent": "1",
    "damping": "1",
    "surface": "m",
    "static": "1",
    "kinetic": "1",
    "bristle_stiffness": "1/m",
    "bristle_damping": "s/m",
    "viscous": "s/m",
    "stribeck": "m/s",
    "dwell": "s",
    "bristle_at_start": "m",
}

NEEDS = {
    "stiffness": "approaches to several depths, hard enough to stand out of the noise",
    "exponent": "approaches to several depths, from the first touch on",
    "restitution": "approaches and retreats at speeds not far below that of touchdown",
    "surface": "a touchdown",
    "static": "a breakaway after a rest longer than the dwell time",
    "kinetic": "sliding at several times the Stribeck speed",
    "bristle_stiffness": "a tangential motion before breakaway that stands out of the noise of position",
    "bristle_damping": "quick changes of slip speed before breakaway",
    "viscous": "sliding at several speeds above the Stribeck speed",
    "stribeck": "sliding at speeds around the Stribeck speed",
    "dwell": "breakaways after short and long rests, with static friction above kinetic",
}


class IdentificationWarning(UserWarning):
    """A record that the laws do not describe, or a fit that did not come to its end."""


Start = Mapping[str, float] | Identification | None


@checked
def identify_normal(
    record: ContactRecord,
    *,
    fixed: Mapping[str, float] | None = None,
    slow_speed: float = 1e-3,
    spacing: float | None = None,
    start: Start = None,
    profile: bool = True,
) -> Identification:
    """Stiffness, restitution and height of the surface, from positions and forces along the normal.

    fixed         parameters that are known, by name; None for {"exponent": 1.5}, {} to estimate all
    slow_speed    the smallest impact speed that the damping is set for, as of `HertzContact` [m/s]: it is not estimated
    spacing       of the knots of the motion's spline [s]; None for what the record asks for
    start         first guesses by name, or an earlier result
    profile       intervals from the likelihood itself; False for linearised ones, in a fraction of the time
    """
    record.need("normal_position", "normal_force")
    fixed = _fixed(fixed, {"exponent": 1.5}, NORMAL_NAMES)
    scales = {"exponent": 1.0, "damping": 1.0, "surface": max(np.ptp(record.normal_position), record.position_noise)}
    parameters = _parameters(("stiffness", "exponent", "damping", "surface"), fixed, scales)
    guess = normal_guess(record, fixed) | _start(start)

    def make(motion: MotionSpline) -> NormalForces:
        return NormalForces(motion, record.normal_force, record.force_noise, slow_speed, parameters, fixed)

    motion = _motion(record, record.normal_position, spacing)
    theta = np.array([one.theta(guess[one.name]) for one in parameters])
    forces, found = _search(make, motion, theta, spacing is None)
    estimates, correlation = _estimates(forces, found, parameters, fixed, profile)
    pressing = forces.forces(found.theta, found.c)
    return _checked(
        Identification(
            parameters={name: estimates[name] for name in NORMAL_NAMES},
            correlation=correlation,
            channels=(
                FittedChannel(
                    "normal position", "m", record.normal_position, forces.B @ found.c, record.position_noise
                ),
                FittedChannel("normal force", "N", record.normal_force, pressing, record.force_noise),
            ),
            time=record.time,
            chi2=found.chi2,
            freedom=found.freedom,
            spacing={"normal": forces.motion.spacing},
            slow_speed=slow_speed,
            converged=found.converged,
        )
    )


@checked
def identify_friction(
    record: ContactRecord,
    *,
    touching: Any = None,
    fixed: Mapping[str, float] | None = None,
    spacing: float | None = None,
    start: Start = None,
    profile: bool = True,
) -> Identification:
    """The parameters of `BristleFriction`, from tangential positions, tangential forces and the normal force.

    touching    (n,) whether the bodies touch; None for where the normal force stands out of the noise
    fixed       parameters that are known, by name; None for {"viscous": 0.0}. A dwell of 0 means none
    spacing     of the knots of the motion's spline [s]; None for what the record asks for
    start       first guesses by name, or an earlier result
    profile     intervals from the likelihood itself; False for linearised ones, in a fraction of the time

    A touchdown begins with straight bristles and no dwell. A record that begins in contact begins after a long rest,
    with bristles bent by an amount that is estimated too.
    """
    record.need("normal_force", "tangential_position", "tangential_force")
    fixed = _fixed(fixed, {"viscous": 0.0}, FRICTION_NAMES)
    touching = pressed(record) if touching is None else np.asarray(touching, bool)
    if touching.shape != record.time.shape:
        raise ModelError.at("touching", f"shape {touching.shape}; give one value a sample, {record.time.shape}")
    position = record.tangential_position
    motion = _motion(record, position, spacing)
    hints = FrictionHints(record, motion, touching)
    names = (*FRICTION_NAMES, "bristle_at_start") if touching[0] else FRICTION_NAMES
    parameters = _parameters(names, fixed, {"viscous": hints.kinetic / hints.speed, "bristle_at_start": 1e-5})

    def make(motion: MotionSpline) -> BristleForces:
        return BristleForces(
            motion, record.normal_force, record.tangential_force, record.force_noise, touching, parameters, fixed
        )

    theta = friction_guess(make(motion), motion.smooth(), hints, parameters, _start(start))
    forces, found = _search(make, motion, theta, spacing is None)
    estimates, correlation = _estimates(forces, found, parameters, fixed, profile)
    ratio = forces.path(found.theta, found.c)[:, 0]
    noise = record.force_noise * np.sqrt(1.0 + ratio**2)
    return _checked(
        Identification(
            parameters={name: estimates[name] for name in FRICTION_NAMES},
            correlation=correlation,
            channels=(
                FittedChannel("tangential position", "m", position, forces.motion.B @ found.c, record.position_noise),
                FittedChannel("tangential force", "N", record.tangential_force, -record.normal_force * ratio, noise),
            ),
            time=record.time,
            chi2=found.chi2,
            freedom=found.freedom,
            spacing={"friction": forces.motion.spacing},
            converged=found.converged,
        )
    )


@checked
def identify_contact(
    record: ContactRecord,
    *,
    fixed: Mapping[str, float] | None = None,
    slow_speed: float = 1e-3,
    spacing: Mapping[str, float] | None = None,
    start: Start = None,
    profile: bool = True,
) -> Identification:
    """Normal law and friction of a contact, from one record with approaches, slides and breakaways.

    fixed         parameters that are known, by name; None for {"exponent": 1.5, "viscous": 0.0}, {} to estimate all
    slow_speed    the smallest impact speed that the damping is set for, as of `HertzContact` [m/s]: it is not estimated
    spacing       of the knots of the motions' splines [s], {"normal": ..., "friction": ...}, as that of an earlier
                  result; None for what the record asks for
    start         first guesses by name, or an earlier result
    profile       intervals from the likelihood itself; False for linearised ones, in a fraction of the time

    The normal law comes first, and where it touches determines when friction begins. Both share the normal force; the
    correlation that this makes between them is below the ratio of friction and is left out.
    """
    fixed = _fixed(fixed, {"exponent": 1.5, "viscous": 0.0}, (*NORMAL_NAMES, *FRICTION_NAMES))
    spacing = spacing or {}
    normal = identify_normal(
        record,
        fixed={name: value for name, value in fixed.items() if name in NORMAL_NAMES},
        slow_speed=slow_speed,
        spacing=spacing.get("normal"),
        start=start,
        profile=profile,
    )
    surface = normal.parameters["surface"]
    touching = normal.channels[0].fitted < surface.value if surface.determined else None
    friction = identify_friction(
        record,
        touching=touching,
        fixed={name: value for name, value in fixed.items() if name in FRICTION_NAMES},
        spacing=spacing.get("friction"),
        start=start,
        profile=profile,
    )
    return Identification(
        parameters={**normal.parameters, **friction.parameters},
        correlation={**normal.correlation, **friction.correlation},
        channels=normal.channels + friction.channels,
        time=record.time,
        chi2=normal.chi2 + friction.chi2,
        freedom=normal.freedom + friction.freedom,
        spacing={**normal.spacing, **friction.spacing},
        slow_speed=slow_speed,
        converged=normal.converged and friction.converged,
    )


def _fixed(given: Mapping[str, float] | None, usual: dict[str, float], names: Sequence[str]) -> dict[str, float]:
    """Known parameters by name."""
    found = dict(usual if given is None else given)
    problems = [
        Problem("fixed", f'no parameter "{one}"; {suggestion(one, names)}') for one in found if one not in names
    ]
    problems += [
        Problem("fixed", f"{name} is {value}; give a finite number")
        for name, value in found.items()
        if not np.isfinite(value)
    ]
    if problems:
        raise ModelError(problems)
    return _with_damping({name: float(value) for name, value in found.items()})


def _with_damping(values: dict[str, float]) -> dict[str, float]:
    """The fit works with the damping factor of the restitution, which is linear."""
    if "restitution" in values:
        values["damping"] = damping_factor(values["restitution"])
    return values


def _start(given: Start) -> dict[str, float]:
    """First guesses by name."""
    if isinstance(given, Identification):
        given = {name: one.value for name, one in given.parameters.items() if one.determined}
    return _with_damping(dict(given or {}))


def _parameters(names: Sequence[str], fixed: Mapping[str, float], scales: Mapping[str, float]) -> list[LawParameter]:
    return [LawParameter(name, UNITS[name], scales.get(name)) for name in names if name not in fixed]


def _motion(record: ContactRecord, position: np.ndarray, spacing: float | None) -> MotionSpline:
    """The spline to begin with."""
    if spacing is None:
        return MotionSpline.suited(record.time, position, record.position_noise)
    problems = number_problems(spacing, "spacing", "spacing [s]", above=0.0)
    if problems:
        raise ModelError(problems)
    return MotionSpline(record.time, position, record.position_noise, spacing)


def _search(
    make: Callable[[MotionSpline], Any], motion: MotionSpline, theta: np.ndarray, refine: bool
) -> tuple[Any, LawFit]:
    """The fit with this motion; to refine, at half the spacing that Akaike's criterion of the whole fit prefers.

    The criterion balances errors of the spline with those of the noise. For intervals that cover, the former must be
    small beside the latter: at half the spacing they are a sixteenth, and the standard errors grow by a few per cent.
    """
    forces = make(motion)
    found = _settled(forces, theta, motion.smooth())
    while refine:
        finer = motion.halved()
        if finer is None:
            break
        c = np.linalg.solve(finer.shapes(finer.centres), motion.shapes(finer.centres) @ found.c)
        before, motion, forces = found, finer, make(finer)
        found = _settled(forces, before.theta, c)
        refine = found.criterion < before.criterion
    return forces, found


def _settled(forces: Any, theta: np.ndarray, c: np.ndarray) -> LawFit:
    """The fit with steps of friction that suit the bristles it finds."""
    parts = forces.suit(theta)
    while True:
        found = fit(forces, forces.motion, theta, c)
        theta, c = found.theta, found.c
        before, parts = parts, forces.suit(theta)
        if parts <= before:
            return found


def _restitution(damping: float) -> float:
    """Restitution with this damping factor: the inverse of `damping_factor`; 1 where there is no damping."""
    from scipy.optimize import brentq

    if damping <= 0.0:
        return 1.0
    least = 1e-3
    if damping >= damping_factor(least):
        return least
    return float(brentq(lambda e: damping_factor(e) - damping, least, 1.0, xtol=1e-13))


def _estimates(
    forces: Any, found: LawFit, parameters: Sequence[LawParameter], fixed: Mapping[str, float], profile: bool
) -> tuple[dict[str, Estimate], dict[tuple[str, str], float]]:
    """Estimates by name, and correlations of those that the record determines."""
    errors, correlation = uncertainty(found.information)
    names = ["restitution" if one.name == "damping" else one.name for one in parameters]
    estimates = {
        name: Estimate(name, value, 0.0, (value, value), UNITS.get(name, "1")) for name, value in fixed.items()
    }
    for i, (one, name) in enumerate(zip(parameters, names, strict=True)):
        low, best, high = found.theta[i] + CONFIDENT * errors[i] * np.array([-1.0, 0.0, 1.0])
        reason = _reason(i, names, errors, found.information, correlation) if errors[i] > VAGUE else ""
        if profile and not reason and name in NEEDS:
            low, high = (profile_end(forces, found, i, errors[i], side, CONFIDENT) for side in (-1.0, 1.0))
            if not np.isfinite(high - low):
                reason = f"its 95 % interval has no end within a factor of 2.7; it takes {NEEDS[name]}"
            errors[i] = (high - low) / (2.0 * CONFIDENT)
        if reason:
            estimates[name] = Estimate(name, np.nan, np.inf, (np.nan, np.nan), UNITS.get(name, "1"), reason)
            continue
        value = _restitution if name == "restitution" else one.value
        ends = sorted((value(low), value(high)))
        slope = (value(best + 1e-4) - value(best - 1e-4)) / 2e-4
        error = float(abs(slope) * errors[i])
        estimates[name] = Estimate(name, value(best), error, (ends[0], ends[1]), UNITS.get(name, "1"))
    pairs = {
        (names[i], names[j]): float(correlation[i, j])
        for i in range(len(names))
        for j in range(i)
        if estimates[names[i]].determined and estimates[names[j]].determined
    }
    return estimates, pairs


def _reason(i: int, names: Sequence[str], errors: np.ndarray, information: np.ndarray, correlation: np.ndarray) -> str:
    """Why a parameter is not determined, as text."""
    need = f"it takes {NEEDS[names[i]]}" if names[i] in NEEDS else ""
    if information[i, i] * VAGUE**2 < 1.0:
        return f"it hardly changes anything in this record; {need}"
    others = [j for j in np.argsort(-np.abs(correlation[i])) if j != i and abs(correlation[i, j]) > 0.9]
    if others:
        partners = " and ".join(f'"{names[j]}" (correlation {correlation[i, j]:+.3f})' for j in others[:2])
        return f"this record shows it only together with {partners}; {need}"
    return f"its error would be {100 * errors[i]:.0f} %; {need}"


def _checked(result: Identification) -> Identification:
    if not result.converged:
        warn(
            "the fit did not converge; give start= with better guesses, or fix what the record does not show",
            IdentificationWarning,
        )
    elif result.probability < IMPOSSIBLE:
        warn(
            f"the laws do not describe the record: chi2 is {result.chi2:.0f}, and noise alone makes "
            f"{result.freedom} +- {np.sqrt(2 * result.freedom):.0f}; the errors are too small. Look at result.plot(); "
            "check the noise levels, the sign of the forces and the fixed parameters",
            IdentificationWarning,
        )
    return result


FAR = 1.0
"""Change of theta at which the search for an end gives up: the record does not determine it."""
CLOSE = 0.05
"""How far sqrt(rise of the sum of squares) may be from what is wanted: a fortieth of 1.96."""
STEEP = 3.0
"""Roots beyond this many times what is wanted say little of where it is: the search halves."""
MOST = 16
"""Fits in the search for one end."""


class HeldParameter:
    """Forces with one entry of theta held."""

    def __init__(self, forces: Any, entry: int, value: float) -> None:
        self.forces, self.entry, self.value, self.motion = forces, entry, value, forces.motion

    def full(self, theta: np.ndarray) -> np.ndarray:
        """theta with the held entry."""
        return np.insert(theta, self.entry, self.value)

    def suit(self, theta: np.ndarray) -> int:
        """Steps within an interval."""
        return self.forces.suit(self.full(theta))

    def residuals(self, theta: np.ndarray, c: np.ndarray) -> np.ndarray:
        """As of the forces."""
        return self.forces.residuals(self.full(theta), c)

    def by_theta(self, theta: np.ndarray, c: np.ndarray) -> np.ndarray:
        """As of the forces, without the held entry."""
        return np.delete(self.forces.by_theta(self.full(theta), c), self.entry, axis=1)

    def by_motion(self, theta: np.ndarray, c: np.ndarray) -> np.ndarray:
        """As of the forces."""
        return self.forces.by_motion(self.full(theta), c)


def profile_end(forces: Any, found: LawFit, entry: int, error: float, side: float, wanted: float) -> float:
    """theta[entry] on one side (-1, 1) where sqrt of the rise is `wanted`; infinite when that is beyond `FAR`.

    Every search begins at the farthest fit that is still inside the interval. One that begins outside may stay there,
    where other parameters have run away to make up for this one, and the interval then looks too narrow.
    """
    best = found.theta[entry]
    theta, c = np.delete(found.theta, entry), found.c
    low, high, step = (0.0, 0.0), None, min(wanted * error, FAR)
    for _ in range(MOST):
        other = fit(HeldParameter(forces, entry, best + side * step), forces.motion, theta, c, informed=False)
        root = float(np.sqrt(max(other.chi2 - found.chi2, 0.0)))
        if abs(root - wanted) < CLOSE:
            return best + side * step
        if root < wanted:
            if step == FAR:
                return side * np.inf
            low, theta, c = (step, root), other.theta, other.c
        else:
            high = (step, root)
        if high is None:
            step = min(FAR, step * min(2.5, 1.1 * wanted / max(root, 1e-3)))
            continue
        if high[0] - low[0] < CLOSE * error:  # as steep as a wall
            break
        part = (wanted - low[1]) / (high[1] - low[1]) if high[1] < STEEP * wanted else 0.5
        step = low[0] + (high[0] - low[0]) * float(np.clip(part, 0.1, 0.9))
    return best + side * (high[0] if high else step)


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

    def __init__(self, record: ContactRecord, motion: MotionSpline, touching: np.ndarray) -> None:
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
    parameters: Sequence[LawParameter],
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
    best: list[LawFit] = []
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
