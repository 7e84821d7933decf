"""Claude Code's session files, and others that hold one message with a role a line.

The vendor calls the format internal, so nothing is required of a record: what is missing is done
without, and what is unknown is counted.
"""

from collections import Counter
from collections.abc import Callable, Iterable

from vault_memory.core.conversation import Conversation, Mark
from vault_memory.transcripts.drafts import Call, Draft, Session
from vault_memory.transcripts.jsonl import Record
from vault_memory.transcripts.speech import classify

_BOOKKEEPING = frozenset(
    """
    progress file-history-snapshot last-prompt mode permission-mode agent-setting agent-name
    bridge-session pr-link attachment system queue-operation summary
    """.split()  # noqa: SIM905 - a list of words reads best as words
)
_SILENT_BLOCKS = frozenset({"thinking", "redacted_thinking", "tool_reference", "fallback"})
_CALL_BLOCKS = frozenset({"tool_use", "server_tool_use", "mcp_tool_use"})


def read_claude_code(
    records: Iterable[Record], *, stem: str, skipped: Counter[str]
) -> Conversation:
    """Return the conversation that the records hold.

    Args:
        records: In the order of the file.
        stem: The file's name without its extension.
        skipped: What was lost before; gains what is left out here.
    """
    reader = _Reader(skipped)
    for record in records:
        reader.take(record)
    return reader.finish(stem)


class _Reader:
    def __init__(self, skipped: Counter[str]) -> None:
        self.session = Session(skipped)
        self.skipped = skipped
        self.ordinal = 0
        self.time = ""
        self.seen: set[str] = set()
        self.by_message: dict[str, Draft] = {}
        self.queued: list[Draft] = []
        self.summaries: list[tuple[object, object]] = []
        self.main = False
        self.verbs: dict[str, Callable[[Record], None]] = {
            "user": self._user,
            "assistant": self._assistant,
            "system": self._system,
            "attachment": self._attachment,
            "queue-operation": self._queue,
            "summary": lambda record: self.summaries.append(
                (record.get("leafUuid"), record.get("summary"))
            ),
            "custom-title": lambda record: self.session.note_title(0, record.get("customTitle")),
            "ai-title": lambda record: self.session.note_title(1, record.get("aiTitle")),
        }

    def take(self, record: Record) -> None:
        self.ordinal += 1
        kind = record.get("type") or record.get("role")
        if record.get("isSidechain") is True:
            self.skipped["sidechain_records"] += 1
            self.session.note("session", record.get("sessionId"))
            return
        uuid = record.get("uuid")
        if isinstance(uuid, str):
            if uuid in self.seen:
                self.skipped["repeated_records"] += 1
                return
            if kind not in {"user", "assistant"} or _blocks(record) is not None:
                self.seen.add(uuid)
        self.time = self.session.see_time(record.get("timestamp"))
        for fact, key in (
            ("session", "sessionId"),
            ("cwd", "cwd"),
            ("branch", "gitBranch"),
            ("version", "version"),
        ):
            self.session.note(fact, record.get(key))
        verb = self.verbs.get(kind) if isinstance(kind, str) else None
        if verb:
            verb(record)
        else:
            known = isinstance(kind, str) and kind in _BOOKKEEPING
            self.skipped["bookkeeping_records" if known else "unknown_records"] += 1

    def finish(self, stem: str) -> Conversation:
        self._settle_queue()
        for leaf, summary in self.summaries:
            if isinstance(leaf, str) and leaf in self.seen:
                self.session.note_title(2, summary)
        self.session.is_subagent = not self.main and self.skipped["sidechain_records"] > 0
        return self.session.finish(stem)

    def _user(self, record: Record) -> None:
        self.main = True
        blocks = _blocks(record)
        if blocks is None:
            self.skipped["malformed_records"] += 1
            return
        draft = Draft("User", self.ordinal)
        for block in blocks:
            kind = block.get("type")
            if kind == "tool_result":
                self._result(block, record)
            elif record.get("isMeta") is True:
                self.skipped["injected_texts"] += 1
            elif kind == "text" and isinstance(text := block.get("text"), str):
                self._user_text(text, draft, summary=record.get("isCompactSummary") is True)
            elif kind in {"image", "document"}:
                draft.parts.append(Mark("attachment", str(kind)))
            else:
                self.skipped["unknown_blocks"] += 1
        if draft.parts:
            said = self.session.begin("User", self.ordinal, self.time, record.get("uuid"))
            said.parts.extend(draft.parts)

    def _user_text(self, text: str, draft: Draft, *, summary: bool) -> None:
        kind, words = classify(text)
        if kind == "interrupt":
            self.session.mark("interrupt")
        elif kind == "compaction" or summary:
            self._compaction(words)
        elif kind == "typed":
            draft.say(words)
        else:
            self.skipped["injected_texts"] += 1

    def _compaction(self, summary: str) -> None:
        last = self.session.drafts[-1].parts if self.session.drafts else []
        if last and last[-1] == Mark("compaction"):
            last.pop()
        self.session.mark("compaction", summary)

    def _assistant(self, record: Record) -> None:
        self.main = True
        if record.get("isApiErrorMessage") is True:
            self.skipped["api_errors"] += 1
            return
        blocks = _blocks(record)
        if blocks is None:
            self.skipped["malformed_records"] += 1
            return
        draft = self._assistant_draft(record)
        for block in blocks:
            kind = block.get("type")
            if kind == "text" and isinstance(text := block.get("text"), str):
                draft.say(text)
            elif kind in _CALL_BLOCKS:
                draft.parts.append(self._call(block))
            elif kind not in _SILENT_BLOCKS:
                self.skipped["unknown_blocks"] += 1

    def _assistant_draft(self, record: Record) -> Draft:
        message = record.get("message")
        key = message.get("id") if isinstance(message, dict) else None
        uuid = record.get("uuid")
        if isinstance(key, str) and (draft := self.by_message.get(key)):
            if isinstance(uuid, str):
                draft.uuids.append(uuid)
            return draft
        draft = self.session.begin("Assistant", self.ordinal, self.time, uuid)
        if isinstance(key, str):
            self.by_message[key] = draft
        return draft

    def _call(self, block: Record) -> Call:
        name = block.get("name")
        call = Call(name if isinstance(name, str) else "tool", block.get("input"))
        if isinstance(key := block.get("id"), str):
            self.session.calls[key] = call
        if isinstance(call.tool_input, dict):
            plan = call.tool_input.get("plan")
            if call.name == "ExitPlanMode" and isinstance(plan, str) and plan.strip():
                call.marks.append(Mark("plan", plan.strip()))
        return call

    def _result(self, block: Record, record: Record) -> None:
        key = block.get("tool_use_id")
        call = self.session.calls.get(key) if isinstance(key, str) else None
        if call is None:
            self.skipped["results_without_call"] += 1
            return
        call.take_result(_result_text(block.get("content")), error=block.get("is_error") is True)
        extra = record.get("toolUseResult")
        if not isinstance(extra, dict):
            return
        plan, answers = extra.get("plan"), extra.get("answers")
        if isinstance(plan, str) and plan.strip() and not call.marks:
            call.marks.append(Mark("plan", plan.strip()))
        if call.name == "AskUserQuestion" and isinstance(answers, dict):
            call.marks.extend(
                Mark("answer", f"{asked} → {said}") for asked, said in answers.items()
            )
            call.take_result("", error=call.error)

    def _system(self, record: Record) -> None:
        if record.get("subtype") == "compact_boundary":
            self.session.mark("compaction")
        else:
            self.skipped["bookkeeping_records"] += 1

    def _attachment(self, record: Record) -> None:
        attachment = record.get("attachment")
        if isinstance(attachment, dict) and attachment.get("type") == "queued_command":
            self._queued_text(attachment.get("prompt"), record.get("uuid"))
        else:
            self.skipped["bookkeeping_records"] += 1

    def _queue(self, record: Record) -> None:
        if record.get("operation") == "enqueue":
            self._queued_text(record.get("content"), None)

    def _queued_text(self, content: object, uuid: object) -> None:
        text = _result_text(content)
        kind, words = classify(text)
        if kind != "typed":
            self.skipped["injected_texts"] += bool(text)
            return
        draft = self.session.begin("User", self.ordinal, self.time, uuid)
        draft.say(words)
        self.queued.append(draft)

    def _settle_queue(self) -> None:
        """Empty the queued turns whose words came again: as a user record or as an attachment."""
        waiting = {id(draft) for draft in self.queued}
        later: Counter[str] = Counter()
        for draft in reversed(self.session.drafts):
            if draft.speaker != "User":
                continue
            said = draft.text.strip()
            if id(draft) in waiting and not draft.uuids and later[said] > 0:
                later[said] -= 1
                draft.parts.clear()
            elif id(draft) not in waiting or draft.uuids:
                later[said] += 1
                if "\n" in said:
                    later.update(said.split("\n"))


def _blocks(record: Record) -> list[Record] | None:
    """Return the content of a record as blocks; None when it has no readable content."""
    message = record.get("message", record)
    if not isinstance(message, dict):
        return None
    content = message.get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    if not isinstance(content, list):
        return None
    return [block if isinstance(block, dict) else {} for block in content]


def _result_text(content: object) -> str:
    """Return the words of a tool's result or of queued content, whose shapes are alike."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    words = []
    for block in content:
        if isinstance(block, str):
            words.append(block)
        elif isinstance(block, dict):
            text = block.get("text")
            kind = block.get("type")
            words.append(text if isinstance(text, str) else f"[{kind}]")
    return "\n".join(words)
