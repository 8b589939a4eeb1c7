"""Source A: pooled sequence models."""
