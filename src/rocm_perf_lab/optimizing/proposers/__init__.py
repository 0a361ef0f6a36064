"""Who proposes changes: rules that read the analysis, a language model, and what others plug in."""
