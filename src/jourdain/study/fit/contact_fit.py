"""`jd.identify` of a `ContactRecord`: the laws of one contact, along a motion that was measured too.

A record of a contact has no run beside it that could be fitted: of a stiff contact two micrometres of a position make
newtons. So the motion itself is an unknown of the fit (`methods.identification.fitting`), and the addresses of the
contact's laws are its parameters. `jourdain.contact.identify_contact` does the same without a model.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...basics.errors import ModelError
from ...basics.values import suggestion
from ...compile.variation import with_parameters
from ...methods.identification.contact import identify_contact, identify_friction, identify_normal
from ...methods.identification.contact_record import ContactRecord
from ...methods.identification.estimates import Identification
from ...methods.identification.statistics import Combination, whiteness
from ...model.model import Model
from .fit_result import Comparison, Fit

if TYPE_CHECKING:
    from ...results.run import Run

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
        told = "means nothing with a ContactRecord, which has its own motion and noise; leave it out"
        raise ModelError.at(min(given), told)
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
