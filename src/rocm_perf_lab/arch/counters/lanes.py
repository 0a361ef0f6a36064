"""How many lanes of vector instructions were active."""

# SQ_THREAD_CYCLES_VALU counts active lanes, SQ_ACTIVE_INST_VALU instructions, both times their issue time:
# their ratio is the mean number of active lanes. Source: ROCm's derived counter VALUUtilization,
# 100·SQ_THREAD_CYCLES_VALU / (SQ_ACTIVE_INST_VALU·MAX_WAVE_SIZE).
ACTIVE_LANE_COUNTERS = ("SQ_THREAD_CYCLES_VALU", "SQ_ACTIVE_INST_VALU")
