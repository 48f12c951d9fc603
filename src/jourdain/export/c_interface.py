"""The rest of the C interface: variables by index and name, the whole state, and the model functions."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..kernels.contact.memory.event_indicators import contact_indicators
from ..kernels.derivatives.applied.applied_layout import applied
from ..kernels.derivatives.derivative_layout import partials
from ..kernels.derivatives.dynamics_derivatives import forward_derivatives
from ..kernels.derivatives.rate_jacobian import rate_partials
from ..kernels.integrate.external_integration import accept_state, state_changes
from ..kernels.ledger import Ledger
from ..kernels.tree import model_functions as kernels
from .c_abi import (
    BAD_INDEX,
    BEGUN,
    COUNT,
    FIXED,
    INPUT,
    NOW,
    OK,
    OLD,
    OUTPUT,
    READ_ONLY,
    START,
    STATE,
    CInterfaceWriter,
    number,
)
from .export_model import INPUTS, ExportModel


@dataclass(frozen=True)
class Variable:
    """A number of an instance that has a name: where it lies, and what may be done with it (`FIXED` ...).

    kind     "time", "q", "v", "z", "input" or "output"
    start    what it begins with
    """

    name: str
    unit: str
    kind: str
    sort: int
    offset: int
    start: float


FUNCTIONS = {
    "forward_dynamics": (kernels.forward_state, ("q", "v", "effort", "latched", "acceleration!")),
    "inverse_dynamics": (kernels.inverse_state, ("q", "v", "acceleration", "latched", "effort!")),
    "bias": (kernels.bias, ("q", "v", "effort!")),
    "mass_matrix": (kernels.mass_matrix, ("q", "matrix!")),
    "jacobian": (kernels.jacobian, ("marker", "q", "jacobian!")),
    "marker_motion": (kernels.marker_motion, ("marker", "q", "v", "motion!")),
    "marker_acceleration": (kernels.acceleration, ("marker", "q", "v", "acceleration", "classical!")),
    "momentum": (kernels.momentum, ("q", "v", "point", "momentum!")),
    "centre_of_mass": (kernels.centre_of_mass, ("q", "centre!")),
}
"""Model functions of the interface: the kernel, and its arguments, of which those that are written are marked; what
friction remembers is the instance's own."""


class Interface(CInterfaceWriter):
    """Writes all of the interface.

    linearised    whether derivatives of forward dynamics are among it
    sloped        whether derivatives of all rates are, and of the motions that outputs show
    functions     which model functions are
    """

    linearised = False
    sloped = False
    functions: Collection[str] = FUNCTIONS

    def write(self) -> list[Variable]:
        """All functions; the variables."""
        self.judging()
        self.stepping()
        self.rates()
        self.refreshing()
        found = self.variables()
        self.access(found)
        self.whole_state()
        self.accepting()
        for name, (kernel, arguments) in FUNCTIONS.items():
            if name in self.functions:
                self.model_function(name, kernel, arguments)
        if self.linearised:
            self.linearisation()
        if self.sloped:
            self.rate_partials()
        self.instance()
        return found

    def variables(self) -> list[Variable]:
        """Time, q, v, z, inputs, outputs."""
        what, run = self.what, self.what.loop
        model = what.model
        out = [Variable("time", "s", "time", STATE, NOW, what.plan.start)]
        for kind, names, units, array in (
            ("q", model.names.q, model.units.q, run.q),
            ("v", model.names.v, model.units.v, run.v),
        ):
            for i, (name, unit) in enumerate(zip(names, units, strict=True)):
                shown = name if kind == "q" else f"v:{name}"
                out.append(Variable(shown, unit, kind, STATE, self.at(array, i), float(array[i])))
        latched = len(run.latched)
        for i, name in enumerate(what.states):
            array, at = (run.latched, i) if i < latched else (run.z, i - latched)
            out.append(Variable(f"z:{name}", "", "z", FIXED, self.at(array, at), float(array[at])))
        for one, place in zip(what.inputs, what.places, strict=True):
            out.append(Variable(one.name, one.unit, "input", INPUT, self.at(run.p, place), 0.0))
        known = {one.name for one in out}
        for i, result in enumerate(what.outputs):
            if result.name not in known:
                out.append(Variable(result.name, result.unit, "output", OUTPUT, self.at(self.shown, i), 0.0))
        return out

    def access(self, found: list[Variable]) -> None:
        """jd_get, jd_set, jd_name, jd_unit, jd_find."""
        offsets = self.constant(np.array([one.offset for one in found], np.int64))
        sorts = self.constant(np.array([one.sort for one in found], np.int8))
        count = len(found)
        self.begin("double", "get", ["ptr %self", "i32 %index"])
        self._place(count, offsets, sorts, f"ret double {number(np.nan)}")
        self.add(f"%follows = icmp eq i8 %sort, {OUTPUT}")
        old = self.load(OLD, "i64")
        stale = self.value(f"icmp ne i64 {old}, 0")
        both = self.value(f"and i1 %follows, {stale}")
        self.add(f"br i1 {both}, label %make, label %read")
        self.lines.append("make:")
        self.add('%told = call i32 @"jd.refresh"(ptr %self)')
        self.add(f"%fine = icmp eq i32 %told, {OK}")
        self.add("br i1 %fine, label %read, label %out")
        self.lines.append("read:")
        self.add("%value = load double, ptr %there, align 8")
        self.end("ret double %value")
        self.begin("i32", "set", ["ptr %self", "i32 %index", "double %value"])
        self._place(count, offsets, sorts, f"ret i32 {BAD_INDEX}")
        self.add(f"%settable = icmp ule i8 %sort, {INPUT}")
        self.add(f"%own = icmp ne i8 %sort, {FIXED}")
        self.add("%may = and i1 %settable, %own")
        self.add("br i1 %may, label %look, label %refuse")
        self.lines.append("refuse:")
        self.add(f"ret i32 {READ_ONLY}")
        self.lines.append("look:")
        self.add("%given = alloca double")
        self.add("store double %value, ptr %given, align 8")
        self.finite("%given")
        self.add("store double %value, ptr %there, align 8")
        self.store("1", OLD, "i64")
        self.add(f"%state = icmp eq i8 %sort, {STATE}")
        self.add("br i1 %state, label %anew, label %done")
        self.lines.append("anew:")
        self._begin_anew()
        self.add("br label %done")
        self.lines.append("done:")
        self.end(f"ret i32 {OK}")
        self._texts("name", [one.name for one in found])
        self._texts("unit", [one.unit for one in found])
        self._find("find", [one.name for one in found])
        self._find("marker", list(self.what.model.markers), list(self.what.model.markers.values()))

    def _begin_anew(self) -> None:
        """The run begins again at the present time: contacts and digital controllers look at the state."""
        self.store("0", COUNT, "i64")
        self.store("0", BEGUN, "i64")
        self.store(self.load(NOW), START)

    def _place(self, count: int, offsets: str, sorts: str, otherwise: str) -> None:
        """%there and %sort of variable %index; another index leaves the function."""
        self.add(f"%inside = icmp ult i32 %index, {count}")
        self.add("br i1 %inside, label %known, label %out")
        self.lines.append("out:")
        self.add(otherwise)
        self.lines.append("known:")
        self.add("%wide = zext i32 %index to i64")
        self.add(f'%row = getelementptr inbounds i64, ptr @"{offsets}", i64 %wide')
        self.add("%offset = load i64, ptr %row")
        self.add("%there = getelementptr inbounds i8, ptr %self, i64 %offset")
        self.add(f'%byte = getelementptr inbounds i8, ptr @"{sorts}", i64 %wide')
        self.add("%sort = load i8, ptr %byte")

    def _strings(self, texts: list[str]) -> str:
        """A constant table of addresses of texts."""
        places = [f'ptr @"{self.constant(text)}"' for text in texts] or ["ptr null"]
        name = f"jd.texts.{len(self.image.definitions)}"
        kind = f"[{len(places)} x ptr]"
        self.image.definitions.append(f'@"{name}" = internal constant {kind} [{", ".join(places)}], align 16')
        return name

    def _texts(self, name: str, texts: list[str]) -> None:
        """A function that gives the text of an index, null where there is none."""
        table = self._strings(texts)
        self.begin("ptr", name, ["i32 %index"])
        self.add(f"%inside = icmp ult i32 %index, {len(texts)}")
        self.add("br i1 %inside, label %known, label %out")
        self.lines.append("out:")
        self.add("ret ptr null")
        self.lines.append("known:")
        self.add("%wide = zext i32 %index to i64")
        self.add(f'%row = getelementptr inbounds ptr, ptr @"{table}", i64 %wide')
        self.add("%text = load ptr, ptr %row")
        self.end("ret ptr %text")

    def _find(self, name: str, texts: list[str], numbers: list[int] | None = None) -> None:
        """A function that gives the number of a text, -1 where there is none."""
        table = self._strings(texts)
        values = self.constant(np.array(range(len(texts)) if numbers is None else numbers, np.int32))
        self.begin("i32", name, ["ptr %name"])
        for line in (
            "br label %head",
            "head:",
            "%i = phi i64 [0, %0], [%next, %differ]",
            f"%more = icmp ult i64 %i, {len(texts)}",
            "br i1 %more, label %entry, label %none",
            "none:",
            f"ret i32 {BAD_INDEX}",
            "entry:",
            f'%row = getelementptr inbounds ptr, ptr @"{table}", i64 %i',
            "%text = load ptr, ptr %row",
            "br label %letter",
            "letter:",
            "%k = phi i64 [0, %entry], [%after, %same]",
            "%pa = getelementptr inbounds i8, ptr %text, i64 %k",
            "%pb = getelementptr inbounds i8, ptr %name, i64 %k",
            "%a = load i8, ptr %pa",
            "%b = load i8, ptr %pb",
            "%equal = icmp eq i8 %a, %b",
            "br i1 %equal, label %same, label %differ",
            "same:",
            "%after = add i64 %k, 1",
            "%last = icmp eq i8 %a, 0",
            "br i1 %last, label %found, label %letter",
            "differ:",
            "%next = add i64 %i, 1",
            "br label %head",
            "found:",
            f'%pn = getelementptr inbounds i32, ptr @"{values}", i64 %i',
            "%number = load i32, ptr %pn",
            "ret i32 %number",
        ):
            self.lines.append(line if line.endswith(":") else f"  {line}")
        self.end()

    def whole_state(self) -> None:
        """jd_state, jd_start and jd_put."""
        run = self.what.loop
        arrays = (("q", run.q, len(run.q)), ("v", run.v, len(run.v)))
        self.begin("i32", "state", ["ptr %self", "ptr %q", "ptr %v", "ptr %z"])
        self.check_instance()
        for word, array, size in (*arrays, ("z", run.z, len(run.z) - 2)):
            self.copy_where_given(word, self.at(array), 8 * size, into=False)
        self.end(f"ret i32 {OK}")
        for name in ("start", "put"):
            self.begin("i32", name, ["ptr %self", "double %t", "ptr %q", "ptr %v", "ptr %z"])
            self.check_instance()
            self.add("%time = alloca double")
            self.add("store double %t, ptr %time, align 8")
            self.finite("%time")
            for word, _, size in (*arrays, ("z", run.z, len(run.z) - 2)):
                self.finite(f"%{word}", size)
            self.store("%t", NOW)
            for word, array, size in (*arrays, ("z", run.z, len(run.z) - 2)):
                self.copy_where_given(word, self.at(array), 8 * size, into=True)
            self._begin_anew()
            if name == "put":
                self.store("1", BEGUN, "i64")
            self.store("1", OLD, "i64")
            self.end(f"ret i32 {OK}")

    def accepting(self) -> None:
        """jd_accept and jd_changes, for those who integrate the rates themselves."""
        self.begin("i32", "accept", ["ptr %self", "i32 %located"])
        self.check_instance()
        self.made_unit(self.what.loop.q)
        wide = self.value("sext i32 %located to i64")
        status, _ = self.call(accept_state.entry(), self.loop, wide)
        self.bad(status)
        self.store("1", OLD, "i64")
        self.end(f"ret i32 {OK}")
        self.begin("i32", "changes", ["ptr %self"])
        self.check_instance()
        status, out = self.call(state_changes.entry(), self.loop, returns="i64")
        self.bad(status)
        found = self.value(f"load i64, ptr {out}")
        self.end(f"ret i32 {self.value(f'trunc i64 {found} to i32')}")
        if self.what.model.contacts.names:
            self.indicators()

    def indicators(self) -> None:
        """jd_indicators: what changes its sign where a contact begins or ends."""
        run, count = self.what.loop, len(self.arrays.contacts)
        self.begin("i32", "indicators", ["ptr %self", "ptr %out"])
        self.check_instance()
        status, _ = self.call(
            contact_indicators.entry(), self.table(self.arrays), self.table(run.stages.touch),
            run.q, run.v, run.latched, self.table(run.ws), ("%out", (count,)),
        )  # fmt: skip
        self.bad(status)
        self.end(f"ret i32 {OK}")

    def model_function(self, name: str, kernel: Any, arguments: tuple[str, ...]) -> None:
        """One of the model functions, in a workspace of its own."""
        model = self.what.model
        shapes: dict[str, tuple[int, ...]] = {
            "q": (model.nq,), "v": (model.nv,), "effort": (model.nv,), "acceleration": (model.nv,),
            "matrix": (model.nv, model.nv), "jacobian": (6, model.nv), "motion": (13,), "classical": (6,),
            "momentum": (6,), "centre": (3,), "point": (3,),
        }  # fmt: skip
        words = [word.rstrip("!") for word in arguments]
        own = ["i32 %marker" if word == "marker" else f"ptr %{word}" for word in words if word != "latched"]
        self.begin("i32", name, ["ptr %self", *own])
        self.check_instance()
        self.store(self.load(NOW), self.at(self.what.probe.ledger.numbers, Ledger.columns.time))
        given: list[Any] = []
        for word in words:
            if word == "marker":
                self.inside("%marker", len(model.arrays.markers))
                given.append(self.value("sext i32 %marker to i64"))
            elif word == "latched":
                given.append(self.what.loop.latched)
            else:
                given.append((f"%{word}", shapes[word]))
        status, _ = self.call(kernel.entry(), self.table(self.arrays), self.probe, *given, returns="[2 x i64]")
        self.bad(status)
        self.end(f"ret i32 {OK}")

    def inside(self, index: str, count: int) -> None:
        """Returns BAD_INDEX where an index is not below a count."""
        self.refuse(self.value(f"icmp uge i32 {index}, {count}"), BAD_INDEX)

    def linearisation(self) -> None:
        """jd_linearize: derivatives of the tree's forward dynamics, Singh, Russo & Wensing 2022."""
        model = self.what.model
        square = (model.nv, model.nv)
        scratch = partials(model.arrays)
        one = forward_derivatives.entry()
        words = ("q", "v", "effort", "acceleration", "by_q", "by_v", "by_effort")
        self.begin("i32", "linearize", ["ptr %self", *(f"ptr %{word}" for word in words)])
        self.check_instance()
        self.store(self.load(NOW), self.at(self.what.probe.ledger.numbers, Ledger.columns.time))
        latched = self.what.loop.latched
        status, _ = self.call(
            one, self.table(self.arrays), self.probe, self.table(scratch), ("%q", (model.nq,)), ("%v", (model.nv,)),
            ("%effort", (model.nv,)), latched, ("%acceleration", (model.nv,)),
            *((f"%{word}", square) for word in words[4:]),
        )  # fmt: skip
        self.bad(status)
        self.end(f"ret i32 {OK}")

    def rate_partials(self) -> None:
        """jd_partials: derivatives of the right-hand side and of motions that are outputs."""
        what, run, b = self.what, self.what.loop, self.what.loop.buffers
        model, nz = what.model, len(run.z) - 2
        nv, n = model.nv, model.nq + model.nv + nz
        markers = np.array(list(self.motion), np.int64)
        laws = len(model.names.z) - len(run.latched) if applied_laws(what) else -1
        scratch, applied_there = partials(model.arrays), applied(model.arrays, run.ws, nz, model.nq, fine=True)
        square = [np.zeros((nv, nv)) for _ in range(3)]
        wide = [np.zeros((6, nv)) for _ in range(2)]
        self.begin("i32", "partials", ["ptr %self", "ptr %matrix"])
        self.check_instance()
        self.into_buffers()
        now = self.load(NOW)
        self.evaluate(now)
        self.store(now, self.at(run.ws.ledger.numbers, Ledger.columns.time))
        status, _ = self.call(
            rate_partials.entry(), self.table(self.arrays), self.table(run.task), self.table(run.stages),
            now, b.q, b.v, b.z, run.latched, run.p, self.table(run.ws), self.table(scratch), self.table(applied_there),
            laws, b.acceleration, *square, markers, *wide, np.zeros(13), run.q,
            ("%matrix", (n + 13 * len(markers), n + nv)),
        )  # fmt: skip
        self.bad(status)
        self.store("1", OLD, "i64")
        self.end(f"ret i32 {OK}")


def applied_laws(what: ExportModel) -> bool:
    """Whether there are laws whose forces depend on the state: inputs that are efforts do not."""
    return any(piece.law is not INPUTS or piece.marker >= 0 for piece in what.plan.laws.pieces)
