#ifndef SUBREPORT_MEMORY_H
#define SUBREPORT_MEMORY_H

// Lets the program end with one line and exit code 2 when it gets no more memory.
void subreport_watch_memory(void);

#endif
