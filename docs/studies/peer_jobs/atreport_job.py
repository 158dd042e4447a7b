"""The job with this program: python -m docs.studies.peer_jobs.atreport_job DATA.csv FOLDER."""

import sys

import pandas as pd

from atreport import make_report, verify

made = make_report(
    pd.read_csv(sys.argv[1]),
    outcome="decision",
    favourable="released",
    public=["race", "sex"],
    sensitive="priors",
    values={"priors": ["none", "1 to 3", "4 and more"]},
    delta=0.9,
    fairness=[
        {"measure": "statistical_parity", "groups": "race"},
        {"measure": "p_percent_rule", "groups": "race", "p": 0.8},
    ],
    title="Release before trial",
    publisher="Example Court",
    version="1.0.0",
    date="2026-01-15",
)
made.write(sys.argv[2])
print(verify(f"{sys.argv[2]}/public").holds)
