#include "CBuildInformation.h"

// Package.swift defines it. Swift has no definitions with a value, so this is in C.
const char *subreport_commit(void) { return SUBREPORT_COMMIT; }
