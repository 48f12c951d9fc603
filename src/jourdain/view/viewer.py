"""The live viewer: a run in the browser, with viser."""

from __future__ import annotations

import threading
import time as clock
from typing import TYPE_CHECKING, Any

import numpy as np

from ..basics import quaternions as Q
from ..basics.errors import JourdainError
from ..results.quantities import known_quantities, quantity
from .actors import Actors, between
from .local_server import TextPanel, address_of, local_server, stop
from .painting import NONE, choices, scale_html
from .painting import wanted as field_of
from .plots import PALETTE, thin
from .scene import Scene, scene

if TYPE_CHECKING:
    from collections.abc import Callable

    from viser import ViserServer

    from ..results.run import Run


PACE = 1.0 / 30.0
"""Time between two pictures [s]."""
CATCH_UP = 0.4
"""Time in which the picture of a run that goes on comes to its last sample, which arrive a few times a second [s]."""
SPEEDS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 50.0)
FREE = "free"
VIEWS = {
    "along x": (1.0, 0.0, 0.0),
    "along -x": (-1.0, 0.0, 0.0),
    "along y": (0.0, 1.0, 0.0),
    "along -y": (0.0, -1.0, 0.0),
    "along z": (0.0, 0.0, 1.0),
    "along -z": (0.0, 0.0, -1.0),
}
FOLLOW = "from beside"
LIGHT = (226, 232, 240), (250, 251, 253)
"""Colours of the sky at the top and at the bottom."""


def show(run: Run, port: int = 0, open_browser: bool = True, block: bool = True) -> Viewer:
    """Replay a run in the browser.

    port            on 127.0.0.1, where only this machine can reach it; 0 lets the system choose
    open_browser    whether to open a window; the address is printed either way
    block           whether to stay until Ctrl-C; otherwise `Viewer.stop` ends it
    """
    viewer = Viewer(run, port)
    serve(viewer, f"viewing {run.model.name!r}", open_browser, block)
    return viewer


def serve(page: Viewer, words: str, open_browser: bool, block: bool) -> None:
    """Say where a page is, open a window, and stay until Ctrl-C where that is asked for."""
    print(f"{words} at {page.address} (this machine only)")
    if open_browser:
        import webbrowser

        webbrowser.open(page.address)
    if block:
        try:
            page.wait()
        except KeyboardInterrupt:
            pass
        finally:
            page.stop()


class Viewer:
    """A run on a page of this machine's browser.

    address    of the page
    time       that is shown [s]

    One thread moves everything; what the user does only says what is wanted.
    """

    def __init__(self, run: Run, port: int = 0, *, server: ViserServer | None = None, live: bool = False) -> None:
        self.run, self.live = run, live
        self.server = server or local_server(port, shortened(run.model.name))
        try:
            self._build()
        except BaseException:
            stop(self.server)
            raise
        self._thread = threading.Thread(target=self._work, name="viewer", daemon=True)
        self._thread.start()

    def _build(self) -> None:
        self.scene = scene(self.run)
        self._lock = threading.RLock()
        self._woken, self._over = threading.Event(), threading.Event()
        self.playing = not self.live
        self.time = float(self.scene.time[-1] if self.live else self.scene.time[0])
        self.magnify = 1.0
        self.poses = self.scene.bones.poses
        self._shown: tuple[Any, ...] = ()
        self._plotted = 0.0
        self._carried: np.ndarray | None = None
        self._next: tuple[Run, Scene, bool] | None = None
        dark = self.scene.orbit is not None
        self._dress(dark)
        self.actors = Actors(self.server, self.scene)
        self._frame_all()
        self._controls(dark)

    @property
    def address(self) -> str:
        """What to open in the browser."""
        return address_of(self.server)

    def _dress(self, dark: bool) -> None:
        s = self.server
        s.gui.configure_theme(dark_mode=dark, show_logo=False, show_share_button=False, brand_color=(47, 111, 178))
        s.gui.main_panel.dock_right()  # beside the picture, not over what is looked at
        s.scene.set_up_direction(tuple(self.scene.up.tolist()))
        s.scene.world_axes.visible = False
        s.scene.configure_environment_map("studio", environment_intensity=0.12 if dark else 0.35)
        s.scene.configure_default_lights(enabled=False)
        up, side, ahead = self._axes_of_view()
        # a light shines from its place to the origin of the world
        sun = 1e3 * (0.75 * up + 0.6 * side - 0.25 * ahead)
        s.scene.add_light_directional(
            "/sun", color=(255, 250, 242), intensity=2.6 if dark else 1.5, position=tuple(sun), cast_shadow=True
        )
        s.scene.add_light_ambient(
            "/shine", color=(150, 180, 230) if dark else (235, 240, 250), intensity=0.5 if dark else 0.75
        )
        s.scene.set_background_image(_backdrop((5, 7, 14), (12, 16, 28)) if dark else _backdrop(*LIGHT))

    def _axes_of_view(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Up, and two directions across it."""
        up = self.scene.up
        side = np.cross(up, np.eye(3)[int(np.argmin(np.abs(up)))])
        side /= np.linalg.norm(side)
        return up, side, np.cross(up, side)

    def _frame_all(self) -> None:
        """A camera that sees everything that happens, from a corner and a little above."""
        low, high = self.scene.bounds()
        centre, radius = 0.5 * (low + high), 0.5 * float(np.linalg.norm(high - low)) or 1.0
        up, side, ahead = self._axes_of_view()
        direction = 0.62 * ahead + 0.78 * side + 0.48 * up
        self._home = centre + 1.6 * radius * direction / np.linalg.norm(direction), centre
        camera = self.server.initial_camera
        camera.position, camera.look_at, camera.up = self._home[0], self._home[1], up
        camera.near, camera.far = 0.002 * self.actors.size, 3000.0 * self.actors.size

    def _controls(self, dark: bool) -> None:
        gui: Any = self.server.gui
        with gui.add_folder("replay"):
            self._slider = self._time_slider(self.time)
            row = gui.add_button_group("", ("play / pause", "start", "end"))
            self._speed = gui.add_dropdown("speed", [f"{one:g}x" for one in SPEEDS], initial_value="1x")
            self._loop = gui.add_checkbox("loop", True, visible=not self.live)
            self._follow = gui.add_checkbox("follow the run", self.live, visible=self.live)
        with gui.add_folder("camera"):
            stated = self.run.options.get("scenario", {}).get("replay") or {}
            frames = [mark.name for mark in self.scene.frames if mark.name != "world"]
            first = [name for name in (stated.get("camera"), stated.get("follow")) if name in frames]
            names = [FREE, *dict.fromkeys([*first, *frames])]
            self._camera = gui.add_dropdown("on", names, initial_value=FREE)
            self._view = gui.add_dropdown("looks", [*VIEWS, FOLLOW], initial_value="along x")
            home = gui.add_button("show everything")
        with gui.add_folder("show"):
            elastic = bool(np.any(self.scene.bones.elastic))
            large = float(np.clip(stated.get("magnify") or 1.0, 1.0, 100.0))
            self._magnify = gui.add_slider("deflection x", 1.0, 100.0, 0.5, large, visible=elastic)
            contacts = bool(self.scene.arrows)
            self._force = gui.add_slider("force arrows", 0.0, 4.0, 0.1, 1.0, visible=contacts)
            offered = choices(self.scene)
            self._field = gui.add_dropdown("colours", offered or [NONE], visible=bool(offered))
            self._scale = TextPanel(gui)
            self._axes = gui.add_checkbox("frames", False)
            self._names = gui.add_checkbox("names", False)
            shapes = any(part.kind == "contact" for part in self.scene.parts)
            self._shapes = gui.add_checkbox("contact shapes", True, visible=shapes)
            linked = any(part.kind == "link" for part in self.scene.parts)
            self._links = gui.add_checkbox("links", True, visible=linked)
            label = "Earth" if self.scene.orbit is not None else "grid"
            self._around = gui.add_checkbox(label, True, visible=bool(self.actors.surroundings))
        with gui.add_folder("plots"):
            self.traces = traces(self.server, self.run, dark)

        @row.on_click
        def _(event: Any) -> None:
            {"play / pause": self.toggle, "start": self.rewind, "end": self.forward}[event.target.value]()

        @home.on_click
        def _(_: Any) -> None:
            self._camera.value = FREE
            for client in self.server.get_clients().values():
                client.camera.up_direction = self.scene.up
                client.camera.position, client.camera.look_at = self._home

        @self._shapes.on_update
        def _(_: Any) -> None:
            self.actors.show_contacts(self._shapes.value)

        @self._around.on_update
        def _(_: Any) -> None:
            self.actors.show_surroundings(self._around.value)

        changing = (self._magnify, self._force, self._field, self._axes, self._names, self._links)
        for handle in (*changing, self._camera, self._view):
            handle.on_update(lambda _: self._wake())
        for label, key, what in (
            ("play or pause", "space", self.toggle),
            ("to the start", "0", self.rewind),
            ("to the end", "9", self.forward),
            ("one picture back", "J", lambda: self.step(-1)),
            ("one picture on", "K", lambda: self.step(1)),
        ):
            gui.add_command(label, hotkey=key).on_trigger(_ignoring(what))

    def _time_slider(self, value: float) -> Any:
        t = self.scene.time
        span = float(t[-1] - t[0]) or 1.0
        slider = self.server.gui.add_slider("time [s]", float(t[0]), float(t[0]) + span, span / 2000.0, value)

        @slider.on_update
        def _(event: Any) -> None:
            if event.client is not None:
                with self._lock:
                    self.time = float(slider.value)
                    if self.live:
                        self._follow.value = False
                self._wake()

        return slider

    def _wake(self) -> None:
        self._woken.set()

    def toggle(self) -> None:
        """Play, or pause; from the end it plays from the start."""
        with self._lock:
            self.playing = not self.playing
            if self.playing and self.time >= self.scene.time[-1]:
                self.time = float(self.scene.time[0])
        self._wake()

    def rewind(self) -> None:
        """To the first time."""
        self.seek(float(self.scene.time[0]))

    def forward(self) -> None:
        """To the last time."""
        with self._lock:
            self.playing = False
        self.seek(float(self.scene.time[-1]))

    def step(self, pictures: int) -> None:
        """So many pictures on, paused."""
        with self._lock:
            self.playing = False
            here = int(np.rint(np.interp(self.time, self.scene.time, np.arange(len(self.scene.time)))))
            self.time = float(self.scene.time[int(np.clip(here + pictures, 0, len(self.scene.time) - 1))])
        self._wake()

    def seek(self, time: float) -> None:
        """To a time [s]."""
        with self._lock:
            self.time = float(np.clip(time, self.scene.time[0], self.scene.time[-1]))
        self._wake()

    def update(self, run: Run, live: bool = True) -> None:
        """Show a run that has gone on, or, with ``live`` False, that has ended: the same model, more samples."""
        grown = scene(run)
        with self._lock:
            self._next = run, grown, live
        self._wake()

    def wait(self) -> None:
        """Until it is stopped."""
        while not self._over.wait(0.2):
            pass

    def stop(self) -> None:
        """Close the page's server."""
        self._over.set()
        self._wake()
        self._thread.join(5.0)
        stop(self.server)

    def _work(self) -> None:
        last = clock.perf_counter()
        while not self._over.is_set():
            busy = self.playing or self.live
            self._woken.wait(PACE if busy else 0.25)
            self._woken.clear()
            now = clock.perf_counter()
            self._take_in()
            with self._lock:
                self._advance(now - last)
            last = now
            self._draw()
            spent = clock.perf_counter() - now
            if spent < PACE:
                self._over.wait(PACE - spent)

    def _take_in(self) -> None:
        """A run that has gone on takes the place of the old one."""
        with self._lock:
            given, self._next = self._next, None
        if given is None:
            return
        run, grown, live = given
        with self._lock:
            self.run, self.scene = run, grown
            self.actors.scene = grown
            self.poses = grown.magnified(self.magnify)
            self._shown = ()
        self._slider.max = float(grown.time[-1])
        self._slider.step = (float(grown.time[-1] - grown.time[0]) or 1.0) / 2000.0
        self._frame_all()
        for trace in self.traces:
            trace.load(run)
        if self.live and not live:
            self.live = False
            self._follow.visible, self._loop.visible = False, True

    def _advance(self, elapsed: float) -> None:
        t = self.scene.time
        if self.live and self._follow.value:
            self.time = min(float(t[-1]), self.time + (float(t[-1]) - self.time) * min(1.0, elapsed / CATCH_UP))
            return
        if not self.playing:
            return
        self.time += elapsed * float(self._speed.value[:-1])
        if self.time > t[-1]:
            if self._loop.value and not self.live:
                self.time = float(t[0])
            else:
                self.time, self.playing = float(t[-1]), self.live

    def _draw(self) -> None:
        if self.magnify != self._magnify.value:
            self.magnify = float(self._magnify.value)
            self.poses = self.scene.magnified(self.magnify)
        actors = self.actors
        actors.force_scale = float(self._force.value)
        actors.show_axes, actors.show_names = self._axes.value, self._names.value
        actors.field, actors.hurried = self._field.value, self.playing
        actors.show_links = self._links.value
        watched = (self._camera.value, self._view.value)
        actors.close = watched[0] != FREE and watched[1] != FOLLOW
        wanted = (self.time, self.magnify, actors.force_scale, actors.show_axes, actors.show_names, watched,
                  actors.field, actors.hurried, actors.show_links)  # fmt: skip
        if wanted == self._shown:
            return
        self._explain()
        t = self.scene.time
        place = float(np.interp(self.time, t, np.arange(len(t))))
        poses = between(self.poses, place)
        with self.server.atomic():
            actors.place(poses, int(np.rint(place)), self.time)
            self._slider.value = self.time
            self._aim(poses, watched)
        if clock.perf_counter() - self._plotted > 0.1 or not self.playing:
            self._plotted = clock.perf_counter()
            for trace in self.traces:
                if trace.name != trace.wanted:
                    trace.load(self.run)
                trace.show(self.time)
        self._shown = wanted

    def _explain(self) -> None:
        """The scale of the field that surfaces are coloured by."""
        self._scale.show(scale_html(field_of(self.scene, self._field.value)))

    def _aim(self, poses: np.ndarray, watched: tuple[str, str]) -> None:
        """Puts the cameras on the frame that is chosen."""
        name, view = watched
        mark = next((one for one in self.scene.frames if one.name == name), None)
        if mark is None:
            self._carried = None
            return
        pose = self.scene.frame_poses(mark, poses)
        before, self._carried = self._carried, pose[:3]
        for client in self.server.get_clients().values():
            camera = client.camera
            with client.atomic():
                if view == FOLLOW:
                    if before is None:
                        distance = max(0.5 * self.actors.size, 1e-6)
                        away = camera.position - camera.look_at
                        camera.position = pose[:3] + distance * away / np.linalg.norm(away)
                        camera.look_at = pose[:3]
                    else:
                        camera.position = camera.position + (pose[:3] - before)
                    continue
                axis = np.array(VIEWS[view])
                top = np.array([0.0, 0.0, 1.0]) if abs(axis[2]) < 0.5 else np.array([1.0, 0.0, 0.0])
                camera.up_direction = Q.rotate(pose[3:], top)
                camera.position = pose[:3]
                camera.look_at = pose[:3] + 0.2 * self.actors.size * Q.rotate(pose[3:], axis)


def _ignoring(what: Callable[[], None]) -> Callable[[Any], None]:
    """What is done on an event that says no more than that it happened."""
    return lambda _: what()


def _backdrop(top: tuple[int, int, int], bottom: tuple[int, int, int]) -> np.ndarray:
    """A picture that goes from one colour to another."""
    rows = np.linspace(top, bottom, 64)
    return np.broadcast_to(rows[:, None], (64, 8, 3)).astype(np.uint8)


def shortened(text: str, most: int = 40) -> str:
    return text if len(text) <= most else text[: most - 3] + "..."


MOST = 800
"""Points of a line: more than the pixels of a panel."""
NO_PLOT = "(none)"
SLOTS = 3


def plot_choices(run: Run) -> list[str]:
    """Names that can be plotted, those that one asks for most first."""
    names = list(known_quantities(run.model))
    order = {"contact": 0, "field": 1, "deflection": 1, "effort": 3, "v": 4, "energy": 5}

    def rank(name: str) -> int:
        kind, colon, _ = name.partition(":")
        if colon:
            return order.get(kind, 6)
        return 2 if name in run.model.index.q else 6

    return sorted(names, key=rank)


def first_choices(run: Run) -> list[str]:
    """What is plotted at first: figures of the scenario, or a contact force, a deflection, a coordinate."""
    stated = run.options.get("scenario") or {}
    names = [name for figure in stated.get("figures") or () for name in figure.get("quantities") or ()]
    piles = set(run.model.contacts.names[len(run.model.description.get("contacts", [])) :])
    names += [f"contact:{one}.{'normal_force' if one in piles else 'force'}" for one in run.contact.display_names[:1]]
    rest = plot_choices(run)
    names += [one for one in rest if one.startswith("deflection:")][-1:]
    names += [one for one in rest if one.startswith("field:")][:1]
    joints = [name for name in run.model.names.q if name in run.model.joints]
    names += [*joints[:3], "energy:total"]
    kept = list(dict.fromkeys(names))[:SLOTS]
    return kept + [NO_PLOT] * (SLOTS - len(kept))


class TimePlot:
    """One plot: a line, and a vertical one at the time that is shown."""

    def __init__(self, server: ViserServer, colour: str, name: str, dark: bool) -> None:
        from viser import uplot

        self.name = ""
        self.time = self.values = np.array([0.0, 1.0])
        self.now: float | None = None
        ink = "#e8eaed" if dark else "#30363d"
        self.plot: Any = server.gui.add_uplot(
            data=(np.array([0.0, 1.0]), np.zeros(2), np.zeros(2)),
            series=(
                uplot.Series(label="t"),
                uplot.Series(label="value", stroke=colour, width=1.6, points={"show": False}),
                uplot.Series(label="now", stroke=ink, width=1.2, points={"show": False}),
            ),
            scales={"x": uplot.Scale(time=False)},
            legend=uplot.Legend(show=False),
            cursor=uplot.Cursor(drag={"x": True, "y": False}),
            height=150,
            padding=(10, 24, 0, 0),
            visible=False,
        )
        self.wanted = name

    def load(self, run: Run) -> None:
        """The values of the quantity that is wanted."""
        self.name = self.wanted
        if self.name == NO_PLOT:
            self.plot.visible = False
            return
        try:
            found = quantity(run, self.name)
        except JourdainError:
            self.plot.visible = False
            return
        self.time, self.values = thin(found.time, found.values, MOST)
        unit = f" [{found.unit}]" if found.unit not in ("", "1") else ""
        self.plot.title = f"{found.label}{unit}"
        low, high = _range(self.values)
        start, end = float(self.time[0]), float(self.time[-1])
        # ranges are given: the line at the time shown is not a number elsewhere
        self.plot.scales = {
            "x": {"time": False, "range": (start, end if end > start else start + 1.0)},
            "y": {"range": (low, high)},
        }
        self.now = None
        self.plot.visible = True

    def show(self, t: float) -> None:
        """The line at time t [s]."""
        if self.name == NO_PLOT or not self.plot.visible or self.now == t:
            return
        self.now = t
        i = int(np.searchsorted(self.time, t))
        low, high = _range(self.values)
        here = float(np.interp(t, self.time, self.values))
        line = np.full(len(self.time) + 2, np.nan)
        line[i : i + 2] = low, high
        self.plot.data = (np.insert(self.time, i, [t, t]), np.insert(self.values, i, [here, here]), line)


def _range(values: np.ndarray) -> tuple[float, float]:
    """From the least to the largest value, and a margin."""
    finite = values[np.isfinite(values)]
    low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 1.0)
    margin = 0.06 * (high - low) or 0.5 * abs(high) or 0.5
    return low - margin, high + margin


def traces(server: ViserServer, run: Run, dark: bool) -> list[TimePlot]:
    """Plots with a choice of what each shows."""
    names = [NO_PLOT, *plot_choices(run)]
    out = []
    for i, name in enumerate(first_choices(run)):
        if name not in names:
            names.append(name)
        choice = server.gui.add_dropdown(f"plot {i + 1}", names, initial_value=name)
        trace = TimePlot(server, PALETTE[i], name, dark)
        trace.load(run)
        out.append(trace)

        def chosen(_: Any, trace: TimePlot = trace, choice: Any = choice) -> None:
            trace.wanted = choice.value

        choice.on_update(chosen)
    return out
