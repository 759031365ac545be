#include "CSQLite.h"

#include <dlfcn.h>
#include <stddef.h>

static struct {
  int (*open_v2)(const char *, subreport_database **, int, const char *);
  int (*close_v2)(subreport_database *);
  int (*exec)(subreport_database *, const char *, void *, void *, char **);
  const char *(*errmsg)(subreport_database *);
  int (*prepare_v2)(subreport_database *, const char *, int, subreport_statement **, const char **);
  int (*finalize)(subreport_statement *);
  int (*step)(subreport_statement *);
  int (*reset)(subreport_statement *);
  int (*bind_text)(subreport_statement *, int, const char *, int, void (*)(void *));
  int (*bind_int64)(subreport_statement *, int, int64_t);
  int (*bind_double)(subreport_statement *, int, double);
  int (*bind_null)(subreport_statement *, int);
  const unsigned char *(*column_text)(subreport_statement *, int);
  int64_t (*column_int64)(subreport_statement *, int);
  void (*free)(void *);
  // NULL in a library from before 3.36 that was built without it.
  unsigned char *(*serialize)(subreport_database *, const char *, int64_t *, unsigned);
} api;

int subreport_sqlite_load(void) {
  static int state = 1;
  if (state <= 0) return state;
  state = -1;
  void *library = dlopen("libsqlite3.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!library) library = dlopen("libsqlite3.dylib", RTLD_NOW | RTLD_LOCAL);
  if (!library) return state;
#define FIND(name) if (!(*(void **)&api.name = dlsym(library, "sqlite3_" #name))) return state
  FIND(open_v2); FIND(close_v2); FIND(exec); FIND(errmsg); FIND(prepare_v2); FIND(finalize); FIND(step); FIND(reset);
  FIND(bind_text); FIND(bind_int64); FIND(bind_double); FIND(bind_null); FIND(column_text); FIND(column_int64);
  FIND(free);
#undef FIND
  *(void **)&api.serialize = dlsym(library, "sqlite3_serialize");
  return state = 0;
}

int subreport_sqlite_open(const char *path, subreport_database **database) {
  // Read, write and create, without a lock per thread: one thread uses it.
  return api.open_v2(path, database, 0x2 | 0x4 | 0x8000, NULL);
}

void subreport_sqlite_close(subreport_database *database) { api.close_v2(database); }

int subreport_sqlite_run(subreport_database *database, const char *statements) {
  return api.exec(database, statements, NULL, NULL, NULL);
}

const char *subreport_sqlite_message(subreport_database *database) { return api.errmsg(database); }

int subreport_sqlite_prepare(subreport_database *database, const char *text, subreport_statement **statement) {
  return api.prepare_v2(database, text, -1, statement, NULL);
}

void subreport_sqlite_finalize(subreport_statement *statement) { api.finalize(statement); }
int subreport_sqlite_step(subreport_statement *statement) { return api.step(statement); }
int subreport_sqlite_reset(subreport_statement *statement) { return api.reset(statement); }

int subreport_sqlite_bind_text(subreport_statement *statement, int place, const char *text, int count) {
  // -1: SQLite copies the text during the call.
  return api.bind_text(statement, place, text, count, (void (*)(void *))-1);
}

int subreport_sqlite_bind_number(subreport_statement *statement, int place, int64_t number) {
  return api.bind_int64(statement, place, number);
}

int subreport_sqlite_bind_real(subreport_statement *statement, int place, double number) {
  return api.bind_double(statement, place, number);
}

int subreport_sqlite_bind_null(subreport_statement *statement, int place) { return api.bind_null(statement, place); }

const char *subreport_sqlite_text(subreport_statement *statement, int column) {
  return (const char *)api.column_text(statement, column);
}

int64_t subreport_sqlite_number(subreport_statement *statement, int column) {
  return api.column_int64(statement, column);
}

uint8_t *subreport_sqlite_bytes(subreport_database *database, int64_t *count) {
  return api.serialize ? api.serialize(database, "main", count, 0) : NULL;
}

void subreport_sqlite_free(void *bytes) { api.free(bytes); }
