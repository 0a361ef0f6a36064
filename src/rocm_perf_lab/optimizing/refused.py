"""A change that is not made: the refusal as an exception, so that it can be raised where it is found."""

from __future__ import annotations

from rocm_perf_lab.contracts.changes.proposal_refusal import ReasonCode, Refusal


class Refused(Exception):
    def __init__(self, code: ReasonCode, detail: str, place: str | None = None, messages: str = "") -> None:
        self.refusal = Refusal(code=code, detail=detail, place=place)
        self.messages = messages
        """What a tool printed, where one refused."""
        super().__init__(str(self.refusal))
