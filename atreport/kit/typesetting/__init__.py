"""Documents as files: a manuscript is filled into its template, shown on a screen, or pressed as PDF."""
