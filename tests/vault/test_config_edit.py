"""Setting one key in TOML text."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.errors import NoteError, UsageError
from vault_memory.vault.config_edit import set_value


@pytest.mark.parametrize(
    ("before", "key", "value", "after"),
    [
        ("", "ephemeral.max_entries", "7", "[ephemeral]\nmax_entries = 7\n"),
        (
            "# mine\n\n[ephemeral]   # head\nmax_entries   =  5   # five\n\n[vault]\n",
            "ephemeral.max_entries", "7",
            "# mine\n\n[ephemeral]   # head\nmax_entries   =  7   # five\n\n[vault]\n",
        ),
        (
            "[ephemeral]\n# a word\n# max_entries = 5\n\n[vault]\n",
            "ephemeral.max_entries", "7",
            "[ephemeral]\n# a word\n# max_entries = 5\nmax_entries = 7\n\n[vault]\n",
        ),
        (
            "[llm]\r\nmodel = 'x'\r\n", "llm.provider", "ollama",
            '[llm]\r\nmodel = \'x\'\r\nprovider = "ollama"\r\n',
        ),
        ("[llm]", "llm.model", 'a"\\b', '[llm]\nmodel = "a\\"\\\\b"\n'),
        ("llm.model = 'x'", "llm.provider", "none", "llm.model = 'x'\nllm.provider = \"none\"\n"),
        ("llm.model = 'x'", "llm.model", "y", 'llm.model = "y"'),
        (
            'vault.exclude = [ # drafts\n  "a]", # "b"\n  """c\n"""\n] # end\n',
            "vault.exclude", "x, y", 'vault.exclude = ["x", "y"] # end\n',
        ),
        ("['llm']\n\"model\" = ''''a'''''\n", "llm.model", "b", "['llm']\n\"model\" = \"b\"\n"),
        (
            "[graph]\n", "graph.provenance.human", "0.50",
            "[graph]\n\n[graph.provenance]\nhuman = 0.50\n",
        ),
        ("\ufeff[llm]\n", "llm.model", "b", '\ufeff[llm]\nmodel = "b"\n'),
        ("[serve]\n", "serve.autostart", "off", "[serve]\nautostart = false\n"),
        ("[a]\nb=1\n", "vault_format", "1", "vault_format = 1\n[a]\nb=1\n"),
        (
            "[graph.half_life_days]\n", "graph.half_life_days.tool", "30",
            "[graph.half_life_days]\ntool = 30\n",
        ),
    ],
)  # fmt: skip
def test_a_key_is_set_and_all_else_stays(before: str, key: str, value: str, after: str) -> None:
    assert set_value(before, key, value) == after


def test_setting_what_is_there_changes_nothing() -> None:
    text = "[ephemeral]\nmax_entries = 7 # seven\n"
    assert set_value(text, "ephemeral.max_entries", "7") == text


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("ephemeral.max_entries", "lots"), ("ephemeral.max_entries", "51"), ("graph.mode", "x"),
        ("llm.model", "a\nb"), ("git.auto_commit", "perhaps"), ("graph.half_life_days.tool", "-1"),
        ("vault.exclude", "caf\udce9"), ("llm.model", "\udcff"),
    ],
)  # fmt: skip
def test_a_value_that_does_not_fit_is_refused(key: str, value: str) -> None:
    with pytest.raises(UsageError, match=f"{key} must"):
        set_value("", key, value)


@pytest.mark.parametrize(
    ("key", "hint"),
    [
        ("max_entries", "ephemeral.max_entries"), ("ephemeral.max_entry", "ephemeral.max_entries"),
        ("lm.provider", "llm.provider"), ("zzz", "vaultmem config list"),
        ("graph.half_life_days", "No such key"), ("graph.half_life_days.planet", "No such key"),
    ],
)  # fmt: skip
def test_an_unknown_key_is_refused_with_the_nearest(key: str, hint: str) -> None:
    with pytest.raises(UsageError, match=hint):
        set_value("", key, "1")


@pytest.mark.parametrize("text", ["[", "x = 1\nx = 2", "a = " + "[" * 5000])
def test_a_file_that_is_not_toml_is_left_alone(text: str) -> None:
    with pytest.raises(NoteError, match="not TOML"):
        set_value(text, "graph.mode", "server")


@pytest.mark.parametrize(
    "text", ["ephemeral = { max_entries = 3 }", "ephemeral = 3", "[[ephemeral]]"]
)
def test_what_cannot_be_set_in_place_is_left_alone(text: str) -> None:
    with pytest.raises(NoteError, match="by hand"):
        set_value(text, "ephemeral.max_entries", "7")


LINES = [
    "# comment", "", "[llm]", "[graph]", "[graph.provenance]", "[x.y]", "[[list]]", "model = 'a'",
    "url = \"a#b\" # c", "human = 0.5", "single_valued = ['a', # c\n 'b]']", 'k = """\n[llm]\n"""',
    "llm.model = 'q'", "graph.url = ''", " provider  = \"none\"", "t = {a = [1, {b = '}'}]}",
]  # fmt: skip


@given(
    st.lists(st.sampled_from(LINES), max_size=8),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(
        [("llm.model", "new"), ("graph.url", "new"), ("graph.provenance.human", "1.5"),
         ("vault_format", "1"), ("graph.single_valued", "m,n")]
    ),
)  # fmt: skip
def test_only_the_key_changes_in_any_toml(
    lines: list[str], newline: str, change: tuple[str, str]
) -> None:
    text = newline.join(lines)
    try:
        before = tomllib.loads(text)
    except ValueError:
        return
    key, value = change
    try:
        after = set_value(text, key, value)
    except NoteError:
        assert "graph" in before or "llm" in before
        return
    *tables, last = key.split(".")
    table = before
    stated = True
    for name in tables:
        stated = stated and name in table
        table = table.setdefault(name, {})
    stated = stated and last in table
    table[last] = {"1.5": 1.5, "1": 1, "m,n": ["m", "n"]}.get(value, value)
    assert tomllib.loads(after) == before
    if not stated:
        rest = iter(after.splitlines())
        assert all(line in rest for line in text.splitlines() if line)
