"""Derivatives of what acts on the tree: struts, contacts, laws, constraints."""
