"""What is read without the library for TOML is what the library reads."""

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from vault_memory.vault.config import CONFIG_FILE
from vault_memory.vault.plain_toml import read_plain
from vault_memory.vault.scaffold import scaffold

NAMES = ["a", "b", "b-c", "d_1", "a.b", "a.b.c", "a..b", "é", "1", ""]
VALUES = [
    "1", "0", "01", "-1", "1_000", "99999999999999999999", "true", "false", "True", '"x"', '"a"b"',
    '"\\n"', '"é # \u2028"', '"', '""', "'x'", "[1]", "1.5", "", '"x" # y', "\uff11",
]  # fmt: skip
LINES = st.one_of(
    st.builds("{}{}={}{}".format, st.sampled_from(NAMES), st.sampled_from(["", " ", "\t"]),
              st.sampled_from(["", " "]), st.sampled_from(VALUES)),
    st.builds("[{}]".format, st.sampled_from(NAMES)),
    st.sampled_from(["", "  ", "# note", "# \x07", "#\t", "[[a]]", "a", "\x0b", "[a", "="]),
)  # fmt: skip


def flat(table: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, object]]:
    for name, value in table.items():
        if isinstance(value, dict):
            yield from flat(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value


@given(st.lists(LINES, max_size=6), st.sampled_from(["\n", "\r\n", "\r"]))
@example(["a=1", "[a]"], "\n")
@example(["a=1", "[a.b]"], "\n")
@example(["[a.b]", "[a]", "b=1"], "\n")
@example(["[a.b]", "c=1", "[a]", "c=1 # \t"], "\n")
@example(["[a]", "b=1", "[a]"], "\n")
def test_whatever_is_read_plainly_is_read_the_same_by_the_library(
    lines: list[str], newline: str
) -> None:
    text = newline.join(lines)

    read = read_plain(text)

    if read is not None:
        assert read == dict(flat(tomllib.loads(text)))


@pytest.mark.parametrize("text", ["", "vault_format = 1\n", "# a\r\n\r\n[git]\nauto_commit=true"])
def test_the_files_that_the_tool_writes_are_read_plainly(text: str) -> None:
    assert read_plain(text) == dict(flat(tomllib.loads(text)))


def test_the_configuration_of_a_new_vault_is_read_plainly(tmp_path: Path) -> None:
    (change,) = [change for change in scaffold(tmp_path).changes if change.path == CONFIG_FILE]

    assert read_plain((change.after or b"").decode()) == {"vault_format": 1}


def test_a_setting_that_was_commented_in_is_read_plainly() -> None:
    text = '[ephemeral]\nmax_entries = 7   # sessions, 1 to 50\n[index]\ndir = "x y" # here\n'

    assert read_plain(text) == {"ephemeral.max_entries": 7, "index.dir": "x y"}
