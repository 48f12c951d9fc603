"""A viser server that only this machine, and only its own page, can talk to.

viser listens on every interface and answers whoever connects, from whatever page: any site open in the same browser
could drive it. Here it listens on 127.0.0.1, every request must name that address as its host (a name that an attacker
makes point here is refused) and a websocket must come from the page that the server itself gave out. The page may load
nothing from elsewhere. Sharing through viser's relay is taken away.

Text on a page of viser: a panel that shows text as text, whatever stands in it.

viser's Markdown renders the HTML in it, scripts included, so that it is not used anywhere; its HTML takes `Markup` here
alone, in which all that comes from a model or a file is escaped.
"""

from __future__ import annotations

import contextlib
import io
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from ..basics.errors import JourdainError
from ..basics.markup import Markup, escape

if TYPE_CHECKING:
    from viser import ViserServer


HOST = "127.0.0.1"
HINT = 'the viewer needs viser: pip install "jourdain[view]"'
_STARTING = threading.Lock()


def import_viser() -> Any:
    """viser, or one line that says how to get it."""
    try:
        import viser
    except ImportError as error:
        raise JourdainError(HINT) from error
    return viser


def refusal(host: list[str], origin: list[str], upgrade: bool, port: int) -> str | None:
    """Why a request is turned away; None for one that may come in.

    host, origin    the headers of these names, all of them
    upgrade         whether it asks for a websocket
    """
    own = [f"{HOST}:{port}", f"localhost:{port}"]
    if len(host) != 1 or host[0].lower() not in own:
        return f"this viewer answers to {own[0]} only"
    pages = [f"http://{name}" for name in own]
    if (upgrade or origin) and (len(origin) != 1 or origin[0].lower() not in pages):
        return "this viewer answers to its own page only"
    return None


def _headers(port: int) -> dict[str, str]:
    """What the page may do: nothing that leaves the machine."""
    own = f"http://{HOST}:{port} http://localhost:{port} ws://{HOST}:{port} ws://localhost:{port}"
    local = "'self' 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval' data: blob:"
    return {
        "Content-Security-Policy": f"default-src {local}; connect-src {own} data: blob:; frame-ancestors 'none'",
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Resource-Policy": "same-origin",
    }


def _guarded(process_request: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """viser's answer to a request, given to those that may ask only."""

    def process(connection: Any, request: Any) -> Any:
        port = connection.local_address[1]
        headers = request.headers
        upgrade = bool(headers.get_all("Upgrade"))
        why = refusal(headers.get_all("Host"), headers.get_all("Origin"), upgrade, port)
        if why is not None:
            return connection.respond(403, f"{why}\n")
        answer = process_request(connection, request)
        if answer is not None:
            for name, value in _headers(port).items():
                answer.headers[name] = value
        return answer

    return process


@contextlib.contextmanager
def _guard() -> Iterator[list[bool]]:
    """While it lasts, servers that `websockets` is asked for are guarded; the list tells whether there were any.

    viser builds its server where nothing can be passed in.
    """
    from websockets.asyncio import server as module

    original = module.serve
    built: list[bool] = []

    def serve(*arguments: Any, process_request: Any = None, **options: Any) -> Any:
        if process_request is None:
            raise JourdainError("this version of viser serves its page in another way; the viewer is not started")
        built.append(True)
        return original(*arguments, process_request=_guarded(process_request), **options)

    with _STARTING:
        module.serve = serve
        try:
            yield built
        finally:
            module.serve = original


def local_server(port: int = 0, label: str | None = None) -> ViserServer:
    """A viser server for this machine's own browser.

    port     where it listens; 0 lets the system choose one that is free
    label    shown on top of the controls
    """
    viser = import_viser()
    from viser import _messages

    if not 0 <= port <= 65535:
        raise JourdainError(f"port is {port}; give 0 to 65535")
    if port and not _free(port):
        raise JourdainError(f"port {port} of {HOST} is in use; give another, or 0 for any that is free")
    with _guard() as built, contextlib.redirect_stdout(io.StringIO()):
        server = viser.ViserServer(host=HOST, port=port, label=label, verbose=False)
    if not built or server.get_host() != HOST:
        server.stop()
        raise JourdainError(f"viser {viser.__version__} could not be kept to {HOST}; the viewer is not started")
    for message in (_messages.ShareUrlRequest, _messages.ShareUrlDisconnect):
        server._websock_server._incoming_handlers.pop(message, None)
    return server


def stop(server: ViserServer) -> None:
    """End a server, quietly."""
    with contextlib.redirect_stdout(io.StringIO()):
        server.stop()


def address_of(server: ViserServer) -> str:
    """What to open in the browser."""
    return f"http://{HOST}:{server.get_port()}"


def _free(port: int) -> bool:
    import socket

    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as one:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            one.bind((HOST, port))
        except OSError:
            return False
    return True


_PADDING = "padding: 0 0.75em 0.5em; font-size: 0.8em"
_CODE = "white-space: pre-wrap; overflow-wrap: anywhere; user-select: all; margin: 0.5em 0"
_LINE = "overflow-wrap: anywhere; margin: 0.5em 0"


class TextPanel:
    """Text or a small picture beside the controls; nothing where there is nothing to show."""

    def __init__(self, gui: Any) -> None:
        self._handle = gui.add_html("", visible=False)
        self.content = Markup()

    def show(self, content: Markup) -> None:
        """Show markup in place of what was there."""
        if not isinstance(content, Markup):
            raise TypeError(f"a panel takes Markup, got {type(content).__name__}; escape() makes it of text")
        if content != self.content:
            self.content = content
            self._handle.content, self._handle.visible = str(content), bool(content)


def lines(text: Iterable[str], code: Iterable[str] = ()) -> Markup:
    """Blocks of code to be copied, then lines of words."""
    blocks = [f'<pre style="{_CODE}">{escape(one)}</pre>' for one in code]
    blocks += [f'<p style="{_LINE}">{escape(one)}</p>' for one in text]
    return Markup(f'<div style="{_PADDING}">{"".join(blocks)}</div>')
