"""The C interface of an exported model, as LLVM text: what passes between plain C and the kernels.

An instance begins with a head (how many steps since it was started, when that was, the time, whether outputs are old,
what it is an instance of, whether contacts and digital controllers have looked at where it starts); behind it lie the
tables and arrays of the run. `bind` writes the addresses in them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from numba import types

from ..basics.arguments import HUGE
from ..kernels.contact.contact_rows import ContactResult
from ..kernels.integrate.external_integration import unit_rotations
from ..kernels.integrate.loop import fixed_steps
from ..kernels.ledger import Flags, Ledger
from ..kernels.records import RecordType, array_of
from ..kernels.tree import model_functions as kernels
from ..kernels.tree.batch_right_hand_side import coordinate_rates
from .export_model import ExportModel
from .memory_image import Image, MemoryPlace
from .variables import Output

COUNT, START, NOW, OLD, WHAT, BEGUN = 0, 8, 16, 24, 32, 40
HEAD = 64
NEVER = 2**62
"""A number of steps that is never reached."""
OK, BAD_INDEX, READ_ONLY, BAD_VALUE, FOREIGN, FAILED = 0, -1, -2, -3, -4, -5
"""What functions of the interface return besides the codes of `kernels.integrate.loop`."""
SCRATCH = ("bodies", "dofs", "circle", "flex", "sites", "effort", "supplied", "overlap_scratch", "cells")
"""Arrays of a workspace that every evaluation writes before it reads them."""
FIXED, STATE, INPUT, OUTPUT = 0, 1, 2, 3
"""Sorts of variables: cannot be set; begins the run anew where it is set; just set; follows from the others."""


class CInterfaceWriter:
    """Writes the functions of the interface.

    prefix    of their names
    """

    def __init__(self, what: ExportModel, image: Image, prefix: str, identity: bytes) -> None:
        self.what, self.image, self.prefix = what, image, prefix
        self.what_word = int.from_bytes(hashlib.sha256(identity).digest()[:8], "little", signed=True)
        image.reserve(HEAD)
        self.loop = image.record(what.loop)
        self.probe = image.record(what.probe)
        self.arrays = what.loop.model
        self.lines: list[str] = []
        self.exported: set[str] = set()
        self.declared: dict[str, str] = {}
        self.count = 0

    def at(self, array: np.ndarray, index: int = 0) -> int:
        """Where an entry of an array of the run lies in the instance."""
        place = self.image.array(array)
        assert not place.symbol
        return place.offset + array.itemsize * index

    def constant(self, data: Any, name: str = "") -> str:
        """A constant of numbers or of a text."""
        return self.image.data(data.encode() + b"\0" if isinstance(data, str) else data.tobytes(), name)

    # what functions are made of

    def fresh(self) -> str:
        """A new name of a value."""
        self.count += 1
        return f"%x{self.count}"

    def add(self, line: str) -> None:
        """A line of the function that is being written."""
        self.lines.append(f"  {line}")

    def value(self, line: str) -> str:
        """A new value."""
        name = self.fresh()
        self.add(f"{name} = {line}")
        return name

    def within(self, offset: int, base: str = "%self") -> str:
        """Address of a place in the instance."""
        return self.value(f"getelementptr inbounds i8, ptr {base}, i64 {offset}")

    def load(self, offset: int, kind: str = "double") -> str:
        """What stands at a place in the instance."""
        return self.value(f"load {kind}, ptr {self.within(offset)}, align 8")

    def store(self, value: str, offset: int, kind: str = "double") -> None:
        """Puts a value there."""
        self.add(f"store {kind} {value}, ptr {self.within(offset)}, align 8")

    def copy(self, to: str, source: str, size: int | str) -> None:
        """Copies bytes."""
        if size != 0:
            self.add(f"call void @llvm.memcpy.p0.p0.i64(ptr {to}, ptr {source}, i64 {size}, i1 false)")

    def begin(self, returns: str, name: str, arguments: Sequence[str], hidden: bool = False) -> None:
        """Begins a function of the interface, or one within it."""
        linkage = "internal " if hidden else ""
        symbol = f"jd.{name}" if hidden else f"{self.prefix}_{name}"
        if not hidden:
            self.exported.add(symbol)
        self.lines.append(f'define {linkage}{returns} @"{symbol}"({", ".join(arguments)}) {{')

    def end(self, last: str = "") -> None:
        """Ends it."""
        if last:
            self.add(last)
        self.lines.append("}")

    def call(self, one: Any, *arguments: Any, returns: str = "ptr") -> tuple[str, str]:
        """Calls a kernel; its status, and the address of what it returned. An array is given by its address and shape,
        an array of the run by itself, a record by its place."""
        symbol = self.image.linker.symbol(one)
        given, kinds = [], []
        for kind, argument in zip(one.arguments, arguments, strict=True):
            if isinstance(kind, RecordType):
                given.append(f"ptr {self.pointer(argument)}")
                kinds.append("ptr")
            elif isinstance(kind, types.Array):
                address, shape = argument if isinstance(argument, tuple) else (None, argument.shape)
                address = address or self.pointer(self.image.array(argument))
                given += [f"ptr {address}", *(f"i64 {extent}" for extent in shape)]
                kinds += ["ptr", *("i64" for _ in shape)]
            else:
                word = "double" if kind == types.float64 else "i64"
                given.append(f"{word} {argument}")
                kinds.append(word)
        self.declared[symbol] = f'declare i32 @"{symbol}"({", ".join(["ptr", "ptr", *kinds])})'
        out, failed = self.value(f"alloca {returns}"), self.value("alloca ptr")
        status = self.value(f'call i32 @"{symbol}"({", ".join([f"ptr {out}", f"ptr {failed}", *given])})')
        return status, out

    def pointer(self, place: MemoryPlace) -> str:
        """Address of a table or an array."""
        return f'@"{place.symbol}"' if place.symbol else self.within(place.offset)

    def table(self, record: Any) -> MemoryPlace:
        """Where a record of the run lies."""
        return self.image.record(record)

    def bad(self, status: str) -> None:
        """Returns FAILED where a kernel failed."""
        self.refuse(self.value(f"icmp ne i32 {status}, 0"), FAILED)

    def refuse(self, wrong: str, code: int) -> None:
        """Returns a code where a condition holds."""
        go, stop = f"go{self.count}", f"stop{self.count}"
        self.add(f"br i1 {wrong}, label %{stop}, label %{go}")
        self.lines += [f"{stop}:", f"  ret i32 {code}", f"{go}:"]

    def text(self) -> str:
        """All of it, with the constants."""
        intrinsics = [
            "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)",
            "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)",
            "declare double @llvm.sqrt.f64(double)",
            "declare double @llvm.fabs.f64(double)",
        ]
        known = list(self.declared.values())
        known += [f'declare i32 @"{name}"()' for name in self.image.linker.symbols() if name not in self.declared]
        return "\n".join([*intrinsics, *known, *self.image.definitions, *self.lines])

    # the instance

    def instance(self) -> None:
        """jd_size, jd_init, jd_copy; last, when all that an instance holds is known."""
        image = self.image
        self._saving()
        self.begin("i64", "size", [])
        self.end(f"ret i64 {-(-image.size // 64) * 64}")
        self._bind()
        rows, data = image.template()
        runs, numbers = self.constant(rows), self.image.data(data)
        self.begin("i32", "init", ["ptr %self"])
        self.add(f"call void @llvm.memset.p0.i64(ptr %self, i8 0, i64 {image.size}, i1 false)")
        self.add("br label %head")
        self.lines.append("head:")
        self.add("%i = phi i64 [0, %0], [%next, %body]")
        self.add(f"%more = icmp slt i64 %i, {len(rows)}")
        self.add("br i1 %more, label %body, label %done")
        self.lines.append("body:")
        self.add(f'%row = getelementptr inbounds [3 x i64], ptr @"{runs}", i64 %i')
        self.add("%to = load i64, ptr %row")
        self.add("%p1 = getelementptr inbounds i64, ptr %row, i64 1")
        self.add("%from = load i64, ptr %p1")
        self.add("%p2 = getelementptr inbounds i64, ptr %row, i64 2")
        self.add("%size = load i64, ptr %p2")
        self.add("%there = getelementptr inbounds i8, ptr %self, i64 %to")
        self.add(f'%source = getelementptr inbounds i8, ptr @"{numbers}", i64 %from')
        self.copy("%there", "%source", "%size")
        self.add("%next = add i64 %i, 1")
        self.add("br label %head")
        self.lines.append("done:")
        start = self.what.plan.start
        self.store(number(start), START)
        self.store(number(start), NOW)
        self.store("1", OLD, "i64")
        self.store(str(self.what_word), WHAT, "i64")
        self.add('call void @"jd.bind"(ptr %self)')
        self.end(f"ret i32 {OK}")
        self.begin("i32", "copy", ["ptr %to", "ptr %from"])
        self.check_instance("%from")
        self.copy("%to", "%from", image.size)
        self.add('call void @"jd.bind"(ptr %to)')
        self.end(f"ret i32 {OK}")

    def check_instance(self, base: str = "%self") -> None:
        """Returns FOREIGN where memory is not an instance of this model."""
        place = self.within(WHAT, base)
        word = self.value(f"load i64, ptr {place}, align 8")
        self.refuse(self.value(f"icmp ne i64 {word}, {self.what_word}"), FOREIGN)

    def _bind(self) -> None:
        """Writes the addresses that an instance has in it."""
        image = self.image
        inner = self.constant(np.array(image.inner, np.int64).reshape(-1, 2))
        self.begin("void", "bind", ["ptr %self"], hidden=True)
        self.add("br label %head")
        self.lines.append("head:")
        self.add("%i = phi i64 [0, %0], [%next, %body]")
        self.add(f"%more = icmp slt i64 %i, {len(image.inner)}")
        self.add("br i1 %more, label %body, label %done")
        self.lines.append("body:")
        self.add(f'%row = getelementptr inbounds [2 x i64], ptr @"{inner}", i64 %i')
        self.add("%from = load i64, ptr %row")
        self.add("%p1 = getelementptr inbounds i64, ptr %row, i64 1")
        self.add("%to = load i64, ptr %p1")
        self.add("%word = getelementptr inbounds i8, ptr %self, i64 %from")
        self.add("%there = getelementptr inbounds i8, ptr %self, i64 %to")
        self.add("%number = ptrtoint ptr %there to i64")
        self.add("store i64 %number, ptr %word, align 8")
        self.add("%next = add i64 %i, 1")
        self.add("br label %head")
        self.lines.append("done:")
        for at, symbol in image.outer:
            address = self.value(f'ptrtoint ptr @"{symbol}" to i64')
            self.store(address, at, "i64")
        for at, symbol in image.floats:
            address = self.value(f'ptrtoint ptr @"{symbol}" to i64')
            self.store(self.value(f"uitofp i64 {address} to double"), at)
        self.end("ret void")

    # the run

    def stepping(self) -> None:
        """jd_step and jd_inputs. A call that is refused, or within which the run cannot go on, changes nothing."""
        run, what = self.what.loop, self.what
        self.begin("i32", "inputs", ["ptr %self", "ptr %inputs"])
        self.check_instance()
        self.finite("%inputs", len(what.places))
        for i, place in enumerate(what.places):
            given = self.value(f"getelementptr inbounds double, ptr %inputs, i64 {i}")
            value = self.value(f"load double, ptr {given}, align 8")
            self.store(value, self.at(run.p, place))
        self.store("1", OLD, "i64")
        self.end(f"ret i32 {OK}")
        self._advance()
        self.begin("i32", "step", ["ptr %self", "ptr %inputs", "i64 %steps"])
        self.check_instance()
        self.add("%none = icmp eq ptr %inputs, null")
        self.add('call void @"jd.save"(ptr %self)')
        self.add("br i1 %none, label %ready, label %put")
        self.lines.append("put:")
        stated = self.value(f'call i32 @"{self.prefix}_inputs"(ptr %self, ptr %inputs)')
        fine = self.value(f"icmp eq i32 {stated}, {OK}")
        self.add(f"br i1 {fine}, label %ready, label %refused")
        self.lines += ["refused:", f"  ret i32 {stated}", "ready:"]
        self.add("%some = icmp sgt i64 %steps, 0")
        self.add("br i1 %some, label %go, label %nothing")
        self.lines.append("nothing:")
        self.add("%negative = icmp slt i64 %steps, 0")
        self.add(f"%wrong = select i1 %negative, i32 {BAD_VALUE}, i32 {OK}")
        self.add("ret i32 %wrong")
        self.lines.append("go:")
        stated = self.value('call i32 @"jd.advance"(ptr %self, i64 %steps)')
        fine = self.value(f"icmp eq i32 {stated}, {OK}")
        self.add(f"br i1 {fine}, label %done, label %failed")
        self.lines.append("failed:")
        self.add('call void @"jd.restore"(ptr %self)')
        self.add("br label %done")
        self.lines.append("done:")
        self.end(f"ret i32 {stated}")

    def _advance(self) -> None:
        """So many steps more; why they ended."""
        run, what = self.what.loop, self.what
        self.begin("i32", "advance", ["ptr %self", "i64 %steps"], hidden=True)
        first = self.load(COUNT, "i64")
        self.add(f"%new = icmp eq i64 {first}, 0")
        self.add("br i1 %new, label %tidy, label %run")
        self.lines.append("tidy:")
        self.made_unit(run.q)
        self.add("br label %run")
        self.lines.append("run:")
        start = self.load(START)
        out = self.steps_of(start, first, self.value(f"add i64 {first}, %steps"))
        stated = self.value(f"load i64, ptr {out}")
        second = self.value(f"getelementptr inbounds [3 x i64], ptr {out}, i64 0, i64 1")
        done = self.value(f"load i64, ptr {second}")
        self.store(done, COUNT, "i64")
        self.store("1", BEGUN, "i64")
        steps = self.value(f"sitofp i64 {done} to double")
        passed = self.value(f"fmul contract double {steps}, {number(what.step)}")
        self.store(self.value(f"fadd contract double {start}, {passed}"), NOW)
        self.store("1", OLD, "i64")
        self.end(f"ret i32 {self.value(f'trunc i64 {stated} to i32')}")

    def finite(self, address: str, count: int = 1) -> None:
        """Returns BAD_VALUE where a number is none, or too large to be one; at no address there is none."""
        self.refuse(self.value(f'call i1 @"jd.wrong"(ptr {address}, i64 {count})'), BAD_VALUE)

    def judging(self) -> None:
        """jd.wrong: whether one of some numbers is no finite number, or as good as none; false without an address."""
        self.begin("i1", "wrong", ["ptr %values", "i64 %count"], hidden=True)
        for line in (
            "%none = icmp eq ptr %values, null",
            "br i1 %none, label %fine, label %head",
            "head:",
            "%i = phi i64 [0, %0], [%next, %body]",
            "%more = icmp slt i64 %i, %count",
            "br i1 %more, label %body, label %fine",
            "body:",
            "%at = getelementptr inbounds double, ptr %values, i64 %i",
            "%value = load double, ptr %at, align 8",
            "%size = call double @llvm.fabs.f64(double %value)",
            f"%small = fcmp olt double %size, {number(HUGE)}",
            "%next = add i64 %i, 1",
            "br i1 %small, label %head, label %bad",
            "fine:",
            "ret i1 false",
            "bad:",
            "ret i1 true",
        ):
            self.lines.append(line if line.endswith(":") else f"  {line}")
        self.end()

    def _saving(self) -> None:
        """jd.save and jd.restore: what a run remembers from one step to the next, to return to."""
        scratch = {id(one) for record in (self.what.loop.buffers, self.what.loop.tape, self.what.probe)
                   for one in vars(record).values()}  # fmt: skip
        scratch |= {id(array_of(getattr(self.what.loop.ws, word))) for word in SCRATCH}
        pieces: list[list[int]] = [[0, HEAD]]
        for at, array in sorted(self.image.changing, key=lambda one: one[0]):
            if id(array) in scratch:
                continue
            if at <= sum(pieces[-1]) + 64:  # what lies between is room that nothing has
                pieces[-1][1] = at + array.nbytes - pieces[-1][0]
            else:
                pieces.append([at, array.nbytes])
        kept = self.image.reserve(sum(size for _, size in pieces) + 8 * len(pieces))
        for name in ("save", "restore"):
            self.begin("void", name, ["ptr %self"], hidden=True)
            there = kept
            for at, size in pieces:
                own, other = self.within(at), self.within(there)
                self.copy(*((other, own) if name == "save" else (own, other)), size)
                there += -(-size // 8) * 8
            self.end("ret void")

    def steps_of(self, start: str, first: str, last: str) -> str:
        """Steps from one number to another; where the status, how many were done and the rows are."""
        status, out = self.call(
            fixed_steps.entry(), self.loop, start, number(self.what.step), first, last, NEVER,
            NEVER, 0, returns="[3 x i64]",
        )  # fmt: skip
        self.bad(status)
        return out

    def made_unit(self, q: np.ndarray) -> None:
        """Scales the quaternions in coordinates of the run, where there are any."""
        if len(self.arrays.rotations) or len(self.arrays.paths):
            status, _ = self.call(unit_rotations.entry(), self.table(self.arrays), q)
            self.bad(status)

    def rates(self) -> None:
        """jd_rates, and the outputs that follow from an evaluation."""
        run, model, b = self.what.loop, self.what.model, self.what.loop.buffers
        given = (("q", run.q, b.q, model.nq), ("v", run.v, b.v, model.nv), ("z", run.z, b.z, len(run.z) - 2))
        dq = np.zeros(model.nq)
        self.dq = dq
        arguments = ["ptr %self", "double %t", *(f"ptr %{word}" for word in ("q", "v", "z", "dq", "dv", "dz"))]
        self.begin("i32", "rates", arguments)
        self.check_instance()
        for word, own, buffer, size in given:
            self.copy(self.within(self.at(buffer)), self.within(self.at(own)), 8 * len(own))
            self.copy_where_given(word, self.at(buffer), 8 * size, into=True)
        self.made_unit(b.q)
        self.evaluate("%t")
        status, _ = self.call(coordinate_rates.entry(), self.table(self.arrays), self.table(run.ws), b.q, b.v, dq)
        self.bad(status)
        sizes = {"dq": (dq, model.nq), "dv": (b.acceleration, model.nv), "dz": (b.dz, len(run.z) - 2)}
        for word, (array, size) in sizes.items():
            self.copy_where_given(word, self.at(array), 8 * size, into=False)
        self.store("1", OLD, "i64")
        self.end(f"ret i32 {OK}")

    def copy_where_given(self, word: str, offset: int, size: int, into: bool) -> None:
        """Copies from (into the instance) or to where the pointer %word leads, where it is not null."""
        none = self.value(f"icmp eq ptr %{word}, null")
        go, skip = f"with.{word}{self.count}", f"without.{word}{self.count}"
        self.add(f"br i1 {none}, label %{skip}, label %{go}")
        self.lines.append(f"{go}:")
        there = self.within(offset)
        self.copy(*((there, f"%{word}") if into else (f"%{word}", there)), size)
        self.add(f"br label %{skip}")
        self.lines.append(f"{skip}:")

    def into_buffers(self) -> None:
        """Copies the state into the buffers that are evaluated."""
        run, b = self.what.loop, self.what.loop.buffers
        for own, buffer in ((run.q, b.q), (run.v, b.v), (run.z, b.z)):
            self.copy(self.within(self.at(buffer)), self.within(self.at(own)), 8 * len(own))
        self.made_unit(b.q)

    def evaluate(self, t: str) -> None:
        """The right-hand side at the state in the buffers, energies too."""
        run, b = self.what.loop, self.what.loop.buffers
        wanted = self.at(run.ws.flags.numbers, Flags.columns.energies_wanted)
        self.store("1", wanted, "i64")
        status, _ = self.call(
            run.stages.rates, self.table(self.arrays), self.table(run.task), self.table(run.stages), t,
            b.q, b.v, b.z, run.latched, run.p, self.table(run.ws), b.acceleration, b.dz,
        )  # fmt: skip
        self.store("0", wanted, "i64")
        self.bad(status)

    def refreshing(self) -> None:
        """Outputs at the present state, into their places."""
        b = self.what.loop.buffers
        markers = list(dict.fromkeys(one.where for one in self.what.outputs if one.kind.startswith("motion")))
        self.motion = {marker: np.zeros(13) for marker in markers}
        self.shown = np.zeros(len(self.what.outputs))
        self.begin("i32", "refresh", ["ptr %self"], hidden=True)
        self.begun()
        self.into_buffers()
        self.evaluate(self.load(NOW))
        for marker, out in self.motion.items():
            self.store(self.load(NOW), self.at(self.what.probe.ledger.numbers, Ledger.columns.time))
            status, _ = self.call(
                kernels.marker_motion.entry(), self.table(self.arrays), self.probe, marker,
                b.q, b.v, out,
            )  # fmt: skip
            self.bad(status)
        for i, one in enumerate(self.what.outputs):
            self.store(self.output(one), self.at(self.shown, i))
        self.store("0", OLD, "i64")
        self.end(f"ret i32 {OK}")

    def begun(self) -> None:
        """Lets contacts and digital controllers look at the state that the run starts from, as its first step would."""
        looked = self.value(f"icmp ne i64 {self.load(BEGUN, 'i64')}, 0")
        self.add(f"br i1 {looked}, label %looked, label %look")
        self.lines.append("look:")
        self.made_unit(self.what.loop.q)
        self.steps_of(self.load(START), "0", "0")
        self.store("1", BEGUN, "i64")
        self.add("br label %looked")
        self.lines.append("looked:")

    def output(self, one: Output) -> str:
        """The value of an output."""
        run = self.what.loop
        ws, b = run.ws, run.buffers
        if one.kind in ("dv", "effort"):
            return self.load(self.at(b.acceleration if one.kind == "dv" else ws.supplied, one.where))
        if one.kind in ("q", "v", "z"):
            latched = len(run.latched)
            if one.kind == "z" and one.where < latched:
                return self.load(self.at(run.latched, one.where))
            array = {"q": b.q, "v": b.v, "z": b.z}[one.kind]
            return self.load(self.at(array, one.where - (latched if one.kind == "z" else 0)))
        if one.kind == "energy":
            return self.energy(one.where)
        base, at = (
            (ws.contact_wrenches.array, one.where * ContactResult.size)
            if one.kind.startswith("contact_wrench")
            else (self.motion[one.where], 0)
        )
        if not one.kind.endswith("magnitude"):
            return self.load(self.at(base, at + one.part))
        squares = []
        for i in range(3):
            x = self.load(self.at(base, at + one.part + i))
            squares.append(self.value(f"fmul double {x}, {x}"))
        total = self.value(f"fadd double {squares[0]}, {squares[1]}")
        return self.value(f"call double @llvm.sqrt.f64(double {self.value(f'fadd double {total}, {squares[2]}')})")

    def energy(self, which: int) -> str:
        """An energy, in the order of `variables.ENERGIES`; as `record` of the loop has them."""
        run = self.what.loop
        ledger, z, at = run.ws.ledger.numbers, run.z, Ledger.columns
        stored = (at.kinetic, at.gravity, at.strain, at.contact)
        if which < 4:
            return self.load(self.at(ledger, stored[which]))
        if which == 4:
            lost, held = self.load(self.at(z, len(z) - 1)), self.load(self.at(ledger, at.held))
            return self.value(f"fsub double {lost}, {held}")
        if which == 5:
            return self.load(self.at(z, len(z) - 2))
        total = self.load(self.at(ledger, stored[0]))
        for place in stored[1:]:
            total = self.value(f"fadd double {total}, {self.load(self.at(ledger, place))}")
        return total


def number(value: float) -> str:
    """A double as LLVM spells it, to the last bit."""
    return f"0x{int(np.float64(value).view(np.uint64)):016X}"
