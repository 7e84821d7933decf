"""Settings in their layers."""

from decimal import Decimal
from pathlib import Path

import pytest

from vault_memory.vault.config import CONFIG_FILE, USER_FILE, Config, config_folder, load
from vault_memory.vault.trust import TRUST_FILE, is_trusted, trust
from vault_memory.vault.write import apply


@pytest.fixture
def user(tmp_path: Path) -> Path:
    (tmp_path / "user").mkdir()
    return tmp_path / "user"


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    (tmp_path / "notes").mkdir()
    return tmp_path / "notes"


def say(folder: Path, text: str) -> None:
    (folder / (USER_FILE if folder.name == "user" else CONFIG_FILE)).write_text(text, "utf-8")


def test_without_any_file_all_is_default(notes: Path, user: Path) -> None:
    config, warnings = load(notes, environ={}, config_folder=user)
    assert (config, warnings) == (Config(), [])
    assert {source for _, (_, source) in config.items()} == {"default"}


def test_option_goes_over_environment_over_vault_over_user(notes: Path, user: Path) -> None:
    def entries(*layers: str) -> tuple[object, str]:
        say(user, "[ephemeral]\nmax_entries = 2" if "user" in layers else "")
        say(notes, "[ephemeral]\nmax_entries = 3" if "vault" in layers else "")
        environ = {"VAULTMEM_EPHEMERAL_MAX_ENTRIES": "4"} if "environment" in layers else {}
        options = {"ephemeral.max_entries": "6"} if "option" in layers else {}
        config, _ = load(notes, environ=environ, config_folder=user, options=options)
        return dict(config.items())["ephemeral.max_entries"]

    assert entries() == (5, "default")
    assert entries("user") == (2, "user")
    assert entries("user", "vault") == (3, "vault")
    assert entries("user", "vault", "environment") == (4, "environment")
    assert entries("user", "vault", "environment", "option") == (6, "option")


def test_every_kind_of_value_is_read(notes: Path, user: Path) -> None:
    say(
        user,
        """
        [llm]
        provider = "anthropic"
        auto_extract = true
        [graph]
        single_valued = ["prefers_editor", "lives_in"]
        [graph.provenance]
        human = 0.75
        agent_cap = 2
        [graph.half_life_days]
        preference = 365
        [serve]
        idle_timeout_secs = 0
        [vault]
        root = "~/me"
        """,
    )
    config, warnings = load(notes, environ={"HOME": "/home/me"}, config_folder=user)
    assert warnings == []
    assert config.llm_provider == "claude"
    assert config.llm_auto_extract is True
    assert config.graph_single_valued == ("prefers_editor", "lives_in")
    assert config.weights == {
        "external": Decimal(1), "human": Decimal("0.75"), "agent": Decimal("0.05"),
    }  # fmt: skip
    assert config.graph_provenance_agent_cap == 2
    assert config.graph_half_life_days == {"default": 180.0, "preference": 365.0}
    assert config.serve_idle_timeout_secs == 0
    assert config.vault_root == "/home/me/me"


def test_the_environment_says_every_kind_of_value(notes: Path, user: Path) -> None:
    environ = {
        "VAULTMEM_GRAPH_PROVENANCE_AGENT": "0.1",
        "VAULTMEM_GRAPH_HALF_LIFE_DAYS_TOOL": "30",
        "VAULTMEM_GRAPH_HALF_LIFE_DAYS_DEFAULT": "90",
        "VAULTMEM_GRAPH_SINGLE_VALUED": "a, b",
        "VAULTMEM_GIT_AUTO_COMMIT": "yes",
        "VAULTMEM_VAULT": "/not/a/setting",
        "VAULTMEM_ROOT": "/not/a/setting",
        "VAULTMEM_NOW": "2026-01-01",
    }
    config, warnings = load(notes, environ=environ, config_folder=user)
    assert warnings == []
    assert config.graph_provenance_agent == Decimal("0.1")
    assert config.graph_half_life_days == {"default": 90.0, "tool": 30.0}
    assert config.graph_single_valued == ("a", "b")
    assert config.git_auto_commit is True


@pytest.mark.parametrize(
    "text",
    [
        "ephemeral.max_entries = 0", "ephemeral.max_entries = 51", 'ephemeral.max_entries = "x"',
        "ephemeral.max_entries = 5.5", "ephemeral.max_entries = true", "ephemeral.max_entries = []",
        'graph.mode = "cloud"', "graph.provenance.human = -1", "graph.provenance.human = nan",
        "graph.provenance.human = inf", "graph.provenance.human = 1e400", "git.auto_commit = 3",
        "vault.exclude = 3", "vault.exclude = [3]", 'vault.exclude = ["\\u0000"]',
        "graph.half_life_days.tool = -3", "serve.lock_timeout_secs = -1",
        "graph.mode = 2026-01-01", "ephemeral = 3", "graph.half_life_days = 3", "nonsense = 3",
        "graph.half_life_days.planet = 3", "ephemeral.max_entrys = 3",
    ],
)  # fmt: skip
def test_a_bad_value_costs_one_line_and_its_own_setting(notes: Path, user: Path, text: str) -> None:
    say(notes, f"serve.autostart = false\n{text}\n")
    config, warnings = load(notes, environ={}, config_folder=user)
    assert len(warnings) == 1
    assert (
        warnings[0].startswith(f"{CONFIG_FILE}: {text.partition(' ')[0]}")
        or "unknown key" in (warnings[0])
    )
    assert config._replace(sources={}) == Config(serve_autostart=False)._replace(sources={})


def test_a_bad_value_falls_back_to_its_default_and_not_to_a_lower_layer(
    notes: Path, user: Path
) -> None:
    say(user, "[ephemeral]\nmax_entries = 9\n[graph.half_life_days]\ndefault = 7")
    say(notes, "[ephemeral]\nmax_entries = 900\n[graph.half_life_days]\ndefault = 'x'")
    config, warnings = load(notes, environ={}, config_folder=user)
    assert config.ephemeral_max_entries == 5
    assert config.graph_half_life_days == {"default": 180.0}
    assert len(warnings) == 2
    assert dict(config.items())["ephemeral.max_entries"] == (5, "default")


def test_a_mistyped_key_is_told_the_right_one(notes: Path, user: Path) -> None:
    say(notes, "[ephemeral]\nmax_entrys = 3")
    assert load(notes, environ={}, config_folder=user)[1] == [
        f"{CONFIG_FILE}: unknown key ephemeral.max_entrys. Did you mean ephemeral.max_entries?"
    ]


@pytest.mark.parametrize(
    "data", [b"[", b"\xff", b"a = " + b"[" * 5000, b"x = 1\nx = 2", b"#" * 2**21]
)
def test_a_file_that_cannot_be_read_costs_one_line(notes: Path, user: Path, data: bytes) -> None:
    (notes / CONFIG_FILE).write_bytes(data)
    config, warnings = load(notes, environ={}, config_folder=user)
    assert config == Config()
    assert len(warnings) == 1
    assert warnings[0].startswith(CONFIG_FILE)


def test_a_file_with_a_byte_order_mark_is_read(notes: Path, user: Path) -> None:
    (notes / CONFIG_FILE).write_bytes(b"\xef\xbb\xbfvault_format = 1\r\n")
    assert load(notes, environ={}, config_folder=user)[0].vault_format == 1


UNTRUSTED = """
[llm]
provider = "ollama"
api_base = "http://evil.example"
[graph]
url = "postgresql://evil.example"
[serve]
socket_path = "/tmp/evil"
[pipeline]
docs_dir = "/etc"
[index]
dir = "../elsewhere"
[embedding]
model = "model"
[vault]
root = "/evil"
"""


def test_a_vault_from_someone_else_names_no_program_and_no_address(notes: Path, user: Path) -> None:
    say(notes, UNTRUSTED)
    config, warnings = load(notes, environ={}, config_folder=user)
    assert config == Config()
    assert len(warnings) == 8
    assert all("vaultmem config trust" in warning for warning in warnings)


def test_a_trusted_vault_is_believed(notes: Path, user: Path) -> None:
    say(notes, UNTRUSTED)
    apply(user, trust(notes, user))
    config, warnings = load(notes, environ={}, config_folder=user)
    assert warnings == []
    assert (config.llm_provider, config.graph_url) == ("ollama", "postgresql://evil.example")
    assert (config.index_dir, config.embedding_model) == ("../elsewhere", "model")


def test_the_user_may_say_all_of_it(notes: Path, user: Path) -> None:
    say(user, UNTRUSTED)
    config, warnings = load(notes, environ={"VAULTMEM_LLM_MODEL": "m"}, config_folder=user)
    assert warnings == []
    assert (config.llm_provider, config.llm_model, config.vault_root) == ("ollama", "m", "/evil")


def test_a_vault_may_name_places_in_itself(notes: Path, user: Path) -> None:
    say(notes, '[pipeline]\ndocs_dir = "journal"\n[index]\ndir = ".index"')
    config, warnings = load(notes, environ={}, config_folder=user)
    assert (config.pipeline_docs_dir, config.index_dir, warnings) == ("journal", ".index", [])


@pytest.mark.parametrize("place", ["link", "journal/../../x", "~/x", "/etc", "a\\u0000b"])
def test_a_place_that_only_seems_to_be_in_the_vault_is_not_believed(
    notes: Path, user: Path, place: str
) -> None:
    (notes / "link").symlink_to(notes.parent)
    say(notes, f'[pipeline]\ndocs_dir = "{place}"')
    config, warnings = load(notes, environ={}, config_folder=user)
    assert config.pipeline_docs_dir == ""
    assert len(warnings) == 1


def test_trust_holds_for_the_real_path_and_is_given_once(notes: Path, user: Path) -> None:
    assert not is_trusted(notes, user)
    apply(user, trust(notes, user))
    (notes.parent / "link").symlink_to(notes)
    assert is_trusted(notes.parent / "link", user)
    assert not is_trusted(notes.parent, user)
    assert trust(notes, user).changes == ()


@pytest.mark.parametrize("data", [b"", b"{", b"{}", b"[1]", b"[" * 100_000])
def test_a_broken_list_of_trust_trusts_nothing_and_is_mended(
    notes: Path, user: Path, data: bytes
) -> None:
    (user / TRUST_FILE).write_bytes(data)
    assert not is_trusted(notes, user)
    apply(user, trust(notes, user))
    assert is_trusted(notes, user)


def test_the_users_folder_follows_xdg_when_that_is_absolute() -> None:
    home = Path("/home/me")
    assert config_folder({}, home) == Path("/home/me/.config/vaultmem")
    assert config_folder({"XDG_CONFIG_HOME": "/c"}, home) == Path("/c/vaultmem")
    assert config_folder({"XDG_CONFIG_HOME": "c"}, home) == Path("/home/me/.config/vaultmem")
