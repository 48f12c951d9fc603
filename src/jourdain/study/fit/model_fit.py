"""`jd.identify`: a model whose run is what was measured, with what its numbers are worth.

`jd.identify` of a `ContactRecord`: the laws of one contact, along a motion that was measured too.

A record of a contact has no run beside it that could be fitted: of a stiff contact two micrometres of a position make
newtons. So the motion itself is an unknown of the fit (`methods.identification.fitting`), and the addresses of the
contact's laws are its parameters. `jourdain.contact.identify_contact` does the same without a model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...basics.arguments import checked
from ...basics.errors import ModelError
from ...basics.types import KeptBy
from ...basics.values import suggestion
from ...basics.warn import warn
from ...compile.variation import with_parameters
from ...describe.motions import Motion
from ...methods.identification.contact import (
    IdentificationWarning,
    identify_contact,
    identify_friction,
    identify_normal,
)
from ...methods.identification.contact_record import ContactRecord
from ...methods.identification.estimates import FittedChannel, Identification
from ...methods.identification.experiment import Experiment
from ...methods.identification.measured import Measured
from ...methods.identification.output_error import LOSSES, OutputError, split, stated_by
from ...methods.identification.statistics import Combination, whiteness, worth
from ...methods.identification.unknowns import Unknowns
from ...model.model import Model
from ...model.state import State
from ...results.run import Run
from .fit_result import Comparison, Fit
from .measurements import as_measurement


@checked
def identify(
    model: Model,
    records: Any,
    unknowns: Sequence[str] | Mapping[str, Any],
    *,
    state: State | None = None,
    motions: Mapping[str, Motion] | None = None,
    controller: Any = None,
    channels: Sequence[str] | None = None,
    noise: Mapping[str, float] | None = None,
    start: Mapping[str, float] | None = None,
    priors: Mapping[str, Sequence[float]] | None = None,
    loss: str = "linear",
    parts: int = 1,
    validate: Any = None,
    step: float | None = None,
    method: Any = None,
    rtol: float = 1e-8,
    atol: float = 1e-10,
    max_step: float | None = None,
    constraints: KeptBy | None = None,
    iterations: int = 50,
) -> Fit:
    """The values of unknowns with which runs of a model are nearest to records, with their intervals.

    records       one record or a list: a Run, a run file, a CSV file, a Dataset, a dict, or a `jd.study.Measurement`.
                  Of a `jourdain.contact.ContactRecord` unknowns are addresses of the laws of one contact, without
                  bounds; forces are fitted along the measured motion, whose noise counts too
    unknowns      addresses with bounds: {"fore.EI": (100, 5000), "elbow.friction": (0, 10)}; None, or a list, for none.
                  Besides those of `model.parameters`: "state.q.NAME" and "state.v.NAME", of every record by itself;
                  "payload.inertial", the ten numbers of a rigid body, always physical; "offset:CHANNEL",
                  "gain:CHANNEL" and "delay:CHANNEL" [s] of sensors
    state ... noise    what is the same for all records; see `Measurement`
    start         values to begin with; the model's own unless given
    priors        {"fore.EI": (mean, deviation)}: what is known besides
    loss          "linear", or "soft_l1", "huber", "cauchy", which let outliers count less
    parts         into how many parts records are cut, which begin from states of their own that the search joins: for
                  plants that are unstable, or starts that are far off
    validate      records that are kept apart and compared with the fitted model: `fit.validation`
    step ... constraints    how the model is integrated, as in `jd.simulate`
    iterations    most evaluations of the search

    Output error by Gauss-Newton in a trust region, with slopes through the compiled loop. What the records cannot tell
    is named in `unidentifiable`, and has no value. An `IdentificationWarning` tells where the fit did not converge, or
    what is left is not noise.
    """
    if not isinstance(model, Model):
        raise ModelError.at("model", f"got {type(model).__name__}; give a Model, from system.compile()")
    if loss not in LOSSES:
        raise ModelError.at("loss", f"got {loss!r}; allowed are {', '.join(LOSSES)}")
    if isinstance(parts, bool) or not isinstance(parts, int) or parts < 1:
        raise ModelError.at("parts", f"got {parts!r}; give a whole number, 1 for records as they are")
    wanted = dict(unknowns) if isinstance(unknowns, Mapping) else dict.fromkeys(_listed(unknowns))
    common = {"state": state, "motions": motions, "controller": controller, "channels": channels, "noise": noise}
    if isinstance(records, ContactRecord):
        other = {"priors": priors, "validate": validate, "loss": loss != "linear" or None, "parts": parts > 1 or None}
        given = {name for name, one in (common | other).items() if one is not None}
        return identify_touch(model, records, wanted, start or {}, given)
    options = {"step": step, "method": method, "rtol": rtol, "atol": atol, "max_step": max_step}
    options["constraints"] = constraints
    whole = _measured(model, records, common, options)
    cut, links = (whole, []) if parts == 1 else split(whole, parts)
    experiments = _experiments(model, cut, links)
    names = dict.fromkeys(channel.name for record in cut for channel in record.channels)
    nodes = _nodes(model, cut, links)
    made = Unknowns(wanted | dict.fromkeys(nodes), experiments, list(names), {**nodes, **(start or {})}, priors)
    problem = OutputError(cut, experiments, made, links)
    if problem.samples <= len(made.start):
        raise ModelError.at(
            "records",
            f"{problem.samples} samples for {len(made.start)} unknowns; give more samples, or fix some unknowns",
        )
    found = problem.search(loss, iterations)
    stated = [name for name in made.names if name not in nodes]
    fit = Fit(model, problem, found, worth(problem, found, loss), stated)
    if validate is not None:
        fit.validation = _validated(fit, _measured(model, validate, common, options))
    _warn(fit)
    return fit


def _listed(unknowns: Any) -> list[str]:
    if isinstance(unknowns, str) or not isinstance(unknowns, Sequence):
        raise ModelError.at("unknowns", f"got {unknowns!r}; give a dict of addresses with bounds, or a list")
    return list(unknowns)


def _measured(model: Model, records: Any, common: Mapping[str, Any], options: Mapping[str, Any]) -> list[Measured]:
    given = list(records) if isinstance(records, list | tuple) else [records]
    if not given:
        raise ModelError.at("records", "there are none")
    return [as_measurement(one, common, i + 1).measured(model, options) for i, one in enumerate(given)]


def _experiments(model: Model, records: Sequence[Measured], links: Sequence[tuple[int, int]]) -> list[Experiment]:
    ends = {a: records[b].state.time for a, b in links}
    out: list[Experiment] = []
    models: dict[Any, Model] = {}
    for i, record in enumerate(records):
        times = np.append(record.times, ends[i]) if i in ends else record.times
        made = Experiment(model, record.state, times, record.drive, models)
        made.check([channel.name for channel in record.channels])
        out.append(made)
    return out


def _nodes(model: Model, records: Sequence[Measured], links: Sequence[tuple[int, int]]) -> dict[str, float]:
    """States that the later parts of records begin with, as far as channels tell them: coordinates by their samples,
    velocities by the slope of a parabola through the first of these."""
    out = {}
    for _, b in links:
        record = records[b]
        stated = {channel.name: channel for channel in record.channels}
        for i, name in enumerate(model.names.q):
            if not np.any(model.arrays.q_index == i):
                raise ModelError.at(name, "parts: rotations cannot be joined; give parts=1")
            channel = stated.get(name)
            out[f"state.q.{name}@{b + 1}"] = float(record.state.q[i] if channel is None else _smooth(channel)[0])
        for i, name in enumerate(model.names.v):
            known, channel = stated.get(f"v:{name}"), stated.get(name)
            value = record.state.v[i] if channel is None else _smooth(channel)[1]
            out[f"state.v.{name}@{b + 1}"] = float(value if known is None else _smooth(known)[0])
    return out


def _smooth(channel: Any) -> tuple[float, float]:
    """Value and slope at the first sample, of a parabola through the first ones."""
    n = min(len(channel.time), 12)
    c = np.polyfit(channel.time[:n] - channel.time[0], channel.values[:n], 2)
    return float(c[2]), float(c[1])


def _validated(fit: Fit, records: Sequence[Measured]) -> list[Comparison]:
    """Records that the fit has not seen, beside runs of the fitted model from their own states."""
    model, unknowns = fit.model, fit.problem.unknowns
    out = []
    for record in records:
        experiment = Experiment(model, record.state, record.times, record.drive)
        raw = experiment.outputs({}, [channel.name for channel in record.channels])
        for j, channel in enumerate(record.channels):
            sensor = unknowns.of_sensor(fit.estimate.x, channel.name)
            fitted = stated_by(sensor, experiment.times, raw[:, j])[record.places(channel)]
            noise = fit.noise.get(channel.name, 1.0)
            stated = FittedChannel(channel.name, channel.unit, channel.values, fitted, noise)
            out.append(Comparison(record.name, channel.time, stated, whiteness((fitted - channel.values) / noise)))
    return out


def _warn(fit: Fit) -> None:
    if not fit.converged:
        warn(
            "the search did not come to its end; give start= with better values, narrower bounds, more iterations=, or "
            "cut the records: parts=",
            IdentificationWarning,
        )
    coloured = [f"{one.record}, {one.name}" for one in fit.comparisons if not one.whiteness.white]
    if coloured or fit.hints:
        said = (
            "; ".join([*fit.hints, *fit.bounded])
            or "the model lacks something that acted, and the intervals are too narrow"
        )
        warn(f"what is left of {', '.join(coloured) or 'the records'} is not noise: {said}", IdentificationWarning)


NORMAL = {"normal.stiffness": "stiffness", "normal.exponent": "exponent", "normal.restitution": "restitution"}
FRICTION = {
    "friction.static": "static",
    "friction.kinetic": "kinetic",
    "friction.stiffness": "bristle_stiffness",
    "friction.damping": "bristle_damping",
    "friction.viscous": "viscous",
    "friction.stribeck": "stribeck",
    "friction.dwell": "dwell",
}
"""What of an address comes after the contact's name, and what the fit calls it."""
WORDS = NORMAL | FRICTION
_PARTS = {"normal": set(NORMAL.values()), "friction": set(FRICTION.values())}


class ContactFit(Fit):
    """Laws of a contact that were identified from a `ContactRecord`; everything that a `Fit` has but a run.

    identification    with the height of the surface, the plots and the laws (`jourdain.contact.Identification`)
    """

    def __init__(self, base: Model, found: Identification, record: ContactRecord, addresses: Mapping[str, str]) -> None:
        self._base, self.identification = base, found
        own = {name: found[word] for name, word in addresses.items()}
        self.names = list(own)
        self.values = {name: one.value for name, one in own.items()}
        self.errors = {name: one.error for name, one in own.items()}
        self.intervals = {name: one.interval for name, one in own.items()}
        self.undetermined = {name: one.reason for name, one in own.items() if one.reason}
        self.unidentifiable = tuple(
            Combination({name: 1.0}, f"{name}: {why}") for name, why in self.undetermined.items()
        )
        words = {word: name for name, word in addresses.items()}
        self.correlation = {
            (words[a], words[b]): value for (a, b), value in found.correlation.items() if a in words and b in words
        }
        self.model = with_parameters(
            base, {name: x for name, x in self.values.items() if name not in self.undetermined}
        )
        self.noise = {"position": record.position_noise, "force": record.force_noise}
        self.freedom, self.converged = found.freedom, found.converged
        self.comparisons = [Comparison("record 1", found.time, one, whiteness(one.residuals)) for one in found.channels]
        self.validation, self.hints = [], []

    @property
    def at_bounds(self) -> list[str]:
        """None: there are no bounds."""
        return []

    @property
    def chi2(self) -> float:
        """Of all residuals, of positions and forces; near `freedom` where the laws describe the record."""
        return self.identification.chi2

    def run(self, record: int = 0) -> Run:
        """There is none."""
        raise ModelError.at("run", "forces were fitted along the measured motion; simulate fit.model for a run")


def identify_touch(
    model: Model, record: ContactRecord, unknowns: Mapping[str, Any], start: Mapping[str, float], given: set[str]
) -> ContactFit:
    """The unknowns, which are addresses of the laws of one contact; its other numbers are those of the model.

    given    words of `identify` that were given, of which a record of a contact knows none
    """
    if given:
        text = "means nothing with a ContactRecord, which has its own motion and noise; leave it out"
        raise ModelError.at(min(given), text)
    name = _contact(model, unknowns)
    for one, bounds in unknowns.items():
        if bounds is not None:
            raise ModelError.at(one, f"got bounds {bounds!r}; a fit along a measured motion has none: give None")
    for one in start:
        if one not in unknowns:
            raise ModelError.at(one, f"start: is no unknown; {suggestion(one, unknowns)}")
    table, words = model.parameters, {f"{name}.{key}": word for key, word in WORDS.items()}
    fixed = {word: table[one] for one, word in words.items() if one in table and one not in unknowns}
    first = {words[one]: float(value) for one, value in start.items()}
    slow: dict[str, Any] = (
        {"slow_speed": table[f"{name}.normal.slow_speed"]} if f"{name}.normal.slow_speed" in table else {}
    )
    parts = {one.removeprefix(f"{name}.").partition(".")[0] for one in unknowns}
    held = {part: {word: fixed[word] for word in fixed if word in of} for part, of in _PARTS.items()}
    if "dwell" not in fixed and f"{name}.friction.dwell" not in unknowns:
        held["friction"]["dwell"] = 0.0
    if parts == {"normal"}:
        found = identify_normal(record, fixed=held["normal"], start=first, **slow)
    elif parts == {"friction"}:
        found = identify_friction(record, fixed=held["friction"], start=first)
    else:
        found = identify_contact(record, fixed=held["normal"] | held["friction"], start=first, **slow)
    return ContactFit(model, found, record, {one: words[one] for one in unknowns})


def _contact(model: Model, unknowns: Mapping[str, Any]) -> str:
    """The contact whose laws are asked for; they must be those that the fit knows."""
    if not unknowns:
        raise ModelError.at("unknowns", "there are none; give addresses of the laws of a contact")
    owners: dict[str, None] = {}
    for one in unknowns:
        owner, _, word = one.partition(".normal." if ".normal." in one else ".friction.")
        kind = "normal" if ".normal." in one else "friction"
        if f"{kind}.{word}" not in WORDS or owner not in model.contacts.names:
            allowed = [f"{name}.{key}" for name in model.contacts.names for key in WORDS]
            raise ModelError.at(one, f"a ContactRecord does not show it; {suggestion(one, allowed)}")
        if one not in model.parameters:
            raise ModelError.at(
                one, "the contact's law has no such number; it must be a HertzContact or BristleFriction"
            )
        owners[owner] = None
    if len(owners) != 1:
        raise ModelError.at(
            "unknowns", f"of {len(owners)} contacts; give addresses of one, as a ContactRecord is of one"
        )
    return next(iter(owners))
