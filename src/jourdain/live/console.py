"""The operator's console: plain text and single keys on a terminal, commands on lines from anywhere else."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TextIO

from ..basics.platforms import can_poll, single_keys, typed

KEYS = {
    "h": "hold", "r": "resume", "0": "reset", "s": "statistics", "q": "quit", "?": "help", "[": "previous", "]": "next",
    "+": "more", "-": "less", " ": "hold",
}  # fmt: skip
HELP = """keys: h or space hold, r resume, [ ] choose a joint, + - push it, 0 model to its start, s statistics, q quit
lines, where this is no terminal: hold, resume, push JOINT EFFORT, reset, statistics, quit"""


class Console:
    """Reads what an operator types, between ticks, without waiting.

    step    how much a key + or - changes the push on the chosen joint [N m or N]
    every   ticks between two lines of status on a terminal
    """

    def __init__(
        self, source: TextIO | None = None, out: TextIO | None = None, step: float = 1.0, every: int = 500
    ) -> None:
        self.source, self.out = source or sys.stdin, out or sys.stdout
        self.step, self.every, self.chosen = step, every, 0
        self.waiting = ""
        self.restore: Callable[[], None] = lambda: None
        self.keys = False
        self.open = can_poll(self.source)
        if self.open and self.source.isatty():
            self.restore = single_keys(self.source)
            self.keys = True
            self.say(HELP)

    def say(self, text: str) -> None:
        """Writes to the operator."""
        self.out.write(text + "\n")
        self.out.flush()

    def _typed(self) -> str:
        """What was typed since the last call."""
        if not self.open:
            return ""
        found = typed(self.source)
        self.open = found is not None
        return found or ""

    def poll(self, session: Any) -> None:
        """Does what the operator asks for; called at every tick."""
        typed = self._typed()
        if self.keys:
            for key in typed:
                self.obey(KEYS.get(key, ""), session)
            if session.ticks % self.every == 0:
                reading = session.reading
                mode = f"HOLD ({session.holding})" if session.holding else "running"
                self.say(f"t = {reading.time:9.3f} s  {mode}  missed {session.deadlines.misses}")
            return
        *lines, self.waiting = (self.waiting + typed)[-8192:].split("\n")
        for line in lines:
            self.obey(line.strip(), session)

    def obey(self, words: str, session: Any) -> None:
        """Does one thing."""
        names = session.driver.model.names.v
        word, *rest = words.split() or [""]
        if word == "hold":
            session.stop_moving("asked by the operator")
            self.say("holding")
        elif word == "resume":
            session.resume()
            self.say("running")
        elif word == "reset":
            session.reset()
            self.say("at the start")
        elif word == "statistics":
            self.say(session.text())
        elif word == "quit":
            session.ended = True
        elif word in ("previous", "next") and names:
            self.chosen = (self.chosen + (1 if word == "next" else -1)) % len(names)
            self.say(f"{names[self.chosen]}: {session.pushed[self.chosen]:g}")
        elif word in ("more", "less") and names:
            session.pushed[self.chosen] += self.step if word == "more" else -self.step
            self.say(f"{names[self.chosen]}: {session.pushed[self.chosen]:g}")
        elif word == "push" and len(rest) == 2 and rest[0] in names and _number(rest[1]) is not None:
            session.push(rest[0], _number(rest[1]))
            self.say(f"{rest[0]}: {rest[1]}")
        elif word == "help" or words:
            self.say(HELP if word == "help" else f"{words[:60]!r} is not understood\n{HELP}")

    def close(self) -> None:
        """Leaves the terminal as it was."""
        self.restore()


def _number(text: str) -> float | None:
    """A finite number, or None."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if abs(value) < float("inf") else None
