"""The solver of two outcomes and one sensitive attribute: everything in time linear in the number of cells."""
