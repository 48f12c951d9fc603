"""The trainer: a person flies a flexible arm on its free craft to a free target, in a page of the browser."""
