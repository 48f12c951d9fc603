"""Contact: shapes that touch, where, and with what force."""
