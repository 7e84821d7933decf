"""Text and domain: how a note is read, and how it is edited without touching the rest."""
