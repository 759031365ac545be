// All of it is inline; a target needs a file.
#include "CByteMasks.h"
