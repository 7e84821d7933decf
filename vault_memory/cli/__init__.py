"""The command line: parse, call one flow, render."""
