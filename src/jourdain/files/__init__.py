"""Ways to write systems down, and to read what others wrote."""
