"""The job with Aequitas: python aequitas_job.py DATA.csv FOLDER."""

import sys

import pandas as pd
from aequitas import Audit

data = pd.read_csv(sys.argv[1])
data["score"] = (data["decision"] == "released").astype(int)
data["label"] = (data["reoffended"] == "no").astype(int)
audit = Audit(data[["race", "sex", "score", "label"]], reference_groups={"race": "Caucasian", "sex": "Male"})
audit.audit()
audit.metrics.to_csv(f"{sys.argv[2]}/metrics.csv")
audit.disparity_df.to_csv(f"{sys.argv[2]}/disparities.csv")
audit.summary_plot(["pprev", "fpr", "fnr"]).save(f"{sys.argv[2]}/summary.html")
