"""The job with Fairlearn: python fairlearn_job.py DATA.csv FOLDER."""

import sys

import pandas as pd
from fairlearn.metrics import (
    MetricFrame,
    demographic_parity_difference,
    demographic_parity_ratio,
    false_negative_rate,
    false_positive_rate,
    selection_rate,
)

data = pd.read_csv(sys.argv[1])
released, kept_away = data["decision"] == "released", data["reoffended"] == "no"
measures = {
    "rate": selection_rate,
    "false positives": false_positive_rate,
    "false negatives": false_negative_rate,
}
frame = MetricFrame(metrics=measures, y_true=kept_away, y_pred=released, sensitive_features=data["race"])
frame.by_group.to_html(f"{sys.argv[2]}/by_group.html")
race = {"y_true": kept_away, "y_pred": released, "sensitive_features": data["race"]}
print(demographic_parity_difference(**race), demographic_parity_ratio(**race))
