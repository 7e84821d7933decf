"""The programs whose agents remember here: their settings, hooks, sessions and working folders."""
