"""The names of what can be plotted, limited and listed: one number at every time of a run.

shoulder, free.x                  a coordinate
v:elbow  effort:elbow  z:touch.dwell  energy:total
                                  the effort of a joint with a drive is what its motor gives it through the gear
payload.origin.x                  place of a frame in world axes; also .y .z, velocity .vx .vy .vz, angular velocity
                                  .wx .wy .wz, and the magnitudes .speed and .spin
contact:touch.force               magnitude of the force on the first body; .force.x, .torque, .torque.x,
                                  .normal_force, .depth, .slip, .sites, .energy; of a surface of a solid also
                                  .pressure, the largest of its nodes, but no .torque
contact:track.left.creepage       of a wheel on a rail, both directions together; .creepage.longitudinal,
                                  .creepage.lateral, .creepage.spin; also .force, .torque, .normal_force, .slip,
                                  .sliding, .rolling_radius, .contact_angle, .pressure, .depth
reaction:elbow.force              magnitude of what a joint does to the body that it holds; .force.x, .moment, .moment.x
deflection:link1                  largest displacement along a body; deflection:link1.y for one component
strain:link1.moment_z             largest magnitude along a body; every name of `run.strain`
tension:rope                      largest force along a cable or nodal beam, that of its damping included
length:rope                       of a cable on a winch, what is out of it
muscle:biceps.force               of a muscle, which a run knows: .active_force, .passive_force, .length, .velocity,
                                  .fibre_length, .activation, .excitation, .power
current:drag  emf:drag            of an electrodynamic force; power:drag, which the current takes from the motion
field:pad.von_mises               largest over the nodes of a solid; also field:pad.displacement, its magnitude, and
                                  components: field:pad.stress.xx, field:pad.displacement.z
distance:a.tip:b.origin           between two frames
offset:a.tip:b.origin.x           place of the first frame in the axes of the second
angle:a.tip:b.origin              rotation between two frames; angle:a.tip.x:b.origin.x between two axes
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..basics.arguments import checked
from . import cables, solid_fields
from .channels import ENERGY, unknown
from .electrodynamics import CIRCUIT, circuit, conductors
from .surface_names import contact_names, frame_names, surfaces
from .wheels import CREEPAGES, WHEEL, wheels

if TYPE_CHECKING:
    from ..model.model import Model
    from .run import Run

PLACE = {"x": 0, "y": 1, "z": 2, "wx": 7, "wy": 8, "wz": 9, "vx": 10, "vy": 11, "vz": 12}
"""Parts of a frame's motion, and their columns in `FrameHistory.path`."""
LENGTHS = {"spin": slice(7, 10), "speed": slice(10, 13)}
"""Magnitudes of a frame's motion, and their columns."""
PLACE_UNITS = dict(zip((*PLACE, *LENGTHS), ("m", "m", "m", *["rad/s"] * 3, *["m/s"] * 3, "rad/s", "m/s"), strict=True))
CONTACT = {"force": "N", "torque": "N m", "normal_force": "N", "depth": "m", "slip": "m/s", "sites": "1", "energy": "J"}
"""What a contact tells, and its unit."""
SURFACE = {name: unit for name, unit in CONTACT.items() if name != "torque"} | {"pressure": "Pa"}
"""What the contact of a surface of a solid tells."""
REACTION = {"force": "N", "moment": "N m"}
"""What the reaction of a joint tells, and its unit."""
MUSCLE = {"force": "N", "active_force": "N", "passive_force": "N", "length": "m", "velocity": "m/s"} | {
    "fibre_length": "m",
    "activation": "1",
    "excitation": "1",
    "power": "W",
}
"""What a muscle tells, and its unit."""
STRAINS = (
    *("axial", "shear_y", "shear_z", "kappa_y", "kappa_z", "curvature", "twist"),
    *("force", "force_y", "force_z", "moment_y", "moment_z", "moment", "torque"),
)
KINDS = (
    *("q", "v", "effort", "z", "energy", "contact", "reaction", "deflection", "strain", "tension", "length"),
    *("muscle", "current", "emf", "power", "field", "distance", "offset", "angle"),
)
"""What may stand before the first colon of a name."""


@dataclass(frozen=True, eq=False)
class Quantity:
    """One number at every time.

    name      as it was asked for
    values    (nt,)
    time      (nt,) [s]
    unit      "" where it is not known
    label     a few words for a legend
    place     where it is at a sample, in words; "" for what has no place of its own
    """

    name: str
    values: np.ndarray
    time: np.ndarray
    unit: str
    label: str
    place: Callable[[int], str] = lambda _: ""


@dataclass(frozen=True)
class Named:
    """A name that was understood: its label, how a run gives values and unit, and that unit, "" where only it knows;
    and how a run says in words where it is at a sample."""

    label: str
    read: Callable[[Run], tuple[Any, str]]
    unit: str = ""
    place: Callable[[Run, int], str] = lambda *_: ""


@checked
def quantity(run: Run, name: str) -> Quantity:
    """The quantity of that name; an `UnknownNameError` says what exists."""
    scratch = run.model.scratch
    known = getattr(scratch, "named", None)
    if known is None:
        known = scratch.named = {}
    found = known.get(name)
    if found is None:
        found = known[name] = understand(run.model, name)
    values, unit = found.read(run)
    values = np.asarray(values, dtype=np.float64)
    return Quantity(name, values, run.record.time, unit, found.label, lambda i: found.place(run, i))


def understand(model: Model, name: str) -> Named:
    """What a name means for a model, without a run; an `UnknownNameError` says what exists."""
    kind, colon, rest = str(name).partition(":")
    if colon:
        if kind not in KINDS:
            raise unknown("kind of quantity", kind, KINDS, "there are none")
        return _MAKERS[kind](model, rest)
    if name in model.index.q:
        return _coordinate(model, name)
    frame, _, part = str(name).rpartition(".")
    if frame in model.markers and part in PLACE_UNITS:
        return _place(frame, part)
    if name in model.index.v:
        return _velocity(model, name)
    raise unknown("quantity", name, list(known_quantities(model)), "the model has none")


def known_quantities(model: Model) -> Iterator[str]:
    """Names that a model has, without those of two frames."""
    yield from model.names.q
    yield from (f"v:{name}" for name in model.names.v)
    yield from (f"effort:{name}" for name in model.names.v)
    yield from (f"energy:{name}" for name in (*ENERGY, "total", "balance"))
    yield from (f"{address}.{part}" for address in frame_names(model) if address != "world" for part in PLACE_UNITS)
    touching = surfaces(model)
    rolling = wheels(model)
    for name in contact_names(model):
        parts = WHEEL if name in rolling else SURFACE if name in touching else CONTACT
        yield from (f"contact:{name}.{part}" for part in parts)
    yield from (f"reaction:{name}.{part}" for name in model.joints for part in REACTION)
    meshed = solid_fields.meshed(model)
    yield from (f"deflection:{body}" for body in _flexible(model) if body not in meshed)
    yield from (f"tension:{body}" for body in cables.lines(model, _flexible(model)))
    yield from (f"length:{body}" for body in cables.wound(model, _flexible(model)))
    yield from (f"{what}:{name}" for name in conductors(model) for what in CIRCUIT)
    yield from (f"field:{body}.{what}" for body in meshed for what in ("von_mises", "displacement"))


def _flexible(model: Model) -> list[str]:
    """Bodies that deform."""
    inner = {name.rpartition(".")[0] for name in model.names.v}
    return [body for body in model.bodies if body in inner]


def _channel(model: Model, kind: str, words: str, names: Any, empty: str, name: str) -> Named:
    if name not in names:
        raise unknown(f"{kind} channel", name, names, empty)

    def read(run: Run) -> tuple[Any, str]:
        channels = getattr(run.channels, kind)
        return channels.column(name), channels.unit(name)

    return Named(f"{words}{name}", read, _channel_unit(model, kind, name))


def _channel_unit(model: Model, kind: str, name: str) -> str:
    if kind == "energy":
        return "J"
    index = model.index.q if kind == "q" else model.index.v
    return getattr(model.units, kind)[index[name]]


def _coordinate(model: Model, name: str) -> Named:
    return _channel(model, "q", "", model.names.q, "the model has no coordinates", name)


def _velocity(model: Model, name: str) -> Named:
    return _channel(model, "v", "rate of ", model.names.v, "the model has no velocities", name)


def _effort(model: Model, name: str) -> Named:
    """The effort on a coordinate; of a joint with a drive also what its motor gives it, times the gear."""
    plain = _channel(model, "effort", "effort at ", model.names.v, "the model has no velocities", name)
    for at, drive in zip(model.arrays.drive_entries, model.arrays.joint_drives, strict=True):
        if model.names.v[at.joint_v] == name:
            return Named(plain.label, _geared(name, model.names.v[at.motor_v], float(drive.gear)), plain.unit)
    return plain


def _geared(joint: str, motor: str, ratio: float) -> Callable[[Run], tuple[Any, str]]:
    """Reads the effort on the joint's side of a gear (nt,)."""

    def read(run: Run) -> tuple[Any, str]:
        return run.channels.effort.column(joint) + ratio * run.channels.effort.column(motor), run.channels.effort.unit(
            joint
        )

    return read


def _energy(model: Model, name: str) -> Named:
    return _channel(model, "energy", "energy: ", (*ENERGY, "total", "balance"), "", name)


def _state(model: Model, name: str) -> Named:
    """Internal states; those of laws are known by the run only."""

    def read(run: Run) -> tuple[Any, str]:
        return run.channels.z.column(name), run.channels.z.unit(name)

    return Named(f"state {name}", read)


def _place(frame: str, part: str) -> Named:
    unit = PLACE_UNITS[part]
    if part in LENGTHS:
        columns = LENGTHS[part]
        return Named(
            f"{part} of {frame}", lambda run: (np.linalg.norm(run.frame(frame).path[:, columns], axis=1), unit), unit
        )
    return Named(f"{frame} {part}", lambda run: (run.frame(frame).path[:, PLACE[part]], unit), unit)


def _contact(model: Model, rest: str) -> Named:
    names, joined = model.contacts.names, surfaces(model)
    wheel = next((name for name in wheels(model) if rest.startswith(f"{name}.")), "")
    if wheel:
        return _wheel(wheel, rest[len(wheel) + 1 :])
    contact = max((name for name in (*names, *joined) if rest.startswith(f"{name}.")), key=len, default="")
    parts = SURFACE if contact in joined else CONTACT
    if not contact:
        known = [f"{name}.{part}" for name in contact_names(model) for part in CONTACT]
        raise unknown("contact quantity", rest, known, "the model has no contacts")
    what, _, axis = rest[len(contact) + 1 :].partition(".")
    directed = what in ("force", "torque")
    if what not in parts or (axis and not (directed and axis in "xyz")):
        known = [*parts, *(f"{one}.{x}" for one in ("force", "torque") if one in parts for x in "xyz")]
        raise unknown(f"quantity of contact {contact}", rest[len(contact) + 1 :], known, "")
    if what == "pressure":
        return _pressure(contact)
    if directed and contact in names and names.index(contact) >= len(model.description["contacts"]):
        raise unknown("quantity of a pile", what, ["normal_force", "depth", "slip", "sites", "energy"], "")

    def read(run: Run) -> tuple[Any, str]:
        history = run.contact[contact]
        values = history.plain(what) if hasattr(history, "plain") else getattr(history, what).values
        if directed:
            values = values[:, "xyz".index(axis)] if axis else np.linalg.norm(values, axis=1)
        return values, CONTACT[what]

    return Named(f"{what.replace('_', ' ')} of {contact}" + (f" along {axis}" if axis else ""), read, CONTACT[what])


def _wheel(contact: str, rest: str) -> Named:
    """What a wheel on a rail tells."""
    what, _, part = rest.partition(".")
    parts = CREEPAGES if what == "creepage" else tuple("xyz") if what in ("force", "torque") else ()
    if what not in WHEEL or (part and part not in parts):
        known = [*WHEEL, *(f"{one}.{x}" for one in ("force", "torque") for x in "xyz")]
        raise unknown(f"quantity of contact {contact}", rest, [*known, *(f"creepage.{x}" for x in CREEPAGES)], "")
    unit = "1/m" if part == "spin" else WHEEL[what]

    def read(run: Run) -> tuple[Any, str]:
        values = run.contact[contact].plain(what)
        if part:
            values = values[:, parts.index(part)]
        elif values.ndim > 1:
            values = np.linalg.norm(values[:, :2] if what == "creepage" else values, axis=1)
        return values, unit

    words = f"{part} {what}" if part and what == "creepage" else what.replace("_", " ")
    return Named(f"{words} of {contact}" + (f" along {part}" if part in (*"xyz",) else ""), read, unit)


def _pressure(contact: str) -> Named:
    """The largest pressure of the nodes of a surface."""

    def read(run: Run) -> tuple[Any, str]:
        return run.contact[contact].pressure.values.max(axis=1), "Pa"

    def place(run: Run, i: int) -> str:
        touch = run.contact[contact]
        return solid_fields.place(run.model, touch.body, int(touch.nodes[np.argmax(touch.pressure.values[i])]))

    return Named(f"peak pressure of {contact}", read, "Pa", place)


def _field(model: Model, rest: str) -> Named:
    """A field of a solid where it is farthest from zero."""
    body, what, component = solid_fields.scalar_of(model, rest)
    unit = solid_fields.unit_of(what)

    def place(run: Run, i: int) -> str:
        return solid_fields.place(run.model, body, int(solid_fields.most(run, body, what, component)[1][i]))

    label = f"{component} of {what}" if component else {"von_mises": "von Mises stress"}.get(what, what)
    return Named(
        f"largest {label} in {body}", lambda run: (solid_fields.most(run, body, what, component)[0], unit), unit, place
    )


def _reaction(model: Model, rest: str) -> Named:
    joint, _, tail = rest.partition(".")
    if joint not in model.joints:
        raise unknown("joint", joint, model.joints, "the model has no joints")
    what, _, axis = tail.partition(".")
    if what not in REACTION or axis not in ("", *"xyz"):
        known = [*REACTION, *(f"{one}.{x}" for one in REACTION for x in "xyz")]
        raise unknown(f"quantity of the reaction of {joint}", tail, known, "")

    def read(run: Run) -> tuple[Any, str]:
        values = getattr(run.reaction[joint], what).values
        return values[:, "xyz".index(axis)] if axis else np.linalg.norm(values, axis=1), REACTION[what]

    return Named(f"reaction {what} of {joint}" + (f" along {axis}" if axis else ""), read)


def _deflection(model: Model, rest: str) -> Named:
    body, _, axis = rest.partition(".")
    _deforms(model, body, axis, ("", *"xyz"), "deflection")

    def read(run: Run) -> tuple[Any, str]:
        values = run.deflection(body).values
        if not axis:
            return np.linalg.norm(values, axis=2).max(axis=1), "m"
        return _farthest(values[:, :, "xyz".index(axis)]), "m"

    return Named(f"deflection of {body}" + (f" along {axis}" if axis else ""), read, "m")


def _strain(model: Model, rest: str) -> Named:
    body, _, what = rest.partition(".")
    _deforms(model, body, what, STRAINS, "strain")

    def read(run: Run) -> tuple[Any, str]:
        strains = run.strain(body)
        if what not in strains:
            raise unknown(f"strain of {body}", what, [str(one) for one in strains], "")
        found = strains[what]
        return np.abs(found.values).max(axis=1), found.attrs["units"]

    return Named(f"largest {what} in {body}", read)


def _tension(model: Model, body: str) -> Named:
    known = cables.lines(model, _flexible(model))
    if body not in known:
        raise unknown("cable", body, known, "the model has no cables")

    def place(run: Run, i: int) -> str:
        return f"{cables.most(run, body)[1][i]:.4g} m along {body}"

    return Named(f"largest tension of {body}", lambda run: (cables.most(run, body)[0], "N"), "N", place)


def _length(model: Model, body: str) -> Named:
    known = cables.wound(model, _flexible(model))
    if body not in known:
        raise unknown("cable on a winch", body, known, "the model has no winches")
    return Named(f"length of {body} that is out", lambda run: (cables.out(run, body), "m"), "m")


def _muscle(model: Model, rest: str) -> Named:
    """What a muscle tells; which there are is known by the run only."""
    name, _, what = rest.rpartition(".")
    if what not in MUSCLE or not name:
        raise unknown("quantity of a muscle", rest, [f"{name or rest}.{one}" for one in MUSCLE], "")
    words = f"{what.replace('_', ' ')} of {name}"
    return Named(words, lambda run: (run.muscle[name].plain(what), MUSCLE[what]), MUSCLE[what])


def _circuit(what: str) -> Callable[[Any, str], Named]:
    """How the current, emf or power of an electrodynamic force is read."""

    def named(model: Model, name: str) -> Named:
        known = conductors(model)
        if name not in known:
            raise unknown("electrodynamic force", name, known, "the model has none")
        return Named(f"{what} of {name}", lambda run: (circuit(run, name)[what], CIRCUIT[what]), CIRCUIT[what])

    return named


def _deforms(model: Model, body: str, part: str, parts: tuple[str, ...], what: str) -> None:
    flexible = _flexible(model)
    if body not in flexible:
        raise unknown(f"flexible body for {what}", body, flexible, "the model has no flexible bodies")
    if part not in parts:
        raise unknown(f"{what} of {body}", part, [one for one in parts if one], "")


def _farthest(values: np.ndarray) -> np.ndarray:
    """Of each row the entry that is farthest from zero, with its sign."""
    return values[np.arange(len(values)), np.argmax(np.abs(values), axis=1)]


def address_pair(model: Model, rest: str, form: str, ends: str = "") -> tuple[str, str, str, str]:
    """Two addresses, and what is written behind each: one of the letters of `ends`, or nothing.

    A body's name means its origin.
    """
    first, colon, second = rest.partition(":")
    if not colon:
        raise unknown("pair of frames", rest, [form], "")
    found = []
    for one in (first, second):
        frame, _, last = one.rpartition(".")
        if one in model.markers:
            found += [one, ""]
        elif f"{one}.origin" in model.markers:
            found += [f"{one}.origin", ""]
        elif frame in model.markers and last in (*ends,):
            found += [frame, last]
        else:
            raise unknown("frame", one, model.markers, "the model has no frames")
    return found[0], found[1], found[2], found[3]


def _distance(model: Model, rest: str) -> Named:
    one, _, other, _ = address_pair(model, rest, "distance:a.tip:b.origin")

    def read(run: Run) -> tuple[Any, str]:
        return np.linalg.norm(run.frame(one).path[:, :3] - run.frame(other).path[:, :3], axis=1), "m"

    return Named(f"distance of {one} from {other}", read, "m")


def _offset(model: Model, rest: str) -> Named:
    one, wrong, other, axis = address_pair(model, rest, "offset:a.tip:b.origin.x", "xyz")
    if wrong or not axis:
        raise unknown("offset", rest, [f"{one}:{other}.{x}" for x in "xyz"], "")

    def read(run: Run) -> tuple[Any, str]:
        apart = run.frame(one).path[:, :3] - run.frame(other).path[:, :3]
        return np.einsum("ti,ti->t", apart, _axis(run.frame(other).path[:, 3:7], axis)), "m"

    return Named(f"{one} along {axis} of {other}", read, "m")


def _angle(model: Model, rest: str) -> Named:
    one, first, other, second = address_pair(model, rest, "angle:a.tip:b.origin", "xyz")
    if bool(first) != bool(second):
        raise unknown("angle", rest, [f"{one}:{other}", f"{one}.x:{other}.x"], "")

    def read(run: Run) -> tuple[Any, str]:
        p, q = run.frame(one).path[:, 3:7], run.frame(other).path[:, 3:7]
        if not first:
            # |p - q| and |p + q| are 2 sin and 2 cos of a quarter of the angle: exact when it is small
            apart, along = np.linalg.norm(p - q, axis=1), np.linalg.norm(p + q, axis=1)
            return 4.0 * np.arctan2(np.minimum(apart, along), np.maximum(apart, along)), "rad"
        a, b = _axis(p, first), _axis(q, second)
        across = np.linalg.norm(np.cross(a, b), axis=1)
        return np.arctan2(across, np.einsum("ti,ti->t", a, b)), "rad"

    ends = f"{one} {first}".strip(), f"{other} {second}".strip()
    return Named(f"angle between {ends[0]} and {ends[1]}", read, "rad")


def _axis(quaternions: np.ndarray, axis: str) -> np.ndarray:
    """An axis of a turned frame, (nt, 3), world axes."""
    w, x, y, z = quaternions.T
    columns = {
        "x": (1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)),
        "y": (2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)),
        "z": (2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)),
    }
    return np.stack(columns[axis], axis=1)


_MAKERS: dict[str, Callable[[Any, str], Named]] = {
    "q": _coordinate,
    "v": _velocity,
    "effort": _effort,
    "z": _state,
    "energy": _energy,
    "contact": _contact,
    "reaction": _reaction,
    "deflection": _deflection,
    "strain": _strain,
    "tension": _tension,
    "length": _length,
    "muscle": _muscle,
    **{what: _circuit(what) for what in CIRCUIT},
    "field": _field,
    "distance": _distance,
    "offset": _offset,
    "angle": _angle,
}
