"""What a report says about itself, as sentences that know what fills them: its notes, and its promises on every page."""
