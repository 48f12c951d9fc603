"""Why a target that a run may miss is missed: one sentence each, with what was measured.

A reason is shown only beside a row that missed its target in the run at hand. Numbers are processor times on two cores
of an AMD EPYC that others used too.
"""

from __future__ import annotations

REASONS: tuple[tuple[tuple[str, ...], str], ...] = (
    (
        ("a peg into a hole", "against MuJoCo"),
        "implicit steps of 1 ms take 2.4 corrections each, of which one with the round hole takes 8.7 us (6.0 us the "
        "overlap), and derivatives 100 us in every twelfth; MuJoCo evaluates its flats once a step of 0.5 ms, in 31 us",
    ),
    (
        ("mass matrix, arm", "against Pinocchio"),
        "the same machine code takes 420 to 505 ns from process to process",
    ),
    (
        ("short contact runs in",),
        "each process spends 1.4 s of processor time on imports and on loading kernels before its runs of 0.065 s, "
        "whether there are one or two of them",
    ),
    (
        ("time of a step grows as N^p",),
        "a step moves some 25 kB a ball between memory and processor: 2,000 balls stay in the cache that all cores "
        "share (32 MB), 64,000 come from memory at 28 GB/s, which is a third of their 2.0 us a ball",
    ),
    (
        ("variation of the cost a body",),
        "the free base and the call take 0.24 us whatever hangs on them, 17 % of a chain of 20 at 58 ns a body",
    ),
    (
        ("chain of 40", "its fastest solver"),
        "20 times would be 10.4 us a step, as much as its four evaluations of forward dynamics alone take (2.6 us "
        "each, 65 ns a body); a step takes 11.3 us",
    ),
    (
        ("every step kept with its energies",),
        "a kept step sums the energies of seven bodies, 0.12 us on top of 2.16 us, and writes 232 bytes into memory "
        "that is new to the process, which takes between 0.02 and 0.3 us on a virtual machine",
    ),
    (
        ("sweep of", "against MuJoCo rollout"),
        "criteria of a variant are read by Python, 50 us beside 2.4 ms of steps, and a model is compiled in each call",
    ),
    (
        ("10 elements, 500 steps, error",),
        "2.2 ms are the start of a run in Python, which 500 steps of 9.5 us do not make up for",
    ),
    (
        ("a cable's element",),
        "forces are taken of eight elements at a time, so that 50 cost as much as 56, and from a thousand elements on "
        "the factor no longer fits the cache of one core",
    ),
    (
        ("power of the number of coordinates",),
        "a factor of n unknowns in three dimensions grows faster than n, by nested dissection as n^(4/3)",
    ),
)
"""What a claim contains, and why it is missed."""
UNKNOWN = "not looked into yet"


def why(claim: str) -> str:
    """The reason for a claim that is missed."""
    return next((reason for parts, reason in REASONS if all(part in claim for part in parts)), UNKNOWN)
