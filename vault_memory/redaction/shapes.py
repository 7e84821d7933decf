"""Token shapes that need no other proof, beyond those that detect-secrets knows."""

import re
from collections.abc import Iterator

from vault_memory.redaction.placeholders import is_placeholder
from vault_memory.redaction.spans import Found, starting_words

_SHAPES = (
    ("github token", "github_pat_", r"github_pat_[A-Za-z0-9_]{36,255}"),
    ("slack token", "xapp-", r"xapp-\d-[A-Za-z0-9]{4,40}-\d{4,40}-[A-Za-z0-9]{16,128}"),
    ("slack token", "xoxe", r"xoxe(?:\.xox[bp])?-\d-[A-Za-z0-9-]{20,300}"),
    ("stripe key", "_test_", r"[rs]k_test_[A-Za-z0-9]{16,255}"),
    ("stripe key", "_live_", r"[rs]k_live_[A-Za-z0-9]{16,255}"),
    ("stripe key", "whsec_", r"whsec_[A-Za-z0-9+/=]{24,128}"),
    ("api key", "sk-", r"sk-(?:ant|proj|svcacct|admin|or|lf)-[A-Za-z0-9_-]{20,300}"),
    ("api key", "sk-", r"sk-[A-Za-z0-9]{32,300}"),
    ("google key", "AIza", r"AIza[A-Za-z0-9_-]{35}"),
    ("google key", "GOCSPX-", r"GOCSPX-[A-Za-z0-9_-]{20,64}"),
    ("google key", "ya29.", r"ya29\.[A-Za-z0-9_-]{20,512}"),
    ("npm token", "npm_", r"npm_[A-Za-z0-9]{36}"),
    ("hugging face token", "hf_", r"hf_[A-Za-z0-9]{30,64}"),
    ("digitalocean token", "_v1_", r"do[opr]_v1_[a-f0-9]{64}"),
    ("docker token", "dckr_pat_", r"dckr_pat_[A-Za-z0-9_-]{20,64}"),
    ("shopify token", "shp", r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}"),
    ("vault token", "hvs.", r"hvs\.[A-Za-z0-9_-]{24,300}"),
    ("age key", "AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[A-Z0-9]{40,80}"),
    ("xai key", "xai-", r"xai-[A-Za-z0-9]{60,120}"),
    ("groq key", "gsk_", r"gsk_[A-Za-z0-9]{40,80}"),
    ("mailchimp key", "-us", r"[0-9a-f]{32}-us[0-9]{1,2}"),
    ("linear key", "lin_api_", r"lin_api_[A-Za-z0-9]{32,64}"),
    ("npm token", "_authToken", r"_authToken\s{0,4}=\s{0,4}(?P<part>[A-Za-z0-9_=+/-]{16,256})"),
    ("jwt", "eyJ", r"eyJ[\w-]{8,1024}\.eyJ[\w-]{4,65536}(?:\.[\w-]{0,8192}){0,3}"),
    ("discord token", ".", r"[MNO][A-Za-z\d_-]{23,25}\.[A-Za-z\d_-]{6}\.[A-Za-z\d_-]{27,38}"),
)  # fmt: skip
"""Kind, a word that stands in every such token, and its shape."""

_COMPILED = tuple(
    (kind, trigger, re.compile(rf"{shape}(?![A-Za-z0-9])")) for kind, trigger, shape in _SHAPES
)
_URL = re.compile(r"://[^\s/:@'\"<>]{0,64}:(?P<part>[^\s/@'\"<>]{1,256})@(?=[\w\[])")
_HEADER = re.compile(
    r"\b(?:bearer|authorization[\"']?\s{0,4}[:=]\s{0,4}[\"']?(?:basic|token|bot))\s{1,4}"
    r"(?P<part>[A-Za-z0-9._~+/=-]{16,4096})",
    re.IGNORECASE,
)


def shaped_tokens(text: str) -> Iterator[Found]:
    """Yield tokens that are known by their shape, passwords in addresses, and authorisations."""
    for kind, trigger, shape in _COMPILED:
        if trigger in text:
            group = "part" if "part" in shape.groupindex else 0
            for found in starting_words(shape, text):
                yield Found(found.start(group), found.end(group), kind)
    if "://" in text and "@" in text:
        yield from _parts(_URL, text, "password")
    if "earer" in text or "EARER" in text or "uthorization" in text:
        for part in _parts(_HEADER, text, "authorization"):
            if any(char.isdigit() for char in text[part.start : part.end]):
                yield part


def _parts(pattern: re.Pattern[str], text: str, kind: str) -> Iterator[Found]:
    for found in pattern.finditer(text):
        if not is_placeholder(found["part"]):
            yield Found(found.start("part"), found.end("part"), kind)
