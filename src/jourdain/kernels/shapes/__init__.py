"""Kinds of shapes that have a file of their own; `others` says what such a file defines."""
