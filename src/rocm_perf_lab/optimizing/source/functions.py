"""The functions that a syntax tree defines: names, scopes, parameters, attributes, where the body is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from tree_sitter import Node

from rocm_perf_lab.optimizing.source.macros import Macro, expanded
from rocm_perf_lab.optimizing.source.model import SourceFunction, SourceParameter, Span
from rocm_perf_lab.optimizing.source.parse import Parsed, of_type
from rocm_perf_lab.optimizing.source.tokens import Token, code_tokens, line_of, words

_SCOPES = ("namespace_definition", "class_specifier", "struct_specifier", "union_specifier")
_NOT_ATTRIBUTES = frozenset({"void", "template", "typename", "class", "auto"})


def functions_of(parsed: Parsed, macros: Mapping[str, Macro]) -> tuple[SourceFunction, ...]:
    return tuple(_functions(parsed, parsed.root, (), False, macros))


def _functions(
    parsed: Parsed, node: Node, scope: tuple[str, ...], extern_c: bool, macros: Mapping[str, Macro]
) -> Iterator[SourceFunction]:
    """Of a part of the tree; functions inside of functions (lambdas, local classes) belong to these."""
    if node.type == "function_definition":
        function = _function(parsed, node, scope, extern_c, macros)
        if function is not None:
            yield function
        return
    if node.type in _SCOPES:
        name = node.child_by_field_name("name")
        if node.type == "namespace_definition" or name is not None:
            parts = _plain(parsed, name).split("::") if name is not None else [""]
            scope = (*scope, *(re.sub(r"<.*", "", part).strip() for part in parts))
    elif node.type == "linkage_specification":
        value = node.child_by_field_name("value")
        extern_c = value is not None and value.text == b'"C"'
    for child in node.children:
        yield from _functions(parsed, child, scope, extern_c, macros)


def _function(
    parsed: Parsed, node: Node, scope: tuple[str, ...], extern_c: bool, macros: Mapping[str, Macro]
) -> SourceFunction | None:
    body = node.child_by_field_name("body")
    declarator = _function_declarator(node.child_by_field_name("declarator"))
    if body is None or body.type != "compound_statement" or declarator is None:
        return None  # = default, = delete, or nothing the parser understood
    name_node = declarator.child_by_field_name("declarator")
    parameter_list = declarator.child_by_field_name("parameters")
    if name_node is None or parameter_list is None:
        return None
    template, start = _template(node)
    start = _back_over_masks(parsed, start)
    outer, name, specialised = _split_name(_plain(parsed, name_node))
    before = words(parsed.text, start, name_node.start_byte)
    outside = _template_words(parsed, template)
    specifiers = [word.text for word in before if word.text not in outside]
    known = expanded(specifiers, macros)
    attributes = tuple(sorted(known - _NOT_ATTRIBUTES - set(macros)))
    head = Span(start, body.start_byte)
    return SourceFunction(
        name=name,
        scope=(*scope, *outer),
        is_kernel="__global__" in known,
        is_device="__global__" in known or "__device__" in known,
        is_extern_c=extern_c or _extern_c_macro(specifiers, macros),
        template_parameters=template and _list_items(parsed, template.child_by_field_name("parameters")),
        specialised=specialised,
        parameters=tuple(_parameters(parsed, parameter_list)),
        attributes=attributes,
        launch_bounds=_launch_bounds(parsed.text, start, name_node.start_byte, specifiers, macros),
        head=head,
        body=Span(body.start_byte, body.end_byte),
        line=line_of(parsed.text, name_node.start_byte),
        node=node,
    )


def _function_declarator(node: Node | None) -> Node | None:
    while node is not None and node.type != "function_declarator":
        below = node.child_by_field_name("declarator")
        if below is None:  # a reference_declarator has no field for what is below it
            below = next((child for child in node.named_children if "declarator" in child.type), None)
        node = below
    return node


def _template(node: Node) -> tuple[Node | None, int]:
    """The template around a function, and where the whole begins (extern "C" of its own included)."""
    template, start = None, node.start_byte
    parent = node.parent
    while parent is not None and parent.type in ("template_declaration", "linkage_specification"):
        if parent.type == "linkage_specification" and parent.child_by_field_name("body") != node:
            break
        if parent.type == "template_declaration":
            template = template or parent
        start = parent.start_byte
        node, parent = parent, parent.parent
    return template, start


def _back_over_masks(parsed: Parsed, start: int) -> int:
    """Specifiers that were blanked for the parser and stand in front belong to the function."""
    for mask in reversed(parsed.masks):
        between = parsed.text[mask.end : start]
        if mask.end <= start and not between.strip():
            start = mask.start
        elif mask.end <= start:
            break
    return start


def _template_words(parsed: Parsed, template: Node | None) -> set[str]:
    parameters = template.child_by_field_name("parameters") if template is not None else None
    if parameters is None:
        return set()
    return {word.text for word in words(parsed.text, parameters.start_byte, parameters.end_byte)}


def _extern_c_macro(specifiers: list[str], macros: Mapping[str, Macro]) -> bool:
    return any(re.search(rb'extern\s*"C"', macros[word].replacement) for word in specifiers if word in macros)


def _launch_bounds(
    text: bytes, start: int, end: int, specifiers: list[str], macros: Mapping[str, Macro]
) -> tuple[str, ...] | None:
    places = [(text, start, end)]
    places += [
        (macro.replacement, 0, len(macro.replacement))
        for macro in (macros[word] for word in specifiers if word in macros)
    ]
    for content, first, last in places:
        code = code_tokens(content, first, last)
        for place, token in enumerate(code[:-1]):
            if token.text == "__launch_bounds__" and code[place + 1].text == "(":
                return _arguments(content, code, place + 1)
    return None


def _arguments(content: bytes, code: list[Token], opening: int) -> tuple[str, ...]:
    depth, start, found = 0, code[opening].end, []
    for token in code[opening:]:
        depth += {"(": 1, ")": -1}.get(token.text, 0)
        if depth == 0 or (depth == 1 and token.text == ","):
            found.append(content[start : token.start].decode(errors="replace").strip())
            start = token.end
        if depth == 0:
            break
    return tuple(found)


def _split_name(name: str) -> tuple[tuple[str, ...], str, tuple[str, ...] | None]:
    """``a::b::scale<int, 3>`` -> (a, b), scale, (int, 3)."""
    parts, depth, current = [], 0, ""
    place = 0
    while place < len(name):
        depth += {"<": 1, ">": -1}.get(name[place], 0) if "operator" not in current else 0
        if depth == 0 and name.startswith("::", place):
            parts.append(current)
            current = ""
            place += 2
            continue
        current += name[place]
        place += 1
    arguments = None
    if current.endswith(">") and not current.startswith("operator"):
        bare, _, inside = current.partition("<")
        arguments = split_list(inside[:-1])
        current = bare.strip()
    return tuple(re.sub(r"<.*", "", part).strip() for part in parts if part.strip()), current, arguments


def split_list(text: str) -> tuple[str, ...]:
    """Items between commas that are in no brackets."""
    items, depth, current = [], 0, ""
    for character in text:
        depth += {"<": 1, "(": 1, "[": 1, "{": 1, ">": -1, ")": -1, "]": -1, "}": -1}.get(character, 0)
        if character == "," and depth == 0:
            items.append(current.strip())
            current = ""
        else:
            current += character
    return (*items, current.strip()) if current.strip() or items else ()


def _list_items(parsed: Parsed, node: Node | None) -> tuple[str, ...]:
    if node is None:
        return ()
    return tuple(_plain(parsed, child) for child in node.named_children if child.type != "comment")


def _parameters(parsed: Parsed, parameter_list: Node) -> Iterator[SourceParameter]:
    for node in parameter_list.named_children:
        if "parameter" in node.type:
            yield _parameter(parsed, node)


def _parameter(parsed: Parsed, node: Node) -> SourceParameter:
    declarator = node.child_by_field_name("declarator")
    name = None
    if declarator is not None:
        name = next((found for found in of_type(declarator, "identifier")), None)
    end = node.end_byte
    default = node.child_by_field_name("default_value")
    if default is not None:
        end = parsed.text.rindex(b"=", node.start_byte, default.start_byte)
    text = parsed.text[node.start_byte : end]
    if name is not None:
        cut = name.start_byte - node.start_byte
        text = text[:cut] + b" " + text[name.end_byte - node.start_byte :]
    found = [token.text for token in code_tokens(text)]
    stars = found.count("*")
    before_star = found[: found.index("*")] if stars else []
    simple = stars == 1 and "(" not in found and "[" not in found and "<" not in found
    return SourceParameter(
        type=" ".join(found),
        name=name.text.decode() if name is not None and name.text else None,
        span=Span(node.start_byte, node.end_byte),
        is_pointer=stars > 0 or "[" in found,
        pointee=" ".join(word for word in before_star if word != "const") if simple else None,
        is_const="const" in before_star,
        is_restrict=bool({"__restrict__", "__restrict", "restrict"} & set(found)),
    )


def _plain(parsed: Parsed, node: Node) -> str:
    """The code of a node with single blanks, comments left out."""
    code = code_tokens(parsed.text, node.start_byte, node.end_byte)
    text = " ".join(token.text for token in code)
    return re.sub(r" ?(::|<|>|,|\(|\)) ?", r"\1", text).replace(",", ", ")
