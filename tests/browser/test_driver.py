"""The driver sees what a person would: what is on the page, what it throws, what it asks for."""

PAGE = """<!doctype html><title>t</title><button id=b>press</button><canvas id=c width=8 height=8></canvas>
<script>let n = 0, key = ""; b.onclick = () => n++; onkeydown = (e) => { key += e.key; };
const g = c.getContext("webgl2");</script>"""


def test_click_keys_and_webgl(chromium, plain_chromium, tmp_path):
    file = tmp_path / "page.html"
    file.write_text(PAGE)
    for browser, drawn in ((chromium, True), (plain_chromium, False)):
        page = browser.page(300, 200)
        page.open(file)
        page.click("#b")
        page.keys("a", "ArrowLeft")
        assert page.evaluate("[document.title, n, key, g !== null]") == ["t", 1, "aArrowLeft", drawn]
        assert page.outside == [] and page.requests[0] == file.as_uri()
        assert page.screenshot().startswith(b"\x89PNG")


def test_errors_dialogs_and_requests_are_seen(chromium, tmp_path):
    file = tmp_path / "page.html"
    file.write_text("<script>console.error('oops'); alert('hello'); fetch('http://127.0.0.1:9/x'); nothing()</script>")
    page = chromium.page()
    page.open(file)
    page.pump(0.5)
    assert any("oops" in one for one in page.errors) and any("nothing is not defined" in one for one in page.errors)
    assert page.dialogs == ["hello"]
    assert page.outside == ["http://127.0.0.1:9/x"]
    page.close()


def test_pictures_are_drawn_one_after_the_other(chromium, tmp_path):
    """Slower than a screen does, and else as it does: what fails is told, what is cancelled is not called."""
    file = tmp_path / "page.html"
    file.write_text(
        "<script>const done = []; requestAnimationFrame(() => broken());"
        "const id = requestAnimationFrame(() => done.push('cancelled')); cancelAnimationFrame(id);"
        "requestAnimationFrame((one) => { done.push('first'); cancelAnimationFrame(last);"
        "  requestAnimationFrame((two) => done.push(two > one ? 'second' : 'at once')); });"
        "const last = requestAnimationFrame(() => done.push('cancelled late'));</script>"
    )
    page = chromium.page(200, 100)
    page.open(file)
    page.wait_for("done.length > 1")
    assert page.evaluate("done") == ["first", "second"]
    assert any("broken is not defined" in one for one in page.errors)
    page.close()
