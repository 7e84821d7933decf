"""The disk: where a vault lies, what is in it, and writes that never lose anything."""
