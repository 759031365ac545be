#ifndef CSQLITE_H
#define CSQLITE_H

#include <stdint.h>

// The system's SQLite, opened when it is needed: nothing links it, and no header of it is needed to build.

#if __has_feature(nullability)
#pragma clang assume_nonnull begin
#endif

typedef struct sqlite3 subreport_database;
typedef struct sqlite3_stmt subreport_statement;

// Results of calls.
enum { subreport_sqlite_ok = 0, subreport_sqlite_row = 100, subreport_sqlite_done = 101 };

// Opens the library. Returns 0, or -1 when no libsqlite3.so.0 has all functions.
int subreport_sqlite_load(void);

// Opens or creates a database; the result is to be closed even after an error, unless it is NULL.
int subreport_sqlite_open(const char *path, subreport_database *_Nullable *_Nonnull database);
void subreport_sqlite_close(subreport_database *database);
int subreport_sqlite_run(subreport_database *database, const char *statements);
const char *subreport_sqlite_message(subreport_database *database);

int subreport_sqlite_prepare(
  subreport_database *database, const char *text, subreport_statement *_Nullable *_Nonnull statement);
void subreport_sqlite_finalize(subreport_statement *statement);
int subreport_sqlite_step(subreport_statement *statement);
int subreport_sqlite_reset(subreport_statement *statement);
// Parameters count from 1; the text, of so many bytes, is copied.
int subreport_sqlite_bind_text(subreport_statement *statement, int place, const char *text, int count);
int subreport_sqlite_bind_number(subreport_statement *statement, int place, int64_t number);
int subreport_sqlite_bind_real(subreport_statement *statement, int place, double number);
int subreport_sqlite_bind_null(subreport_statement *statement, int place);
// Columns count from 0.
const char *_Nullable subreport_sqlite_text(subreport_statement *statement, int column);
int64_t subreport_sqlite_number(subreport_statement *statement, int column);

// Returns the bytes of the file that the database would be, to be freed; NULL where the library cannot.
uint8_t *_Nullable subreport_sqlite_bytes(subreport_database *database, int64_t *count);
void subreport_sqlite_free(void *bytes);

#if __has_feature(nullability)
#pragma clang assume_nonnull end
#endif

#endif
