"""A lesson: where everything is at the start, what is to be done, and what it is worth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..basics.errors import JourdainError
from ..basics.pose import Pose
from ..basics.values import suggestion
from .plant import GRAPPLES, JOINTS, model

if TYPE_CHECKING:
    from ..model.model import Model
    from ..model.state import State

FOLDER = Path(__file__).parent / "lessons"
MEASURES = ("time", "force", "angle", "fuel", "collisions")
"""What a flight is scored by: time [s], peak force [N], misalignment [deg], fuel [kg], collisions."""


@dataclass(frozen=True)
class Goal:
    """What is to be done.

    kind        "hold": the frames of a grapple stay near each other; "connect": it is closed
    pair        name of the grapple
    distance    least and greatest, of the two frames [m]
    aside       greatest distance from the axis of the satellite's frame [m]
    angle       greatest rotation between them [deg]
    speed       greatest speed between them [m/s]
    seconds     that it is to be held, or that it takes after the grapple has closed [s]
    at_once     whether the seconds must follow each other
    """

    kind: str
    pair: str
    distance: tuple[float, float]
    angle: float
    speed: float
    seconds: float
    aside: float = 1e9
    at_once: bool = True


@dataclass(frozen=True)
class Marks:
    """Points for a measure: all where it is `good` or less, none where it is `bad` or more, between them by share."""

    good: float
    bad: float
    points: float

    def of(self, value: float) -> float:
        """Points for a value."""
        return self.points * min(max((self.bad - value) / (self.bad - self.good), 0.0), 1.0)


@dataclass(frozen=True, eq=False)
class Lesson:
    """One lesson of the trainer.

    key         name of its file
    target      where the satellite is, from the craft and in its axes [m]; None where the hand holds it
    drift       its velocity [m/s], and `tumble`: its turning rates in its own axes [deg/s]
    joints      angles of the arm [deg]; those that are not named are 0
    closed      grapples that are closed at the start
    limit       time after which it ends [s]
    controls    what the pilot has: "arm", "craft"
    done        points for having done it, and `marks` for how
    """

    key: str
    name: str
    order: int
    task: str
    target: tuple[float, ...] | None
    drift: tuple[float, ...]
    tumble: tuple[float, ...]
    joints: Mapping[str, float]
    closed: tuple[str, ...]
    goal: Goal
    limit: float
    controls: tuple[str, ...]
    done: float
    marks: Mapping[str, Marks]

    def model(self) -> Model:
        """What is flown, as it is at the start."""
        return model(self.closed)

    def state(self) -> State:
        """Where everything is at the start."""
        own = self.model()
        joints = {name: float(np.radians(angle)) for name, angle in self.joints.items()}
        place = (0.0, 0.0, 0.0) if self.target is None else self.target
        if self.target is None:
            tip = own.pose("hand.tip", own.state(q=joints))
            base = own.pose("craft.origin", own.state())
            fixture = own.pose("target.origin", own.state()).inverse() @ own.pose("target.fixture", own.state())
            seen = base.inverse() @ tip @ fixture.inverse()
            pose = Pose(seen.position, seen.rotation)
        else:
            pose = Pose(place)
        v = (*np.radians(self.tumble), *self.drift)
        return own.state(q={**joints, "target": pose}, v={"target": v})

    def phases(self) -> list[tuple[str, ...]]:
        """Grapples that are closed: at the start, and after the goal where that closes one."""
        end = [(*self.closed, self.goal.pair)] if self.goal.kind == "connect" else []
        return [self.closed, *end]

    def to_dict(self) -> dict[str, Any]:
        """What the page needs to know of it."""
        first, second = GRAPPLES[self.goal.pair]
        return {
            "key": self.key, "name": self.name, "task": self.task, "limit": self.limit, "controls": list(self.controls),
            "goal": vars(self.goal) | {"distance": list(self.goal.distance), "first": first, "second": second},
            "done": self.done, "marks": {name: vars(one) for name, one in self.marks.items()},
            "closed": list(self.closed), "phases": [phase_name(one) for one in self.phases()],
        }  # fmt: skip


def phase_name(closed: tuple[str, ...]) -> str:
    """The model with these grapples closed, by a name."""
    return {(): "open", ("grapple",): "held", ("lock",): "locked", ("lock", "berth"): "berthed"}[closed]


@cache
def lessons() -> dict[str, Lesson]:
    """All lessons, in their order, by the names of their files."""
    found = [read_lesson(path) for path in FOLDER.glob("*.yaml")]
    return {one.key: one for one in sorted(found, key=lambda one: one.order)}


def lesson(key: str) -> Lesson:
    """The lesson of a name."""
    known = lessons()
    if key not in known:
        raise JourdainError(f'there is no lesson "{key}"; {suggestion(key, known)}')
    return known[key]


def read_lesson(path: Path) -> Lesson:
    """A lesson from its file."""
    import yaml

    stated = yaml.safe_load(path.read_text(encoding="utf-8"))
    start, goal, score = stated["start"], dict(stated["goal"]), dict(stated["score"])
    for name in start.get("joints", {}):
        if name not in JOINTS:
            raise JourdainError(f"{path.name}: there is no joint {name!r}; {suggestion(name, JOINTS)}")
    goal["distance"] = tuple(goal["distance"])
    done = float(score.pop("done"))
    for name in score:
        if name not in MEASURES:
            raise JourdainError(f"{path.name}: {name!r} is not measured; {suggestion(name, MEASURES)}")
    target = start.get("target")
    return Lesson(
        key=path.stem,
        name=stated["name"],
        order=int(stated["order"]),
        task=stated["task"],
        target=None if target is None else tuple(target),
        drift=tuple(start.get("drift", (0.0, 0.0, 0.0))),
        tumble=tuple(start.get("tumble", (0.0, 0.0, 0.0))),
        joints=dict(start.get("joints", {})),
        closed=tuple(start.get("closed", ())),
        goal=Goal(**goal),
        limit=float(stated["limit"]),
        controls=tuple(stated["controls"]),
        done=done,
        marks={name: Marks(**one) for name, one in score.items()},
    )
