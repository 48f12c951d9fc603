"""Derivatives of applied and constraint forces: struts, contacts, force laws, constraints."""
