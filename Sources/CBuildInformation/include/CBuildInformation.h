#ifndef SUBREPORT_BUILD_INFORMATION_H
#define SUBREPORT_BUILD_INFORMATION_H

// The commit that the program was built from, such as "529926af1c2d"; empty where make did not tell it.
const char *subreport_commit(void);

#endif
