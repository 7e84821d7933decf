"""Codex rollout files: one item of the model's input or output a line."""

import json
from collections import Counter
from collections.abc import Iterable

from vault_memory.core.conversation import Conversation
from vault_memory.transcripts.drafts import Call, Draft, Session
from vault_memory.transcripts.jsonl import Record
from vault_memory.transcripts.speech import classify

_RECORDS = frozenset({"session_meta", "response_item", "event_msg", "turn_context", "compacted"})
_CALLS = frozenset({"function_call", "custom_tool_call", "local_shell_call", "web_search_call"})
_OUTPUTS = frozenset({"function_call_output", "custom_tool_call_output"})


def is_codex(record: Record) -> bool:
    """Return whether a record is one of Codex's: an enveloped item, or a bare head or item."""
    if isinstance(record.get("payload"), dict):
        return record.get("type") in _RECORDS
    bare_head = "instructions" in record and "id" in record and "type" not in record
    return bare_head or (record.get("type") == "message" and "role" in record)


def read_codex(records: Iterable[Record], *, stem: str, skipped: Counter[str]) -> Conversation:
    """Return the conversation that the records hold.

    Args:
        records: In the order of the file.
        stem: The file's name without its extension.
        skipped: What was lost before; gains what is left out here.
    """
    reader = _Reader(skipped)
    for record in records:
        reader.take(record)
    return reader.session.finish(stem)


class _Reader:
    def __init__(self, skipped: Counter[str]) -> None:
        self.session = Session(skipped)
        self.skipped = skipped
        self.ordinal = 0
        self.time = ""

    def take(self, record: Record) -> None:
        self.ordinal += 1
        self.time = self.session.see_time(record.get("timestamp"))
        payload = record.get("payload")
        kind = record.get("type")
        if not isinstance(payload, dict):
            payload, kind = record, "response_item" if kind else "session_meta"
        if kind == "session_meta":
            self._meta(payload)
        elif kind == "response_item":
            self._item(payload)
        elif kind == "compacted":
            message = payload.get("message")
            self.session.mark("compaction", message if isinstance(message, str) else "")
        else:
            known = isinstance(kind, str) and kind in _RECORDS
            self.skipped["bookkeeping_records" if known else "unknown_records"] += 1

    def _meta(self, payload: Record) -> None:
        self.session.note("session", payload.get("id"))
        self.session.note("cwd", payload.get("cwd"))
        self.session.note("version", payload.get("cli_version"))
        self.session.note("parent", payload.get("forked_from_id"))
        if isinstance(git := payload.get("git"), dict):
            self.session.note("branch", git.get("branch"))

    def _item(self, item: Record) -> None:
        kind, role = item.get("type"), item.get("role")
        if role in {"user", "assistant"} and kind in {"message", None}:
            self._message(item, str(role))
        elif kind in _CALLS:
            self._call(item)
        elif kind in _OUTPUTS:
            self._output(item)
        else:
            known = kind == "reasoning" or role in {"developer", "system"}
            self.skipped["bookkeeping_records" if known else "unknown_records"] += 1

    def _message(self, item: Record, role: str) -> None:
        content = item.get("content")
        blocks = [{"text": content}] if isinstance(content, str) else content
        draft = Draft(role.capitalize(), self.ordinal)
        for block in blocks if isinstance(blocks, list) else []:
            text = block.get("text") if isinstance(block, dict) else None
            if not isinstance(text, str):
                self.skipped["unknown_blocks"] += 1
                continue
            said, words = classify(text) if role == "user" else ("typed", text)
            if said == "typed":
                draft.say(words)
            elif text.lstrip().startswith("<turn_aborted>"):
                self.session.mark("interrupt")
            else:
                self.skipped["injected_texts"] += 1
        if draft.parts:
            turn = self.session.begin(draft.speaker, self.ordinal, self.time)
            turn.parts.extend(draft.parts)

    def _call(self, item: Record) -> None:
        name = item.get("name") or str(item.get("type")).removesuffix("_call")
        call = Call(name if isinstance(name, str) else "tool", _input_of(item))
        key = item.get("call_id") or item.get("id")
        if isinstance(key, str):
            self.session.calls[key] = call
        last = self.session.drafts[-1] if self.session.drafts else None
        if last is None or last.speaker != "Assistant":
            last = self.session.begin("Assistant", self.ordinal, self.time)
        last.parts.append(call)

    def _output(self, item: Record) -> None:
        key = item.get("call_id")
        call = self.session.calls.get(key) if isinstance(key, str) else None
        if call is None:
            self.skipped["results_without_call"] += 1
            return
        text, failed = _output_of(item.get("output"))
        call.take_result(text, error=failed)


def _input_of(item: Record) -> object:
    """Return what a call was given: JSON in a string, plain text, or an action."""
    given = item.get("arguments", item.get("input", item.get("action", item.get("summary"))))
    if not isinstance(given, str):
        return given
    try:
        value = json.loads(given)
    except (ValueError, RecursionError):
        return given
    if isinstance(value, dict) and isinstance(patch := value.get("input"), str):
        return patch
    return value if isinstance(value, dict) else given


def _output_of(output: object) -> tuple[str, bool]:
    """Return the text of a call's output and whether it says that the call failed."""
    if isinstance(output, str) and output.startswith("{"):
        try:
            output = json.loads(output)
        except (ValueError, RecursionError):
            return str(output), False
    if isinstance(output, dict):
        meta = output.get("metadata")
        code = meta.get("exit_code") if isinstance(meta, dict) else None
        text = output.get("output", output.get("content"))
        return (text if isinstance(text, str) else ""), code not in (None, 0)
    return (output if isinstance(output, str) else ""), False
