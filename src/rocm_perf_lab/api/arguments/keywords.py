"""Functions of the package whose keywords are the fields of a request: nothing is written twice."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

Keywords = ParamSpec("Keywords")
Request = TypeVar("Request")
Answer = TypeVar("Answer")


def keywords_of(
    request: Callable[Keywords, Request],
) -> Callable[[Callable[[Request], Answer]], Callable[Keywords, Answer]]:
    """Makes ``function(request)`` one that is called as the request is made, for type checkers and for
    ``inspect.signature`` alike."""
    taken = inspect.signature(request)

    def of(function: Callable[[Request], Answer]) -> Callable[Keywords, Answer]:
        @wraps(function)
        def called(*args: Keywords.args, **kwargs: Keywords.kwargs) -> Answer:
            try:
                taken.bind(*args, **kwargs)
            except TypeError as problem:  # in the name of the function, not of the request
                raise TypeError(f"{function.__name__}() {problem}") from None
            return function(request(*args, **kwargs))

        answer = inspect.signature(function).return_annotation
        vars(called)["__signature__"] = taken.replace(return_annotation=answer)
        return called

    return of
