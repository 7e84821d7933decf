"""Derived data: the catalogue, the model and the vectors; delete it and nothing is lost."""
