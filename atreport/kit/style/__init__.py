"""House style: what a publisher may set in pages, checked as data. Nothing of it can run, fetch or hide anything."""
