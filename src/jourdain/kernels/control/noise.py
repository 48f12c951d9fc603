"""Random numbers without a state: a function of (seed, sample, channel), the same on every machine and thread."""

from __future__ import annotations

import math

import numpy as np

from ..algebra import Vec3
from ..compiler import kernel

_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
_A, _B, _C, _D = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(11)


@kernel
def mixed(x):
    """A bijection of 64 bits whose output looks random: the finaliser of SplitMix64 (Steele, Lea & Flood 2014)."""
    x = x + _STEP
    x = (x ^ (x >> _A)) * _FIRST
    x = (x ^ (x >> _B)) * _SECOND
    return x ^ (x >> _C)


@kernel
def uniform(seed, sample, channel, which):
    """A number in (0, 1], one of two for each channel."""
    x = mixed(np.uint64(seed))
    x = mixed(x ^ np.uint64(sample))
    x = mixed(x ^ np.uint64(2 * channel + which))
    return (np.float64(x >> _D) + 1.0) / 9007199254740992.0


@kernel
def gaussian(seed, sample, channel):
    """A number of the standard normal distribution (Box & Muller 1958)."""
    radius = math.sqrt(-2.0 * math.log(uniform(seed, sample, channel, 0)))
    return radius * math.cos(2.0 * math.pi * uniform(seed, sample, channel, 1))


@kernel
def gaussian_vector(seed, sample, channel):
    """Three such numbers, of channels that follow each other."""
    return Vec3(
        gaussian(seed, sample, channel), gaussian(seed, sample, channel + 1), gaussian(seed, sample, channel + 2)
    )
