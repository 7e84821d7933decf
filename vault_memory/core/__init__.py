"""The domain: plain values and pure functions; no I/O, no clock, no randomness."""
