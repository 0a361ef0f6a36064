"""Memory of captures and what replays leave in it: buffers, differences, tolerances."""
