#include "CXLSX.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

// The beginnings of these structures are the same in every version; a newer one has more members, which are 0.
struct options { uint8_t constant_memory; const char *folder; uint8_t use_zip64; void *others[8]; };
struct properties { const char *texts[10]; time_t created; void *others[8]; };

static struct {
  subreport_workbook *(*workbook_new_opt)(const char *, struct options *);
  int (*workbook_close)(subreport_workbook *);
  int (*workbook_set_properties)(subreport_workbook *, struct properties *);
  subreport_format *(*workbook_add_format)(subreport_workbook *);
  subreport_sheet *(*workbook_add_worksheet)(subreport_workbook *, const char *);
  void (*format_set_bold)(subreport_format *);
  void (*format_set_num_format)(subreport_format *, const char *);
  void (*worksheet_freeze_panes)(subreport_sheet *, uint32_t, uint16_t);
  int (*worksheet_write_string)(subreport_sheet *, uint32_t, uint16_t, const char *, subreport_format *);
  int (*worksheet_write_number)(subreport_sheet *, uint32_t, uint16_t, double, subreport_format *);
  int (*worksheet_set_column)(subreport_sheet *, uint16_t, uint16_t, double, subreport_format *);
  int (*worksheet_autofilter)(subreport_sheet *, uint32_t, uint16_t, uint32_t, uint16_t);
  const char *(*lxw_strerror)(int);
} api;

int subreport_xlsx_load(void) {
  static int state = 1;
  if (state <= 0) return state;
  state = -1;
  // Versions of the binary interface differ in other parts than those used here.
  void *library = NULL;
  for (int version = 4; !library && version <= 20; version++) {
    char name[32];
    snprintf(name, sizeof name, "libxlsxwriter.so.%d", version);
    library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  }
  if (!library) library = dlopen("libxlsxwriter.so", RTLD_NOW | RTLD_LOCAL);
  if (!library) library = dlopen("libxlsxwriter.dylib", RTLD_NOW | RTLD_LOCAL);
  if (!library) return state;
#define FIND(name) if (!(*(void **)&api.name = dlsym(library, #name))) return state
  FIND(workbook_new_opt); FIND(workbook_close); FIND(workbook_set_properties); FIND(workbook_add_format);
  FIND(workbook_add_worksheet); FIND(format_set_bold); FIND(format_set_num_format); FIND(worksheet_freeze_panes);
  FIND(worksheet_write_string); FIND(worksheet_write_number); FIND(worksheet_set_column); FIND(worksheet_autofilter);
  FIND(lxw_strerror);
#undef FIND
  return state = 0;
}

subreport_workbook *subreport_xlsx_new(const char *path, const char *folder, const char *author) {
  struct options options = {.constant_memory = 1, .folder = folder};
  subreport_workbook *workbook = api.workbook_new_opt(path, &options);
  // The day on which a file of a zip archive begins to count: the same tables give the same bytes.
  struct properties properties = {.texts[2] = author, .created = 315532800};
  if (workbook) api.workbook_set_properties(workbook, &properties);
  return workbook;
}

int subreport_xlsx_end(subreport_workbook *workbook) {
  // The library also prints its errors; its result says the same.
  int standard_error = dup(2), nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (standard_error >= 0 && nowhere >= 0) dup2(nowhere, 2);
  int result = api.workbook_close(workbook);
  if (standard_error >= 0) dup2(standard_error, 2), close(standard_error);
  if (nowhere >= 0) close(nowhere);
  return result;
}

const char *subreport_xlsx_message(int error) { return api.lxw_strerror(error); }

subreport_format *subreport_xlsx_format(subreport_workbook *workbook, const char *form, int is_bold) {
  subreport_format *format = api.workbook_add_format(workbook);
  if (format && form) api.format_set_num_format(format, form);
  if (format && is_bold) api.format_set_bold(format);
  return format;
}

subreport_sheet *subreport_xlsx_sheet(subreport_workbook *workbook, const char *name) {
  subreport_sheet *sheet = api.workbook_add_worksheet(workbook, name);
  if (sheet) api.worksheet_freeze_panes(sheet, 1, 0);
  return sheet;
}

int subreport_xlsx_text(subreport_sheet *sheet, uint32_t row, uint16_t column, const char *text, subreport_format *format) {
  return api.worksheet_write_string(sheet, row, column, text, format);
}

int subreport_xlsx_number(subreport_sheet *sheet, uint32_t row, uint16_t column, double number, subreport_format *format) {
  return api.worksheet_write_number(sheet, row, column, number, format);
}

void subreport_xlsx_width(subreport_sheet *sheet, uint16_t column, double width) {
  api.worksheet_set_column(sheet, column, column, width, NULL);
}

void subreport_xlsx_filter(subreport_sheet *sheet, uint32_t last_row, uint16_t last_column) {
  api.worksheet_autofilter(sheet, 0, 0, last_row, last_column);
}
