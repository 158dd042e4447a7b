"""From a data frame to a report, without a file: what ``make_report`` does."""
