"""A model before it runs: sliders for every coordinate, contacts and loops at that pose, modes that swing.

model.view(state)                 # or system.view(): sliders, on a page of this machine
model.frequencies(state).view()   # the page with its slowest mode swinging
"""

from __future__ import annotations

import json
import re
import time as clock
from typing import TYPE_CHECKING, Any

import numpy as np

from ..basics import quaternions as Q
from ..basics.errors import JourdainError
from ..basics.markup import Markup
from ..basics.pose import matrix_from_quaternion
from ..model.displacement import displaced
from ..model.state import State
from ..results.channels import ENERGY
from ..results.run import Record, Run
from .local_server import TextPanel, lines
from .viewer import Viewer, serve

if TYPE_CHECKING:
    from ..model.linear.modes import Frequencies
    from ..model.model import Model

_WORD = re.compile(r"[A-Za-z_][\w.-]*")
STILL = "none"
"""The choice of no mode."""
TURNS = ("roll", "pitch", "yaw")
SWING = 0.08
"""Largest movement of a mode as it is first shown, over the size of the scene, or in radians."""


def pose(
    model: Model,
    state: State | None = None,
    *,
    modes: Frequencies | None = None,
    port: int = 0,
    open_browser: bool = True,
    block: bool = True,
) -> PoseViewer:
    """Look at a model in the browser, and move it.

    state           to begin with; None: as `model.state()`
    modes           about this state, `model.frequencies(state)`: the slowest swings at once. None: a button finds them
    port            on 127.0.0.1, where only this machine can reach it; 0 lets the system choose
    open_browser    whether to open a window; the address is printed either way
    block           whether to stay until Ctrl-C; otherwise `PoseViewer.stop` ends it
    """
    page = PoseViewer(model, model.state() if state is None else state, port, modes)
    serve(page, f"posing {model.name!r}", open_browser, block)
    return page


def still(model: Model, state: State) -> Run:
    """A run of one sample: the model as it stands."""
    nv, nz = model.nv, len(model.names.z)
    z = state.z if len(state.z) >= nz else np.zeros(nz)
    rows = np.zeros((1, nv)), np.zeros((1, len(ENERGY)))
    return Run(
        model, Record(np.array([state.time]), state.q[None].copy(), state.v[None].copy(), z[None].copy(), *rows), {}
    )


class PoseViewer(Viewer):
    """A model on a page of this machine's browser, with its coordinates as sliders.

    state    as it is shown
    """

    def __init__(self, model: Model, state: State, port: int = 0, modes: Frequencies | None = None) -> None:
        self.model, self.start, self.state = model, state.copy(), state.copy()
        self.found = modes
        self._turns: dict[int, np.ndarray] = {i: np.zeros(3) for i in model.quaternions}
        self._moved, self._begun, self.open = True, clock.perf_counter(), ""
        super().__init__(still(model, state), port)
        if modes is not None and len(modes):
            self.swing(0)

    def text(self, python: bool = False) -> str:
        """The pose as Python, or as text of a scenario file."""
        named = zip(self.model.names.q, self.state.q, self.model.state().q, strict=True)
        stated = [(name, float(f"{value:.6g}")) for name, value, usual in named if value != usual]
        if python:
            return "model.state(q={" + ", ".join(f"{_quoted(name)}: {value!r}" for name, value in stated) + "})"
        plain = ((name if _WORD.fullmatch(name) else _quoted(name), value) for name, value in stated)
        return "state:\n  q: {" + ", ".join(f"{name}: {value!r}" for name, value in plain) + "}"

    def set(self, name: str, value: float) -> None:
        """Moves a coordinate [m or rad]; loops close again by what else can move."""
        self._sliders[name].value = value
        self._change(name, value)

    def swing(self, mode: int | None) -> None:
        """Lets a mode swing; None: stands still."""
        self._mode.value = STILL if mode is None else self._mode.options[mode + 1]
        self._wake()

    def _controls(self, dark: bool) -> None:
        gui: Any = self.server.gui
        self._sliders: dict[str, Any] = {}
        with gui.add_folder("coordinates"):
            for i, name in enumerate(self.model.names.q):
                first = next((k for k in self._turns if k <= i < k + 4), None)
                if first is None:
                    self._slider_of(name, self._range(i), float(self.state.q[i]))
                elif i == first:
                    joint = name.rpartition(".")[0]
                    for axis in TURNS:
                        self._slider_of(f"{joint}.{axis}", (-np.pi, np.pi), 0.0)
            back = gui.add_button("as at first")
        with gui.add_folder("modes"):
            labels = [] if self.found is None else [f"{k + 1}: {hz:.4g} Hz" for k, hz in enumerate(self.found.hz)]
            self._mode = gui.add_dropdown("mode", [STILL, *labels], initial_value=STILL)
            self._swing = gui.add_slider("size", 0.0, 5.0, 0.05, 1.0)
            find = gui.add_button("find modes of this pose", visible=self.found is None)
        with gui.add_folder("show"):
            self._axes = gui.add_checkbox("frames", False)
            self._names = gui.add_checkbox("names", False)
            shapes = any(part.kind == "contact" for part in self.scene.parts)
            self._shapes = gui.add_checkbox("contact shapes", True, visible=shapes)
            elastic = bool(np.any(self.scene.bones.elastic))
            self._magnify = gui.add_slider("deflection x", 1.0, 100.0, 0.5, 1.0, visible=elastic)
        with gui.add_folder("this pose"):
            self._stated = TextPanel(gui)
        self.traces = []
        back.on_click(lambda _: self._reset())
        find.on_click(lambda _: self._find())
        self._shapes.on_update(lambda _: self.actors.show_contacts(self._shapes.value))
        for handle in (self._axes, self._names, self._magnify, self._mode, self._swing):
            handle.on_update(lambda _: self._wake())

    def _range(self, i: int) -> tuple[float, float]:
        """What a slider goes over: a turn, or the size of the scene, around where the coordinate is."""
        here = float(self.state.q[i])
        if self.model.units.q[i] == "rad":
            return min(-np.pi, here), max(np.pi, here)
        elastic = self.model.names.q[i].rpartition(".")[0] in self.model.bodies
        reach = float(f"{self.actors.size * (0.1 if elastic else 1.0):.1g}")
        return here - reach, here + reach

    def _slider_of(self, name: str, limits: tuple[float, float], value: float) -> None:
        span = limits[1] - limits[0]
        slider = self.server.gui.add_slider(name, limits[0], limits[1], span / 1000.0, value)
        self._sliders[name] = slider

        @slider.on_update
        def _(event: Any) -> None:
            if event.client is not None:
                self._change(name, float(slider.value))

    def _change(self, name: str, value: float) -> None:
        with self._lock:
            joint, _, part = name.rpartition(".")
            index = self.model.index.q
            if name in index:
                self.state.q[index[name]] = value
                held = name
            else:
                first = index[f"{joint}.qw"]
                self._turns[first][TURNS.index(part)] = value
                turn = np.array([1.0, 0.0, 0.0, 0.0])
                for axis in (2, 1, 0):
                    turn = Q.multiply(turn, Q.exponential(self._turns[first][axis] * np.eye(3)[axis]))
                self.state.q[first : first + 4] = Q.multiply(self.start.q[first : first + 4], turn)
                held = joint
            self._close(held)
            self._moved = True
        self._wake()

    def _close(self, held: str) -> None:
        """Loops close again with what was moved held; where they cannot, they stay open and the page says so."""
        self.open = ""
        if not self.model.constraints:
            return
        try:
            self.state = self.model.assemble(self.state, hold=[held])
        except JourdainError as error:
            self.open = str(error)

    def _reset(self) -> None:
        with self._lock:
            self.state = self.start.copy()
            for turn in self._turns.values():
                turn[:] = 0.0
            for name, slider in self._sliders.items():
                slider.value = float(self.state.q[self.model.index.q[name]]) if name in self.model.index.q else 0.0
            self.open, self._moved = "", True
        self._wake()

    def _find(self) -> None:
        with self._lock:
            self.found = self.model.frequencies(self.state)
            self._mode.options = [STILL, *(f"{k + 1}: {hz:.4g} Hz" for k, hz in enumerate(self.found.hz))]
            if len(self.found):
                self._mode.value = self._mode.options[1]
        self._wake()

    def _advance(self, elapsed: float) -> None:
        self.playing = self._mode.value != STILL

    def _draw(self) -> None:
        actors = self.actors
        actors.show_axes, actors.show_names = self._axes.value, self._names.value
        wanted = (actors.show_axes, actors.show_names, self._magnify.value)
        with self._lock:
            if not (self._moved or self.playing or wanted != self._shown):
                return
            moved, self._moved, self._shown = self._moved, False, wanted
            shown = self.state.copy()
            if self.playing and self.found is not None:
                k = self._mode.options.index(self._mode.value) - 1
                shown.q = displaced(self.model, shown.q, self._swung(k, shown.q))
            run = still(self.model, shown)
        from .scene import scene

        now = scene(run)
        actors.scene = now
        with self.server.atomic():
            actors.place(now.magnified(float(self._magnify.value))[0], 0, float(now.time[0]))
        if moved:
            self._stated.show(self._words(run))

    def _swung(self, k: int, q: np.ndarray) -> np.ndarray:
        """The displacement of a mode now, in the tangent space: one swing in 2 s, as large as can be seen.

        Shapes have rotations in the axes of the held side; `displaced` takes them in those of the body.
        """
        assert self.found is not None
        shape = np.nan_to_num(self.found.shapes[:, k])
        phase = np.exp(1j * np.pi * (clock.perf_counter() - self._begun))
        size = np.array([1.0 if unit.startswith("rad") else 1.0 / self.actors.size for unit in self.model.units.v])
        largest = float(np.max(np.abs(shape * size))) or 1.0
        step = float(self._swing.value) * SWING / largest * np.real(shape * phase)
        for j, i, free in self.model.arrays.rotations.array:
            turn = matrix_from_quaternion(q[j + 3 : j + 7] if free else q[j : j + 4])
            step[i : i + 3] = turn.T @ step[i : i + 3]
        return step

    def _words(self, run: Run) -> Markup:
        """The pose to copy, and what touches in it."""
        stated = []
        touching = [name for name in run.contact.display_names if np.isfinite(run.contact[name].point.values[0, 0])]
        if touching:
            stated.append("Touching: " + ", ".join(touching))
        if self.open:
            stated.append(f"Loops stay open: {self.open}")
        return lines(stated, code=[self.text(), self.text(python=True)])


def _quoted(name: str) -> str:
    """A name as Python, JSON and YAML write it: what is copied says nothing else than the name."""
    return json.dumps(name, ensure_ascii=False)
