"""Derived data: the catalogue, the embedding model and the vectors; delete it and nothing is lost."""
