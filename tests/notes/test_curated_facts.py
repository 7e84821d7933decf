"""MEMORY.md is taken apart into facts that can stand alone."""

import pytest

from vault_memory.core.curated import Fact
from vault_memory.notes.curated_facts import curated_facts

PAGE = """\
---
type: note
---
# Memory

<!-- keep below 200 lines -->

## Home
- Paper goes out on Wednesdays,
  glass too.
- The key is with Mrs Nilsson.
  - Second floor.

Two lines
of a paragraph.

---

## Work ##
1. Ask first.
2) Then do.

### Code
```sh
# no heading

make all
```
#hashtag is no heading
"""


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_an_item_or_a_paragraph_is_a_fact_with_its_heading_and_line(
    newline: str, mark: str
) -> None:
    facts = curated_facts(mark + PAGE.replace("\n", newline))

    assert facts == [
        Fact("- Paper goes out on Wednesdays,\n  glass too.", "Memory / Home", 9),
        Fact("- The key is with Mrs Nilsson.\n  - Second floor.", "Memory / Home", 11),
        Fact("Two lines\nof a paragraph.", "Memory / Home", 14),
        Fact("1. Ask first.", "Memory / Work", 20),
        Fact("2) Then do.", "Memory / Work", 21),
        Fact(
            "```sh\n# no heading\n\nmake all\n```\n#hashtag is no heading",
            "Memory / Work / Code",
            24,
        ),
    ]


def test_a_page_without_facts_has_none() -> None:
    assert curated_facts("") == []
    assert curated_facts("# Memory\n") == []
    assert curated_facts("---\ntype: note\n") == [Fact("---\ntype: note", "", 1)]


def test_a_fence_that_is_never_closed_is_one_fact() -> None:
    assert curated_facts("- a\n\n```\n# b\n\n- c\n") == [
        Fact("- a", "", 1),
        Fact("```\n# b\n\n- c", "", 3),
    ]
