"""Laws, contacts, conditions and constraints of a run, as the addresses and tables that the compiled loop reads.

One way in for every function that the loop calls: `Laws` says where the states, the sensed numbers and the parameters
of each law lie, `tables` writes that as rows of the `RunTables`, and `assemble` puts the stages together; `loops`
lists what a run needs compiled.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..basics.errors import ModelError
from ..describe.laws import AnyLaw, BoundLaw, ControlLaw, as_law

if TYPE_CHECKING:
    from ..describe.conditions import BoundCondition
    from .model import Model

Span = tuple[int, int]
"""From and to."""


class Sampler(NamedTuple):
    """What a digital controller has besides a law's: where it reads, asks and keeps.

    law       the controller itself
    places    in Workspace.control: q, v and s as its sensors read them, the effort it asks for, rates of its states
    own       its states among those of the sampled controller
    behind    its parameters among those of the sampled controller
    loaded    whether it senses what a joint transmits
    """

    law: BoundLaw
    places: tuple[Span, ...]
    own: Span
    behind: Span
    loaded: bool


class LawSlice(NamedTuple):
    """One law in a run: where its scratch, states, sensed numbers and parameters lie.

    marker     where a force acts, and in whose `axes`; -1 for a controller, `kernels.law_rows.ALONG` along a line
    pilot      number of its control model among those of the run, -1 where it has none
    scratch    of a law with a control model; of a force along a line the numbers of that
    """

    law: AnyLaw
    bound: BoundLaw
    z: Span
    s: Span
    p: Span
    marker: int
    axes: int
    control_model: int = -1
    scratch: Span = (0, 0)
    sampler: Sampler | None = None


class ConditionSlice(NamedTuple):
    """A condition in a run: where its sensed numbers, its parameters and its memory (in Workspace.control) lie."""

    bound: BoundCondition
    s: Span
    p: Span
    at: int


class Laws(NamedTuple):
    """All laws of a run: forces of the model first, then the controllers.

    pieces        layout
    bound         the laws with their parameters
    parameters    of all laws, one behind the other
    sensors       what is sensed: marker or contact, its number, where it goes
    sensed        how many numbers that makes
    states        number of their own states, which lie in z behind those of the contacts
    names         of their own states
    start         what these begin with
    control       what the scratch of the controllers begins with
    control_workspaces  control models
    watches       conditions of events
    """

    pieces: tuple[LawSlice, ...]
    bound: tuple[BoundLaw, ...]
    parameters: np.ndarray
    sensors: np.ndarray
    sensed: int
    states: int
    names: tuple[str, ...]
    start: np.ndarray
    control: np.ndarray
    control_workspaces: tuple[Model, ...]
    watches: tuple[ConditionSlice, ...] = ()

    @property
    def sampled(self) -> int:
        """0 without digital controllers; 2 where one of them senses what a joint transmits, else 1."""
        found = [piece.sampler for piece in self.pieces if piece.sampler is not None]
        return 0 if not found else 2 if any(one.loaded for one in found) else 1

    @property
    def watched(self) -> int:
        """0 without conditions, 2 where one of them senses markers or contacts, else 1."""
        return 0 if not self.watches else 2 if any(one.s[1] > one.s[0] for one in self.watches) else 1


def gather(model: Model, controller: Any) -> Laws:
    """The laws of a run of `model` under `controller` (a law, a controller, a list of them, or None)."""
    given = [] if controller is None else controller
    controllers = given if isinstance(given, list | tuple) else [given]
    bound = [(force.law, force.marker, force.axes, force.line) for force in model.law_forces]
    bound += [(as_law(one, "controller", model), -1, -1, None) for one in controllers]
    pieces, parameters, sensors, names = [], [np.zeros(0)], [np.zeros((0, 3), np.int64)], []
    start: list[np.ndarray] = [np.zeros(0)]
    allocator = WorkspaceAllocator()
    first = len(model.names.z) - model.latched
    z, s, p = first, 0, 0
    for one, marker, axes, line in bound:
        rows, ds = _sensors(model, one.name, one.markers, one.contacts, s)
        ds += one.more
        dz, dp = one.states, len(one.parameters)
        sampler = allocator.sampler(model, one, ds)
        control_model, scratch = allocator.control_model(one if sampler is None else sampler.law)
        if line is not None:
            scratch = allocator.take(line)
        spans = ((z, z + dz), (s, s + ds), (p, p + dp))
        pieces.append(LawSlice(one.law, one, *spans, marker, axes, control_model, scratch, sampler))
        parameters.append(one.parameters)
        sensors.append(rows)
        names += one.state_names
        start.append(one.start)
        z, s, p = z + dz, s + ds, p + dp
    return Laws(
        pieces=tuple(pieces),
        bound=tuple(one for one, *_ in bound),
        parameters=np.concatenate(parameters),
        sensors=np.concatenate(sensors),
        sensed=s,
        states=z - first,
        names=tuple(names),
        start=np.concatenate(start),
        control=np.concatenate([np.zeros(0), *allocator.numbers]),
        control_workspaces=tuple(allocator.models),
    )


def force_row(model: Model, name: str) -> int:
    """Row of Workspace.contact_wrenches of a contact; those by multipliers come last (forces of the last step)."""
    surfaces = [one["name"] for one in model.description.get("touching", ())]
    return len(model.contacts.names) + surfaces.index(name) if name in surfaces else model.contact(name)


def _sensors(
    model: Model, name: str, addresses: Sequence[str], touched: Sequence[str], first: int
) -> tuple[np.ndarray, int]:
    """Rows of RunTables.sensors for what a law or a condition senses, from place `first` on, and how many numbers it
    is."""
    from ..kernels.rows import table_rows
    from ..kernels.tree.tree_rows import SENSES_CONTACT, SENSES_MARKER, SensedQuantity

    markers = [model.marker(address) for address in addresses]
    contacts = [force_row(model, one) for one in touched]
    for one, number in zip(touched, contacts, strict=True):
        if len(model.description["contacts"]) <= number < len(model.contacts.names):
            raise ModelError.at(name, f'senses "{one}", a pile, which has no one force; name a pair')
    behind = first + 13 * len(markers)
    rows = [{"kind": SENSES_MARKER, "number": m, "first": first + 13 * i} for i, m in enumerate(markers)]
    rows += [{"kind": SENSES_CONTACT, "number": c, "first": behind + 6 * i} for i, c in enumerate(contacts)]
    return table_rows(SensedQuantity, rows), 13 * len(markers) + 6 * len(contacts)


def with_conditions(model: Model, laws: Laws, conditions: Sequence[BoundCondition]) -> Laws:
    """Laws with room for what the conditions sense, their parameters and their memory behind their own."""
    from ..kernels.law_table import WATCH_ABOVE

    watches, sensors = [], [laws.sensors]
    s, p, at = laws.sensed, len(laws.parameters), len(laws.control)
    for i, one in enumerate(conditions):
        rows, ds = _sensors(model, one.name, one.condition.markers, one.condition.contacts, s)
        sensors.append(rows)
        dp = len(one.parameters)
        watches.append(ConditionSlice(one, (s, s + ds), (p, p + dp), at + i))
        s, p = s + ds, p + dp
    return laws._replace(
        parameters=np.concatenate([laws.parameters, *(one.parameters for one in conditions)]),
        sensors=np.concatenate(sensors),
        sensed=s,
        control=np.concatenate([laws.control, np.full(len(conditions), WATCH_ABOVE)]),
        watches=tuple(watches),
    )


class WorkspaceAllocator:
    """Hands out places in the run's workspace to control models and samplers."""

    def __init__(self) -> None:
        self.numbers: list[np.ndarray] = []
        self.models: list[Model] = []
        self.at = 0

    def take(self, numbers: np.ndarray) -> Span:
        """A place that begins with `numbers`."""
        first = self.at
        self.numbers.append(np.ravel(numbers))
        self.at += np.size(numbers)
        return first, self.at

    def control_model(self, law: BoundLaw) -> tuple[int, Span]:
        """Number of the control model of a law, -1 where it has none, and its scratch."""
        if not law.law.uses_model:
            return -1, (0, 0)
        if law.model is None:
            raise ModelError.at(law.name, "it needs a model to compute with; give model=")
        self.models.append(law.model)
        return len(self.models) - 1, self.take(law.initial_scratch())

    def sampler(self, model: Model, law: BoundLaw, sensed: int) -> Sampler | None:
        """Room for a digital controller, None for any other law."""
        inner = law.inner
        if inner is None:
            return None
        sizes = (model.nq, model.nv, sensed + 6 * law.extra, model.nv, inner.states)
        places = tuple(self.take(np.zeros(size)) for size in sizes)
        own = (model.nv + 3, model.nv + 3 + inner.states)
        behind = (len(law.parameters) - len(inner.parameters), len(law.parameters))
        return Sampler(inner, places, own, behind, law.loaded)


def compiled_law(bound: BoundLaw) -> Any:
    """A law as the loop calls it."""
    law = bound.law.compiled()
    return law.ready(bound.features()) if isinstance(bound.law, ControlLaw) else law


def called_by_address(model: Model, laws: Laws) -> dict[int, Any]:
    """Compiled functions that arrays name by their address: laws, laws behind laws, finders, users' contact laws."""
    found = []
    waiting = [one for piece in laws.pieces for one in (piece.bound, piece.sampler and piece.sampler.law) if one]
    while waiting:
        one = waiting.pop()
        found.append(compiled_law(one))
        waiting += [behind for behind in (one.inner, getattr(one, "inner_law", None)) if behind is not None]
    if model.contacts.names:
        *finders, _ = contact_finders(model)
        found += [one.ready(model.features) for one in finders if one]
        found += [own.law.compiled() for own in (*model.contacts.normal_laws, *model.contacts.friction_laws)]
    return {one.address: one for one in found}


def tables(laws: Laws) -> dict[str, np.ndarray]:
    """Rows of RunTables.laws, .samplers and .watches; the functions among them are compiled here."""
    from ..kernels.law_rows import COMPILED, COMPLIES, PYTHON, ActingLaw, Watch
    from ..kernels.law_rows import Sampler as SamplerRow
    from ..kernels.rows import table_rows

    acting, samplers = [], []
    for piece in laws.pieces:
        own = {"states": piece.z, "sensed": piece.s, "parameters": piece.p}
        behind = {"control_model": piece.control_model, "scratch": piece.scratch}
        one = piece.sampler
        law = {"address": compiled_law(piece.bound).address, "marker": piece.marker, "axes": piece.axes}
        acting.append(law | own | (behind if one is None else {"control_model": -1}))
        if one is None:
            continue
        pointer = one.law.law.pointer
        places = dict(zip(("read_q", "read_v", "read_s", "asked", "rates"), one.places, strict=True))
        samplers.append(
            {"address": pointer if pointer is not None else compiled_law(one.law).address}
            | {"own": one.own, "behind": one.behind, **own, **behind, **places}
            | {"way": COMPLIES if one.law.gives else COMPILED if pointer is None else PYTHON}
        )
    watches = [
        {"address": one.bound.condition.compiled().address, "control_model": -1}
        | {"sensed": one.s, "parameters": one.p, "memory": one.at}
        for one in laws.watches
    ]
    tables = {"laws": (ActingLaw, acting), "samplers": (SamplerRow, samplers), "watches": (Watch, watches)}
    return {name: table_rows(row, listed) for name, (row, listed) in tables.items()}


class ConstraintFunctions(NamedTuple):
    """Kernels that keep a run on its constraints; None for nothing to do."""

    adjust: Any = None
    constrain: Any = None
    settle: Any = None
    closure: Any = None
    act: Any = None


def contact_stages(model: Model) -> tuple[Any, Any, Any]:
    """Kernels by which the contacts of a model act, remember and change; None each where there are none."""
    if not model.contacts.names:
        return (None, None, None)
    if model.contacts.piles:
        from ..kernels.contact.granular import accept_piles, changed_piles, pile_rates

        return (pile_rates, accept_piles, changed_piles)
    from ..kernels.contact.contact_forces import contact_rates
    from ..kernels.contact.memory.latches import accept_contacts, changed_contacts

    return (contact_rates, accept_contacts, changed_contacts)


FOLLOWING = {"skins", "strands"}
"""Features of models whose shapes follow others: their contacts stay with one thread."""


def is_shared(model: Model) -> bool:
    """Whether the threads of a run share its contacts: those of piles whose shapes do not follow others."""
    return bool(model.contacts.piles) and not FOLLOWING & model.features


def contact_finders(model: Model) -> list[Any]:
    """What looks for contact, by its code, None where the model has no such pair; the law of patches last."""
    from ..kernels.contact.pair_finders import finders, is_found_directly
    from ..kernels.kind_registry import SPHERE_PLANE

    contacts = model.arrays.contacts.columns
    direct = is_found_directly(model.arrays)
    families = set(contacts.family[~direct].tolist()) | set(model.contacts.families)
    found = finders(families)
    if max(families, default=0) < SPHERE_PLANE:
        return [*found, None]
    from ..kernels.contact.volumetric.patch_forces import foundation_wrench

    return [*found, foundation_wrench]


def law_stage(laws: Laws | None) -> Any:
    """The kernel by which laws act."""
    from ..kernels.law_rows import ALONG
    from ..kernels.law_table import apply_laws, apply_laws_along

    if laws is None or not laws.pieces:
        return None
    return apply_laws_along if any(piece.marker == ALONG for piece in laws.pieces) else apply_laws


def stage_kernels(
    model: Model, laws: Laws | None = None, kept: ConstraintFunctions | None = None, rates: Any = None
) -> dict[str, Any]:
    """Kernels of the stages of a run, by their names in `kernels.stage_functions.StageFunctions`, without `touch`; None
    where there is none.

    rates    the right-hand side, None for the usual one
    """
    from ..kernels.law_table import sample_laws, watch_conditions
    from ..kernels.tree.right_hand_side import transmitted, tree_rates

    kept = kept or ConstraintFunctions()
    contact, accept, changed = contact_stages(model)
    if is_shared(model):
        from ..kernels.parallel.parallel_rates import pool_accept, pool_rates

        accept = pool_accept if rates is pool_rates else accept
    sampled = 0 if laws is None else laws.sampled
    return {
        "rates": rates or tree_rates,
        "law": law_stage(laws),
        "contact": contact,
        "accept": accept,
        "changed": changed,
        "sample": sample_laws if sampled else None,
        "watch": watch_conditions if laws is not None and laws.watches else None,
        **kept._asdict(),
        "act": kept.act if sampled == 2 else None,
        "transmit": transmitted if sampled == 2 else None,
    }


def assemble(model: Model, laws: Laws | None = None, kept: ConstraintFunctions | None = None, rates: Any = None) -> Any:
    """The stages of a run, compiled: laws, the model's contacts, conditions, what keeps it on its constraints."""
    from ..kernels.stage_functions import StageFunctions

    found = {name: one and one.ready(model.features) for name, one in stage_kernels(model, laws, kept, rates).items()}
    return StageFunctions(**found, touch=touch_of(model))


def touch_of(model: Model) -> Any:
    """Finders of the pairs that the model has, and the users' laws among its contacts; None without contacts."""
    if not model.contacts.names:
        return None
    found = getattr(model.scratch, "touch", None)
    if found is None:
        found = model.scratch.touch = _touch(model)
    return found


def _touch(model: Model) -> Any:
    from ..kernels.stage_functions import ContactFunctions

    *finders, foundation = (one and one.ready(model.features) for one in contact_finders(model))
    addresses = np.array([one.address if one else 0 for one in finders], np.int64)
    contacts = model.contacts
    normals, frictions = _addresses(contacts.normal_laws), _addresses(contacts.friction_laws)
    return ContactFunctions(finders=addresses, foundation=foundation, normals=normals, frictions=frictions)


def _addresses(bound: tuple[Any, ...]) -> np.ndarray:
    """Addresses of users' laws; a `ModelError` where one was not in the file that the model was read from."""
    for own in bound:
        if own.law is None:
            raise ModelError.at(
                own.name,
                f'contact law "{own.name}" is code, and the file that this model was read from does not hold it; '
                "describe the system again with the law",
            )
    return np.array([own.law.compiled().address for own in bound], np.int64)
