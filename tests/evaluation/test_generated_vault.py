"""Generated vaults repeat to the byte and hold notes that are sound."""

from collections import Counter
from pathlib import Path

from vault_memory.evaluation.generated_vault import Shape, generate, generated_notes
from vault_memory.notes.decode import decode


def test_the_same_shape_gives_the_same_bytes_and_another_seed_gives_others() -> None:
    shape = Shape(40)

    notes = dict(generated_notes(shape))

    assert notes == dict(generated_notes(shape))
    assert notes != dict(generated_notes(Shape(40, seed=2)))


def test_there_are_as_many_notes_as_asked_for_each_sound_and_of_the_kind_that_was_wanted() -> None:
    written = dict(generated_notes(Shape(200)))
    del written[".vaultmem.toml"], written["MEMORY.md"]

    notes = [decode(path, text.encode()) for path, text in written.items()]

    kinds = Counter(note.kind for note in notes)
    assert kinds == {"entity": 80, "relation": 40, "conversation": 20, "note": 60}
    assert not [finding for note in notes for finding in note.findings]
    assert all(note.standing for note in notes if note.kind in {"entity", "relation"})


def test_links_and_evidence_lead_to_notes_that_are_there() -> None:
    written = dict(generated_notes(Shape(200)))
    stems = {Path(path).stem for path in written}

    notes = [decode(path, text.encode()) for path, text in written.items() if path.endswith(".md")]

    targets = [link.target for note in notes for link in note.links]
    assert len(targets) > 100
    assert set(targets) <= stems


def test_a_vault_of_few_paragraphs_holds_few_texts() -> None:
    written = dict(generated_notes(Shape(60, paragraphs=5, turns=10, kinds="c")))

    notes = [decode(path, text.encode()) for path, text in written.items() if path.endswith(".md")]

    texts = {unit.text for note in notes for unit in note.units if unit.kind == "turn"}
    assert len(texts) <= 2 * 5
    assert sum(len(note.units) for note in notes) > len(texts)


def test_without_anything_to_relate_there_are_entities_instead_of_relations() -> None:
    paths = [path for path, _ in generated_notes(Shape(3, kinds="r"))]

    assert [path.split("/")[0] for path in paths[2:]] == ["entities", "entities", "relations"]


def test_writing_a_vault_again_touches_no_file(tmp_path: Path) -> None:
    generate(tmp_path, Shape(20))
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.md")}

    generate(tmp_path, Shape(20))

    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.md")} == before
    assert len(before) == 21
