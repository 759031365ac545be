#!/usr/bin/env python3
"""Asks `subreport mcp` with the protocol's own Python client, and compares each cell with the CSV files of report.

    assistant_test.py PROGRAM INPUT FOLDER [MILLISECONDS]

FOLDER is what `report INPUT -o FOLDER` wrote. Reads every view of every table, from the inputs and from the folder, page by
page; explains a number of each table; reads what is wrong with the data. With MILLISECONDS no answer about a table may
take longer. Prints how many answers there were and the longest, and ends with 1 at the first difference.
"""
import asyncio
import csv
import json
import pathlib
import sys
import time

from mcp import Client, StdioServerParameters

PAGE = 400
times = []


async def call(client, tool, **arguments):
    start = time.monotonic()
    result = await client.call_tool(tool, arguments)
    times.append((time.monotonic() - start, tool, arguments))
    text = result.content[0].text
    assert "\n" not in text, f"more than a line: {text}"
    assert len(text.encode()) < 60_000, f"{tool} {arguments}: {len(text.encode())} bytes"
    if result.is_error:
        return text
    assert result.structured_content == json.loads(text), f"{tool}: the text is another answer"
    if tool != "explain_number":
        assert result.structured_content.keys() & {"definition", "definitions", "tables"}, tool
    return result.structured_content


def stored(value):
    """The cell as CSV has it; a word that a spreadsheet could run has an apostrophe there."""
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value)
    return "'" + text if isinstance(value, str) and text[:1] in "=+-@\t\r" and not is_number(text) else text


def is_number(text):
    try:
        float(text)
        return True
    except ValueError:
        return False


def same(cell, value):
    if isinstance(value, float):
        return float(cell) == value
    if isinstance(value, str) and value.endswith("…"):
        return cell.removeprefix("'").startswith(value[:-1])
    return cell == stored(value)


async def read_all(client, table, view, path):
    """Compares all rows of a file with the pages of read_table."""
    with open(path, newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    offset = 0
    while True:
        answer = await call(client, "read_table", table=table, by=view, limit=PAGE, offset=offset)
        assert isinstance(answer, dict), answer
        assert answer["columns"] == header, f"{path}: {answer['columns']}"
        assert answer["rows_in_all"] == len(rows), f"{path}: {answer['rows_in_all']} rows"
        assert answer["command"].startswith("subreport "), answer["command"]
        for place, row in enumerate(answer["rows"], offset):
            for name, value, cell in zip(header, row, rows[place], strict=True):
                assert same(cell, value), f"{path}:{place + 2} {name}: {value!r} is not {cell!r}"
        offset += len(answer["rows"])
        if offset == len(rows):
            assert not answer["cut"] or "texts" in answer["cut"], answer["cut"]
            return len(rows)
        assert answer["rows"] and answer["cut"], f"{path}: {offset} of {len(rows)} rows"


async def explain(client, folder, names):
    """Adds up the contributions to the main count of some tables."""
    for number in ["churn.churned", "movement.started", "renewals.renewed", "trials.converted", "lapses.lapses"]:
        table, column = number.split(".")
        if table + ".csv" not in names:
            continue
        with open(folder / (table + ".csv"), newline="", encoding="utf-8") as file:
            rows = [row for row in csv.DictReader(file) if row[column] not in ("", "0")]
        own = [row for row in rows if row["source"] in ("subscribers", "events", "receipts")]
        if not own:
            continue
        row = own[-1]
        answer = await call(
            client, "explain_number", number=number, month=row["month"], source=row["source"], limit=200)
        assert isinstance(answer, dict), answer
        place = answer["columns"].index("value")
        if not answer["cut"]:
            assert sum(r[place] for r in answer["rows"]) == int(row[column]), f"{number}: {answer['rows']}"
        assert answer["state"] == row.get("state") and answer["source"] == row["source"], answer
        assert answer["command"].startswith(f"subreport explain {number} "), answer["command"]


async def errors(client):
    """Arguments that have no answer get one line that says what to do."""
    for tool, arguments, words in [
        ("read_table", {"table": "chrun"}, 'did you mean "churn"?'),
        ("read_table", {"table": "churn", "by": "planet"}, "its views are"),
        ("read_table", {"table": "churn", "where": {"source": "evnets"}}, 'did you mean "events"?'),
        ("read_table", {"table": "churn", "month": "2031-01"}, "no row of these months; churn has 2"),
        ("read_table", {"table": "churn", "month": "soon"}, "is no month"),
        ("read_table", {"table": "../manifest"}, "no table"),
        ("read_table", {"table": "churn", "limit": 100_000}, "a whole number from 1 to 500"),
        ("read_table", {"table": "churn", "colour": "red"}, "has no argument"),
        ("read_table", {}, "needs table"),
        ("define_number", {"name": "chrun_rate"}, "churn_rate"),
        ("explain_number", {"number": "churn.chruned"}, "churn"),
    ]:
        answer = await call(client, tool, **arguments)
        assert isinstance(answer, str) and words in answer, f"{tool} {arguments}: {answer}"


async def session(program, argument, folder, explains):
    server = StdioServerParameters(command=program, args=["mcp", str(argument), "-q"])
    async with Client(server) as client:
        tools = (await client.list_tools()).tools
        assert [tool.name for tool in tools] == [
            "digest", "list_tables", "read_table", "explain_number", "define_number", "data_problems"]
        assert all(tool.annotations.read_only_hint for tool in tools)
        names = {path.name for path in folder.iterdir()}
        digest = await call(client, "digest")
        lines = json.loads((folder / "digest.json").read_text("utf-8"))
        assert digest["lines"] == lines["lines"] and len(digest["lines"]) <= 6, digest
        tables = (await call(client, "list_tables"))["tables"]
        files, rows = set(), 0
        for table in tables:
            definition = await call(client, "define_number", name=table["table"])
            assert definition["definitions"][0]["definition"].startswith(table["definition"])
            for view in ["", *table["by"]]:
                name = table["table"] + (view and "-by-" + view.replace(",", "-")) + ".csv"
                files.add(name)
                rows += await read_all(client, table["table"], view, folder / name)
        assert files == {name for name in names if name.endswith(".csv")}, files
        problems = await call(client, "data_problems")
        assert problems["problems"] == lines["problems"], problems
        if explains:
            await explain(client, folder, names)
        else:
            answer = await call(client, "explain_number", number="churn.churned")
            assert "subreport explain churn.churned" in answer, answer
        await errors(client)
        return len(files), rows


async def main():
    program, source, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    limit = float(sys.argv[4]) if len(sys.argv) > 4 else None
    counts = [
        await session(program, source, folder, True), await session(program, folder, folder, False)]
    assert counts[0] == counts[1], counts
    longest = max(times, key=lambda entry: entry[0])
    of_tables = max((entry for entry in times if entry[1] == "read_table"), key=lambda entry: entry[0])
    print(
        f"{len(times)} answers, {counts[0][0]} files, {counts[0][1]} rows equal; the longest of a table "
        f"{of_tables[0] * 1000:.0f} ms, of all {longest[0] * 1000:.0f} ms ({longest[1]})")
    assert limit is None or of_tables[0] * 1000 <= limit, of_tables


try:
    asyncio.run(main())
except BaseExceptionGroup as group:
    # The client wraps an error into a group for each of its tasks.
    while isinstance(group, BaseExceptionGroup):
        group = group.exceptions[0]
    raise group from None
