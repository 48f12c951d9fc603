"""A flight as the page reports it, checked, flown again and kept as a run.

The page sends the commands that it gave to the model, and when the grapples were closed. Flown again from these, the
run is that of the page to rounding, with all that a run has: `jourdain view` shows it, `jourdain compare` compares it.
"""

from __future__ import annotations

import json
import math
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..basics.errors import JourdainError
from .lesson import Lesson, lesson, lessons
from .plant import GRAPPLES, JOINTS, PERIOD, STEP, hand_controller, struts
from .referee import Score, samples_of, score

if TYPE_CHECKING:
    from ..results.run import Run

FORMAT, VERSION = "jourdain flight", 1
MOST = 8_000_000
"""Greatest size of a flight as text [bytes]."""
LIMITS = np.array([0.15] * 3 + [0.2] * 3 + [0.05] * 3 + [120.0] * 3 + [0.12] * len(JOINTS))
"""Greatest commands: turning rates and velocity of the tip, turning rates of the craft, thrust, joint rates."""


class FlightError(JourdainError):
    """A flight that cannot be read: what is wrong with it."""


@dataclass(frozen=True, eq=False)
class Flight:
    """What was flown.

    commands    (rows, 18), one row a `plant.PERIOD`
    connected   (grapple, time [s]) in order
    end         [s]
    claimed     the score that the page gave, None where it gave none
    final       coordinates at the end, as the page had them; None where it gave none
    """

    lesson: Lesson
    commands: np.ndarray
    connected: tuple[tuple[str, float], ...]
    end: float
    claimed: float | None = None
    final: np.ndarray | None = None


def read_flight(text: bytes | str) -> Flight:
    """A flight from its JSON; a `FlightError` says what is wrong."""
    if len(text) > MOST:
        raise FlightError(f"the flight has {len(text)} bytes; {MOST} is the most")
    try:
        stated = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FlightError(f"the flight is no JSON: {error}") from None
    if not isinstance(stated, dict) or stated.get("format") != FORMAT:
        raise FlightError(f'the flight says no format; "{FORMAT}" is what is read here')
    if stated.get("version") != VERSION:
        raise FlightError(f"the flight has version {str(stated.get('version'))[:40]!r}; {VERSION} is what is read here")
    name = stated.get("lesson")
    if not isinstance(name, str) or name not in lessons():
        raise FlightError(f"lesson: got {str(name)[:40]!r}; there are {', '.join(lessons())}")
    one = lesson(name)
    commands = _commands(stated.get("rows"), one)
    end = _number(stated.get("end"), "end")
    rows = round(end / PERIOD)
    if not 0 < rows <= len(commands) or abs(rows * PERIOD - end) > 1e-6:
        raise FlightError(f"end: {end:g} s is not among the {len(commands)} rows of {PERIOD:g} s")
    final = stated.get("final")
    return Flight(
        one, commands[:rows], _connected(stated.get("connected"), one, end), end,
        None if stated.get("score") is None else _number(stated["score"], "score"),
        None if final is None else _vector(final, one.model().nq, "final"),
    )  # fmt: skip


def _number(value: Any, what: str) -> float:
    number = math.nan
    if isinstance(value, int | float) and not isinstance(value, bool):
        with suppress(OverflowError):  # a whole number that no float can be
            number = float(value)
    if not math.isfinite(number):
        raise FlightError(f"{what}: got {str(value)[:40]!r}; give a finite number")
    return number


def _vector(values: Any, size: int, what: str) -> np.ndarray:
    if not isinstance(values, list) or len(values) != size:
        raise FlightError(f"{what}: give {size} numbers")
    return np.array([_number(value, what) for value in values])


def _commands(rows: Any, one: Lesson) -> np.ndarray:
    """Rows of commands from rows (how often, 18 numbers)."""
    if not isinstance(rows, list) or not rows:
        raise FlightError("rows: give a list of [count, 18 commands]")
    most = round(one.limit / PERIOD) + 1
    out: list[np.ndarray] = []
    total = 0
    for row in rows:
        numbers = _vector(row, 1 + len(LIMITS), "rows")
        count = int(numbers[0])
        total += count
        if count != numbers[0] or count < 1 or total > most:
            raise FlightError(f"rows: counts are whole numbers above 0, {most} in all at most")
        if np.any(np.abs(numbers[1:]) > LIMITS * (1.0 + 1e-9)):
            raise FlightError("rows: a command is beyond what the hand controllers can give")
        out.append(np.tile(numbers[1:], (count, 1)))
    return np.concatenate(out)


def _connected(stated: Any, one: Lesson, end: float) -> tuple[tuple[str, float], ...]:
    """Grapples and when they were closed."""
    if not isinstance(stated, list) or len(stated) > len(GRAPPLES):
        raise FlightError("connected: give a list of [grapple, time]")
    out = []
    for item in stated:
        named = isinstance(item, list) and len(item) == 2 and isinstance(item[0], str)
        if not named or item[0] not in GRAPPLES or item[0] in one.closed:
            raise FlightError("connected: give a list of [grapple, time], each a grapple that was open")
        time = _number(item[1], "connected")
        if not 0.0 < time < end or abs(round(time / PERIOD) * PERIOD - time) > 1e-6:
            raise FlightError(f"connected: {time:g} s is no whole number of {PERIOD:g} s within the flight")
        out.append((str(item[0]), round(time / PERIOD) * PERIOD))
    if len({name for name, _ in out}) != len(out):
        raise FlightError("connected: a grapple is closed twice")
    return tuple(out)


def fly_again(flight: Flight) -> tuple[Run, Score, float | None]:
    """The run of a flight, what it is worth, and how far its end is from what the page had; the last None where the
    page gave no end."""
    from ..control.sampled import Sampled
    from ..describe.events import Event
    from ..run.simulate import simulate

    one = flight.lesson
    own, state = one.model(), one.state()
    law = Sampled(hand_controller(state, flight.commands), period=STEP)
    events = [Event(at=time, connect=tuple(struts(name)), name=f"{name} closed") for name, time in flight.connected]
    run = simulate(
        own, state, until=flight.end, step=STEP, method="rk4", output=PERIOD, controller=law, events=events,
        progress=False, step_check="warn", about=_about(one),
    )  # fmt: skip
    closed = dict.fromkeys(one.closed, 0.0) | dict(flight.connected)
    seen = samples_of(run, one, closed, flight.commands)
    found = score(one, seen, dict(flight.connected).get(one.goal.pair))
    run.options["scenario"]["task"] += "\n\n" + summary(one, found)
    run.options["score"] = found.to_dict()
    away = None if flight.final is None else float(np.max(np.abs(run.record.q[-1] - flight.final)))
    return run, found, away


def _about(one: Lesson) -> dict[str, Any]:
    """What the report shows of a flight."""
    first, second = GRAPPLES[one.goal.pair]
    figures = {
        "Between the frames of the goal": [f"distance:{first}:{second}"],
        "Misalignment": [f"angle:{first}:{second}"],
        "Forces of contact": [
            "contact:hand.force",
            "contact:wrist.force",
            "contact:hull.force",
            "contact:cradle.force",
        ],
        "Torques of the joints": [f"effort:{name}" for name in JOINTS],
        "Booms": ["deflection:upper", "deflection:fore"],
        "Thrust": ["effort:craft.vx", "effort:craft.vy", "effort:craft.vz"],
    }
    return {
        "name": f"Trainer: {one.name}",
        "task": one.task.strip(),
        "variant": "",
        "overrides": {},
        "limits": [],
        "figures": [{"title": title, "quantities": names} for title, names in figures.items()],
        "frames": [first, second],
        "replay": {"camera": "hand.camera", "magnify": 1.0, "ghost": None, "earth": True, "follow": "hand.tip"},
        "hash": "",
        "file": None,
        "text": "",
        "files": {},
    }


UNITS = {"time": "s", "force": "N", "angle": "deg", "fuel": "kg", "collisions": ""}
WORDS = {"done": "done", "time": "time ran out", "left": "ended by the pilot"}


def summary(one: Lesson, found: Score) -> str:
    """A score as text."""
    lines = [f"Score {found.total:.0f} of 100, {WORDS[found.outcome]}."]
    for name, value in found.measures.items():
        unit = f" {UNITS[name]}" if UNITS[name] else ""
        points = f": {found.points[name]:.1f} of {one.marks[name].points:g}" if name in one.marks else ""
        lines.append(f"{name} {value:.3g}{unit}{points}")
    return "; ".join(lines)


def keep(flight: Flight, text: bytes | str, folder: Path) -> dict[str, Any]:
    """Flies a flight again and writes run.nc, report.html, score.json and flight.json into a folder."""
    from ..basics.storage import atomic_write
    from ..study.report.run_report import write_report

    run, found, away = fly_again(flight)
    folder.mkdir(parents=True, exist_ok=True)
    run.save(folder / "run.nc")
    write_report(run, folder / "report.html")
    stated = found.to_dict() | {"lesson": flight.lesson.key, "claimed": flight.claimed, "difference": away}
    stated["summary"] = summary(flight.lesson, found)
    raw = text if isinstance(text, bytes) else text.encode()
    for name, content in (("flight.json", raw), ("score.json", json.dumps(stated, indent=1).encode())):
        with atomic_write(folder / name) as temporary:
            temporary.write_bytes(content)
    return stated | {"folder": str(folder)}
