"""Sessions of an agent as their files hold them, and what a note says of one."""

import json
import re
from typing import Any

from tests.command import Answer, Shell

_TURN = re.compile(
    r"^### ([^\n]+)\n\S[^\n]*\n\n(.*?)\n(?=\n### |\n## |\Z)", re.MULTILINE | re.DOTALL
)


def user(content: object, uuid: str, **more: object) -> dict[str, Any]:
    """A record in which the user speaks."""
    message = {"role": "user", "content": content}
    return {"type": "user", "uuid": uuid, "sessionId": "s", "message": message} | more


def agent(content: object, uuid: str, **more: object) -> dict[str, Any]:
    """A record in which the agent speaks, in a message of its own."""
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    message = {"role": "assistant", "id": f"m-{uuid}", "content": blocks}
    return {"type": "assistant", "uuid": uuid, "sessionId": "s", "message": message} | more


def lines(*records: dict[str, Any]) -> list[bytes]:
    """Each record as a line without its end."""
    return [json.dumps(record, ensure_ascii=False).encode() for record in records]


def archive(shell: Shell, data: bytes, name: str = "s.jsonl") -> Answer:
    """Archive a session by hand; its file lies in the home folder."""
    file = shell.home / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
    return shell.run("--json", "archive-session", "--transcript", str(file))


def hook(shell: Shell, name: str = "s.jsonl") -> Answer:
    """Archive a session of the home folder as the archiver that a hook starts does."""
    return shell.run("-v", "archive-session", "--hook", "--transcript", str(shell.home / name))


def note(shell: Shell, log: int = 1) -> str:
    """A conversation note."""
    return (shell.folder / f"conversations/conversation-{log:03d}.md").read_text("utf-8")


def turns(text: str) -> list[tuple[str, str]]:
    """Who said what, in order."""
    return [(who, said) for who, said in _TURN.findall(text)]


def typed(text: str) -> list[str]:
    """What the user said, in order."""
    return [said for who, said in turns(text) if who == "User"]
