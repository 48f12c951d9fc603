"""Implicit integrators: methods as objects, and what a run needs to use them."""

from __future__ import annotations

from .methods import BDF, FORMS, IMPLICIT, GeneralizedAlpha, ImplicitMethod, Newmark, Radau, implicit_method

__all__ = ["BDF", "FORMS", "IMPLICIT", "GeneralizedAlpha", "ImplicitMethod", "Newmark", "Radau", "implicit_method"]
