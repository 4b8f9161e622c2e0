"""Writes what the client takes from openapi.json: the models, by datamodel-code-generator, and a method for each operation.

python tools/generate.py  writes them beside the other sources; every build does so as well.
"""

from __future__ import annotations

import json
import keyword
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Json = dict[str, Any]
REPOSITORY = Path(__file__).parents[3]
HEAD = '"""Written by tools/generate.py from openapi.json."""\n'
MODEL_OPTIONS = [
    *("--input-file-type", "openapi", "--openapi-scopes", "schemas"),
    *("--output-model-type", "typing.TypedDict", "--target-python-version", "3.11", "--no-use-closed-typed-dict"),
    # `_id` is a key of the response, so it must stay as it is.
    *("--special-field-name-prefix", ""),
    *("--use-field-description", "--use-attribute-docstrings", "--use-schema-description"),
    *("--formatters", "builtin", "--custom-file-header", HEAD),
]
#: Pages are followed by the client.
PAGING = {"page", "pageSize", "offset"}


def generate(document: Path, folder: Path) -> None:
    api: Json = json.loads(document.read_text("utf-8"))
    write_models(api, folder / "models.py")
    (folder / "_operations.py").write_text(operations_of(api), "utf-8")


def write_models(api: Json, output: Path) -> None:
    for schema in api["components"]["schemas"].values():
        # A counter of the store. Python mangles names that begin with two underscores in a class.
        if schema.get("properties", {}).pop("__v", None) is not None:
            schema["required"] = [name for name in schema.get("required", []) if name != "__v"]
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "openapi.json"
        source.write_text(json.dumps(api), "utf-8")
        command = [sys.executable, "-m", "datamodel_code_generator", "--input", str(source), "--output", str(output)]
        subprocess.run([*command, *MODEL_OPTIONS], check=True)


def operations_of(api: Json) -> str:
    groups: dict[str, list[Operation]] = {}
    for path, item in api["paths"].items():
        for method, operation in item.items():
            one = Operation(api, path, method.upper(), operation)
            if not operation.get("deprecated") and one.has_json:
                groups.setdefault(operation.get("tags", ["other"])[0], []).append(one)
    bodies = (hook["post"]["requestBody"]["content"]["application/json"]["schema"] for hook in api["webhooks"].values())
    events = sorted({type_of(body) for body in bodies if "$ref" in body})
    return "\n".join(
        [
            HEAD,
            "from __future__ import annotations",
            "",
            "from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence",
            "from datetime import datetime",
            "from typing import Any, Literal, TypeAlias, Unpack, cast",
            "",
            "from . import models",
            "from ._http import CallOptions",
            "",
            "Values: TypeAlias = Mapping[str, object]",
            "#: What Herald sends to webhooks; `type` tells them apart.",
            f'WebhookEvent: TypeAlias = "{" | ".join(events)}"',
            "",
            *(line for is_async in (False, True) for line in classes_of(groups, is_async)),
        ]
    )


def classes_of(groups: dict[str, list[Operation]], is_async: bool) -> Iterator[str]:
    prefix = "Async" if is_async else ""
    result = "Awaitable[Any]" if is_async else "Any"
    yield f"{prefix}Data: TypeAlias = Callable[[str, str, Values, Values, object, CallOptions], {result}]"
    yield f"{prefix}Rows: TypeAlias = Callable[[str, Values, Values, CallOptions], {prefix}Iterator[Any]]"
    for tag, operations in groups.items():
        yield from ["", "", f"class {prefix}{class_name(tag)}:"]
        yield f"    def __init__(self, data: {prefix}Data, rows: {prefix}Rows) -> None:"
        yield from ["        self._data = data", "        self._rows = rows"]
        for operation in operations:
            yield from operation.method_of(is_async)
    yield from ["", "", f"class {prefix}Operations:"]
    yield f"    def __init__(self, data: {prefix}Data, rows: {prefix}Rows) -> None:"
    for tag in groups:
        yield f"        self.{snake(class_name(tag))} = {prefix}{class_name(tag)}(data, rows)"
    yield ""


class Operation:
    def __init__(self, api: Json, path: str, method: str, operation: Json) -> None:
        named = api["components"].get("parameters", {})
        parameters = [named[name_of(one["$ref"])] if "$ref" in one else one for one in operation.get("parameters", [])]
        self.path, self.method = path, method
        self.name = snake(operation["operationId"])
        self.summary = operation.get("summary", self.name)
        self.values = [one for one in parameters if one["in"] == "path"]
        self.query = [one for one in parameters if one["in"] == "query"]
        self.body = operation.get("requestBody")
        responses = [response for status, response in operation["responses"].items() if status.startswith("2")]
        contents = [response.get("content", {}) for response in responses]
        self.has_json = all(not content or "application/json" in content for content in contents)
        schemas = [content["application/json"]["schema"] for content in contents if "application/json" in content]
        self.data = data_of(schemas[0]) if schemas else None
        names = {one["name"] for one in self.query}
        self.is_list = method == "GET" and "limit" in names and (self.data or {}).get("type") == "array"

    def method_of(self, is_async: bool) -> Iterator[str]:
        result = "None" if self.data is None else type_of(self.data)
        if self.is_list and self.data is not None:
            result = f"{'Async' if is_async else ''}Iterator[{type_of(self.data['items'])}]"
        query = [one for one in self.query if not self.is_list or one["name"] not in PAGING]
        query.sort(key=lambda one: not one.get("required", False))
        arguments = ["self", *(f"{variable(one)}: {parameter_type(one)}" for one in self.values)]
        if self.body is not None:
            body = type_of(self.body["content"]["application/json"]["schema"])
            arguments.append(f"body: {body}" if self.body.get("required") else f"body: {body} | None = None")
        if query:
            arguments.append("*")
        for one in query:
            default = "" if one.get("required") else " | None = None"
            arguments.append(f"{variable(one)}: {parameter_type(one)}{default}")
        arguments.append("**options: Unpack[CallOptions]")
        starts = "async def" if is_async and not self.is_list else "def"
        yield from ["", f"    {starts} {self.name}("]
        yield from (f"        {argument}," for argument in arguments if not argument.startswith("**"))
        yield from [f"        {arguments[-1]},", f"    ) -> {result}:", f"        {json.dumps(self.summary, ensure_ascii=False)}"]
        values, filters = literal(self.values), literal(query)
        if self.is_list:
            yield f"        return self._rows({json.dumps(self.path)}, {values}, {filters}, options)"
            return
        body_argument = "None" if self.body is None else "body"
        called = f"self._data({json.dumps(self.method)}, {json.dumps(self.path)}, {values}, {filters}, {body_argument}, options)"
        called = f"await {called}" if is_async else called
        yield f"        {called}" if self.data is None else f"        return cast({json.dumps(result)}, {called})"


def data_of(schema: Json) -> Json:
    """What the envelope of a response has in `data`, or all of it where there is none."""
    properties: Json = {}
    for part in [schema, *schema.get("allOf", [])]:
        properties.update(part.get("properties", {}))
    return properties.get("data", schema)  # type: ignore[no-any-return]


def type_of(schema: Json) -> str:
    if "$ref" in schema:
        return f"models.{name_of(schema['$ref'])}"
    if "enum" in schema:
        return f"Literal[{', '.join(repr(value) for value in schema['enum'])}]"
    if "anyOf" in schema or "oneOf" in schema:
        return " | ".join(dict.fromkeys(type_of(one) for one in schema.get("anyOf") or schema["oneOf"]))
    given: list[str] | str = schema.get("type", [])
    kinds = [kind for kind in ([given] if isinstance(given, str) else given) if kind != "null"]
    if kinds == ["array"]:
        return f"list[{type_of(schema.get('items', {}))}]"
    simple = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "object": "dict[str, Any]"}
    return " | ".join(simple[kind] for kind in kinds) or "Any"


def parameter_type(parameter: Json) -> str:
    schema = parameter["schema"]
    if schema.get("format") == "date-time":
        return "datetime | str"
    if schema.get("type") == "array":
        # A list may be given as its only value.
        one = type_of(schema["items"])
        return f"{one} | Sequence[{one}]"
    return "object" if "$ref" in schema else type_of(schema)


def literal(parameters: list[Json]) -> str:
    return "{" + ", ".join(f"{json.dumps(one['name'])}: {variable(one)}" for one in parameters) + "}"


def variable(parameter: Json) -> str:
    name = snake(parameter["name"])
    return f"{name}_" if keyword.iskeyword(name) else name


def name_of(reference: str) -> str:
    return reference.rpartition("/")[2]


def class_name(tag: str) -> str:
    return "".join(word[0].upper() + word[1:] for word in re.split(r"\W+", tag) if word)


def snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])([A-Z])|(?<=[A-Z])([A-Z])(?=[a-z])", r"_\1\2", name).lower()


if __name__ == "__main__":
    generate(REPOSITORY / "openapi.json", REPOSITORY / "packages" / "python" / "src" / "herald_client")
