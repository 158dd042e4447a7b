"""What each section of a spec may say."""
