"""``python -m vault_memory``: the command ``vaultmem``."""

from vault_memory.cli.main import main

main()
