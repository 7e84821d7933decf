"""The command reference says what the commands say of themselves."""

from tests.reference import PAGE, render


def test_the_command_reference_is_what_help_prints() -> None:
    assert PAGE.read_text(encoding="utf-8") == render(), "run scripts/docs"
