"""Hooks in the text of a settings file: put in, brought up to date, taken out; all else stays."""

import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from vault_memory.clients.hook_commands import HOOKS, Hook, OwnCommand, own_command
from vault_memory.clients.json_text import (
    JsonTextError,
    Node,
    append_item,
    append_member,
    parse,
    remove,
    replace,
)

_HOOKS = "hooks"


@dataclass(frozen=True, slots=True)
class Found:
    """A hook of ours that stands in the settings.

    Attributes:
        event: The event it hangs on.
        command: What is called.
        own: The same, taken apart.
        matcher: As written; empty when none is.
        timeout: As written; None when none is, or no number.
        handler: Its place in the text.
        above: What holds it, from the handler's list outwards to the top: each container and which
            of its children leads here.
    """

    event: str
    command: str
    own: OwnCommand
    matcher: str
    timeout: float | None
    handler: Node
    above: tuple[tuple[Node, int], ...]


def own_hooks(text: str) -> tuple[Found, ...]:
    """Return the hooks of ours, in the order of the file.

    Raises:
        JsonTextError: The text is not JSON, or its top is no object.
    """
    return tuple(_found(_top(text)))


def installed(text: str, command_of: Callable[[Hook, OwnCommand | None], str]) -> str:
    """Return the settings with each hook of ours in them once.

    One that is there gets today's command, and a timeout if it has none; matcher and timeout that
    were chosen for it stay. What is not ours keeps every byte.

    Args:
        text: The settings; empty for a file that is not there.
        command_of: The command for a hook, given the one of ours that stands there now.

    Raises:
        JsonTextError: The text is not JSON, or not of the shape that the client reads.
    """
    text = text if text.strip("\ufeff \t\r\n") else text + "{}\n"
    for hook in HOOKS:
        text = _renewed(text, hook, command_of)
    return text


def uninstalled(text: str) -> str:
    """Return the settings without hooks of ours, nor the lists that held nothing else.

    Raises:
        JsonTextError: The text is not JSON, or its top is no object.
    """
    while found := own_hooks(text):
        text = _without(text, found[0])
    return text


def _renewed(text: str, hook: Hook, command_of: Callable[[Hook, OwnCommand | None], str]) -> str:
    def standing() -> list[Found]:
        return [one for one in own_hooks(text) if (one.event, one.own.verb) == _key(hook)]

    while len(found := standing()) > 1:
        text = _without(text, found[-1])
    if not found:
        return _added(text, hook, command_of(hook, None))
    [one] = found
    if one.handler.get("args"):
        return _added(_without(text, one), hook, command_of(hook, one.own))
    command = command_of(hook, one.own)
    if one.handler.get("timeout") is None:
        text = append_member(text, one.handler, "timeout", hook.timeout)
    node = one.handler.get("command")
    return replace(text, node, command) if node and command != one.command else text


def _key(hook: Hook) -> tuple[str, str]:
    return hook.event, hook.verb


def _added(text: str, hook: Hook, command: str) -> str:
    handler = {"type": "command", "command": command, "timeout": hook.timeout}
    matcher = {"matcher": hook.matcher} if hook.matcher else {}
    entry = {**matcher, _HOOKS: [handler]}
    top = _top(text)
    hooks = top.get(_HOOKS)
    if hooks is None:
        return append_member(text, top, _HOOKS, {hook.event: [entry]})
    if _is_null(hooks):
        return replace(text, hooks, {hook.event: [entry]})
    _require(text, hooks, "object", "hooks")
    entries = hooks.get(hook.event)
    if entries is None:
        return append_member(text, hooks, hook.event, [entry])
    if _is_null(entries):
        return replace(text, entries, [entry])
    _require(text, entries, "array", f"hooks.{hook.event}")
    return append_item(text, entries, entry)


def _without(text: str, found: Found) -> str:
    """Take out a handler, with all around it that would be empty then."""
    shared = (step for step in found.above if len(step[0].children) > 1)
    return remove(text, *next(shared, found.above[-1]))


def _top(text: str) -> Node:
    top = parse(text)
    _require(text, top, "object", "the top of the file")
    return top


def _require(text: str, node: Node, kind: str, what: str) -> None:
    if node.kind != kind:
        raise JsonTextError(f"{what} is not an {kind}", text, node.start)


def _is_null(node: Node) -> bool:
    return node.kind == "other" and node.value is None


def _found(top: Node) -> Iterator[Found]:
    place = top.place_of(_HOOKS)
    if place is None:
        return
    hooks = top.children[place]
    for number, event in enumerate(hooks.names):
        entries = hooks.children[number]
        for at, entry in enumerate(entries.children if entries.kind == "array" else ()):
            handlers = entry.get(_HOOKS)
            for one, handler in enumerate(handlers.children if handlers else ()):
                own = _own(handler)
                if handlers and own:
                    above = ((handlers, one), (entries, at), (hooks, number), (top, place))
                    yield _described(event, entry, handler, own, above)


def _described(
    event: str, entry: Node, handler: Node, own: OwnCommand, above: tuple[tuple[Node, int], ...]
) -> Found:
    command, matcher, timeout = (
        node.value if node else None
        for node in (handler.get("command"), entry.get("matcher"), handler.get("timeout"))
    )
    return Found(
        event=event,
        command=str(command),
        own=own,
        matcher=matcher if isinstance(matcher, str) else "",
        timeout=timeout if isinstance(timeout, int | float) else None,
        handler=handler,
        above=above,
    )


def _own(handler: Node) -> OwnCommand | None:
    """What a handler calls, if that is ours: a line for a shell, or a program and its ``args``."""
    command, args = handler.get("command"), handler.get("args")
    if command is None or not isinstance(command.value, str):
        return None
    if args is None:
        return own_command(command.value)
    words = [str(each.value) for each in args.children]
    return own_command(shlex.join([command.value, *words]))
