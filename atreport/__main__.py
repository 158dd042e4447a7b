"""``python -m atreport``."""

from atreport.cli import main

if __name__ == "__main__":
    main()
