"""Four kinds of evidence. Each takes an item, and observations where it needs them."""
