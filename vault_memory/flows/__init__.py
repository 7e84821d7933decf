"""One verb a file: each flow is a straight line through the rooms below."""
