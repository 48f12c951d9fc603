"""Contact laws: normal forces, friction, rolling contact, and their derivatives."""
