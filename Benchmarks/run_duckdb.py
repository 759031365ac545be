"""Writes what an SQL file says of files as CSV: `run_duckdb.py SQL FILES THREADS OUTPUT`."""

import sys

import duckdb

query, files, threads, output = sys.argv[1:]
connection = duckdb.connect()
connection.execute(f"SET threads = {int(threads)}")
connection.execute("SET VARIABLE files = ?", [files])
with open(query, encoding="utf-8") as text:
    connection.sql(text.read()).write_csv(output)
