"""The commands, one a file. Each checks what it was given, calls what does the work, and says what came of it."""
