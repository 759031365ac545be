#ifndef SUBREPORT_MEMORY_H
#define SUBREPORT_MEMORY_H

// Lets the program end with one line and exit code 2 when it gets no more memory.
void subreport_watch_memory(void);

// Keeps keys in memory from other processes: no core file, and nothing below /proc for others.
void subreport_hide_memory(void);

#endif
