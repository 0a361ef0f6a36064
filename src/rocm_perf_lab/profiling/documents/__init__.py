"""From traces to the documents of a run: profile.json, roofline.json, dag.json, att.json, analysis.json."""
