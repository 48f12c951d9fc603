"""What comes out of a run: its channels, quantities, contacts and reactions, and the files that keep them."""
