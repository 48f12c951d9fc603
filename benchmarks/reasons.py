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
        ("short contact runs in",),
        "each process spends 1.4 s of processor time on imports and on loading kernels before its runs of 0.065 s, "
        "whether there are one or two of them",
    ),
    (
        ("time of a step grows as N^p",),
        "a ball has 5 kB in tables that every evaluation passes through several times: 2,000 of them stay in the cache "
        "that all cores share (32 MB), 8,000 and more come from memory (1.0 and 1.5 us a ball and step, falling)",
    ),
    (
        ("chain of 40", "its fastest solver"),
        "20 times would be 10.6 us a step, less than its four evaluations of forward dynamics alone take (11.5 us, "
        "72 ns a body); a step takes 12.3 us",
    ),
    (
        ("every step kept with its energies",),
        "a kept step writes 232 bytes into fresh memory and sums the energies of seven bodies, 0.3 us on top of 2.4 us",
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
