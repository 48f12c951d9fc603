"""One large model on several threads: what they share, and how a step is divided among them."""
