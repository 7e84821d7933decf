"""Token shapes that the detect-secrets project keeps up to date.

Only plugins that know a token by its own shape are used, on what they call their denylist, so
nothing is ever verified over the network; high entropy alone is no proof in a transcript, which is
full of hashes. A plugin is imported only when its trigger occurs in the text: the import is slow.
Plugins whose patterns are not linear (basic auth, JWT, npm, OpenAI) are left to ``shapes``.
"""

import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module

from vault_memory.redaction.spans import Found, starting_words

_PLUGINS = (
    ("github token", "github_token", "GitHubTokenDetector", ("ghp_", "gho_", "ghu_", "ghs_",
     "ghr_")),
    ("gitlab token", "gitlab_token", "GitLabTokenDetector", ("glpat-", "gldt-", "glft-", "glsoat-",
     "glrt-", "GR1348941", "glcbt-", "glimt-", "glptt-", "glagent-", "gloas-")),
    ("aws key", "aws", "AWSKeyDetector", ("AKIA", "ASIA", "ABIA", "ACCA")),
    ("slack token", "slack", "SlackDetector", ("xoxa-", "xoxb-", "xoxp-", "xoxo-", "xoxs-", "xoxr-",
     "hooks.slack.com")),
    ("stripe key", "stripe", "StripeDetector", ("k_live_",)),
    ("pypi token", "pypi_token", "PypiTokenDetector", ("pypi-AgE",)),
    ("sendgrid key", "sendgrid", "SendGridDetector", ("SG.",)),
    ("telegram token", "telegram_token", "TelegramBotTokenDetector", (":AA",)),
    ("square secret", "square_oauth", "SquareOAuthDetector", ("sq0csp-",)),
    ("azure key", "azure_storage_key", "AzureStorageKeyDetector", ("AccountKey=",)),
)  # fmt: skip
"""Kind, module, class, and the words one of which stands in every such token."""

_REST = re.compile(r"(?:[A-Za-z0-9_-]|\.(?=[A-Za-z0-9]))*")
"""What may follow the part of a token that a plugin knows."""


def known_tokens(text: str) -> Iterator[Found]:
    """Yield what the plugins find, to the end of the token."""
    for kind, module, name, triggers in _PLUGINS:
        if not any(trigger in text for trigger in triggers):
            continue
        for pattern in _patterns(module, name):
            end = 0
            for found in starting_words(pattern, text):
                if found.start() >= end:
                    rest = _REST.match(text, found.end())
                    end = rest.end() if rest else found.end()
                    yield Found(found.start(), end, kind)


@cache
def _patterns(module: str, name: str) -> tuple[re.Pattern[str], ...]:
    plugin = getattr(import_module(f"detect_secrets.plugins.{module}"), name)
    return tuple(plugin.denylist)
