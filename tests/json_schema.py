"""As much of JSON Schema as the schema of scenarios uses, so that tests need no further package."""

from __future__ import annotations

import re
from typing import Any

TYPES = {
    "object": lambda x: isinstance(x, dict),
    "array": lambda x: isinstance(x, list),
    "string": lambda x: isinstance(x, str),
    "boolean": lambda x: isinstance(x, bool),
    "null": lambda x: x is None,
    "number": lambda x: isinstance(x, int | float) and not isinstance(x, bool),
    "integer": lambda x: isinstance(x, int | float) and not isinstance(x, bool) and float(x).is_integer(),
}
KNOWN = {
    "$schema", "title", "description", "type", "properties", "required", "additionalProperties", "$defs", "$ref",
    "enum", "const", "anyOf", "oneOf", "items", "minItems", "maxItems", "minimum", "maximum", "pattern", "minLength",
    "minProperties",
}  # fmt: skip


def errors(schema: dict[str, Any], value: Any, root: dict[str, Any] | None = None, at: str = "$") -> list[str]:
    """Why a value does not fit; [] where it does."""
    root = root or schema
    unknown = set(schema) - KNOWN
    assert not unknown, unknown
    if "$ref" in schema:
        found: Any = root
        for part in schema["$ref"].removeprefix("#/").split("/"):
            found = found[part]
        return errors(found, value, root, at)
    out = []
    if "type" in schema:
        types = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
        if not any(TYPES[one](value) for one in types):
            return [f"{at}: is no {schema['type']}"]
    if "const" in schema and (value != schema["const"] or isinstance(value, bool)):
        out.append(f"{at}: is not {schema['const']!r}")
    if "enum" in schema and value not in schema["enum"]:
        out.append(f"{at}: is not one of {schema['enum']}")
    if "anyOf" in schema and all(errors(one, value, root, at) for one in schema["anyOf"]):
        out.append(f"{at}: fits none of anyOf")
    if "oneOf" in schema and sum(not errors(one, value, root, at) for one in schema["oneOf"]) != 1:
        out.append(f"{at}: does not fit exactly one of oneOf")
    if isinstance(value, dict):
        known = schema.get("properties", {})
        out += [f"{at}: {key} is missing" for key in schema.get("required", ()) if key not in value]
        more = schema.get("additionalProperties", True)
        for key, one in value.items():
            if key in known:
                out += errors(known[key], one, root, f"{at}.{key}")
            elif more is False:
                out.append(f"{at}: {key} is unknown")
            elif isinstance(more, dict):
                out += errors(more, one, root, f"{at}.{key}")
        if len(value) < schema.get("minProperties", 0):
            out.append(f"{at}: too few keys")
    if isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            out.append(f"{at}: {len(value)} entries")
        for i, one in enumerate(value):
            out += errors(schema.get("items", {}), one, root, f"{at}[{i}]")
    if isinstance(value, str):
        if "pattern" in schema and not re.search(schema["pattern"], value):
            out.append(f"{at}: does not match")
        if len(value) < schema.get("minLength", 0):
            out.append(f"{at}: too short")
    if TYPES["number"](value) and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        out.append(f"{at}: out of range")
    return out
