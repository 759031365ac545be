#include "CMemory.h"

#include <dirent.h>
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#include <sys/xattr.h>
#endif

static volatile bool says_json = false;

void subreport_say_in_json(bool is_json) { says_json = is_json; }

// Ends the program at once: Swift would print a stack trace and abort.
static void end(void) {
#define REASON "not enough memory: the system gives no more; -j 1 and --memory use less, ulimit -v limits it"
#define CODE "not-enough-memory"
  static const char text[] = REASON " [" CODE "]\n";
  static const char json[] = "{\"level\":\"error\",\"message\":\"" REASON "\",\"code\":\"" CODE "\"}\n";
  const char *line = says_json ? json : text;
  if (write(STDERR_FILENO, line, (says_json ? sizeof json : sizeof text) - 1) < 0) _exit(2);
  _exit(2);
}

// Package.swift lets the linker replace the calls of these functions in the program and in Swift's static library
// (--wrap). Other libraries, such as zlib, still get NULL. Without that option of the linker nothing calls them.
extern void *__real_malloc(size_t size) __attribute__((weak));
extern void *__real_calloc(size_t count, size_t size) __attribute__((weak));
extern void *__real_realloc(void *memory, size_t size) __attribute__((weak));
extern int __real_posix_memalign(void **memory, size_t alignment, size_t size) __attribute__((weak));

void *__wrap_malloc(size_t size) {
  void *memory = __real_malloc(size);
  if (!memory && size > 0) end();
  return memory;
}

void *__wrap_calloc(size_t count, size_t size) {
  void *memory = __real_calloc(count, size);
  if (!memory && count > 0 && size > 0) end();
  return memory;
}

void *__wrap_realloc(void *old, size_t size) {
  void *memory = __real_realloc(old, size);
  if (!memory && size > 0) end();
  return memory;
}

int __wrap_posix_memalign(void **memory, size_t alignment, size_t size) {
  int error = __real_posix_memalign(memory, alignment, size);
  if (error) end();
  return error;
}

// The C library takes the memory of an open folder by itself.
extern DIR *__real_opendir(const char *path) __attribute__((weak));

DIR *__wrap_opendir(const char *path) {
  DIR *folder = __real_opendir(path);
  if (!folder && errno == ENOMEM) end();
  return folder;
}

// std::set_new_handler of the C++ library, which is no part of the program; not on every system.
typedef void (*new_handler)(void);
extern new_handler _ZSt15set_new_handlerPFvvE(new_handler handler) __attribute__((weak));

void subreport_watch_memory(void) {
  if (_ZSt15set_new_handlerPFvvE) _ZSt15set_new_handlerPFvvE(end);
}

void subreport_hide_memory(void) {
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
#ifdef __linux__
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
#endif
}

int subreport_listed_readers(const char *path) {
#ifdef __linux__
  // The layout and the tags: linux/posix_acl_xattr.h, linux/posix_acl.h.
  enum { USER = 2, GROUP_OF_FILE = 4, GROUP = 8, MASK = 16, OTHERS = 32 };
  struct { uint32_t version; struct { uint16_t tag, permissions; uint32_t id; } entries[64]; } list;
  ssize_t size = getxattr(path, "system.posix_acl_access", &list, sizeof list);
  if (size < 4) return -1;
  int count = (int)((size_t)size - 4) / 8, mask = 7, found = 0;
  for (int i = 0; i < count; i++) {
    if (list.entries[i].tag == MASK) mask = list.entries[i].permissions;
  }
  for (int i = 0; i < count; i++) {
    int tag = list.entries[i].tag, permissions = list.entries[i].permissions;
    if (tag == OTHERS) found |= permissions;
    if (tag == GROUP || tag == GROUP_OF_FILE || (tag == USER && list.entries[i].id != geteuid())) found |= permissions & mask;
  }
  return found != 0;
#else
  (void)path;
  return -1;
#endif
}
