"""Stage 7, **pages**: a Report becomes what readers see. Nothing here takes anything else."""
