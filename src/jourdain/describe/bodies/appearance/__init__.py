"""What a body looks like: surfaces bound to bones."""
