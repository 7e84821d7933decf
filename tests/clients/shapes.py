"""Settings files of every shape that people and programs leave behind, by what is odd in them."""

import json

OTHER = {"hooks": [{"type": "command", "command": "other-tool remind"}]}
FULL: dict[str, object] = {
    "model": "opus",
    "permissions": {"allow": [], "deny": ["Read(./.env)", "Bash(rm -rf *)"]},
    "env": {"KEY": 'caf\u00e9 \\ " \u65e5\u672c', "EMPTY": ""},
    "hooks": {"SessionStart": [{"matcher": "compact", **OTHER}], "Stop": [OTHER]},
    "zzz": [1, 2.50, -3e10, None, True, {}, [], {"a": {"b": []}}],
}
SHAPES: dict[str, bytes] = {
    "two blanks": json.dumps(FULL, indent=2).encode() + b"\n",
    "four blanks": json.dumps(FULL, indent=4).encode() + b"\n",
    "three blanks, no line end": json.dumps(FULL, indent=3, ensure_ascii=False).encode(),
    "tabs": json.dumps(FULL, indent="\t").encode() + b"\n",
    "one line": json.dumps(FULL).encode() + b"\n",
    "one line, tight": json.dumps(FULL, separators=(",", ":")).encode(),
    "no indentation": json.dumps(FULL, indent=0).encode() + b"\n",
    "CRLF": json.dumps(FULL, indent=2).replace("\n", "\r\n").encode() + b"\r\n",
    "CR alone": json.dumps(FULL, indent=2).replace("\n", "\r").encode(),
    "a byte order mark": b'\xef\xbb\xbf{"model":"opus"}\r\n',
    "an empty object": b"{}",
    "an empty object with blanks": b" {\n\n} \n",
    "an empty file": b"",
    "nothing but blanks": b"\n  \n",
    "no hooks": b'{\n  "model": "opus",\n  "zzz": 1\n}\n',
    "empty hooks": b'{\n  "hooks": {},\n  "model": "opus"\n}\n',
    "empty hooks over lines": b'{\n  "hooks": {\n  },\n  "model": "opus"\n}\n',
    "hooks that are null": b'{"hooks": null, "model": "opus"}\n',
    "events that are null or empty": (
        b'{\n  "hooks": {"SessionStart": null, "SessionEnd": [], "PreCompact": [ ]}\n}\n'
    ),
    "lists within a line": (
        b'{\n    "hooks": {\n        "SessionEnd": [{"hooks": [{"type": "command", '
        b'"command": "other-tool remind"}]}]\n    },\n    "zzz": 1\n}\n'
    ),
    "commas at the front": b'{ "model": "opus"\n, "hooks": { "Stop": [] }\n, "zzz": 1\n}\n',
    "blank lines and odd blanks": (
        b'\n\n{\n\n  "model" :\t"opus" ,\n\n\n  "hooks":{ "Stop":[ ] } \n\n}\n\n\n'
    ),
    "hooks first and last": b'{"hooks": {"Stop": []}}',
    "a name that is there twice": (
        b'{\n  "hooks": {"Stop": []},\n  "hooks": {"SessionEnd": []},\n  "a": 1\n}\n'
    ),
    "entries of a shape that nobody reads": (
        b'{"hooks": {"SessionEnd": [{"command": "x"}, 7, null, {"hooks": 3}, {"hooks": [7]}]}}'
    ),
    "bytes that are no UTF-8": b'{\n  "name": "caf\xe9",\n  "model": "opus"\n}\n',
    "names with escapes": b'{\n  "h\\u006foks": {"Stop": []},\n  "a\\/b": "\\ud83d\\ude00"\n}\n',
}
UNREADABLE: dict[str, bytes] = {
    "a comma too much": b'{\n  "model": "opus",\n  "hooks": {},\n}\n',
    "comments": b'{\n  // mine\n  "model": "opus"\n}\n',
    "an array": b"[]\n",
    "a text": b'"settings"\n',
    "cut off": b'{\n  "model": "opus",\n  "hooks": {"SessionStart": [',
    "UTF-16": '{"model": "opus"}'.encode("utf-16"),
    "hooks that are a list": b'{"hooks": []}\n',
    "hooks that are a text": b'{"hooks": "none"}\n',
    "an event that is an object": b'{"hooks": {"SessionEnd": {}}}\n',
    "two objects": b'{"a": 1}\n{"b": 2}\n',
    "not JSON at all": b"model = opus\n",
}
