"""A browser for the tests of pages; they are skipped, with the reason, where there is none.

It ends with the module that it is for: pages that play a scene would go on drawing it beside all other tests.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from browser.driver import NAMES, Chromium, find_chromium


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    """A headless Chromium with WebGL in software."""
    yield from _browser(tmp_path_factory.mktemp("chromium"), webgl=True)


@pytest.fixture(scope="module")
def plain_chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    """A headless Chromium without WebGL."""
    yield from _browser(tmp_path_factory.mktemp("chromium"), webgl=False)


def _browser(folder: Path, webgl: bool) -> Iterator[Chromium]:
    if find_chromium() is None:
        pytest.skip(f"no Chromium on the path ({', '.join(NAMES)}); the variable CHROMIUM names one")
    pytest.importorskip("websockets", reason="the browser is driven with websockets: pip install 'jourdain[test]'")
    with Chromium.start(folder, webgl=webgl) as browser:
        yield browser
