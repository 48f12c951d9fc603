"""A headless Chromium, driven through the DevTools protocol: open a page, look at it, click, type, read its console.

with Chromium.start(tmp_path) as browser:
    page = browser.page(width=900, height=700)
    page.open(path)                       # a file or an address; returns when it has loaded
    page.evaluate("document.title")       # any expression; promises are awaited
    page.click("#play"); page.keys(" "); page.drag((10, 10), (90, 40)); page.screenshot("shot.png")
    page.errors, page.requests, page.outside, page.dialogs
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import signal
import subprocess
import time
import urllib.request
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--mute-audio",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-sync",
    "--force-color-profile=srgb",
)
DRAWING = ("--use-angle=swiftshader", "--enable-unsafe-swiftshader")
"""WebGL in software: the machine that runs the tests need not have a GPU."""
NO_DRAWING = ("--disable-gpu", "--disable-3d-apis", "--disable-software-rasterizer")
"""A browser without WebGL."""
PICTURES = 5
"""How many pictures a second a page may draw: in software one takes 65 ms of a core, also of a scene at rest."""
PACED = """{
  const own = requestAnimationFrame.bind(window);
  let waiting = new Map(), now = new Map(), count = 0;
  const draw = (time) => {
    [now, waiting] = [waiting, new Map()];
    for (const one of now.values()) try { one(time); } catch (error) { reportError(error); }
  };
  window.requestAnimationFrame = (callback) => {
    if (waiting.size === 0) setTimeout(() => own(draw), 1000 / PICTURES);
    waiting.set(++count, callback);
    return count;
  };
  window.cancelAnimationFrame = (id) => { waiting.has(id) ? waiting.set(id, () => {}) : now.set(id, () => {}); };
}""".replace("PICTURES", str(PICTURES))
_KEYS = {
    "Enter": (13, "\r"),
    "Tab": (9, ""),
    "Escape": (27, ""),
    " ": (32, " "),
    "ArrowLeft": (37, ""),
    "ArrowUp": (38, ""),
    "ArrowRight": (39, ""),
    "ArrowDown": (40, ""),
    "Home": (36, ""),
    "End": (35, ""),
}


def find_chromium() -> str | None:
    """The program, or None; the variable CHROMIUM names another one."""
    return os.environ.get("CHROMIUM") or next((path for path in map(shutil.which, NAMES) if path), None)


class PageError(AssertionError):
    """The page threw, or did not do in time what was waited for."""


class Chromium:
    """One browser, with a profile of its own that nothing else uses."""

    def __init__(self, process: subprocess.Popen[bytes], port: int) -> None:
        self._process = process
        self._port = port
        self._pages: list[Page] = []

    @classmethod
    def start(cls, folder: str | Path, *, webgl: bool = True, timeout: float = 60.0) -> Chromium:
        """folder  for its profile; webgl False: a browser that cannot draw in three dimensions."""
        program = find_chromium()
        if program is None:
            raise PageError(f"no Chromium: none of {', '.join(NAMES)} is installed; CHROMIUM=path names one")
        profile = Path(folder) / "profile"
        more = ("--remote-debugging-port=0", f"--user-data-dir={profile}", "about:blank")
        process = subprocess.Popen(
            [program, *FLAGS, *(DRAWING if webgl else NO_DRAWING), *more],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        told = profile / "DevToolsActivePort"
        end = time.monotonic() + timeout
        while time.monotonic() < end and process.poll() is None:
            lines = told.read_text().split() if told.exists() else []
            if lines:
                return cls(process, int(lines[0]))
            time.sleep(0.05)
        _end(process)
        raise PageError(f"{program} did not open its port within {timeout:g} s")

    def page(
        self, width: int = 1000, height: int = 750, *, dark: bool = False, paced: bool = True, scale: float = 1.0
    ) -> Page:
        """A new tab with this viewport [px]; `dark` prefers the dark theme, `paced` draws 5 pictures a second, `scale`
        is how many pixels of a picture are one of the page: half of them are drawn in a quarter of the time."""
        request = urllib.request.Request(f"http://127.0.0.1:{self._port}/json/new?about:blank", method="PUT")
        with urllib.request.urlopen(request, timeout=30) as answer:
            target = json.load(answer)
        page = Page(target["webSocketDebuggerUrl"], width, height, dark, paced, scale)
        self._pages.append(page)
        return page

    def close(self) -> None:
        for page in self._pages:
            page.close()
        _end(self._process)

    def __enter__(self) -> Chromium:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _end(process: subprocess.Popen[bytes]) -> None:
    for how in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, how)
            process.wait(10)
            return
        except ProcessLookupError:
            process.wait(10)
            return
        except subprocess.TimeoutExpired:
            continue


class Page:
    """One tab. Everything that it asks of the network, says on its console or throws is kept.

    errors    texts of console errors, exceptions and refusals of its content policy
    warnings  texts of console warnings
    requests  addresses asked for, of the page itself first
    dialogs   texts of alert, confirm and prompt (which are dismissed)
    """

    def __init__(
        self, address: str, width: int, height: int, dark: bool, paced: bool = True, scale: float = 1.0
    ) -> None:
        from websockets.sync.client import connect

        self.errors: list[str] = []
        self.warnings: list[str] = []
        self.requests: list[str] = []
        self.dialogs: list[str] = []
        self._answers: dict[int, dict[str, Any]] = {}
        self._seen: set[str] = set()
        self._count, self._closed, self._scale = 0, False, scale
        self._socket = connect(address, max_size=None, ping_interval=None)
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")
        if paced:
            self.call("Page.addScriptToEvaluateOnNewDocument", source=PACED)
        self.resize(width, height)
        self.media(dark=dark)

    @property
    def outside(self) -> list[str]:
        """Requests that were neither a file nor inside the page."""
        self.pump()
        return [one for one in self.requests if not one.startswith(("file:", "data:", "blob:", "about:"))]

    def call(self, method: str, timeout: float = 60.0, **parameters: Any) -> dict[str, Any]:
        """One command of the protocol, and its result."""
        self._count += 1
        number = self._count
        self._socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        end = time.monotonic() + timeout
        while number not in self._answers:
            if not self._receive(end - time.monotonic()):
                raise PageError(f"{method}: no answer within {timeout:g} s")
        answer = self._answers.pop(number)
        if "error" in answer:
            raise PageError(f"{method}: {answer['error'].get('message')}")
        return answer["result"]

    def _receive(self, timeout: float) -> bool:
        try:
            message = json.loads(self._socket.recv(max(timeout, 0.0)))
        except TimeoutError:
            return False
        if "id" in message:
            self._answers[message["id"]] = message
        else:
            self._notice(message["method"], message["params"])
        return True

    def _notice(self, what: str, told: dict[str, Any]) -> None:
        self._seen.add(what)
        if what == "Network.requestWillBeSent":
            self.requests.append(told["request"]["url"])
        elif what == "Network.webSocketCreated":
            self.requests.append(told["url"])
        elif what == "Runtime.exceptionThrown":
            details = told["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description") or details["text"])
        elif what == "Runtime.consoleAPICalled" and told["type"] in ("error", "assert", "warning"):
            text = " ".join(str(one.get("value", one.get("description", ""))) for one in told["args"])
            (self.warnings if told["type"] == "warning" else self.errors).append(text)
        elif what == "Log.entryAdded" and told["entry"]["level"] == "error":
            self.errors.append(told["entry"]["text"])
        elif what == "Page.javascriptDialogOpening":
            self.dialogs.append(told["message"])
            self._count += 1
            command = {"id": self._count, "method": "Page.handleJavaScriptDialog", "params": {"accept": False}}
            self._socket.send(json.dumps(command))

    def pump(self, seconds: float = 0.0) -> None:
        """Take in what the page has said; with `seconds`, for so long."""
        end = time.monotonic() + seconds
        while self._receive(end - time.monotonic()) or time.monotonic() < end:
            pass

    def open(self, address: str | Path, timeout: float = 60.0) -> None:
        """Go to a file or an address, and wait until it has loaded."""
        text = str(address)
        url = text if "://" in text or text.startswith(("about:", "data:")) else Path(text).resolve().as_uri()
        self.pump()
        self._seen.discard("Page.loadEventFired")
        for kept in (self.errors, self.warnings, self.requests, self.dialogs):
            kept.clear()
        told = self.call("Page.navigate", timeout, url=url)
        if told.get("errorText"):
            raise PageError(f"{url}: {told['errorText']}")
        end = time.monotonic() + timeout
        while "Page.loadEventFired" not in self._seen:
            if not self._receive(end - time.monotonic()):
                raise PageError(f"{url} did not load within {timeout:g} s")

    def evaluate(self, expression: str, timeout: float = 60.0) -> Any:
        """The value of a JavaScript expression, as JSON carries it; a promise is awaited."""
        told = self.call(
            "Runtime.evaluate", timeout, expression=expression, awaitPromise=True, returnByValue=True, userGesture=True
        )
        if "exceptionDetails" in told:
            details = told["exceptionDetails"]
            raise PageError(f"{expression}: {details.get('exception', {}).get('description') or details['text']}")
        return told["result"].get("value")

    def wait_for(self, expression: str, timeout: float = 30.0) -> Any:
        """Until the expression is true; its value."""
        end = time.monotonic() + timeout
        while True:
            value = self.evaluate(expression)
            if value:
                return value
            if time.monotonic() > end:
                raise PageError(f"{expression} is {value!r} after {timeout:g} s; console: {self.errors}")
            time.sleep(0.05)

    def box(self, selector: str) -> tuple[float, float, float, float]:
        """(x, y, width, height) of the first element that matches, scrolled into view [px]."""
        name = json.dumps(selector)
        found = self.evaluate(
            f"(() => {{ const e = document.querySelector({name}); if (!e) return null;"
            " e.scrollIntoView({block: 'center', behavior: 'instant'});"
            " const b = e.getBoundingClientRect(); return [b.x, b.y, b.width, b.height]; })()"
        )
        if found is None:
            raise PageError(f"no element matches {selector}")
        return found[0], found[1], found[2], found[3]

    def click(self, where: str | Sequence[float], count: int = 1) -> None:
        """Click the middle of an element (by selector) or a point of the viewport; `count` 2 is a double click."""
        x, y = self._point(where)
        self.move((x, y))
        for i in range(1, count + 1):
            for kind in ("mousePressed", "mouseReleased"):
                self._mouse(kind, x, y, button="left", clickCount=i)

    def _point(self, where: str | Sequence[float]) -> tuple[float, float]:
        if isinstance(where, str):
            x, y, width, height = self.box(where)
            return x + width / 2, y + height / 2
        return where[0], where[1]

    def move(self, where: str | Sequence[float]) -> None:
        """Move the pointer over an element or a point."""
        self._mouse("mouseMoved", *self._point(where))

    def drag(self, start: Sequence[float], end: Sequence[float], steps: int = 8) -> None:
        """Press at a point of the viewport, move, release."""
        self.move(start)
        self._mouse("mousePressed", *start, button="left", clickCount=1)
        for i in range(1, steps + 1):
            x, y = (a + (b - a) * i / steps for a, b in zip(start, end))
            self._mouse("mouseMoved", x, y, button="left", buttons=1)
        self._mouse("mouseReleased", *end, button="left", clickCount=1)

    def wheel(self, where: str | Sequence[float], delta: float) -> None:
        """Turn the wheel over an element or a point, downwards for a positive `delta` [px]."""
        x, y = self._point(where)
        self._mouse("mouseWheel", x, y, deltaX=0, deltaY=delta)

    def _mouse(self, kind: str, x: float, y: float, **more: Any) -> None:
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def keys(self, *names: str) -> None:
        """Press and release keys, by the names that JavaScript gives them ("a", "ArrowLeft", "Enter", " ")."""
        for name in names:
            code, text = _KEYS.get(name, (ord(name.upper()) if len(name) == 1 else 0, name if len(name) == 1 else ""))
            press = {"key": name, "windowsVirtualKeyCode": code}
            self.call("Input.dispatchKeyEvent", type="keyDown", **press, **({"text": text} if text else {}))
            self.call("Input.dispatchKeyEvent", type="keyUp", **press)

    def resize(self, width: int, height: int) -> None:
        """The viewport [px]."""
        size = {"width": width, "height": height, "deviceScaleFactor": self._scale}
        self.call("Emulation.setDeviceMetricsOverride", mobile=False, **size)

    def media(self, *, dark: bool = False, printing: bool = False) -> None:
        """What the style sheet's media queries see."""
        theme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", media="print" if printing else "screen", features=[theme])

    def screenshot(self, path: str | Path | None = None, *, whole: bool = False) -> bytes:
        """PNG of the viewport, or of the `whole` page; written to `path` where one is given."""
        told = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        data = base64.b64decode(told["data"])
        if path is not None:
            Path(path).write_bytes(data)
        return data

    def close(self) -> None:
        """Close the tab; twice is no harm."""
        from websockets.exceptions import ConnectionClosed

        if not self._closed:
            self._closed = True
            with suppress(PageError, ConnectionClosed):
                self.call("Page.close", 5.0)
            self._socket.close()
