"""Measures Jourdain against its peers on this machine, in one run, and writes RESULTS.md.

    python benchmarks/run.py [--quick] [--out FILE]

Codes are first checked to give the same results; then they run in turn, on one thread each unless the row says
otherwise.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import warnings
from importlib.metadata import version
from pathlib import Path

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "tests"))  # behind this folder: both have a module studies

import cables  # noqa: E402
import closed_chains  # noqa: E402
import contact  # noqa: E402
import contact_drake  # noqa: E402
import contact_holding  # noqa: E402
import controllers  # noqa: E402
import derivatives  # noqa: E402
import dynamics  # noqa: E402
import exporting  # noqa: E402
import flexible  # noqa: E402
import scaling  # noqa: E402
import simulations  # noqa: E402
import solids  # noqa: E402
import solids_peers  # noqa: E402
import startup  # noqa: E402
import studies  # noqa: E402
import trajectories  # noqa: E402
import units  # noqa: E402
import volumetric  # noqa: E402
from results import COMPARED, LIMITED, Limit, Row, table  # noqa: E402

PACKAGES = ("jourdain", "numpy", "numba", "pin", "mujoco", "exudyn")


def processor() -> str:
    """Name of the processor and number of cores that this process may use."""
    name = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [line.partition(":")[2].strip() for line in info.read_text().splitlines() if "model name" in line]
        name = names[0] if names else name
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"{name}, {cores} cores"


def targets(rows: list[Row], limits: list[Limit]) -> str:
    """Those rows that have a target, in one table."""
    lines = []
    for row in rows:
        if row.target is not None:
            claim = f"{row.what}, against {row.peer}"
            lines.append((claim, f"{row.ratio:.2f} times as fast", f">= {row.target:g}", row.verdict))
    for limit in limits:
        if limit.limit is not None:
            lines.append(limit.cells())
    return table(("target", "measured", "wanted", ""), lines)


def document(quick: bool) -> tuple[str, bool]:
    """The text of RESULTS.md, and whether all targets are met."""
    rounds = 20 if quick else 100
    limits = startup.measure(2 if quick else 5)
    print("start-up measured", flush=True)
    compiled, python = dynamics.measure(rounds)
    print("model functions measured", flush=True)
    sizes, flat = scaling.measure(rounds)
    counted, straight = units.measure(rounds)
    print("scaling measured", flush=True)
    slopes = derivatives.measure(rounds)
    print("derivatives measured", flush=True)
    runs = simulations.measure(3 if quick else 10, quick)
    print("simulations measured", flush=True)
    swept = studies.measure(3 if quick else 10, quick)
    print("studies measured", flush=True)
    planned = trajectories.measure(1 if quick else 5, graph=not quick)
    print("trajectories measured", flush=True)
    bending, slower = flexible.measure(rounds)
    print("flexible arms measured", flush=True)
    sparse, grown = solids.measure(quick)
    soft, sunk = solids_peers.measure(quick)
    pressed = solids_peers.oracle()
    print("solids measured", flush=True)
    swung, lines, even = cables.measure(quick)
    print("cables measured", flush=True)
    loops, looped = closed_chains.measure(10 if quick else 30)
    print("closed chains measured", flush=True)
    heaps, touching, scenes = contact.measure(rounds, quick)
    held = contact_holding.measure()
    filled, patches = volumetric.measure(rounds)
    print("contact measured", flush=True)
    steered = controllers.limits(quick) + exporting.limits(quick)
    print("controllers and exports measured", flush=True)
    limits = [flat, straight, *limits]
    packages = PACKAGES if contact_drake.missing() else (*PACKAGES, "drake")
    versions = ", ".join(f"{name} {version(name)}" for name in packages)
    text = TEMPLATE.format(
        how=" --quick" if quick else "",
        machine=processor(),
        python=platform.python_version(),
        versions=versions,
        targets=targets(
            compiled + slopes + runs + swept + planned + bending + swung + loops + scenes + filled,
            limits + slower + [grown] + even + looped + touching + patches + steered,
        ),
        compiled=table(COMPARED, [row.cells() for row in compiled]),
        slopes=table(COMPARED, [row.cells() for row in slopes]),
        runs=table(COMPARED, [row.cells() for row in runs]),
        swept=table(COMPARED, [row.cells() for row in swept]),
        planned=table(COMPARED, [row.cells() for row in planned]),
        bending=table(COMPARED, [row.cells() for row in bending]),
        slower=table(LIMITED, [limit.cells() for limit in slower]),
        sparse=table(solids.COSTS, sparse),
        grown=table(LIMITED, [grown.cells()]),
        soft=table(COMPARED, [row.cells() for row in soft]),
        sunk=table(solids_peers.SUNK, sunk),
        pressed=table(solids_peers.ORACLE, pressed) if pressed else "FElupe is not installed.",
        swung=table(COMPARED, [row.cells() for row in swung]),
        lines=table(cables.COSTS, lines),
        even=table(LIMITED, [limit.cells() for limit in even]),
        loops=table(COMPARED, [row.cells() for row in loops]),
        looped=table(LIMITED, [limit.cells() for limit in looped]),
        scenes=table(COMPARED, [row.cells() for row in scenes]),
        heaps=table(contact.HEAP, heaps),
        touching=table(LIMITED, [limit.cells() for limit in touching]),
        held=table(contact_holding.HELD, held),
        filled=table(COMPARED, [row.cells() for row in filled]),
        patches=table(LIMITED, [limit.cells() for limit in patches]),
        steered=table(LIMITED, [limit.cells() for limit in steered]),
        sizes=table(scaling.SCALED, sizes),
        counted=table(units.COUNTED, counted),
        limits=table(LIMITED, [limit.cells() for limit in limits]),
        called=table(COMPARED, [row.cells() for row in python]),
    )
    judged = (
        *compiled,
        *slopes,
        *runs,
        *swept,
        *planned,
        *bending,
        *swung,
        *loops,
        *scenes,
        *limits,
        *slower,
        grown,
        *even,
        *looped,
        *touching,
        *steered,
        *filled,
        *patches,
    )
    verdicts = [item.verdict for item in judged]
    verdicts += [row[-1] for row in held]
    return text, all(verdict in ("", "pass") for verdict in verdicts)


TEMPLATE = """# Benchmarks

Written by `python benchmarks/run.py{how}`. Everything here was measured in one run on one machine, and only the
ratios carry over to another.

- {machine}
- Python {python}, {versions}

Before anything is timed, the codes must agree: model functions to 1e-9 relative, trajectories to 1e-6 after 200
steps. Contestants then run in turn, many rounds, and the best round of each counts, because machines are shared. A
ratio above 1 means that ours is faster. Peers run in double precision on one thread, with everything off that they do
not need here (contact, constraints, sensors, files).

## Targets

{targets}

## Model functions

One call. Ours is called from a compiled loop, as compiled user code would; inputs change from call to call. From the
peers' times their Python overhead is taken off:

- Pinocchio (`aba`, `rnea`, `crba`): the same call on a model without joints, plus what handing out the larger result
  takes more. Its joints about x, y and z are used, and the faster of its two conventions.
- MuJoCo: as many calls of a function that has nothing to do. Forward dynamics is `mj_kinematics`, `mj_comPos`,
  `mj_makeM`, `mj_factorM`, `mj_fwdVelocity`, `mj_fwdAcceleration`; inverse dynamics `mj_kinematics`, `mj_comPos`,
  `mj_comVel`, `mj_rne`; the mass matrix `mj_kinematics`, `mj_comPos`, `mj_makeM`, `mj_fullM`.

The arm has 7 revolutes on a fixed base, the chain a free base and 39 revolutes, the humanoid a free base and 31
revolutes in five branches.

{compiled}

## Derivatives

Derivatives of the accelerations by displacements, velocities and efforts, one call. Pinocchio's are
`computeABADerivatives`, its overhead taken off as above. The complex step is ours: a column at a time through the same
kernels of inverse dynamics, in a compiled loop, then the same inverse of the mass matrix; three links of 2 m with a
load, nine coordinates a link.

{slopes}

## Simulations

RK4 at 1 ms in all codes, the whole call, output of the last state. MuJoCo makes all steps in one `mj_step`. Exudyn,
which has the chain as a kinematic tree with a base of six one-axis joints, makes a tenth of the steps and is scaled;
its default solver of the mass matrix is not its fastest, so both are given. MuJoCo's rollout always keeps every step.

{runs}

## Studies

`jd.sweep` of the 7-axis arm from other rates in every variant, one call with the coordinates at the end as criteria, on
all cores; and MuJoCo's rollout of the same states, a thousand runs at a time. Contact runs with another friction
each, so that no two share a model, in processes; their start counts.

{swept}

## Trajectories

A reach of the 7-axis arm within limits of torque and joints, solved to one cost (1e-6 relative) from one guess, on one
thread (`benchmarks/trajectories.py`). By dynamic programming without gravity, semi-implicit steps, beside Crocoddyl's
box-constrained FDDP. By collocation (Hermite-Simpson, IPOPT with exact Hessians and MUMPS, as many iterations) beside
the same equations of articulated bodies in CasADi: calls of one function in a graph, and expanded into scalars, which
takes CasADi longer to build and is what it is fastest with.

{planned}

## Flexible arms

Three links of 2 m with a load, as beams and as rigid bodies; forward dynamics, one call:

{slower}

One step, from rest under a small gravity: the difference of two runs, by the number of steps. The arm has 7 joints,
two booms of 10 coordinates and a payload; the robot is that arm with 7 coordinates a boom, a torso and two arms of 7
joints, a beam of 7 coordinates in each. Exudyn has the beams as reduced-order floating-frame bodies with the same
masses, shapes and stiffness, and rigid bodies, held by joints. Its explicit methods allow no constraints, so for its
RK4 joints are stiff springs and rotations three angles; its generalized alpha, with modified Newton iterations, has
constraints and Euler parameters. Before, its tip and ours, without foreshortening, must agree to 1e-6 m after 1 s.

{bending}

## Solids

A cube of soft rubber with all nodes as coordinates (HEX8, sparse matrices) lands on a floor with its whole lower face,
by multipliers; Newmark's method (1/2, 1) at 0.5 ms; processor time. The first four steps have the factorisation and the
columns of the surface, which are kept.

{sparse}

{grown}

A soft block (linear tetrahedra, Young's modulus 1e5 Pa, Rayleigh's damping 10 ms) falls 1 mm and comes to rest with
friction, 300 steps of 1 ms; processor time a step, best of three rounds. Ours has contact by multipliers, with friction
and, as a row of its own, without; Drake corotated elements and convex contact (SAP), MuJoCo flex bodies and soft
constraints. The last table has how far the top is below where it was made, at the end.

{soft}

{sunk}

Half a cylinder of 50 mm (360 quadrangles, plane strain, 20 GPa) is pressed on a rigid plane by 0.4 mm, at rest: ours by
multipliers, FElupe's by a penalty of 1e9 N/mm, on one mesh.

{pressed}
## Cables

A cable of 1 m (0.78 kg/m, EA 1e4 N, EI 1 N m^2) is let go from the side and swings for 0.5 s; processor time of a whole
run, its start included. Exudyn's ANCF cable has the same elements, steps and method (generalized-alpha, spectral radius
0.9, modified Newton iterations); errors of the tip, ours first, are against a short explicit step. PyElastica's rod is
clamped and swings for 0.25 s, errors against a finer run of each code's own. Then time of an element in a step, the
element 5 cm long.

{swung}

{lines}

{even}

## Closed chains

Both codes at the fewest of 16, 24, 32, 48 ... steps that keep a position at the end within 1e-5 m: order counts. The
processor time of those steps, the difference of two runs, and that of the whole call. Forty four-bars (IFToMM's problem
A02) fall for half a second, before they first lie flat, where Exudyn's constraints become dependent; their exact motion
is that of one angle. Ours is rk4 with projection; Exudyn has planar bodies in planar joints, generalized alpha and
modified Newton iterations. The slider-crank has a floating-frame rod of two bending functions, in ours without
foreshortening as in Exudyn's.

{loops}

{looped}

## Contact

Scenes: free bodies on a plane, from when they have settled on, with friction 0.5; processor time of 0.4 s, the whole
call. Balls fall in four layers onto each other, boxes stand on their own. Ours takes `rk3` steps, the longest round
ones that the contacts bear (they are soft: a ball sinks by some hundredths of its radius); MuJoCo takes the same, and
its default of 2 ms, with its default compliance and pyramids of friction, by its default solver and by the one that is
the fastest here. Before they are timed, the codes must agree on the mean height to a tenth of a radius.

{scenes}

Heaps: such balls, 1 ms steps of three evaluations, from their description on.

{heaps}

{touching}

Held bodies: 1 kg on a plane of 10 degrees, and 45 g pinched between two pads, friction 0.7; the speed between 2 and
3 s. Ours with two sets of bristles, each at its step; peers at 1 ms. MuJoCo has its default compliance for the box, and
the stiffest contact that the step allows for the capsule, which would sink in by millimetres. Drake's bodies are
compliant (1e7 Pa), the ground and the pads rigid.

{held}

Volumetric contact: what a patch adds to an evaluation of the right-hand side, called from a compiled loop; the battery
box of Gonthier 2007, four cells in a frame of nine, while it rattles in; and a box of 1 kg dropped from 20 mm on a
floor, processor time of one second, each code at the longest step at which the box sinks 0.5 mm at most. MuJoCo has
its default compliance, Drake hydroelastic contact with its SAP solver.

The peg has 20 mm and 1 kg, the hole 0.05 mm more and a chamfer, the wrist pushes two degrees askew with friction 0.05;
each code takes the longest of 1, 0.5, 0.25 and 0.1 ms at which the peg goes in and is never more than 10 um deep, by
its pose. Drake has a mesh of 72 facets, as few as are round to 10 um. MuJoCo has no round hole: it has 16 flats, whose
corners are 0.2 mm out, and the best of the time constants tried; with 24 pieces or more the peg wedges on their seams
or is too deep, at every step.

{filled}

{patches}

## Controllers

The 7-axis arm, RK4 at 10 kHz, whole runs in processor time; a law that does nothing, so that only what calling it costs
is left, at every stage and sampled; and a plain Python function of NumPy arrays, the time that it takes by itself off.

{steered}

## Cost against size

Free chains; forward dynamics, one call.

{sizes}

An orbiting manipulator of so many units (a rotor and a flexible module on an elastic joint) on a flexible platform, as
in Chen's thesis, which has one to five: the right-hand side, one evaluation.

{counted}

## Limits

{limits}

## From Python

One call as a Python user makes it, overhead and checks of arguments included.

{called}
"""


def main() -> int:
    """Measure, write, and say whether the targets are met."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer rounds and shorter runs: a look, not a result")
    parser.add_argument("--out", type=Path, default=HERE / "RESULTS.md", help="file to write")
    options = parser.parse_args()
    warnings.simplefilter("ignore", UserWarning)  # steps are as long as the peers', whatever a contact asks
    text, met = document(options.quick)
    options.out.write_text(text)
    print(text)
    print(f"wrote {options.out.name}; {'all targets met' if met else 'some targets missed'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
