"""The command line: parse, call one flow, render."""

import gc

# A command is short and leaves little to collect; looking for it took a twelfth of ``status``.
gc.set_threshold(50_000)
