"""Many traces, each analysed by itself: one that is broken does not end the others."""
