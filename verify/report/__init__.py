"""Reports: each reads a record and nothing else."""
