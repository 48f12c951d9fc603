"""What a person reads of an exported model: header, README, example, CMakeLists.txt."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..basics.markup import code_span, markdown
from ..basics.version import __version__
from .c_interface import Variable
from .export_model import ExportModel
from .object_code import Target


@dataclass(frozen=True)
class HeaderData:
    """Everything that the texts contain."""

    what: ExportModel
    target: Target
    prefix: str
    variables: Sequence[Variable]
    size: int
    linearised: bool
    sloped: bool = False

    @property
    def upper(self) -> str:
        """The prefix as macros have it."""
        return self.prefix.upper()

    def count(self, kind: str) -> int:
        """How many variables of a kind there are."""
        return sum(one.kind == kind for one in self.variables)

    def first(self, kind: str) -> int:
        """Index of the first variable of a kind; where it would be, where there is none."""
        kinds = ("time", "q", "v", "z", "input", "output")
        return sum(self.count(one) for one in kinds[: kinds.index(kind)])


def plain(text: str) -> str:
    """A text that may stand in a comment of C."""
    return re.sub(r"[\x00-\x1f\x7f]", " ", text).replace("*/", "* /").replace("/*", "/ *")


def _word(name: str) -> str:
    return re.sub(r"\W+", "_", name).strip("_").upper()


def _run_functions(sheet: HeaderData) -> str:
    """Declarations of what makes, steps and reads an instance."""
    p, U = sheet.prefix, sheet.upper
    return f"""\
/* Bytes of an instance. */
int64_t {p}_size(void);

/* Makes an instance of a block of memory, in the state that was exported. */
int32_t {p}_init(void *self);

/* Copies an instance to another block: to keep a state, and to return to it. */
int32_t {p}_copy(void *to, const void *from);

/* Steps of {sheet.what.step!r} s, with inputs ({U}_INPUTS numbers) that hold meanwhile; NULL leaves them as they
   are. A call that returns anything but {U}_OK changes nothing: the state is that of before, as are the inputs. */
int32_t {p}_step(void *self, const double *inputs, int64_t steps);

/* Sets all inputs; all of them are refused where one is no number. */
int32_t {p}_inputs(void *self, const double *inputs);

/* A variable; not-a-number where there is no such index. Outputs are computed when first asked for after a step. */
double {p}_get(void *self, int32_t index);

/* Sets time, a coordinate, a velocity or an input. After a state is set the run begins anew from it. */
int32_t {p}_set(void *self, int32_t index, double value);

/* Index of a name, -1 where there is none; name and unit of an index, NULL where there is none. */
int32_t {p}_find(const char *name);
const char *{p}_name(int32_t index);
const char *{p}_unit(int32_t index);

/* Number of a marker by its name, -1 where there is none. */
int32_t {p}_marker(const char *name);

/* The state: q ({U}_NQ), v ({U}_NV), z ({U}_NX); NULL for what is not wanted. */
int32_t {p}_state(void *self, double *q, double *v, double *z);

/* Begins anew at time t in the state (q, v, z); NULL leaves them as they are. z must come from {p}_state, changed by no
   more than an integration of its rates. */
int32_t {p}_start(void *self, double t, const double *q, const double *v, const double *z);

/* The right-hand side at a time and a state, NULL for the present one: dq ({U}_NQ), dv ({U}_NV), dz ({U}_NX); NULL
   for what is not wanted. What is latched (contacts, dry friction) and sampled stays as it is. */
int32_t {p}_rates(void *self, double t, const double *q, const double *v, const double *z, double *dq, double *dv,
    double *dz);

/* For those who integrate the rates themselves. The state becomes (q, v, z) at time t, and nothing that is latched or
   sampled changes; what is latched changes as at the end of a step, `located` being 1 where a contact just began or
   ended; how many contacts begin or end at the state since then. */
int32_t {p}_put(void *self, double t, const double *q, const double *v, const double *z);
int32_t {p}_accept(void *self, int32_t located);
int32_t {p}_changes(void *self);
{_indicators(sheet)}
"""


def _indicators(sheet: HeaderData) -> str:
    names = sheet.what.model.contacts.names
    if not names:
        return ""
    listed = "".join(f"\n   {i:5d}  {plain(name)}" for i, name in enumerate(names))
    return f"""
/* For each contact how far it is from beginning or ending [m], negative while it is to: a solver that looks for roots
   finds when. Contacts{listed} */
int32_t {sheet.prefix}_indicators(void *self, double *out);
"""


def _model_functions(sheet: HeaderData) -> str:
    """Declarations of model functions."""
    p, U = sheet.prefix, sheet.upper
    return f"""\
/* Model functions, at any q and v; they leave the run alone. Passive efforts of joints, struts and constant loads are
   in forward and inverse dynamics; contacts, laws, inputs and constraints are in {p}_rates alone.
   mass_matrix * acceleration + bias = effort. */
int32_t {p}_forward_dynamics(void *self, const double *q, const double *v, const double *effort, double *acceleration);
int32_t {p}_inverse_dynamics(void *self, const double *q, const double *v, const double *acceleration, double *effort);
int32_t {p}_bias(void *self, const double *q, const double *v, double *effort);
int32_t {p}_mass_matrix(void *self, const double *q, double *matrix);       /* {U}_NV x {U}_NV */

/* Jacobian (6 x {U}_NV) of a marker: (angular, linear) velocity at the marker, world axes. */
int32_t {p}_jacobian(void *self, int32_t marker, const double *q, double *jacobian);

/* 13 numbers of a marker, world axes: position, quaternion, angular velocity, velocity. */
int32_t {p}_marker_motion(void *self, int32_t marker, const double *q, const double *v, double *motion);

/* Acceleration (angular, linear) of a marker, world axes. */
int32_t {p}_marker_acceleration(void *self, int32_t marker, const double *q, const double *v,
    const double *acceleration, double *classical);

/* Angular momentum about a point and linear momentum (6); centre of mass (3). */
int32_t {p}_momentum(void *self, const double *q, const double *v, const double *point, double *momentum);
int32_t {p}_centre_of_mass(void *self, const double *q, double *centre);
"""


def header(sheet: HeaderData) -> str:
    """model.h."""
    p, U, model = sheet.prefix, sheet.upper, sheet.what.model
    kinds = [(word, sheet.count(kind)) for word, kind in (("NQ", "q"), ("NV", "v"), ("NZ", "z"), ("INPUTS", "input"))]
    sizes = "\n".join(f"#define {U}_{word} {count}" for word, count in kinds)
    firsts = "\n".join(
        f"#define {U}_{word} {sheet.first(kind)}"
        for word, kind in (
            ("TIME", "time"),
            ("Q", "q"),
            ("V", "v"),
            ("Z", "z"),
            ("INPUT", "input"),
            ("OUTPUT", "output"),
        )
    )
    rows = "\n".join(
        f"   {i:5d}  {plain(one.name):<40s} {plain(one.unit):<8s} {_MAY[one.kind]}"
        for i, one in enumerate(sheet.variables)
    )
    markers = "\n".join(f"   {number:5d}  {plain(name)}" for name, number in model.markers.items())
    own = len(sheet.what.loop.z) - 2
    return f"""/* {plain(model.name)}: exported by Jourdain {__version__}

   for {sheet.target.triple}, {sheet.target.cpu}
   method {sheet.what.plan.method}, step {sheet.what.step!r} s

   An instance is one block of the caller's memory, of {p}_size() bytes, aligned as memory from malloc is. There is no
   other state: functions may run at once on different instances, and nothing is allocated. Units are SI; rotations are
   unit quaternions (w, x, y, z); matrices are stored row by row.

   Variables (index, name, unit)
{rows}

   Markers (number, name)
{markers}
*/
#ifndef {U}_MODEL_H
#define {U}_MODEL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {{
#endif

{sizes}
#define {U}_NX {own}                 /* integrated ones among the {U}_NZ internal states */
#define {U}_MARKERS {len(model.arrays.markers)}
#define {U}_VARIABLES {len(sheet.variables)}
#define {U}_STEP {sheet.what.step!r}

/* index of the first variable of a kind */
{firsts}

/* what functions return */
#define {U}_OK 0
#define {U}_DIVERGED 2               /* a number is no longer finite: the step is too long, or an input too large */
#define {U}_CAPACITY_EXCEEDED 4      /* more pairs of a pile are near each other than its capacity */
#define {U}_OPEN 7                   /* the constraints could not be kept */
#define {U}_DEEP 9                   /* shapes are too deep in each other */
#define {U}_BAD_INDEX (-1)
#define {U}_READ_ONLY (-2)
#define {U}_BAD_VALUE (-3)           /* not a finite number below 1e100, or a negative number of steps */
#define {U}_FOREIGN (-4)             /* this memory is not an initialised instance of this model */
#define {U}_FAILED (-5)

{_run_functions(sheet)}{_model_functions(sheet)}{_linearise(sheet)}{_partials(sheet)}
#ifdef __cplusplus
}}
#endif
#endif
"""


_MAY = {"time": "set", "q": "set", "v": "set", "z": "", "input": "input", "output": "output"}


def _linearise(sheet: HeaderData) -> str:
    if not sheet.linearised:
        return ""
    p, U = sheet.prefix, sheet.upper
    return f"""
/* Accelerations of forward dynamics, and their derivatives ({U}_NV x {U}_NV) by displacements, velocities and efforts.
   A displacement is what a velocity would make of a coordinate in unit time. */
int32_t {p}_linearize(void *self, const double *q, const double *v, const double *effort, double *acceleration,
    double *by_q, double *by_v, double *by_effort);
"""


def _partials(sheet: HeaderData) -> str:
    if not sheet.sloped:
        return ""
    p, U = sheet.prefix, sheet.upper
    markers = dict.fromkeys(one.where for one in sheet.what.outputs if one.kind.startswith("motion"))
    rows = f" then 13 of the motion of each marker {', '.join(map(str, markers))}," if markers else ""
    return f"""
/* Derivatives at the present state: rows dq ({U}_NQ), dv ({U}_NV), dz ({U}_NX),{rows}
   columns q, v, z and efforts ({U}_NV). */
int32_t {p}_partials(void *self, double *matrix);
"""


def example(sheet: HeaderData) -> str:
    """example.c."""
    p, U = sheet.prefix, sheet.upper
    return f"""/* Steps the model for a second, prints its coordinates, and how long a step takes.

   cc -O2 example.c model.o -lm -o example */
#include "model.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(void)
{{
    void *self = malloc((size_t){p}_size());
    const int64_t steps = (int64_t)(1.0 / {U}_STEP + 0.5);
    clock_t begun;
    int32_t status;
    int i;

    if (self == NULL || {p}_init(self) != {U}_OK)
        return 1;
    begun = clock();
    status = {p}_step(self, NULL, steps);
    begun = clock() - begun;
    if (status != {U}_OK) {{
        fprintf(stderr, "the run ended with status %d at %g s\\n", (int)status, {p}_get(self, {U}_TIME));
        free(self);
        return 1;
    }}
    printf("t = %g s\\n", {p}_get(self, {U}_TIME));
    for (i = 0; i < {U}_NQ; i++)
        printf("%s = %.17g %s\\n", {p}_name({U}_Q + i), {p}_get(self, {U}_Q + i), {p}_unit({U}_Q + i));
    fprintf(stderr, "%.3f us a step\\n", 1e6 * (double)begun / CLOCKS_PER_SEC / (double)steps);
    free(self);
    return 0;
}}
"""


def cmake(sheet: HeaderData) -> str:
    """CMakeLists.txt."""
    name = re.sub(r"\W+", "_", sheet.what.model.name).strip("_").lower() or "model"
    return f"""cmake_minimum_required(VERSION 3.13)
project({name} C)

# The model is object code; a target that links to it gets its header and the library of mathematics.
add_library({name} STATIC model.o)
set_target_properties({name} PROPERTIES LINKER_LANGUAGE C)
target_include_directories({name} INTERFACE "${{CMAKE_CURRENT_SOURCE_DIR}}")
if(UNIX)
  target_link_libraries({name} INTERFACE m)
endif()

add_executable(example example.c)
target_link_libraries(example PRIVATE {name})
"""


def readme(sheet: HeaderData, files: Sequence[str]) -> str:
    """README.md."""
    p, model, what = sheet.prefix, sheet.what.model, sheet.what
    rows = "\n".join(f"| {i} | {code_span(one.name)} | {markdown(one.unit or '-')} | {_MAY[one.kind] or 'read'} |"
                     for i, one in enumerate(sheet.variables))  # fmt: skip
    laws = (
        ", ".join(code_span(piece.law.name) for piece in what.plan.laws.pieces if piece.law.name != "inputs") or "none"
    )
    text = "\n".join(f"- `{name}`: {_FILES[name]}" for name in files if name in _FILES)
    return f"""# {markdown(model.name)}

Exported by Jourdain {__version__} for `{sheet.target.triple}`, processor `{sheet.target.cpu}`.
Method {what.plan.method}, step {what.step!r} s, controllers and laws: {laws}. An instance takes {sheet.size} bytes.

{text}

    cc -O2 example.c model.o -lm -o example && ./example

or `cmake -B build && cmake --build build`. `{p}_size()`, `{p}_init(self)`, `{p}_step(self, inputs, steps)` is all that
a loop needs; `model.h` has the rest. Units are SI.

| index | name | unit | |
|---|---|---|---|
{rows}
"""


_FILES = {
    "model.h": "the interface, plain C99, with all names and units",
    "model.o": "the model: machine code that needs memset, memcpy and the library of mathematics, nothing else",
    "model.obj": "the model: machine code that needs memset, memcpy and the library of mathematics, nothing else",
    "libmodel.a": "the same as a static library",
    "libmodel.so": "the same as a shared library",
    "libmodel.dylib": "the same as a shared library",
    "example.c": "a program that steps the model",
    "CMakeLists.txt": "builds the example, and a target to link to",
}
