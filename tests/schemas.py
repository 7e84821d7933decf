"""JSON Schemas of what the commands answer, made from the types of the answers.

``python tests/schemas.py`` writes ``docs/reference/json/``.
"""

import ast
import inspect
import json
import types
import typing
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from vault_memory.core import answers, found

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "reference" / "json"

ANSWERS: Mapping[str, Any] = {
    "init": answers.InitAnswer,
    "where": answers.WhereAnswer,
    "status": answers.StatusAnswer,
    "rebuild": answers.RebuildAnswer,
    "search": found.ArchiveSearchAnswer,
    "consume": answers.ConsumeAnswer,
    "archive-session": answers.ArchiveAnswer,
    "archive": answers.ArchiveAllAnswer,
    "checkpoint": answers.ArchiveAnswer,
    "hooks install": answers.HooksAnswer,
    "hooks uninstall": answers.HooksAnswer,
    "hooks status": answers.HooksAnswer,
    "check": answers.CheckAnswer,
    "config list": dict[str, answers.ConfigItem],
    "config get": dict[str, answers.ConfigItem],
    "config set": answers.ConfigChange,
    "config path": answers.ConfigPath,
    "config trust": answers.Trust,
    "graph init": answers.InitAnswer,
    "graph status": answers.GraphStatusAnswer,
    "graph show": answers.ShowAnswer,
    "graph list": answers.ListAnswer,
    "graph search": found.SearchAnswer,
    "graph query": found.QueryAnswer,
    "graph traverse": found.TraverseAnswer,
    "graph add-entity": answers.WriteAnswer,
    "graph relate": answers.WriteAnswer,
    "graph observe": answers.WriteAnswer,
}
"""The type of each command's data."""

_ERROR = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "An error of vaultmem --json",
    "description": "On standard error, when the exit code is not 0 and not 4.",
    "type": "object",
    "properties": {
        "error": {"type": "string", "description": "What is wrong, where, and what to do."},
        "code": {"type": "string", "description": "A stable word for the kind of error."},
    },
    "required": ["error", "code"],
}
_PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean", types.NoneType: "null"}


def file_name(command: str) -> str:
    """The name of the file that describes the answer of a command."""
    return f"{command.replace(' ', '-')}.schema.json"


def files() -> dict[str, str]:
    """The text of every file, by its name."""
    schemas = {file_name(command): schema(command) for command in ANSWERS}
    return {
        name: json.dumps(each, indent=2, ensure_ascii=False) + "\n"
        for name, each in ({"error.schema.json": _ERROR} | schemas).items()
    }


def schema(command: str, *, closed: bool = False) -> dict[str, Any]:
    """The schema of a command's whole answer.

    Args:
        command: Its words, such as ``graph show``.
        closed: Whether to refuse keys that the types do not name; a reader of answers should not,
            since new ones may come.
    """
    definitions: dict[str, Any] = {}
    data = _schema(ANSWERS[command], definitions, closed=closed)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"The answer of vaultmem {command} --json",
        "type": "object",
        "properties": {"schema_version": {"const": 1}, "data": data},
        "required": ["schema_version", "data"],
        "$defs": dict(sorted(definitions.items())),
    }


def _schema(hint: Any, definitions: dict[str, Any], *, closed: bool) -> dict[str, Any]:  # noqa: ANN401
    if hint in _PLAIN:
        return {"type": _PLAIN[hint]}
    if typing.get_origin(hint) is typing.Literal:
        return {"enum": list(typing.get_args(hint))}
    if typing.get_args(hint):
        return _compound(hint, definitions, closed=closed)
    assert typing.is_typeddict(hint), hint
    name = hint.__name__
    if name not in definitions:
        definitions[name] = {}
        definitions[name] = {
            "description": _DESCRIPTIONS[name],
            "type": "object",
            "properties": {
                key: _schema(part, definitions, closed=closed)
                for key, part in typing.get_type_hints(hint).items()
            },
            "required": sorted(hint.__required_keys__),
        } | ({"additionalProperties": False} if closed else {})
    return {"$ref": f"#/$defs/{name}"}


def _compound(hint: Any, definitions: dict[str, Any], *, closed: bool) -> dict[str, Any]:  # noqa: ANN401
    parts = [_schema(part, definitions, closed=closed) for part in typing.get_args(hint)]
    origin = typing.get_origin(hint)
    if origin is list:
        return {"type": "array", "items": parts[0]}
    if origin is tuple:
        return {"type": "array", "prefixItems": parts, "items": False, "minItems": len(parts)}
    if origin is dict:
        return {"type": "object", "additionalProperties": parts[1]}
    assert origin in {typing.Union, types.UnionType}, hint
    return {"anyOf": parts}


def _descriptions() -> dict[str, str]:
    """What the modules say about each type, in its docstring or in the string below it."""
    body = [one for each in (answers, found) for one in ast.parse(inspect.getsource(each)).body]
    said: dict[str, str | None] = {}
    for statement, following in zip(body, [*body[1:], None], strict=True):
        match statement, following:
            case ast.ClassDef(name=name), _:
                said[name] = ast.get_docstring(statement)
            case ast.Assign(targets=[ast.Name(id=name)]), ast.Expr(value=ast.Constant(value=text)):
                said[name] = inspect.cleandoc(str(text))
    return {name: " ".join((text or "").replace("``", "`").split()) for name, text in said.items()}


_DESCRIPTIONS = _descriptions()


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for stale in FOLDER.glob("*.schema.json"):
        stale.unlink()
    for name, text in files().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
