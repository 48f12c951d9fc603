"""`jourdain live`: a scenario in real time, its controller driving the model or a robot."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ..basics.errors import JourdainError
from ..basics.values import enough_digits
from .completion import scenario_files
from .exits import epilogue
from .imports import IGNORE, PACKAGES, ROOT, folders

EPILOGUE = epilogue(
    "jourdain live reach.yaml --rate 1000 --for 60",
    "jourdain live reach.yaml --rate 1000 --listen 5005",
    "jourdain live reach.yaml --rate 1000 --stand-in 5006 --delay 0.002 --noise 1e-5",
    "jourdain live reach.yaml --rate 1000 --plant robot --robot 127.0.0.1:5006",
    notes=(
        "Controllers of the scenario are asked once a tick, or at their own period, and drive the model or a robot:",
        "one option. Sensors, delays and noise of the scenario's digital controllers are those of its simulated robot,",
        "and are left out. Addresses are on this machine unless a host is given.",
    ),
)


def live(
    scenario: Annotated[
        Path, typer.Argument(metavar="SCENARIO.yaml", help="The scenario file.", autocompletion=scenario_files)
    ],
    rate: Annotated[float, typer.Option("--rate", help="Ticks a second.")] = 1000.0,
    seconds: Annotated[
        float | None, typer.Option("--for", help="Seconds to run; until it is ended by default.")
    ] = None,
    plant: Annotated[str, typer.Option("--plant", help="What is driven: model or robot.")] = "model",
    robot: Annotated[str | None, typer.Option("--robot", metavar="HOST:PORT", help="Where the robot listens.")] = None,
    stand_in: Annotated[
        str | None, typer.Option("--stand-in", metavar="PORT", help="Be the robot: listen here and play its part.")
    ] = None,
    delay: Annotated[float, typer.Option("--delay", help="Of the stand-in's states [s].")] = 0.0,
    noise: Annotated[float, typer.Option("--noise", help="Of the stand-in's coordinates [rad or m].")] = 0.0,
    listen: Annotated[
        str | None, typer.Option("--listen", metavar="PORT", help="Take commands here, and answer with states.")
    ] = None,
    shared: Annotated[
        Path | None, typer.Option("--shared", metavar="FILE", help="The same through a file in memory.")
    ] = None,
    lost: Annotated[float, typer.Option("--lost", help="Silence after which joints hold [s].")] = 0.1,
    step: Annotated[float | None, typer.Option("--step", help="Of the method [s]; by default the scenario's.")] = None,
    first: Annotated[bool, typer.Option("--first", help="Run before ordinary processes, where this user may.")] = False,
    spin: Annotated[float, typer.Option("--spin", help="Look at the clock so long before each tick [s].")] = 0.0,
    statistics: Annotated[
        Path | None, typer.Option("--statistics", metavar="FILE", help="Write deadlines as JSON.")
    ] = None,
    root: ROOT = None,
    packages: PACKAGES = None,
    ignore: IGNORE = False,
) -> None:
    """Run a scenario in real time."""
    from ..basics.platforms import first_in_line
    from ..live.console import Console
    from ..live.deadlines import WallClock
    from ..live.transports import SharedMemory, Udp
    from ..study.scenario.scenario_file import load_scenario

    if not 0.1 <= rate <= 1e5:
        raise JourdainError(f"--rate is {rate:g}; give ticks a second, from 0.1 to 100000")
    if plant not in ("model", "robot") or (plant == "robot") != (robot is not None):
        raise JourdainError("give --plant model, or --plant robot with --robot HOST:PORT")
    if listen is not None and shared is not None:
        raise JourdainError("give --listen or --shared, not both")
    one = load_scenario(scenario, root=root, packages=folders(packages), ignore=ignore)
    if one.events:
        raise JourdainError(f"{scenario}: events do not happen live; take them out of the scenario")
    clock = WallClock(spin)
    with one.errors_with_lines():
        made = _made(one, 1.0 / rate, step, plant, stand_in is not None)
    if first:
        typer.echo(f"this process {first_in_line()}")
    if stand_in is not None:
        _stand(made, Udp(_address(stand_in)), clock, 1.0 / rate, seconds, delay, noise, lost)
        return
    link: Any = Udp(_address(listen)) if listen is not None else SharedMemory(shared) if shared is not None else None
    session = _session(made, clock, 1.0 / rate, link, lost, robot)
    console = session.console = Console()
    try:
        session.run(seconds)
    finally:  # a model that stops leaves its statistics, too
        console.close()
        if session.ticks:
            typer.echo(session.text())
            if statistics is not None:
                statistics.write_text(session.deadlines.json() + "\n", encoding="utf-8")


def _address(text: str) -> tuple[str, int]:
    """ "5005" or "host:5005"."""
    host, _, port = text.rpartition(":")
    if not port.isdigit() or not 0 <= int(port) < 65536:
        raise JourdainError(f"{text!r} is no address; give PORT or HOST:PORT")
    return (host.strip("[]") or "127.0.0.1"), int(port)


def _made(one: Any, period: float, step: float | None, plant: str, alone: bool) -> dict[str, Any]:
    """Driver and, where the model is stepped here, the plant."""
    from ..live.driver import ControlDriver
    from ..live.plants import SteppedModel

    length = step if step is not None else one.step if one.step is not None else period
    count = max(1, round(period / length))
    if step is not None and abs(count * step - period) > 1e-6 * step:
        fits = enough_digits(period / count, lambda near: abs(count * near - period) <= 1e-6 * near)
        raise JourdainError(f"--step: {step:g} s does not divide the tick of {period:g} s; {fits} s would do")
    driver = ControlDriver(one.model, one.controller, period)
    found: dict[str, Any] = {"driver": driver, "plant": None}
    if plant == "model" or alone:
        method = one.method if one.step is not None and one.method else "rk4"
        found["plant"] = SteppedModel(
            one.model, one.state, period, period / count, driver.contacts, one.motions, method=method
        )
    return found


def _session(made: dict[str, Any], clock: Any, period: float, link: Any, lost: float, robot: str | None) -> Any:
    from ..live.plants import RobotPlant
    from ..live.session import Session
    from ..live.transports import Udp

    driver = made["driver"]
    plant = made["plant"]
    if robot is not None:
        plant = RobotPlant(driver.model, Udp(remote=_address(robot)), driver.contacts)
    return Session(driver, plant, period, clock, link, lost)


def _stand(
    made: dict[str, Any], link: Any, clock: Any, period: float, seconds: float | None, delay: float, noise: float,
    lost: float,
) -> None:  # fmt: skip
    """Plays the robot until it is over."""
    from ..live.plants import SimulatedRobot

    robot = SimulatedRobot(
        made["plant"], link, made["driver"].contacts, round(delay / period), (noise, 0.0), round(lost / period)
    )
    typer.echo(f"a robot listens at port {link.port}")
    due = clock.now() + period
    try:
        while seconds is None or robot.ticks * period < seconds:
            clock.wait_until(due)
            robot.tick()
            due = max(due + period, clock.now() - 50 * period)
    except KeyboardInterrupt:
        pass
    finally:
        link.close()
    text = ", ".join(f"{why} {count}" for why, count in sorted(robot.reader.counts.items())) or "none"
    typer.echo(f"{robot.ticks} ticks; packets: {text}; safe hold: {robot.holds} times")
