#ifndef CXLSX_H
#define CXLSX_H

#include <stdint.h>

// The system's libxlsxwriter, opened when it is needed: nothing links it, and no header of it is needed to build.

#if __has_feature(nullability)
#pragma clang assume_nonnull begin
#endif

typedef struct lxw_workbook subreport_workbook;
typedef struct lxw_worksheet subreport_sheet;
typedef struct lxw_format subreport_format;

// Opens the library. Returns 0, or -1 when no libxlsxwriter.so has all functions.
int subreport_xlsx_load(void);

// Creates a workbook that is written to a file when it ends; NULL without memory. The rows wait in files of the folder.
subreport_workbook *_Nullable subreport_xlsx_new(const char *path, const char *folder, const char *author);
// Writes the file, and frees everything; returns 0, or an error of libxlsxwriter.
int subreport_xlsx_end(subreport_workbook *workbook);
const char *subreport_xlsx_message(int error);

// Adds a form of cells, such as "0.00%".
subreport_format *_Nullable subreport_xlsx_format(subreport_workbook *workbook, const char *_Nullable form, int is_bold);

// Adds a sheet whose first row stays in sight; NULL for a name that cannot be.
subreport_sheet *_Nullable subreport_xlsx_sheet(subreport_workbook *workbook, const char *name);
// Cells are written row by row; both return 0, or an error of libxlsxwriter.
int subreport_xlsx_text(subreport_sheet *sheet, uint32_t row, uint16_t column, const char *text, subreport_format *_Nullable format);
int subreport_xlsx_number(subreport_sheet *sheet, uint32_t row, uint16_t column, double number, subreport_format *_Nullable format);
// The width in characters.
void subreport_xlsx_width(subreport_sheet *sheet, uint16_t column, double width);
// Gives the columns of the first row their filters.
void subreport_xlsx_filter(subreport_sheet *sheet, uint32_t last_row, uint16_t last_column);

#if __has_feature(nullability)
#pragma clang assume_nonnull end
#endif

#endif
