"""A vault that somebody else made, with links where the index will be written."""

from pathlib import Path

import pytest

from tests.command import Shell

WRITTEN = [
    ".gitignore", "checksums", "embeddings.db", "hnsw.usearch", "hnsw.usearch.tmp", "index.db",
    "index.db-shm", "index.db-wal", "index.lock", "vault.lock", "vectors.f32", "vectors.f32.tmp",
]  # fmt: skip


@pytest.mark.parametrize("leads_to_a_file", [True, False])
@pytest.mark.parametrize("name", WRITTEN)
def test_nothing_is_written_through_a_link_among_derived_files(
    shell: Shell, tmp_path: Path, name: str, *, leads_to_a_file: bool
) -> None:
    vault, victim = shell.folder / "memory", tmp_path / "the-users-own"
    shell.ask("init")
    (vault / "Page.md").write_text("Grilled trout.\n")
    (vault / ".vaultmem" / name).unlink(missing_ok=True)
    (vault / ".vaultmem" / name).symlink_to(victim)
    if leads_to_a_file:
        victim.write_bytes(b"precious")

    searched = shell.run("graph", "search", "--kind", "all", "trout")
    written = shell.run("graph", "add-entity", "--name=A", "--type=tool", "--abstract=a")

    assert "Page.md" in searched.out
    assert f".vaultmem/{name}: is a link, and is not followed. Remove it" in searched.err
    assert written.exit_code == 1
    assert (victim.read_bytes() == b"precious") if leads_to_a_file else not victim.exists()
