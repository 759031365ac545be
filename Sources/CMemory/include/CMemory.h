#ifndef SUBREPORT_MEMORY_H
#define SUBREPORT_MEMORY_H

#include <stdbool.h>

// Lets the program end with one line and exit code 2 when it gets no more memory.
void subreport_watch_memory(void);

// Chooses whether that line is a JSON object.
void subreport_say_in_json(bool is_json);

// Keeps keys in memory from other processes: no core file, and nothing below /proc for others.
void subreport_hide_memory(void);

// Returns whether the access list (ACL) of a file lets others read it than its owner and this process's user: 1 or 0;
// -1 without a list. Its mask stands in place of the group bits of the file's mode.
int subreport_listed_readers(const char *path);

#endif
