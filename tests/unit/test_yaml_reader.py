"""YAML read without trusting it."""

import math

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from jourdain.files.problems import ScenarioError, one_line
from jourdain.files.yaml import MAX_ALIASES, MAX_DEPTH, MAX_NODES, decode, read_yaml, scalar


def value(text):
    root, mistakes = read_yaml(text, "t.yaml")
    assert not mistakes
    return root.plain()


@pytest.fixture(params=["C", "Python"])
def parser(request, monkeypatch):
    if request.param == "Python":
        monkeypatch.delattr(yaml, "CSafeLoader", raising=False)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1", 1),
        ("-0", 0),
        ("+7", 7),
        ("1e-3", 1e-3),
        ("4e5", 4e5),
        ("1E+5", 1e5),
        ("-.5", -0.5),
        ("1.", 1.0),
        ("010", "010"),
        ("0o17", "0o17"),
        ("0x1f", "0x1f"),
        ("1_000", "1_000"),
        ("1:30", "1:30"),
        ("2026-11-15", "2026-11-15"),
        ("yes", "yes"),
        ("off", "off"),
        (".inf", ".inf"),
        (".nan", ".nan"),
        ("1e999", "1e999"),
        ("9" * 30, 1e30),
        ("9" * 500, "9" * 500),
        ("true", True),
        ("False", False),
        ("~", None),
        ("null", None),
        ("'1'", "1"),
        ('"true"', "true"),
    ],
)
def test_scalars_are_those_of_yaml_1_2(parser, text, expected):
    found = value(f"a: {text}")["a"]
    assert found == expected and type(found) is type(expected)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_number_is_read_exactly(number):
    found = scalar(repr(number))
    assert found == number and math.copysign(1, found) == math.copysign(1, number)


def test_places_of_keys_and_values(parser):
    root, _ = read_yaml("a: 1\nb:\n  - x: [2, 3]\n    y: 4\n", "t.yaml")
    assert (root.value["b"].line, root.value["b"].column) == (3, 3)
    item = root.value["b"].value[0]
    assert item.places == {"x": (3, 5), "y": (4, 5)}
    assert [(one.line, one.column) for one in item.value["x"].value] == [(3, 9), (3, 12)]
    assert root.size == 8


def test_aliases_stand_for_the_value(parser):
    assert value("a: &x {b: [1]}\nc: *x\nd: [*x]") == {"a": {"b": [1]}, "c": {"b": [1]}, "d": [{"b": [1]}]}


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("a: 1\nb: 2\na: 3", 3, "in line 1"),
        ("a: !!python/object/apply:os.system [ls]", 1, "no code"),
        ("a: !mine 3", 1, 'tag "!mine"'),
        ("a: &x {b: 1}\nc:\n  <<: *x", 3, "merge key"),
    ],
)
def test_what_is_refused_but_read_on(parser, text, line, words):
    _, (mistake,) = read_yaml(text, "t.yaml")
    assert mistake.line == line and words in mistake.message


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[" * (MAX_DEPTH + 2), "deep"),
        ("a: &a [" + "1," * 999 + "1]\nb: [" + "*a," * (MAX_NODES // 1000 + 1) + "1]", "values, aliases counted"),
        ("a: &a 1\nb: [" + "*a," * (MAX_ALIASES + 1) + "1]", "aliases"),
        ("a: &a [*a]", "has no end"),
        ("a: *b", "names nothing"),
        ("{[1]: 2}", "a key is a name"),
        ("a: 1\n---\nb: 2", "second document"),
        ("a: [1", "not YAML"),
        ("a: @x", "not YAML"),
        ("# nothing", "is empty"),
    ],
)
def test_what_ends_the_reading(parser, text, words):
    with pytest.raises(ScenarioError) as caught:
        read_yaml(text, "t.yaml")
    assert words in str(caught.value) and str(caught.value).startswith("t.yaml")
    assert "\n" not in str(caught.value)


def test_an_alias_bomb_ends_at_once():
    names = [chr(97 + i) for i in range(20)]
    text = f"{names[0]}: &{names[0]} [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n"
    for before, name in zip(names, names[1:]):
        text += f"{name}: &{name} [{', '.join([f'*{before}'] * 10)}]\n"
    with pytest.raises(ScenarioError, match="t.yaml:6:.*aliases counted"):
        read_yaml(text, "t.yaml")


def test_messages_are_one_printable_line():
    assert one_line("a\nb\x1b[31mc\u202ed") == "a b\\x1b[31mc\\x202ed"
    assert len(one_line("x" * 10_000)) == 600


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(raw):
    try:
        read_yaml(decode(raw, "t.yaml"), "t.yaml")
    except ScenarioError as error:
        assert "\n" not in str(error)


@given(st.text(alphabet="ab01:-[]{},&*!|>'\"#% \n.e~<?@", max_size=60))
def test_any_text_is_read_or_refused(text):
    try:
        root, _ = read_yaml(text, "t.yaml")
        root.plain()
    except ScenarioError as error:
        assert "\n" not in str(error)


@pytest.mark.parametrize("text", [r'"\e]0;owned\a"', r'"a\x9b2J"', r'"\0"', r'"\x7f"', r'{"\e[31m": 1}'])
def test_text_that_would_move_a_terminal_is_refused(parser, text):
    """A title or a limit is printed as it is: what a file says has to be text."""
    _, mistakes = read_yaml(f"name: {text}\n", "t.yaml")
    assert any("which is no text" in one.message for one in mistakes)
    assert all(one.message.isprintable() for one in mistakes)


def test_lines_and_tabs_are_text(parser):
    assert value('"a\\tb\\nc\\r\\n\\x85\\u202e"') == "a\tb\nc\r\n\x85\u202e"
