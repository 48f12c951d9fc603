"""What a person says of a system: bodies, joints, shapes, contacts, constraints, laws and events."""
