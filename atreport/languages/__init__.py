"""The catalogues of messages, one PO file a language; see :mod:`atreport.kit.language`."""
