"""``rocm-perf schema``: the JSON Schema of the documents that the commands write."""

from __future__ import annotations

import json
from pathlib import Path

import click

from rocm_perf_lab.errors import UsageProblem


@click.command()
@click.option("--write", "folder", type=click.Path(path_type=Path, file_okay=False), hidden=True)
@click.argument("name", required=False)
def command(name: str | None, folder: Path | None) -> None:
    """Print the JSON Schema (draft 2020-12) of the document NAME; without NAME, of any of them.

    \b
      rocm-perf schema profile
    """
    from rocm_perf_lab.contracts.all_documents import DOCUMENTS, schema_of_all
    from rocm_perf_lab.contracts.documents import json_schema

    if folder is not None:  # how the committed schemas are made
        folder.mkdir(parents=True, exist_ok=True)
        for document, contract in DOCUMENTS.items():
            (folder / f"{document}.json").write_text(_text(json_schema(contract)), encoding="utf-8")
        return
    if name is not None and name not in DOCUMENTS:
        raise UsageProblem(f"there is no document {name!r}", f"one of: {', '.join(DOCUMENTS)}")
    click.echo(_text(json_schema(DOCUMENTS[name]) if name else schema_of_all()), nl=False)


def _text(schema: dict[str, object]) -> str:
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
