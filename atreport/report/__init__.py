"""report.json: model.py is what it holds, writer.py and reader.py write and read it, exactly or not at all."""
