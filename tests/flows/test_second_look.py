"""Turns that were found are looked at again, token by token, and whatever happens to the tokens."""

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.flows.conftest import Opened
from vault_memory.core.rerank import WITH_TOKENS, WITHOUT_TOKENS
from vault_memory.flows.rebuild import rebuild
from vault_memory.flows.refresh import refresh
from vault_memory.flows.retrieve import Found, retrieve
from vault_memory.flows.vault_index import VaultIndex
from vault_memory.index.embeddings import FILE_NAME
from vault_memory.index.model import SHIPPED, TOKENS_FILE
from vault_memory.index.rows import Wanted
from vault_memory.vault.config import Config

QUERY = "Where did Bo learn to sail?"
EPISODES = Wanted(("turn", "source", "note"))
SAID = {
    "2026-03-02": [
        "Tell me, where did you learn to sail so well?",
        "My uncle taught me on the lake when I was nine.",
        "That must have been cold!",
    ],
    "2026-03-09": [
        "I want to learn to sail this summer.",
        "You will learn it fast, sailing is easy.",
        "I hope so.",
    ],
    "2026-03-16": ["I need to mend my coat.", "There is a sale of sails on Friday."],
}


@pytest.fixture
def talks(notes: Path) -> Path:
    """Three conversations of Ana and Bo."""
    folder = notes / "conversations"
    folder.mkdir()
    for number, (day, turns) in enumerate(SAID.items(), 1):
        head = f'type: conversation\nlog: {number}\ndate: "{day}T10:00:00Z"\nsession_id: "{day}"'
        said = "".join(
            f"\n### {'Bo' if at % 2 else 'Ana'}\n10:{at:02} ^t-{number:06}{at:06}\n\n{text}\n"
            for at, text in enumerate(turns)
        )
        (folder / f"{day}.md").write_text(f"---\n{head}\n---\n# Talk {number}\n{said}", "utf-8")
    (notes / "Sailing.md").write_text("# Sailing\n\nOne learns to sail in a dinghy.\n", "utf-8")
    return notes


def _unheard(what: str, done: int, total: int) -> None:
    del what, done, total


def embed(index: VaultIndex) -> int:
    """Bring the index up to date; how many texts the model ran on."""
    answer = rebuild(index, full=False, progress=_unheard, elapsed=lambda: 0.0)
    return answer["embedded"]


def ask(index: VaultIndex) -> tuple[Found, ...]:
    """What is found."""
    return retrieve(index, QUERY, EPISODES).found


def texts(found: Sequence[Found]) -> list[str]:
    """What was said, best first."""
    return [one.unit.text for one in found]


def first_stage(found: Sequence[Found]) -> list[str]:
    """The same in the order of the first stage."""
    own = [(one.ranked.score - one.ranked.parts.get("again", 0.0), one) for one in found]
    return texts([one for _, one in sorted(own, key=lambda pair: -pair[0])])


ANSWER = "Bo: My uncle taught me on the lake when I was nine."
DECOY = "Bo: You will learn it fast, sailing is easy."


@pytest.fixture
def foreign(tmp_path: Path) -> Config:
    """A model of the user's own, without a projection of its tokens."""
    folder = tmp_path / "model"
    shutil.copytree(SHIPPED, folder, ignore=shutil.ignore_patterns(TOKENS_FILE))
    return Config(embedding_model=str(folder))


def test_a_turn_comes_first_because_its_tokens_answer(talks: Path, opened: Opened) -> None:
    assert talks
    with opened() as index:
        assert embed(index) == 9
        found = ask(index)

    assert first_stage(found)[0] == DECOY
    assert texts(found)[0] == ANSWER
    assert all(bool(one.ranked.again) == (one.unit.kind == "turn") for one in found)
    assert found[0].ranked.again.keys() == WITH_TOKENS.keys()


def test_turns_change_places_among_themselves_only(talks: Path, opened: Opened) -> None:
    assert talks
    with opened() as index:
        embed(index)
        found = ask(index)

    before = first_stage(found)
    assert sorted(before) == sorted(texts(found))
    note = next(text for text in before if text.startswith("Sailing"))
    assert before.index(note) == texts(found).index(note)
    scores = [one.ranked.score for one in found]
    assert scores == sorted(scores, reverse=True)
    assert scores == pytest.approx([sum(one.ranked.parts.values()) for one in found])


def test_a_turn_by_itself_is_not_looked_at_again(notes: Path, opened: Opened) -> None:
    (notes / "Sailing.md").write_text("# Sailing\n\nOne learns to sail in a dinghy.\n", "utf-8")
    with opened() as index:
        embed(index)
        assert [one.ranked.again for one in ask(index)] == [{}]


def test_a_model_without_a_projection_ranks_turns_without_tokens(
    talks: Path, opened: Opened, foreign: Config, notices: list[str]
) -> None:
    assert talks
    with opened(config=foreign) as index:
        assert embed(index) == 9
        found = ask(index)
        assert embed(index) == 0

    assert texts(found)[0] == DECOY
    assert found[0].ranked.again.keys() == WITHOUT_TOKENS.keys()
    assert notices == []


def test_turns_that_were_embedded_without_tokens_are_completed_by_a_rebuild(
    talks: Path, opened: Opened, foreign: Config, notices: list[str]
) -> None:
    assert talks
    with opened(config=foreign) as index:
        embed(index)
    with opened() as index:
        assert texts(ask(index))[0] == DECOY
        assert embed(index) == 8
        assert texts(ask(index))[0] == ANSWER
        assert embed(index) == 0
    assert notices == []


def test_a_known_text_is_not_run_again_for_its_tokens(talks: Path, opened: Opened) -> None:
    with opened() as index:
        embed(index)
        first = texts(ask(index))
    moved = talks / "conversations" / "2026-03-02.md"
    moved.rename(moved.with_name("2026-04-02.md"))
    with opened() as index:
        assert embed(index) == 0
        assert texts(ask(index)) == first


def cut(index: VaultIndex) -> None:
    with index.embeddings() as store:
        store.database.run("UPDATE embeddings SET vector = substr(vector, 1, 9)")


def shuffled(index: VaultIndex) -> None:
    with index.embeddings() as store:
        store.database.run("UPDATE embeddings SET vector = randomblob(length(vector))")


def deleted(index: VaultIndex) -> None:
    with index.embeddings() as store:
        store.database.run("DELETE FROM embeddings")


def gone(index: VaultIndex) -> None:
    (index.folder / FILE_NAME).unlink()


def torn(index: VaultIndex) -> None:
    path = index.folder / FILE_NAME
    path.write_bytes(path.read_bytes()[:5000])


DAMAGES: list[Callable[[VaultIndex], None]] = [cut, shuffled, deleted, gone, torn]


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_tokens_are_made_again_by_the_search_that_meets_them(
    talks: Path, opened: Opened, damage: Callable[[VaultIndex], None]
) -> None:
    assert talks
    with opened() as index:
        embed(index)
        right = texts(ask(index))
    with opened() as index:
        damage(index)
        assert texts(ask(index)) == right
    with opened() as index:
        assert embed(index) == 0
        assert texts(ask(index)) == right


@pytest.mark.parametrize("damage", [cut, shuffled, deleted])
def test_damaged_tokens_that_cannot_be_made_again_in_time_are_told_and_left_out(
    talks: Path, opened: Opened, notices: list[str], damage: Callable[[VaultIndex], None]
) -> None:
    assert talks
    with opened() as index:
        embed(index)
        right = texts(ask(index))
        damage(index)
    hours = (3_600_000_000_000 * hour for hour in range(1_000))
    with opened(clock=lambda: next(hours)) as index:
        found = ask(index)

    assert texts(found)[0] == DECOY
    assert found[0].ranked.again.keys() == WITHOUT_TOKENS.keys()
    assert len(notices) == 1
    assert "without until: vaultmem rebuild" in notices[0]
    with opened() as index:
        assert embed(index) == 7
        assert texts(ask(index)) == right


def test_an_index_that_cannot_be_written_tells_what_it_lacks(
    talks: Path, opened: Opened, notices: list[str]
) -> None:
    assert talks
    with opened() as index:
        embed(index)
        deleted(index)
        index.writable = False
        found = ask(index)

    assert texts(found)[0] == DECOY
    assert len(notices) == 1


def test_turns_that_are_not_embedded_yet_rank_without_tokens(
    talks: Path, opened: Opened, notices: list[str]
) -> None:
    with opened() as index:
        embed(index)
    new = talks / "conversations" / "2026-05-01.md"
    said = (talks / "conversations" / "2026-03-16.md").read_text("utf-8")
    new.write_text(said.replace("2026-03-16", "2026-05-01").replace("coat", "sail"), "utf-8")
    with opened() as index:
        refresh(index)
        found = ask(index)

    assert any(one.unit.row is None for one in found)
    assert found[0].ranked.again.keys() == WITHOUT_TOKENS.keys()
    assert notices == []
