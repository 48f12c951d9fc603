"""Parameters of contacts from measured records."""
