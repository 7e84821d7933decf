"""Links lead where Obsidian would lead them, and never out of the vault."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.core.links import LinkTable, Resolution, names_attachment

COMPOSED = "Caf\u00e9 Zo\u00eb"
DECOMPOSED = unicodedata.normalize("NFD", COMPOSED)


def table(*paths: str) -> LinkTable:
    names = LinkTable()
    for path in paths:
        names.add(path)
    return names


def test_a_path_from_the_top_comes_before_the_same_folder() -> None:
    names = table("N.md", "a/N.md", "a/a/N.md")
    assert names.resolve("a/N", "a/x.md") == Resolution("a/N.md")
    assert names.resolve("N", "a/x.md") == Resolution("N.md")


def test_the_same_folder_comes_before_other_folders() -> None:
    names = table("a/N.md", "b/c/N.md")
    assert names.resolve("N", "b/c/x.md") == Resolution("b/c/N.md")


def test_a_path_may_start_in_the_linking_notes_folder() -> None:
    names = table("a/b/N.md", "z/b/N.md")
    assert names.resolve("b/N.md", "a/x.md") == Resolution("a/b/N.md")


def test_a_unique_name_is_found_wherever_it_lies() -> None:
    names = table("deep/down/Only One.md", "Other.md")
    assert names.resolve("only one", "Other.md") == Resolution("deep/down/Only One.md")


def test_the_end_of_a_path_is_enough() -> None:
    names = table("x/dir/N.md", "y/other/N.md")
    assert names.resolve("dir/N", "Note.md") == Resolution("x/dir/N.md")
    assert names.resolve("ir/N", "Note.md") == Resolution(None)


def test_several_of_one_name_give_the_shortest_path_then_the_alphabet_and_say_so() -> None:
    names = table("long/er/N.md", "b/N.md", "a/N.md")
    assert names.resolve("N", "x.md") == Resolution("a/N.md", ("a/N.md", "b/N.md", "long/er/N.md"))


def test_a_file_name_comes_before_an_alias_and_an_alias_before_a_title() -> None:
    names = LinkTable()
    names.add("titled.md", title="Editor")
    names.add("aliased.md", ["Editor", "nvim"])
    assert names.resolve("editor", "x.md") == Resolution("aliased.md")
    names.add("deep/Editor.md")
    assert names.resolve("editor", "x.md") == Resolution("deep/Editor.md")
    assert names.resolve("NVIM", "x.md") == Resolution("aliased.md")


def test_a_title_is_the_last_resort() -> None:
    names = LinkTable()
    names.add("2026-03-06.md", title="The day of the move")
    assert names.resolve("the day of the move", "x.md").path == "2026-03-06.md"


def test_an_alias_may_hold_a_slash() -> None:
    names = LinkTable()
    names.add("entities/concept/TCP-IP.md", ["TCP/IP"])
    names.add("entities/concept/-etc-hosts.md", ["/etc/hosts"])
    assert names.resolve("tcp/ip", "x.md").path == "entities/concept/TCP-IP.md"
    assert names.resolve("/etc/hosts", "x.md").path == "entities/concept/-etc-hosts.md"


def test_one_alias_of_two_notes_is_ambiguous() -> None:
    names = LinkTable()
    names.add("b.md", ["X", "X"])
    names.add("a.md", ["x"])
    assert names.resolve("X", "n.md") == Resolution("a.md", ("a.md", "b.md"))


@pytest.mark.parametrize("written", [COMPOSED, DECOMPOSED, COMPOSED.upper(), DECOMPOSED.lower()])
@pytest.mark.parametrize("on_disk", [COMPOSED, DECOMPOSED])
def test_names_match_in_any_unicode_form_and_case(written: str, on_disk: str) -> None:
    names = table(f"vault/{on_disk}.md", "Linker.md")
    assert names.resolve(written, "Linker.md") == Resolution(f"vault/{on_disk}.md")
    assert names.resolve(f"VAULT/{written}", "Linker.md") == Resolution(f"vault/{on_disk}.md")


@pytest.mark.parametrize("written", [COMPOSED, DECOMPOSED])
def test_of_two_files_that_differ_in_form_the_one_written_is_meant_and_both_are_told(
    written: str,
) -> None:
    both = tuple(sorted((f"clash/{COMPOSED}.md", f"clash/{DECOMPOSED}.md")))
    found = table(*both).resolve(written, "clash/x.md")
    assert found == Resolution(f"clash/{written}.md", both)


@pytest.mark.parametrize(
    "target", ["N", "N.md", "N.MD", "./N", "../a/N", "/a/N.md", "a//N", "a/./N"]
)
def test_one_note_can_be_written_in_many_ways(target: str) -> None:
    assert table("a/N.md", "b/M.md").resolve(target, "a/x.md") == Resolution("a/N.md")


def test_a_name_that_ends_in_md_is_found_with_and_without_one_more() -> None:
    names = table("README.md.md")
    assert names.resolve("README.md", "x.md").path == "README.md.md"
    assert names.resolve("README.md.md", "x.md").path == "README.md.md"


@pytest.mark.parametrize(
    "target", ["../N", "../../N", "./../N", "a/../../N", "/../N", "..", "../.."]
)
def test_a_link_out_of_the_vault_leads_nowhere(target: str) -> None:
    assert table("N.md").resolve(target, "x.md") == Resolution(None)


@pytest.mark.parametrize("target", ["./N", "/N", "../b/M"])
def test_an_anchored_path_is_not_looked_for_elsewhere(target: str) -> None:
    assert table("deep/N.md", "x/b/M.md").resolve(target, "a/x.md") == Resolution(None)


@pytest.mark.parametrize(
    "target", ["", ".", "/", "./", "Nobody", "a/Nobody", "[", "\x00", "\udcff"]
)
def test_what_is_not_there_leads_nowhere(target: str) -> None:
    assert table("N.md", "a/N.md").resolve(target, "a/x.md") == Resolution(None)


@given(st.text(), st.lists(st.text(alphabet="aAé/.", min_size=1), max_size=4))
def test_a_link_leads_to_a_note_of_the_vault_or_nowhere(target: str, paths: list[str]) -> None:
    found = table(*paths).resolve(target, "dir/x.md")
    assert found.path is None or found.path in paths
    assert set(found.ambiguous) <= set(paths)
    assert len(found.ambiguous) != 1


@pytest.mark.parametrize("target", ["a.png", "dir/B.PDF", "x.canvas", "a b.jpeg", "v.1.mp3"])
def test_files_that_are_no_notes_are_known_by_their_suffix(target: str) -> None:
    assert names_attachment(target)


@pytest.mark.parametrize("target", ["a", "a.md", "v1.2", "png", ".png", "dir/.png", "a.png.md", ""])
def test_other_targets_are_taken_for_notes(target: str) -> None:
    assert not names_attachment(target)
