"""A Report becomes what readers see: HTML, PDF, charts. Nothing here takes anything but a Report.

documents.py is the way in; sections/ has a file a section, forms/ a file a regulator's form, notices/ a file a letter,
explanations/ a file a block on how the rule works.
"""
