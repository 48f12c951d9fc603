"""Checks of a run besides its energy balance: constraints, momentum where it is conserved, and a finer run.

An energy balance sees what makes or loses energy. It does not see a loop whose ends part, forces that do not cancel in
a system that nothing acts on from outside, or an error of the method that keeps energy. Each of these is looked at in
some samples of the run, and allowed the part that the energy balance is allowed (`energy_tolerance`), of a scale with
a meaning:

constraints             the largest violation that the compiled loop has seen at accepted steps, over the size of the
                        model, of which a `ConstraintWarning` is given too
rates of constraints    the kinetic energy of the smallest change of velocities that puts them right,
                        r' (A M^-1 A')^-1 r / 2 with r = A v + c (Gauss's principle), over the energy that moves
linear momentum         its change, over sqrt(2 m T), which it is at most by the inequality of Cauchy and Schwarz; T is
                        the largest kinetic energy of the motion about the centre of mass
angular momentum        the same over sqrt(2 m T) times the radius of the system
mortar gaps             how deep surfaces that touch by the mortar form with friction were inside of each other, over
                        the length of a facet, `corner_check`
half the step, ...      the estimated error of coordinates, over how far they move

Rounding is allowed besides, a part `ROUNDING` of what is subtracted.
"""

from __future__ import annotations

import copy
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ..describe.constraints.methods import model_size
from .channels import Energy
from .check import Check, rounding_energy
from .conserved_momentum import Conserved, conserved

if TYPE_CHECKING:
    from ..model.model import Model
    from .samples import Record
OPEN = 1e-3
"""Violation of a constraint, over the size of the model, of which a run is warned and not trusted."""
SAMPLES = 16
"""Samples that are looked at, evenly spread, the first and the last among them."""
WORK = 2e7
"""Cubes of the number of velocities that the rates of constraints may take in all: fewer samples of large models."""
DEPENDENT = 10.0
"""Times the violation, over the size of the model, below which singular values count as zero, or `LEAST`."""
LEAST = 1e-9
ROUNDING = 1e-9
"""Part of two numbers whose difference is judged that it may be off by."""
DEEPEST = 0.2
"""How deep a place of surfaces in mortar contact may be inside, over the length of the facets there."""
MORTAR_SAMPLES = 48
"""Samples in which such surfaces touch that are looked at."""


def further(model: Model, record: Record, options: dict[str, Any], energy: Energy, tolerance: float) -> list[Check]:
    """All checks but the energy balance; without a tolerance only a finer run is judged."""
    out: list[Check] = []
    if tolerance < math.inf and len(record) and np.all(np.isfinite(record.q[-1])) and np.all(np.isfinite(record.v[-1])):
        # connections that events close are other constraints, and locked joints hold momentum back
        still = not options.get("events")
        if options.get("gap"):
            out.append(gap_check(model, record, options))
        if still and len(getattr(model.arrays, "constraints", ())):
            out += rate_checks(model, record, options, energy, tolerance)
        kept = conserved(model, record) if still else None
        if kept is not None:
            out += momentum_checks(model, record, kept, tolerance)
        corners = corner_check(model, record)
        if corners is not None:
            out.append(corners)
    finer = options.get("verification")
    if finer:
        out.append(finer_check(finer))
    return out


def some(record: Record, most: int = SAMPLES) -> np.ndarray:
    """Numbers of some samples, evenly spread, of those that are finite."""
    finite = np.flatnonzero(np.all(np.isfinite(record.q), axis=1) & np.all(np.isfinite(record.v), axis=1))
    return finite[np.unique(np.linspace(0, len(finite) - 1, min(most, len(finite))).astype(int))]


def gap_check(model: Model, record: Record, options: dict[str, Any]) -> Check:
    """How far the constraints opened."""
    gap, size = options["gap"], model_size(model, record.q[0])
    largest, when = float(gap["largest"]), float(gap["time"])
    said = ""
    if not largest <= OPEN * size:
        said = (
            f'the constraint "{gap["constraint"]}" was open by {largest:.3g} m or rad at t = {when:.6g} s, and the '
            f"model is {size:.3g} m large; {_closer(options)}"
        )
    return Check("constraints", largest, OPEN * size, "m or rad", when, said)


def _closer(options: dict[str, Any]) -> str:
    """What to do about constraints that are not met."""
    how = dict(options.get("constraints") or {}).get("kind", "projection")
    better = "a shorter step" if options.get("step") is not None else "a smaller rtol"
    return f"give {better}" if how == "projection" else f'give constraints="projection", or {better}'


def rate_checks(model: Model, record: Record, options: dict[str, Any], energy: Energy, tolerance: float) -> list[Check]:
    """The kinetic energy of velocities that the constraints forbid; nothing of models too large for it."""
    at = some(record, int(min(SAMPLES, WORK // max(1, model.nv) ** 3)))
    if not len(at):
        return []
    size = model_size(model, record.q[0])
    found = [forbidden_energy(model, float(record.time[i]), record.q[i], record.v[i], size) for i in at]
    worst = int(np.argmax(found))
    when, scale = float(record.time[at[worst]]), energy.scale
    floor = ROUNDING * float(np.max(np.abs(energy.column("kinetic")))) + rounding_energy(model)
    error = found[worst] / scale if scale > 0.0 else 0.0
    said = ""
    if not found[worst] <= tolerance * scale + floor:
        said = (
            f"velocities break the constraints: {100.0 * error:.3g} % of the energy that moved is kinetic energy that "
            f"they forbid ({100.0 * tolerance:.3g} % is allowed), at t = {when:.6g} s; {_closer(options)}"
        )
    return [Check("rates of constraints", error, tolerance, "", when, said)]


def forbidden_energy(model: Model, time: float, q: np.ndarray, v: np.ndarray, size: float) -> float:
    """Kinetic energy of the smallest change of velocities, in the metric of M, that meets the constraints [J].

    Rows that depend on each other where the constraints are met do so only to the order of their violation where they
    are not: what is below that is taken as nothing, else a loop that is overconstrained would forbid every motion.
    """
    A, table = model.constraints.jacobian_and_table(q, v, time)
    try:
        L = np.linalg.cholesky(model.mass_matrix(q))
    except np.linalg.LinAlgError:
        return 0.0  # M is not positive definite within rounding: nothing can be said
    violation = float(np.max(np.abs(table.columns.value), initial=0.0)) / size
    B = np.linalg.solve(L, A.T).T
    change = np.linalg.lstsq(B, table.columns.rate, rcond=max(LEAST, DEPENDENT * violation))[0]
    return 0.5 * float(change @ change)


def momentum_checks(model: Model, record: Record, kept: Conserved, tolerance: float) -> list[Check]:
    """Changes of the momentum that nothing outside changes."""
    at = some(record)
    drift = kept.drift(record, at)
    out = []
    for name, change, scale, floor in drift:
        worst = int(np.argmax(change))
        error = float(change[worst]) / scale if scale > 0.0 else 0.0
        said = ""
        if not change[worst] <= tolerance * scale + floor:
            said = (
                f"the {name} {kept.about[name]} changes by {100.0 * error:.3g} % of what moves "
                f"({100.0 * tolerance:.3g} % is allowed) up to t = {record.time[at[worst]]:.6g} s, and nothing acts "
                "from outside; give a shorter step or tighter tolerances, and look for forces that do not cancel"
            )
        out.append(Check(name, error, tolerance, "", float(record.time[at[worst]]), said))
    return out


def finer_check(verdict: dict[str, Any]) -> Check:
    """What a run with half the step, or a tenth of the tolerances, has shown."""
    given, allowed = verdict.get("error"), float(verdict["allowed"])
    error, said = math.inf if given is None else float(given), ""
    if verdict.get("failed"):
        said = f"the run with {verdict['what']} stopped: {verdict['failed']}"
    elif not error <= allowed:
        part = f"{100.0 * error:.3g} % of how far it moves ({100.0 * allowed:.3g} % is allowed)"
        said = (
            f'with {verdict["what"]} "{verdict["coordinate"]}" moves otherwise: its estimated error is {part}, at '
            f"t = {verdict['time']:.6g} s; give {verdict['remedy']}, or, where the system is chaotic, judge by what "
            "does not depend on single motions"
        )
    return Check(str(verdict["what"]), error, allowed, "", float(verdict.get("time", math.nan)), said)


def corner_check(model: Model, record: Record) -> Check | None:
    """How deep surfaces with friction were inside of each other; None without the mortar form or where none touched.

    Its gaps are means over facets: a corner or an edge that comes down first on a coarse mesh is deep inside before its
    mean is met, and friction acts there along normals that are means too. Depths are measured as by the node form.
    """
    from ..model.surface_contact import gaps_of

    described = model.description.get("touching", ())
    mortars = [one for one in described if one["normal"]["form"] == "mortar" and one.get("friction") is not None]
    regions = [i for i, name in enumerate(model.names.z) if name.endswith(".region")]
    if not mortars or not regions:
        return None
    touching = np.flatnonzero(np.any(np.asarray(record.z)[:, regions] != 0.0, axis=1))
    if not len(touching):
        return None
    at = touching[np.unique(np.linspace(0, len(touching) - 1, min(MORTAR_SAMPLES, len(touching))).astype(int))]
    by_nodes = _by_nodes(model, {str(one["name"]) for one in mortars})
    deepest = np.max(-gaps_of(by_nodes, record.q[at], record.v[at]), axis=1)
    worst = int(np.argmax(deepest))
    length = min(facet_length(model, one) for one in mortars)
    part, when = max(float(deepest[worst]), 0.0) / length, float(record.time[at[worst]])
    said = ""
    if part > DEEPEST:
        names = ", ".join(f'"{one["name"]}"' for one in mortars[:3])
        said = (
            f"contact {names} by the mortar form was met at a corner or an edge: places were {part * length:.3g} m "
            f"inside at t = {when:.6g} s, {100.0 * part:.3g} % of a facet ({100.0 * DEEPEST:.3g} % is allowed), and "
            'its friction is not to be believed there; give form="node", or a finer mesh where they touch'
        )
    return Check("mortar gaps", part, DEEPEST, "", when, said)


def _by_nodes(model: Model, names: set[str]) -> Model:
    """The model with these contacts in the node form, of the nodes of both surfaces, and no other by multipliers."""
    from ..compile.model import compile_system
    from ..describe.description import from_dict

    verdict = copy.deepcopy(model.description)
    verdict["touching"] = [one for one in verdict["touching"] if str(one["name"]) in names]
    for one in verdict["touching"]:
        one["normal"] |= {"form": "node", "passes": 2}
    return compile_system(from_dict(verdict, without_laws=True), checked=True)


def facet_length(model: Model, one: dict[str, object]) -> float:
    """Length of the sides of the facets of the finer surface, their median [m]."""
    from ..model.bodies import body_of

    found = []
    for which in ("first", "second"):
        side: dict = one[which]  # type: ignore[assignment]
        body = body_of(model, str(side.get("body", "")))
        if body is not None and "facets" in side:
            places = body.node_places()
            ends = [(a, b) for facet in side["facets"] for a, b in zip(facet, (*facet[1:], facet[0])) if a != b]
            apart = places[[a for a, _ in ends]] - places[[b for _, b in ends]]
            found.append(float(np.median(np.linalg.norm(apart, axis=1))))
    return min(found, default=1.0)
