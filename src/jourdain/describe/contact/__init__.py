"""Contact as a user describes it: materials, laws and what touches what."""
