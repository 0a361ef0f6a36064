"""Errors of rocprofv3 that the user sees."""

from __future__ import annotations


class RequestRefused(Exception):
    """Something asked for cannot be done; the text says what and why."""

    exit_code = 1


class NoRoom(RequestRefused):
    """A disk that is full, or not to be written."""

    exit_code = 3
