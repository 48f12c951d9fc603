"""Words of control: controllers, paths, sensors, filters, and what of the run they are told."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..basics.values import suggestion
from .diagnostics import WRONG, Diagnostics
from .schema_entry import DefaultedType, DeferredValue, ObjectType, SchemaEntry, SingleObjectType, register
from .system_schema import ANGLE, NAME, NUMBER, VECTOR
from .value_types import Axis, ByName, Either, Flag, Listed, Numbers, Place, Rotation, Text, ValueType, Whole
from .yaml import Node

DIRECTIONS = ("rx", "ry", "rz", "x", "y", "z")


class KindedEntry(ObjectType):
    """A mapping that says its `kind`."""

    def fits(self, node: Node) -> bool:
        return node.is_map and "kind" in node.value


class ModelName(ValueType):
    """The name of a model: "plant", or one of the section `models`."""

    words = 'the name of a model: "plant", or one of the section models'

    def fits(self, node: Node) -> bool:
        return node.is_text

    def take(self, node: Node, at: str, diagnostics: Diagnostics) -> Any:
        names = diagnostics.models.names()
        if node.value not in names:
            return diagnostics.wrong(node, at, f"there is no model {node.shown()}; {suggestion(node.value, names)}")
        found = diagnostics.models.get(node.value)
        return WRONG if found is None else found

    def schema(self) -> dict[str, Any]:
        return {"type": "string"}


COORDINATES = ByName(Either(ANGLE, Numbers(angle=True), Place(bare=False), Rotation()), refers="entry")
"""Values of coordinates by name: a number, all numbers of a joint, a pose of a free one, a rotation of a ball."""


class ReferenceStart(DefaultedType):
    """Coordinates that references begin from; the state of the scenario where nothing is said."""

    words = "a mapping from coordinates to values"

    def fits(self, node: Node) -> bool:
        return node.is_map

    def take(self, node: Node, at: str, diagnostics: Diagnostics) -> Any:
        return COORDINATES.read(node, at, diagnostics)

    def implied(self, diagnostics: Diagnostics) -> Any:
        return WRONG if diagnostics.state is None else diagnostics.state.state

    def schema(self) -> dict[str, Any]:
        return COORDINATES.schema()


class InitialState(NamedTuple):
    """The state of a plant at the start, and its model."""

    model: Any
    state: Any

    def of(self, model: Any) -> Any:
        """The same state of another model, as far as its coordinates have the same names."""
        if model is self.model:
            return self.state
        q, v = model.neutral.copy(), model.state().v
        for out, mine, theirs, values in (
            (q, model.index.q, self.model.index.q, self.state.q),
            (v, model.index.v, self.model.index.v, self.state.v),
        ):
            for name, i in mine.items():
                if name in theirs:
                    out[i] = values[theirs[name]]
        return model.state(q, v, time=self.state.time)


class _StateOf(DeferredValue):
    """A state of the model that the same word has."""

    def __init__(self, given: dict[str, Any] | None, begun: InitialState) -> None:
        self.given, self.begun = given, begun

    def settle(self, values: dict[str, Any]) -> Any:
        model = values.get("model", self.begun.model)
        return self.begun.of(model) if self.given is None else model.state(q=self.given)


class StateOf(DefaultedType):
    """A state that a design is made about; that of the scenario where nothing is said."""

    words = "a mapping from coordinates to values"

    def fits(self, node: Node) -> bool:
        return node.is_map

    def take(self, node: Node, at: str, diagnostics: Diagnostics) -> Any:
        given = COORDINATES.read(node, at, diagnostics)
        return WRONG if given is WRONG or diagnostics.state is None else _StateOf(given, diagnostics.state)

    def implied(self, diagnostics: Diagnostics) -> Any:
        return WRONG if diagnostics.state is None else _StateOf(None, diagnostics.state)

    def schema(self) -> dict[str, Any]:
        return COORDINATES.schema()


MODEL, START, STATE = ModelName(), ReferenceStart(), StateOf()
MOTION = Either(ANGLE, KindedEntry("motion"))
JOINTS = Listed(Text(refers="coordinate"), single=True)
NAMES = Listed(NAME, single=True)
GAIN = Either(NUMBER, Numbers(), ByName(NUMBER))
LIMIT = Either(NUMBER, Numbers(), ByName(NUMBER))
REFERENCE = Either(ANGLE, KindedEntry("motion"), ByName(MOTION, refers="coordinate"))
TOWARDS = ByName(MOTION, known=DIRECTIONS)
TARGET = Either(KindedEntry("path"), ByName(Either(MOTION, Rotation()), known=(*DIRECTIONS, "rotation")))
HEADING = Either(Listed(Text(DIRECTIONS)), Text(words='directions, such as "xy"'))
CONTACT, ADDRESS = Text(refers="contact"), Text(refers="address")
POINT = Place()

PID = {
    "joints": JOINTS,
    "kp": GAIN,
    "kd": GAIN,
    "ki": GAIN,
    "reference": REFERENCE,
    "feedforward": NAME,
    "model": MODEL,
    "limit": LIMIT,
    "tracking": GAIN,
    "start": START,
    "name": NAME,
}
TIP = {
    "model": MODEL,
    "at": NAME,
    "reference": TARGET,
    "directions": HEADING,
    "joints": JOINTS,
    "frame": ADDRESS,
    "feedback": NAME,
    "redundancy": NAME,
    "null_damping": NUMBER,
    "null_stiffness": NUMBER,
    "posture": Either(ByName(ANGLE), Numbers(angle=True), ANGLE),
    "limit": LIMIT,
    "singular": NUMBER,
    "start": START,
    "name": NAME,
}
WEIGHT = Either(NUMBER, Numbers(), ByName(Either(NUMBER, Numbers(2))))
DESIGN = {
    "model": MODEL,
    "state": STATE,
    "Q": WEIGHT,
    "R": WEIGHT,
    "inputs": NAMES,
    "hold": NAMES,
    "effort": ByName(NUMBER),
    "period": NUMBER,
    "reference": ByName(KindedEntry("motion")),
    "limit": LIMIT,
    "name": NAME,
}
MATRIX = Numbers()
OBSERVER = SchemaEntry(
    "Observer", "control.feedback", {"A": MATRIX, "B": MATRIX, "C": MATRIX, "gain": MATRIX, "discrete": Flag()}
)
CONTROLLER = ObjectType("controller")
WRAP = SchemaEntry("Wrap", "methods.human.muscles")
MUSCLE = SchemaEntry(
    "Muscle", "methods.human.muscles", {"path": Listed(ADDRESS, least=2), "wrap": SingleObjectType(WRAP)}
)

CONTROLLERS = [
    SchemaEntry("PD", "control", {k: v for k, v in PID.items() if k not in ("ki", "tracking")}),
    SchemaEntry("PID", "control", PID),
    SchemaEntry(
        "JointImpedance",
        "control",
        {k: v for k, v in PID.items() if k not in ("kp", "kd", "ki", "tracking")}
        | {"stiffness": GAIN, "damping": GAIN},
    ),  # fmt: skip
    SchemaEntry(
        "Antagonists",
        "control",
        dict.fromkeys(("radius", "linear", "quadratic", "damping"), NUMBER)
        | {
            "joint": Text(refers="coordinate"),
            "co_contraction": MOTION,
            "reference": MOTION,
            "start": START,
            "name": NAME,
        },
    ),  # fmt: skip
    SchemaEntry(
        "ComputedTorque",
        "control",
        {k: PID[k] for k in ("model", "joints", "kp", "kd", "reference", "limit", "start", "name")} | {"loop": NAME},
    ),  # fmt: skip
    SchemaEntry("Cartesian", "control", TIP | {"kp": GAIN, "kd": GAIN}),
    SchemaEntry(
        "Impedance",
        "control",
        TIP
        | {
            "mass": GAIN,
            "damping": GAIN,
            "stiffness": GAIN,
            "contact": CONTACT,
            "force": TOWARDS,
            "correction": NUMBER,
            "correction_limit": GAIN,
            "correction_from": NUMBER,
        },
    ),  # fmt: skip
    SchemaEntry(
        "Composite",
        "control",
        {"slow": CONTROLLER, "Q": GAIN, "R": GAIN, "scale": NUMBER, "schedule": Listed(COORDINATES), "name": NAME},
    ),  # fmt: skip
    SchemaEntry(
        "ForceMomentAccommodation",
        "control",
        {k: TIP[k] for k in ("model", "at", "joints", "directions", "limit", "singular", "start", "name")}
        | {
            "rate_command": TOWARDS,
            "gain": GAIN,
            "contacts": Listed(CONTACT, single=True),
            "kp": GAIN,
            "kd": GAIN,
            "force": TOWARDS,
            "dead_zone": GAIN,
            "rate_limit": GAIN,
            "force_limit": GAIN,
            "filter": NUMBER,
            "axes": NAME,
            "until": NUMBER,
            "period": NUMBER,
        },
    ),  # fmt: skip
    SchemaEntry(
        "HandController",
        "control",
        {k: TIP[k] for k in ("model", "at", "joints", "limit", "singular", "start", "name")}
        | {
            "kp": GAIN,
            "kd": GAIN,
            "craft": NAME,
            "turn_gain": NUMBER,
            "turn_limit": NUMBER,
            "commands": Numbers(depth=2),
            "period": NUMBER,
            "late": NUMBER,
        },
    ),  # fmt: skip
    SchemaEntry(
        "StateFeedback",
        "control",
        {
            "gain": MATRIX,
            "state": STATE,
            "inputs": NAMES,
            "coordinates": NAMES,
            "effort": ByName(NUMBER),
            "reference": ByName(KindedEntry("motion")),
            "limit": LIMIT,
            "observer": SingleObjectType(OBSERVER),
            "measured": NAMES,
            "rates": NAMES,
            "name": NAME,
        },
    ),  # fmt: skip
    SchemaEntry("LQR", "control", DESIGN, slow=True),
    SchemaEntry("LQG", "control", DESIGN | {"W": WEIGHT, "V": WEIGHT, "measured": NAMES, "rates": NAMES}, slow=True),
    SchemaEntry(
        "Predictive",
        "control",
        {k: DESIGN[k] for k in ("model", "state", "period", "reference", "inputs", "hold", "name")}
        | {
            "horizon": Whole(1, 1000),
            "penalty": Either(NUMBER, Numbers()),
            "relinearize": Flag(),
            "increments": Either(NUMBER, Numbers()),
            "weights": Numbers(),
            "form": NAME,
            "limit": Either(NUMBER, Numbers()),
            "cut": Flag(),
        },
        slow=True,
    ),  # fmt: skip
    SchemaEntry(
        "Filtered",
        "control",
        {
            "controller": CONTROLLER,
            "filter": ObjectType("filter"),
            "on": JOINTS,
            "signal": NAME,
            "state": STATE,
            "name": NAME,
        },
    ),  # fmt: skip
    SchemaEntry(
        "Muscles",
        "methods.human.muscles",
        {
            "muscles": Listed(SingleObjectType(MUSCLE), least=1),
            "excitation": Either(NUMBER, KindedEntry("motion"), ByName(MOTION)),
            "activation": Either(NUMBER, Numbers(), ByName(NUMBER)),
            "name": NAME,
        },
    ),  # fmt: skip
    SchemaEntry("LaggedCompliance", "control", {"period": NUMBER, "lag": NUMBER, "name": NAME}),
    SchemaEntry(
        "Sampled",
        "control",
        {
            "controller": CONTROLLER,
            "period": NUMBER,
            "delay": NUMBER,
            "quantisation": Either(NUMBER, ByName(NUMBER)),
            "sensors": Listed(ObjectType("sensor")),
            "seed": Whole(),
            "name": NAME,
        },
    ),  # fmt: skip
]
LEG = {"duration": NUMBER, "law": NAME, "begin": NUMBER, "ramp": NUMBER}
PATHS = [
    SchemaEntry("Line", "control", LEG | {"start": POINT, "to": POINT}),
    SchemaEntry(
        "Circle",
        "control",
        LEG
        | {
            "centre": VECTOR,
            "normal": Axis(),
            "radius": NUMBER,
            "start": POINT,
            "angle": ANGLE,
            "rotation": Rotation(),
            "follow": Flag(),
        },
    ),  # fmt: skip
    SchemaEntry("Via", "control", {"points": Listed(POINT), "times": Numbers(depth=1)}),
    SchemaEntry("Sequence", "files.adapters:sequence", {"paths": Listed(ObjectType("path")), "pause": NUMBER}),
]
SENSORS = [
    SchemaEntry(
        "JointSensor",
        "control",
        {"names": JOINTS} | dict.fromkeys(("noise", "bias", "resolution", "velocity_noise", "velocity_bias"), NUMBER),
    ),  # fmt: skip
    SchemaEntry(
        "PoseSensor",
        "control",
        {"at": ADDRESS, "rotation_bias": VECTOR, "position_bias": VECTOR}
        | dict.fromkeys(
            ("rotation_noise", "position_noise", "velocity_noise", "spin_noise", "period", "delay"), NUMBER
        ),
    ),  # fmt: skip
    SchemaEntry(
        "ForceSensor",
        "control",
        {
            "joint": Text(refers="joint"),
            "contact": CONTACT,
            "force_bias": VECTOR,
            "torque_bias": VECTOR,
            "force_noise": NUMBER,
            "torque_noise": NUMBER,
        },
    ),  # fmt: skip
]
FILTERS = [
    SchemaEntry(
        "Filter", "control", {"numerator": Numbers(depth=1), "denominator": Numbers(depth=1), "period": NUMBER}
    ),
    SchemaEntry("Filter.low_pass", "control", {"hz": NUMBER, "damping": NUMBER}),
    SchemaEntry("Filter.notch", "control", {"hz": NUMBER, "width": NUMBER, "depth": NUMBER}),
    SchemaEntry("Filter.lead_lag", "control", {"zero_hz": NUMBER, "pole_hz": NUMBER}),
    SchemaEntry("Filter.differentiator", "control", {"hz": NUMBER}),
]
SHAPED = [
    SchemaEntry(
        "Shaped",
        "files.adapters:shaped",
        {
            "motion": ObjectType("motion"),
            "frequency": Either(NUMBER, Numbers(depth=1)),
            "damping": Either(NUMBER, Numbers(depth=1)),
            "shaper": NAME,
            "vibration": NUMBER,
            "value": ANGLE,
            "until": NUMBER,
        },
    ),  # fmt: skip
]
for _category, _rows in {
    "controller": CONTROLLERS,
    "path": PATHS,
    "sensor": SENSORS,
    "filter": FILTERS,
    "motion": SHAPED,
}.items():
    register(_category, _rows)
