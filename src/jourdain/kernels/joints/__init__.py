"""Kinds of joints that have a file of their own; `others` says what such a file may define."""
