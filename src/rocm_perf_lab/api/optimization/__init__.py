"""The parts of an optimization: what is asked, the loop in its folder, the document at the end."""
