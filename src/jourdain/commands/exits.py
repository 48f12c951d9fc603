"""Exit codes and error messages: what every command shares."""

from __future__ import annotations

import errno
import json
import math
import sys
import traceback
from enum import IntEnum
from typing import Any

import typer
from typer.core import TyperGroup


class Exit(IntEnum):
    """How a command ended."""

    DONE = 0
    LIMITS = 1
    INPUT = 2
    SIMULATION = 3
    WRITING = 4
    UNTRUSTED = 5
    INTERNAL = 70
    INTERRUPTED = 130


MEANINGS = {
    Exit.DONE: "done; every acceptance limit was kept",
    Exit.LIMITS: "an acceptance limit was not kept",
    Exit.INPUT: "wrong usage, or a mistake in an input file",
    Exit.SIMULATION: "the simulation failed; what there is of it was saved",
    Exit.WRITING: "a file could not be written",
    Exit.UNTRUSTED: "the run is not trusted: its energy balance does not close, or another check fails",
    Exit.INTERNAL: "a fault in Jourdain itself",
    Exit.INTERRUPTED: "interrupted; what there is of the run was saved",
}


def epilogue(*examples: str, notes: tuple[str, ...] = ()) -> str:
    """The end of a help text: examples of use, and what else there is to know; lines are kept as they are."""
    text = "\n".join(["Examples:", *(f"  {line}" for line in examples), "", *notes]).strip()
    return "\n\n".join(f"\b\n{block}" for block in text.split("\n\n"))


def exit_codes() -> tuple[str, ...]:
    """The codes as lines of a help text."""
    return ("Exit codes:", *(f"  {code.value:>3}  {text}" for code, text in MEANINGS.items()))


class Commands(TyperGroup):
    """The group of all commands: an error in any of them becomes a message on stderr and an exit code."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Remember whether JSON is wanted, before a command has looked at its options."""
        ctx.meta["jourdain.json"] = "--json" in args
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except BaseException as error:
            # Typer's own errors show themselves; a closed pipe is nobody's fault.
            own = isinstance(error, typer.Exit | typer.Abort | SystemExit) or hasattr(error, "format_message")
            if own or (isinstance(error, OSError) and error.errno == errno.EPIPE):
                raise
            debug = bool(ctx.params.get("debug"))
            if isinstance(error, Afterwards):
                complain_of(error.fault, debug)
                raise typer.Exit(int(error.code)) from None
            code = complain_of(error, debug)
            if ctx.meta.get("jourdain.json"):
                print_json({"status": "error", "error": _facts(error, explain(error)[1]), "exit_code": int(code)})
            raise typer.Exit(int(code)) from None


class Afterwards(Exception):
    """Something went wrong when a command had printed its result already: how it ends, and what the fault was."""

    def __init__(self, code: Exit, fault: Exception) -> None:
        super().__init__(str(fault))
        self.code, self.fault = code, fault


def complain_of(error: BaseException, debug: bool) -> Exit:
    """Say on stderr what went wrong, and where if wanted; the exit code."""
    code, lines = explain(error)
    if debug:
        traceback.print_exception(error)
    elif any(hasattr(one, "line") for one in getattr(error, "problems", ())):
        print(*lines, sep="\n", file=sys.stderr)  # as compilers do, so that editors find the place
    else:
        complain(*lines)
    return code


def explain(error: BaseException) -> tuple[Exit, list[str]]:
    """The exit code of an error, and what to say of it."""
    from ..basics.errors import JourdainError, SimulationError
    from ..basics.storage import WriteError

    if isinstance(error, KeyboardInterrupt):
        return Exit.INTERRUPTED, ["interrupted"]
    if isinstance(error, MemoryError):
        return Exit.SIMULATION, ["there is not enough memory; keep fewer samples (output), or a smaller model"]
    if isinstance(error, WriteError):
        return Exit.WRITING, [str(error)]
    if isinstance(error, SimulationError):
        return Exit.SIMULATION, [str(error)]
    if isinstance(error, JourdainError):
        return Exit.INPUT, str(error).splitlines() or [type(error).__name__]
    if isinstance(error, OSError) and error.filename:
        return Exit.INPUT, [f"{error.filename}: {error.strerror or error}"]
    text = f"{type(error).__name__}: {error}".splitlines()[0]
    return Exit.INTERNAL, [f"unexpected error, a fault in Jourdain: {text}", "`jourdain --debug ...` shows where"]


def _facts(error: BaseException, lines: list[str]) -> dict[str, Any]:
    facts: dict[str, Any] = {"kind": type(error).__name__, "message": "\n".join(lines)}
    problems = getattr(error, "problems", None)
    if problems:
        facts["problems"] = [mistake(one) for one in problems]
    return facts


def mistake(one: Any) -> dict[str, Any]:
    """A mistake in a description or a file, as JSON holds it."""
    names = ("file", "line", "column", "address", "message")
    values = {name: getattr(one, name) for name in names if hasattr(one, name)}
    return {name: value if isinstance(value, int | None) else str(value) for name, value in values.items()}


def complain(*lines: str) -> None:
    """Say on stderr what is wrong."""
    from ..basics.errors import visible

    for line in lines:
        print(f"jourdain: {visible(line)}", file=sys.stderr)


def print_json(value: dict[str, Any]) -> None:
    """One JSON object on stdout; a number that is not finite becomes null."""
    print(json.dumps(_finite(value), ensure_ascii=False, indent=2, allow_nan=False))


def _finite(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {str(key): _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value
