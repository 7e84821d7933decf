"""Every command transcript in the documents prints what the document says."""

from pathlib import Path

import pytest

from tests.replay import CHECKOUT, pages, parse, run

PAGES = [page.relative_to(CHECKOUT) for page in pages()]


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_a_page_shows_what_its_commands_print(page: Path, tmp_path: Path) -> None:
    steps = parse((CHECKOUT / page).read_text(encoding="utf-8"))

    outcomes = run(steps, tmp_path)

    wrong = [outcome.difference for outcome in outcomes if not outcome.agrees]
    accept = f"To accept what the run prints: python tests/replay.py {page}"
    assert not wrong, "\n\n".join([f"{page} differs. {accept}", *wrong])


def test_the_pages_together_show_the_command() -> None:
    steps = [step for page in PAGES for step in parse((CHECKOUT / page).read_text("utf-8"))]

    assert any("vaultmem " in getattr(step, "words", "") for step in steps)
