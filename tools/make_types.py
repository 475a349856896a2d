"""The types of all that pages and server tell each other, for the type check of the pages.

    python tools/make_types.py            writes src/coyote/table/web/wire.d.ts
    python tools/make_types.py --check    tells whether it is current

Three sources, all of them what the server itself uses: the messages of the socket (`table/wire.py`), the
requests and answers of the API (`/openapi.json`), and the shapes of views, events and the like, which are
plain dictionaries (`table/view_types.py`). What a struct leaves open (`dict[str, Any]`) is named below; one
that is left open and not named, or named and no longer open, is an error.
"""

import argparse
import re
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, get_args, is_typeddict

import msgspec
from fastapi import FastAPI

from coyote.table import view_types, wire
from coyote.table.server import make_app, open_hall

Json = dict[str, Any]
TARGET = Path(__file__).resolve().parent.parent / "src" / "coyote" / "table" / "web" / "wire.d.ts"
HEAD = """// Written by tools/make_types.py from the server's own structs. Do not change it by hand: run that.
"""

# What is open in the structs, by struct and field, or by request.
OPEN = {
    "Welcome.options": "Options",
    "Update.result": "Result | null",
    "Update.view": "View | null",
    "Update.events": "EventJson[]",
    "Update.open": "Opened",
    "Listed.options": "Options",
    "Listed.result": "Result | null",
    "OwnGame.options": "Options",
    "OwnGame.result": "Result | null",
    "CardShown.effects": "CardEffect[]",
    "Replay.cards": "CardShown[]",
    "ReplayStep.view": "View",
    "LessonStep.view": "View",
    "GET /api/rooms/{room}": "{ welcome: Welcome; update: Update; presence: Presence }",
    "GET /api/rooms/{room}/record": "GameRecord",
    "GET /api/rooms/{room}/replay": "Replay",
    "GET /api/rooms/{room}/analysis": "AnalysisTold",
    "POST /api/rooms/{room}/try": "Tried",
    "Tried.view": "View",
    "PuzzleShown.view": "View",
    "GET /api/lessons/{game}": "Lesson",
    "GET /api/rules/{game}": "Book",
    "GET /api/sets/{id}/versions/{number}.{format}": "string",
    "VariantShown.options": "Options",
    "TournamentShown.options": "Options",
    "BoardShown.options": "Options",
    "TableShown.result": "Result | null",
    "Judgement.view": "View | null",
    "Judgement.result": "Result | null",
    "GET /api/me/export": "unknown",
}
ALIASES = {
    "Lang": '"en" | "ru"',
    "Options": "Record<string, string | number | boolean>",
    "View": " | ".join(name for name, one in vars(view_types).items() if one in get_args(view_types.View)),
    "Tree": "string | TreeNode",
}
# A struct of another module may go by another name here; where two share one, msgspec names their modules.
NAMES = {
    told: name
    for name, one in vars(view_types).items()
    if is_typeddict(one)
    for told in (one.__name__, f"{one.__module__}.{one.__qualname__}")
}


class Left(Exception):
    """A struct says too little, or this file too much."""


# ---------------------------------------------------------------- from a schema to a type


class Writer:
    """Turns JSON schemas into types; `used` are the entries of `OPEN` that were needed."""

    def __init__(self) -> None:
        self.used: set[str] = set()

    def type(self, schema: Json, place: str) -> str:
        if self.is_open(schema):
            return self.open(place)
        if "$ref" in schema:
            return name_of(schema["$ref"])
        if "const" in schema:
            return literal(schema["const"])
        if "enum" in schema:
            return " | ".join(map(literal, schema["enum"]))
        for key in ("anyOf", "oneOf"):
            if key in schema:
                return " | ".join(dict.fromkeys(self.type(one, place) for one in schema[key]))
        return str(getattr(self, f"_{schema['type']}")(schema, place))

    def is_open(self, schema: Json) -> bool:
        """Nothing is said of it: any value, or any object."""
        if "anyOf" in schema:
            return any(self.is_open(one) for one in schema["anyOf"])
        if schema.get("type") == "array" and "prefixItems" not in schema:
            return self.is_open(schema.get("items", {}))
        if schema.get("type") == "object":
            return "properties" not in schema and schema.get("additionalProperties", True) in (True, {})
        return not set(schema) - {"title", "description", "default"}

    def open(self, place: str) -> str:
        if place not in OPEN:
            raise Left(f"{place} may be anything; name its type in OPEN")
        self.used.add(place)
        return OPEN[place]

    def _null(self, _schema: Json, _place: str) -> str:
        return "null"

    def _string(self, _schema: Json, _place: str) -> str:
        return "string"

    def _integer(self, _schema: Json, _place: str) -> str:
        return "number"

    _number = _integer

    def _boolean(self, _schema: Json, _place: str) -> str:
        return "boolean"

    def _array(self, schema: Json, place: str) -> str:
        if "prefixItems" in schema:
            return f"[{', '.join(self.type(one, place) for one in schema['prefixItems'])}]"
        inner = self.type(schema["items"], place)
        return f"({inner})[]" if is_union(inner) else f"{inner}[]"

    def _object(self, schema: Json, place: str) -> str:
        if "properties" in schema:
            return "{ " + " ".join(self.fields(schema, place, all_sent=False)) + " }"
        keys = " | ".join(map(literal, schema.get("propertyNames", {}).get("enum", []))) or "string"
        return f"Record<{keys}, {self.type(schema['additionalProperties'], place)}>"

    def fields(self, schema: Json, place: str, all_sent: bool) -> Iterator[str]:
        """`all_sent`: the server writes also what has a default."""
        needed = schema.get("required", [])
        for name, one in schema["properties"].items():
            there = name in needed or (all_sent and "default" in one)
            yield f"{name}{'' if there else '?'}: {self.type(one, f'{place}.{name}')};"

    def interface(self, name: str, schema: Json, all_sent: bool = False) -> str:
        if "properties" not in schema:
            return f"export type {name} = {self.type(schema, name)};\n"
        lines = [f"  {field}\n" for field in self.fields(schema, name, all_sent)]
        return f"{comment(schema)}export interface {name} {{\n{''.join(lines)}}}\n"


def is_union(told: str) -> bool:
    """
    >>> is_union("string | null"), is_union("[number | null, number]"), is_union("string | string[]")
    (True, False, True)
    """
    while told != (inner := re.sub(r"[\[({<][^\[\](){}<>]*[\])}>]", "", told)):
        told = inner
    return "|" in told


def literal(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value).lower()


def comment(schema: Json) -> str:
    """The docstring of the struct; not what a library says of dictionaries in general."""
    text = " ".join(schema.get("description", "").split())
    return f"/** {text} */\n" if text else ""


def name_of(reference: str) -> str:
    """The name of a struct: the one that it has in `view_types`, or its own."""
    name = reference.rpartition("/")[2]
    return NAMES.get(name, name)


# ---------------------------------------------------------------- the three sources


def of_messages(writer: Writer) -> Iterator[str]:
    """The socket, both ways. What a client leaves out has a default; the server leaves nothing out."""
    from_server, from_client = get_args(wire.FromServer), get_args(wire.FromClient)
    parts = (wire.Line, wire.Note)
    sent = {one.__name__ for one in (*from_server, *parts)}
    _, found = msgspec.json.schema_components([*from_server, *parts, *from_client])
    for name, schema in found.items():
        yield writer.interface(name_of(name), schema, name in sent)
    for name, members in (("FromServer", from_server), ("FromClient", from_client)):
        yield f"export type {name} = {' | '.join(one.__name__ for one in members)};\n"


def of_shapes(writer: Writer) -> Iterator[str]:
    shapes = [one for one in vars(view_types).values() if is_typeddict(one)]
    _, found = msgspec.json.schema_components(shapes)
    for name, schema in found.items():
        yield writer.interface(name_of(name), schema)


def of_requests(writer: Writer, spec: Json) -> Iterator[str]:
    for name, schema in spec["components"]["schemas"].items():
        yield writer.interface(name, schema)
    for method, title in (("get", "Gets"), ("post", "Posts"), ("put", "Puts"), ("delete", "Deletes")):
        routes = {path: ways[method] for path, ways in spec["paths"].items() if method in ways}
        lines = [
            route(writer, method, path, told) for path, told in routes.items() if path.startswith("/api/")
        ]
        yield f"export interface {title} {{\n{''.join(lines)}}}\n"


def route(writer: Writer, method: str, path: str, told: Json) -> str:
    place = f"{method.upper()} {path}"
    asked = [
        f"{one['name']}{'' if one.get('required') else '?'}: {writer.type(one['schema'], place)}"
        for one in told.get("parameters", [])
    ]
    parts = [f"params: {{ {'; '.join(asked)} }}" if asked else "params: {}"]
    if "requestBody" in told:
        parts.append(f"body: {writer.type(content(told['requestBody']), place)}")
    answer = next(one for status, one in told["responses"].items() if status.startswith("2"))
    parts.append(f"answer: {writer.type(content(answer), place)}")
    return f'  "{path}": {{ {"; ".join(parts)} }};\n'


def content(told: Json) -> Json:
    """The schema of a body or an answer: JSON, whatever its media type is called."""
    ways: Json = told.get("content", {})
    return next((way.get("schema", {}) for way in ways.values()), {})


def openapi() -> Json:
    with tempfile.TemporaryDirectory() as folder:
        hall = open_hall(f"sqlite:///{folder}/none.sqlite3", 1)
        try:
            app = make_app(hall).app
            assert isinstance(app, FastAPI)
            return app.openapi()
        finally:
            hall.thinkers.close()
            hall.store.close()


# ---------------------------------------------------------------- the file


def types() -> str:
    writer = Writer()
    parts = [*of_messages(writer), *of_requests(writer, openapi()), *of_shapes(writer)]
    aliases = "".join(f"export type {name} = {told};\n" for name, told in ALIASES.items())
    if unused := OPEN.keys() - writer.used:
        raise Left(f"not open any more, take it out of OPEN: {', '.join(sorted(unused))}")
    return "\n".join([HEAD, aliases, *once(parts)])


def once(parts: Iterable[str]) -> Iterator[str]:
    """Every name has one meaning."""
    known: dict[str, str] = {}
    for part in parts:
        found = re.search(r"^export (?:interface|type) (\w+)", part, re.MULTILINE)
        assert found is not None
        if known.setdefault(found[1], part) != part:
            raise Left(f"two structs are called {found[1]}")
    yield from known.values()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true")
    text = types()
    if not parser.parse_args().check:
        TARGET.write_text(text, encoding="utf-8")
    elif TARGET.read_text(encoding="utf-8") != text:
        sys.exit(f"{TARGET} is not current: run tools/make_types.py")


if __name__ == "__main__":
    main()
