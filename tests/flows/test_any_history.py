"""Whatever happened to a vault, its index is the one that a rebuild from nothing makes."""

import os
import struct
import tempfile
from collections import Counter
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tests.fakes import Recorder, WordEmbedder
from vault_memory.flows.digest import digest
from vault_memory.flows.embed import embed
from vault_memory.flows.graph_search import take_in
from vault_memory.flows.rebuild import rebuild
from vault_memory.flows.refresh import refresh
from vault_memory.flows.retrieve import retrieve
from vault_memory.flows.vault_index import VaultIndex
from vault_memory.index.catalog import Catalog
from vault_memory.index.rows import Wanted
from vault_memory.vault.config import Config
from vault_memory.vault.layout import Vault

FOLDERS = ["", "entities/tool/", "deep/er/", "relations/", "conversations/", "private/"]
NAMES = ["Anchor", "anchor", "Buoy", "Zoë", "Zoe\u0308", "日本", "Anchor (tool)", "Über uns"]
PATHS = st.builds("{}{}.md".format, st.sampled_from(FOLDERS), st.sampled_from(NAMES))
TALK = """\
---
type: conversation
log: 4
session_id: s4
date: 2026-03-01T10:00:00Z
---
### {one}
10:00 ^t-000000000001

Where is the buoy?

### {other}
10:01 ^t-000000000002

In the shed.
"""
BODIES = st.sampled_from(
    [
        "The mast was painted white in spring.\n",
        "The mast was painted green in march.\n",
        "# Mooring\n\nTie it with [[Buoy]] and [[anchor|the iron one]].\n\n## Night\n\nLights.\n",
        "# Mooring\n\nTie it with [[Hook]] and [[Anchor|the iron one]].\n\n## Night\n\nLights.\n",
        "---\ntype: tool\nabstract: Iron hook on a chain.\naliases: [Hook, Buoy]\n---\n# Anchor\n",
        "---\ntype: tool\nabstract: Iron hook on a chain.\naliases: [Hank, Over]\n---\n# Anchor\n",
        "---\ntype: person\nabstract: Pilot of the harbour.\nconfidence: 0.4\n---\n",
        '---\ntype: relation\nfrom: "[[Zoë]]"\nrel: uses\nto: "[[Anchor]]"\nalpha: 9\n---\n',
        '---\ntype: relation\nfrom: "[[Hook]]"\nrel: part_of\nto: "[[deep/er/Buoy]]"\n---\nInox\n',
        "---\ntype: [\n---\nCannot be parsed, but [[Buoy]] is read. قارب лодка\n",
        TALK.format(one="User", other="Assistant"),
        TALK.format(one="Dani", other="dani"),
        "<<<<<<< ours\nred\n=======\ngreen\n>>>>>>> theirs\nThe rest stays.\n",
        "",
    ]
)
QUESTIONS = ["who guides ships", "iron hook", "lights at night", "Dani buoy", "лодки", "the shed"]
SECOND = 1_000_000_000
START = 1_770_000_000 * SECOND
GROWTH = "\n### User\n10:0{0} ^t-00000000001{0}\n\nOne more thing, {0}.\n"


def tables(catalog: Catalog) -> dict[str, Counter[tuple[object, ...]]]:
    """All that the catalogue says, with places in place of numbers."""
    every = catalog.database.all
    path = {**dict(every("SELECT key, path FROM notes")), None: None}
    units = every("SELECT id, note, ordinal FROM units")
    place = {one: (path[note], ordinal) for one, note, ordinal in units}
    found: dict[str, list[tuple[object, ...]]] = {
        "files": [
            (name, size, sha256, path[note])
            for name, size, sha256, note in every("SELECT path, size, sha256, note FROM files")
        ],
        "notes": every(
            "SELECT path, kind, type, id, name, title, abstract, created, updated, session,"
            " standing, unsupported, findings, units FROM notes"
        ),
        "names": [
            (path[note], *rest)
            for note, *rest in every("SELECT note, folded, rank, name FROM names")
        ],
        "relations": [
            (path[note], *rest, path[source], path[target])
            for note, source, target, *rest in every(
                "SELECT note, source_note, target_note, source, rel, target, source_key, target_key"
                " FROM relations"
            )
        ],
        "links": [
            (path[note], path[target], *rest)
            for note, target, *rest in every(
                "SELECT note, target_note, ordinal, target, key, anchor, line, embed, ambiguous"
                " FROM links"
            )
        ],
        "other keys": [
            (path[note], key) for note, key in every("SELECT note, key FROM other_keys")
        ],
        "units": [
            (place[one], *rest)
            for one, *rest in every(
                "SELECT id, kind, anchor, line, speaker, date, text, row IS NULL FROM units"
            )
        ],
        "postings": [
            (term, place[one], *rest)
            for term, entries in every("SELECT term, entries FROM postings")
            for one, *rest in struct.iter_unpack("<IHBB", entries)
        ],
        "lengths": every("SELECT * FROM lengths WHERE units"),
    }
    return {name: Counter(rows) for name, rows in found.items()}


def answers(index: VaultIndex) -> list[object]:
    """What is found for some questions, with the parts of each score; few, so that ties are cut."""
    return [
        (
            question,
            most,
            found.named,
            [(one.note.path, one.unit.ordinal, one.cosine) for one in found.found],
            [(one.ranked.score, sorted(one.ranked.parts.items())) for one in found.found],
        )
        for question in QUESTIONS
        for most in (2, 200)
        for found in [retrieve(index, question, Wanted(unsupported=True), most=most)]
    ]


def vectors(index: VaultIndex) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """The stored vector of every text, and those of the tokens of every turn."""
    texts = {text for _, _, text, _ in index.catalog.ordered_units()}
    said = index.catalog.database.all("SELECT text FROM units WHERE kind = 'turn'")
    with index.embeddings() as store:
        return store.get(texts), store.get_tokens({row[0] for row in said})


class History(RuleBasedStateMachine):
    """A vault that people, git and clocks do things to, and its index."""

    def __init__(self) -> None:
        super().__init__()
        self.held = ExitStack()
        self.folder = Path(self.held.enter_context(tempfile.TemporaryDirectory()))
        self.notes = self.folder / "memory"
        self.notes.mkdir()
        self.now, self.drawn = START, 0
        self.exclude: tuple[str, ...] = ()
        self.branches: dict[str, dict[str, bytes]] = {}
        self.recorder = Recorder(WordEmbedder())
        self.opened: AbstractContextManager[VaultIndex] | None = None
        self.index: VaultIndex | None = None
        self.grown = 0

    @initialize(bodies=st.lists(st.tuples(PATHS, BODIES), min_size=1, max_size=5))
    def begin(self, bodies: list[tuple[str, str]]) -> None:
        """A vault has notes when it is first indexed."""
        for path, body in bodies:
            self.write(path, body)
        self.open_again()

    def teardown(self) -> None:
        """Compare at the end of each history too."""
        try:
            if self.index:
                self.compare()
        finally:
            self.close()
            self.held.close()

    @rule(path=PATHS, body=BODIES)
    def write(self, path: str, body: str) -> None:
        """Write a note."""
        self.put(path, body.encode())

    @rule(place=st.integers(0, 99))
    def remove(self, place: int) -> None:
        """Remove a note."""
        self.notes.joinpath(*self.chosen(place)).unlink(missing_ok=True) if self.paths() else None

    @rule(place=st.integers(0, 99), to=PATHS)
    @precondition(lambda self: self.paths())
    def move(self, place: int, to: str) -> None:
        """Move or rename a note, over another one perhaps; its times stay."""
        target = self.notes / to
        target.parent.mkdir(parents=True, exist_ok=True)
        self.notes.joinpath(*self.chosen(place)).replace(target)

    @rule()
    def rename_a_folder(self) -> None:
        """Rename a folder with all that is in it."""
        old, new = self.notes / "deep", self.notes / "shallow"
        if new.exists():
            old, new = new, old
        if old.exists() and not new.exists():
            old.rename(new)

    @rule(place=st.integers(0, 99))
    @precondition(lambda self: self.paths())
    def touch(self, place: int) -> None:
        """Save a note as it is."""
        path = self.chosen(place)[0]
        self.put(path, (self.notes / path).read_bytes())

    @rule(place=st.integers(0, 99), tick=st.booleans())
    @precondition(lambda self: self.paths())
    def edit_at_once(self, place: int, *, tick: bool) -> None:
        """Change a note to as many bytes just after it was seen, in the same tick of the disk."""
        path = self.notes.joinpath(*self.chosen(place))
        data, status = path.read_bytes(), path.stat()
        self.set_time(path, data, self.now)
        if self.index:
            refresh(self.index)
        edited = data.replace(b"e", b"a", 1) if b"e" in data else data.replace(b"a", b"e", 1)
        self.set_time(path, edited, self.now if tick else status.st_mtime_ns + self.fresh())

    @rule(place=st.integers(0, 99))
    @precondition(lambda self: any("^t-" in self.read(path) for path in self.paths()))
    def grow(self, place: int) -> None:
        """Let a conversation grow by a turn."""
        talks = [path for path in self.paths() if "^t-" in self.read(path)]
        path = talks[place % len(talks)]
        self.grown = (self.grown + 1) % 10
        self.put(path, (self.read(path) + GROWTH.format(self.grown)).encode())

    @rule(name=st.sampled_from(["main", "other"]))
    def commit(self, name: str) -> None:
        """Remember what all notes hold as a branch."""
        self.branches[name] = {path: (self.notes / path).read_bytes() for path in self.paths()}

    @rule(name=st.sampled_from(["main", "other"]))
    def check_out(self, name: str) -> None:
        """Write what differs on a branch, as git does: anew, with the time of the day."""
        if name in self.branches:
            wanted = self.branches[name]
            for path in self.paths():
                if path not in wanted:
                    (self.notes / path).unlink()
            for path, data in wanted.items():
                if not (self.notes / path).exists() or (self.notes / path).read_bytes() != data:
                    (self.notes / path).unlink(missing_ok=True)
                    self.put(path, data)

    @rule(seconds=st.integers(-5_000_000, 5_000_000))
    def set_the_clock(self, seconds: int) -> None:
        """Let the clock jump."""
        self.now += seconds * SECOND + self.fresh()

    @rule(exclude=st.sampled_from([(), ("private",), ("deep/er", "Zo*")]))
    def configure(self, exclude: tuple[str, ...]) -> None:
        """Change which notes count."""
        self.exclude = exclude
        self.open_again()

    @rule()
    def open_again(self) -> None:
        """Let another process go on with the index."""
        self.close()
        self.opened, self.index = self.open(self.folder / "derived", self.recorder)

    @rule()
    def look(self) -> None:
        """Ask what needs no vectors."""
        if self.index:
            refresh(self.index)

    @rule()
    def search(self) -> None:
        """Search, which embeds a little."""
        if self.index:
            refresh(self.index)
            take_in(self.index)
            retrieve(self.index, "iron hook", Wanted())

    @rule(most=st.integers(0, 4))
    def rebuild_until_interrupted(self, most: int) -> None:
        """Begin a rebuild, and stop it after a few texts."""
        if self.index:
            refresh(self.index)
            asked = iter(range(most))
            embed(self.index, enough=lambda: next(asked, None) is None)

    @rule(full=st.booleans())
    def rebuild(self, *, full: bool) -> None:
        """Rebuild."""
        if self.index:
            self.rebuilt(self.index, full=full)

    @invariant()
    def no_text_is_embedded_twice(self) -> None:
        """Whatever happened, the model ran on each text once, and once more for its tokens."""
        seen = self.recorder.texts
        assert len(set(seen)) == len(seen)
        assert not any(
            (text, True) in seen[:at] for at, (text, more) in enumerate(seen) if not more
        )

    @rule()
    def compare(self) -> None:
        """Compare with an index that is made from nothing."""
        assert self.index
        self.rebuilt(self.index, full=False)
        with tempfile.TemporaryDirectory() as folder:
            opened, fresh = self.open(Path(folder, "fresh"), Recorder(WordEmbedder()))
            with ExitStack() as held:
                held.push(opened.__exit__)
                self.rebuilt(fresh, full=False)
                assert tables(self.index.catalog) == tables(fresh.catalog)
                assert vectors(self.index) == vectors(fresh)
                assert digest(self.index) == digest(fresh)
                assert self.index.catalog.counts() == fresh.catalog.counts()
                assert self.index.catalog.findings() == fresh.catalog.findings()
                assert answers(self.index) == answers(fresh)

    def open(
        self, derived: Path, recorder: Recorder
    ) -> tuple[AbstractContextManager[VaultIndex], VaultIndex]:
        """Open an index of the vault."""
        vault = Vault(self.notes, None, Config(vault_exclude=self.exclude), derived)
        opened = VaultIndex.open(vault, cache=self.folder / "cache", notify=lambda _: None)
        index = opened.__enter__()
        index.clock_ns = lambda: self.now
        index.embedder = recorder
        return opened, index

    def close(self) -> None:
        """Close the index."""
        if self.opened:
            self.opened.__exit__(None, None, None)
        self.opened = self.index = None

    @staticmethod
    def rebuilt(index: VaultIndex, *, full: bool) -> None:
        """Rebuild an index."""
        rebuild(index, full=full, progress=lambda *_: None, elapsed=lambda: 0.0)

    def paths(self) -> list[str]:
        """The notes there are."""
        return sorted(path.relative_to(self.notes).as_posix() for path in self.notes.rglob("*.md"))

    def chosen(self, place: int) -> tuple[str]:
        """One of them."""
        paths = self.paths()
        return (paths[place % len(paths)],)

    def read(self, path: str) -> str:
        """What one holds."""
        return (self.notes / path).read_text("utf-8")

    def put(self, path: str, data: bytes) -> None:
        """Write a note at the time of the clock, which goes on a little."""
        self.now += self.fresh()
        self.set_time(self.notes / path, data, self.now)

    def set_time(self, path: Path, data: bytes, time: int) -> None:
        """Write a file in place, at a time."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        os.utime(path, ns=(time, time))

    def fresh(self) -> int:
        """Nanoseconds that make a time which never was before."""
        self.drawn += 1
        return self.drawn


TestAnyHistory = History.TestCase
TestAnyHistory.settings = settings(
    max_examples=15,
    stateful_step_count=20,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
