"""How well the vault answers, measured on labelled questions through the code that people use."""
