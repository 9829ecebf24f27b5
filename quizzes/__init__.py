"""Asks quiz banks in the terminal, explains every answer, and keeps what was learnt fresh."""
