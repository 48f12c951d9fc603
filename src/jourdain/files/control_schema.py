"""Schema entries of control: controllers, paths, sensors and filters, and what of the run they are given."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..basics.composite_types import IN_FILES, ListOf, MappingOf, Union
from ..basics.value_types import INVALID, Array, Integer, PoseType, Rotation, Text, ValueType
from ..basics.values import suggestion
from .diagnostics import Diagnostics
from .schema_entry import DefaultedType, DeferredValue, ObjectType, SchemaEntry, SingleObjectType, register
from .system_schema import ANGLE, NAME, NUMBER, VECTOR
from .yaml import Node

DIRECTIONS = ("rx", "ry", "rz", "x", "y", "z")


class ModelName(ValueType):
    """The name of a model: "plant", or one of the section `models`."""

    def words(self, python: bool = False) -> str:
        return 'the name of a model: "plant", or one of the section models'

    def fits(self, node: Node) -> bool:
        return node.is_text

    def take(self, node: Node, at: str, diagnostics: Diagnostics) -> Any:
        names = diagnostics.models.names()
        if node.value not in names:
            return diagnostics.wrong(node, at, f"there is no model {node.shown()}; {suggestion(node.value, names)}")
        found = diagnostics.models.get(node.value)
        return INVALID if found is None else found

    def schema(self) -> dict[str, Any]:
        return {"type": "string"}


COORDINATES = MappingOf(Union(ANGLE, Array(angle=True), PoseType(bare=False), Rotation()), refers="entry")
"""Values of coordinates by name: a number, all numbers of a joint, a pose of a free one, a rotation of a ball."""


class ReferenceStart(DefaultedType):
    """Coordinates that references begin from; the state of the scenario where nothing is said."""

    def words(self, python: bool = False) -> str:
        return "a mapping from coordinates to values"

    def fits(self, node: Node) -> bool:
        return node.is_map

    def take(self, node: Node, at: str, diagnostics: Diagnostics) -> Any:
        return COORDINATES.read(node, at, diagnostics)

    def implied(self, diagnostics: Diagnostics) -> Any:
        return INVALID if diagnostics.state is None else diagnostics.state.state

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
    """A state of the model that the same entry has."""

    def __init__(self, given: dict[str, Any] | None, begun: InitialState) -> None:
        self.given, self.begun = given, begun

    def settle(self, values: dict[str, Any]) -> Any:
        model = values.get("model", self.begun.model)
        return self.begun.of(model) if self.given is None else model.state(q=self.given)


class StateOf(ReferenceStart):
    """A state that a design is made about; that of the scenario where nothing is said."""

    def take(self, node: Node, at: str, diagnostics: Diagnostics) -> Any:
        given = COORDINATES.read(node, at, diagnostics)
        return INVALID if given is INVALID or diagnostics.state is None else _StateOf(given, diagnostics.state)

    def implied(self, diagnostics: Diagnostics) -> Any:
        return INVALID if diagnostics.state is None else _StateOf(None, diagnostics.state)


MOTION = Union(ANGLE, ObjectType("motion"))
JOINTS = ListOf(Text(refers="coordinate"), single=True)
NAMES = ListOf(NAME, single=True)
GAIN = Union(NUMBER, Array(), MappingOf(NUMBER))
TOWARDS = MappingOf(MOTION, known=DIRECTIONS)
HEADING = Union(ListOf(Text(DIRECTIONS)), Text(names='directions, such as "xy"'))
CONTACT, ADDRESS = Text(refers="contact"), Text(refers="address")
CONTROLLER = ObjectType("controller")
OBSERVER = SchemaEntry("Observer", "control.state_feedback")
WRAP = SchemaEntry("Wrap", "methods.human.muscles")
MUSCLE = SchemaEntry("Muscle", "methods.human.muscles", {"path": ListOf(ADDRESS, least=2)})
IN_FILES.update(
    {
        **{"Model": ModelName(), "State": StateOf(), "StartLike": ReferenceStart(), "ByName": GAIN, "Goal": MOTION},
        **dict.fromkeys(("AnyController", "AnyController | Callable", "TipController"), CONTROLLER),
        **dict.fromkeys(("Iterable[str]", "Sequence[str]"), NAMES),
        **{"Contacts": ListOf(CONTACT, single=True), "Joints": JOINTS, "Directions": HEADING},
        "Goals": Union(ANGLE, ObjectType("motion"), MappingOf(MOTION, refers="coordinate")),
        "TipGoals": Union(ObjectType("path"), MappingOf(Union(MOTION, Rotation()), known=(*DIRECTIONS, "rotation"))),
        "RateGoals": TOWARDS,
        "Filter": ObjectType("filter"),
        "Observer": SingleObjectType(OBSERVER),
        "Wrap": SingleObjectType(WRAP),
        "Muscle": SingleObjectType(MUSCLE),
    }
)
TIP: dict[str, ValueType] = {
    "frame": ADDRESS,
    "contact": CONTACT,
    "force": TOWARDS,
    "posture": Union(MappingOf(ANGLE), Array(angle=True), ANGLE),
}
LIMIT: dict[str, ValueType] = {"limit": GAIN}
WEIGHT: ValueType = Union(NUMBER, Array(), MappingOf(Union(NUMBER, Array(2))))
EFFORT: dict[str, ValueType] = {"effort": MappingOf(NUMBER)}
DESIGN = dict.fromkeys(("Q", "R", "W", "V"), WEIGHT) | LIMIT | EFFORT
OWN_GAINS = dict.fromkeys(("kp", "kd", "ki", "tracking"))
LEVELS = Union(NUMBER, Array())
CONTROLLERS = [
    SchemaEntry("PD", "control", dict.fromkeys(("ki", "tracking"))),
    SchemaEntry("PID", "control"),
    SchemaEntry("JointImpedance", "control", OWN_GAINS),
    SchemaEntry("Antagonists", "control", {"joint": Text(refers="coordinate")}),
    SchemaEntry("ComputedTorque", "control"),
    SchemaEntry("Cartesian", "control", TIP),
    SchemaEntry("Impedance", "control", TIP),
    SchemaEntry("Composite", "control", {"schedule": ListOf(COORDINATES)}),
    SchemaEntry("ForceMomentAccommodation", "control", {"force": TOWARDS}),
    SchemaEntry("HandController", "control", {"commands": Array(depth=2)}),
    SchemaEntry("StateFeedback", "control", LIMIT | EFFORT),
    SchemaEntry("LQR", "control", DESIGN, slow=True),
    SchemaEntry("LQG", "control", DESIGN, slow=True),
    SchemaEntry(
        "Predictive",
        "control",
        {"horizon": Integer(1, 1000), **dict.fromkeys(("penalty", "increments", "limit"), LEVELS)},
        slow=True,
    ),
    SchemaEntry("Filtered", "control", {"on": JOINTS}),
    SchemaEntry(
        "Muscles",
        "methods.human.muscles",
        {
            "muscles": ListOf(SingleObjectType(MUSCLE), least=1),
            "excitation": Union(NUMBER, ObjectType("motion"), MappingOf(MOTION)),
            "activation": GAIN,
        },
    ),
    SchemaEntry("LaggedCompliance", "control"),
    SchemaEntry("Sampled", "control", {"sensors": ListOf(ObjectType("sensor")), "markers": None, "contacts": None}),
]
POINT = PoseType()
PATHS = [
    SchemaEntry("Line", "control"),
    SchemaEntry("Circle", "control"),
    SchemaEntry("Via", "control", {"times": Array(depth=1)}),
    SchemaEntry("Sequence", "files.adapters:sequence", {"paths": ListOf(ObjectType("path"))}),
]
SENSORS = [
    SchemaEntry("JointSensor", "control", {"names": JOINTS}),
    SchemaEntry("PoseSensor", "control", {"at": ADDRESS} | dict.fromkeys(("rotation_bias", "position_bias"), VECTOR)),
    SchemaEntry(
        "ForceSensor",
        "control",
        {"joint": Text(refers="joint"), "contact": CONTACT} | dict.fromkeys(("force_bias", "torque_bias"), VECTOR),
    ),
]
FILTERS = [
    SchemaEntry("Filter", "control", dict.fromkeys(("numerator", "denominator"), Array(depth=1))),
    *(SchemaEntry(f"Filter.{name}", "control") for name in ("low_pass", "notch", "lead_lag", "differentiator")),
]
SEVERAL = Union(NUMBER, Array(depth=1))
SHAPED = SchemaEntry(
    "Shaped", "files.adapters:shaped", {"motion": ObjectType("motion"), "frequency": SEVERAL, "damping": SEVERAL}
)
register("controller", CONTROLLERS)
register("path", PATHS)
register("sensor", SENSORS)
register("filter", FILTERS)
register("motion", [SHAPED])
