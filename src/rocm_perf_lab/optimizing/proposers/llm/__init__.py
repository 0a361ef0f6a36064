"""Proposals of a language model: prompt, endpoint, reply, and what of the reply is trusted (nothing)."""
