"""One number for all vectors of an index, to compare two of them by."""

import hashlib

from vault_memory.flows.vault_index import VaultIndex


def digest(index: VaultIndex) -> str:
    """The sha256 over path, place and vector of every unit in order: equal for equal indexes."""
    hashed = hashlib.sha256()
    for path, ordinal, vector in index.vectors.blocks_in_order():
        hashed.update(f"{path}\n{ordinal}\n".encode("utf-8", "surrogatepass"))
        hashed.update(vector)
    return hashed.hexdigest()
