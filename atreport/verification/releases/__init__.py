"""What a publisher puts around a release so that it cannot be taken back: ledger, proofs, signature, time stamp."""
