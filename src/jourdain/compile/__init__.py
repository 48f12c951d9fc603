"""From a System to a Model: everything checked, put in order and laid flat."""
