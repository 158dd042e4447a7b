"""Where records are counted and groups solved: this machine, or a cluster."""
