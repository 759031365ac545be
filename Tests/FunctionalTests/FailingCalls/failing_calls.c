// Makes the n-th call of one function of the C library fail: FailingCallTests preloads it into the program.
//
// FAILING_CALL is "FUNCTION N ERRNO", such as "read 3 5"; a negative N makes the -Nth call and all later ones
// fail. FAILING_CALL_LOG names a file that gets a line "failed" when a call fails, and at the end a line
// "FUNCTION COUNT" for each function that was called. Without FAILING_CALL calls are only counted.
//
// Calls count in the order in which the program makes them, in all its threads together. malloc counts where
// zlib or the C library itself asks for memory: Swift ends a program that gets none, and nothing can be done.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

enum {
  f_chmod, f_clock_gettime, f_close, f_closedir, f_flock, f_fstat, f_fsync, f_ftruncate, f_lseek, f_lstat, f_malloc,
  f_mkdir, f_mkstemp, f_mmap, f_open, f_opendir, f_pread, f_pthread_create, f_pwrite, f_read, f_readdir, f_realpath,
  f_rename, f_renameat2, f_rmdir, f_stat, f_unlink, f_write, f_count
};

static const char *const names[f_count] = {
  "chmod", "clock_gettime", "close", "closedir", "flock", "fstat", "fsync", "ftruncate", "lseek", "lstat", "malloc",
  "mkdir", "mkstemp", "mmap", "open", "opendir", "pread", "pthread_create", "pwrite", "read", "readdir", "realpath",
  "rename", "renameat2", "rmdir", "stat", "unlink", "write",
};

static void *originals[f_count];
static atomic_long counts[f_count];
static int failing = -1;
static long failing_number;
static int failing_errno;
static const char *log_path;
static atomic_int is_ready;

struct range { uintptr_t start, end; };
static struct range memory_askers[8];
static int memory_asker_count;

static void append_to_log(const char *line) {
  if (!log_path) return;
  long file = syscall(SYS_openat, AT_FDCWD, log_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0) return;
  syscall(SYS_write, file, line, strlen(line));
  syscall(SYS_close, file);
}

// Returns whether this call of a function is to fail, and sets errno.
static int fails(int function) {
  if (!atomic_load(&is_ready)) return 0;
  long number = atomic_fetch_add(&counts[function], 1) + 1;
  if (function != failing) return 0;
  if (failing_number < 0 ? number < -failing_number : number != failing_number) return 0;
  append_to_log("failed\n");
  errno = failing_errno;
  return 1;
}

// Other libraries call functions before begin() runs, so each is looked up when it is first called.
static void *original(int function) {
  if (!originals[function]) originals[function] = dlsym(RTLD_NEXT, names[function]);
  return originals[function];
}

static int remember_asker(struct dl_phdr_info *info, size_t size, void *unused) {
  const char *slash = strrchr(info->dlpi_name, '/');
  const char *name = slash ? slash + 1 : info->dlpi_name;
  if (strncmp(name, "libz.", 5) && strncmp(name, "libc.", 5) && strncmp(name, "libisal", 7)) return 0;
  for (int i = 0; i < info->dlpi_phnum && memory_asker_count < 8; i++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    if (header->p_type != PT_LOAD || !(header->p_flags & PF_X)) continue;
    uintptr_t start = info->dlpi_addr + header->p_vaddr;
    memory_askers[memory_asker_count++] = (struct range){start, start + header->p_memsz};
  }
  return 0;
}

static int memory_fails(void *caller) {
  if (!atomic_load(&is_ready)) return 0;
  for (int i = 0; i < memory_asker_count; i++)
    if (memory_askers[i].start <= (uintptr_t)caller && (uintptr_t)caller < memory_askers[i].end)
      return fails(f_malloc);
  return 0;
}

__attribute__((constructor)) static void begin(void) {
  dl_iterate_phdr(remember_asker, NULL);
  log_path = getenv("FAILING_CALL_LOG");
  const char *text = getenv("FAILING_CALL");
  char name[32];
  if (text && sscanf(text, "%31s %ld %d", name, &failing_number, &failing_errno) == 3)
    for (int i = 0; i < f_count; i++)
      if (!strcmp(name, names[i])) failing = i;
  atomic_store(&is_ready, 1);
}

__attribute__((destructor)) static void end(void) {
  atomic_store(&is_ready, 0);
  for (int i = 0; i < f_count; i++) {
    char line[64];
    long count = atomic_load(&counts[i]);
    if (count == 0) continue;
    snprintf(line, sizeof line, "%s %ld\n", names[i], count);
    append_to_log(line);
  }
}

#define ORIGINAL(name) ((__typeof__(&name))original(f_##name))

#define WRAP(result, name, parameters, arguments) \
  result name parameters { return fails(f_##name) ? (result)-1 : ORIGINAL(name) arguments; }

WRAP(int, chmod, (const char *path, mode_t mode), (path, mode))
WRAP(int, clock_gettime, (clockid_t clock, struct timespec *time), (clock, time))
WRAP(int, flock, (int file, int operation), (file, operation))
WRAP(int, fstat, (int file, struct stat *status), (file, status))
WRAP(int, fsync, (int file), (file))
WRAP(int, ftruncate, (int file, off_t length), (file, length))
WRAP(off_t, lseek, (int file, off_t offset, int whence), (file, offset, whence))
WRAP(int, lstat, (const char *path, struct stat *status), (path, status))
WRAP(int, mkdir, (const char *path, mode_t mode), (path, mode))
WRAP(int, mkstemp, (char *path), (path))
WRAP(void *, mmap, (void *address, size_t length, int protection, int flags, int file, off_t offset),
  (address, length, protection, flags, file, offset))
WRAP(ssize_t, pread, (int file, void *bytes, size_t count, off_t offset), (file, bytes, count, offset))
WRAP(ssize_t, pwrite, (int file, const void *bytes, size_t count, off_t offset), (file, bytes, count, offset))
WRAP(ssize_t, read, (int file, void *bytes, size_t count), (file, bytes, count))
WRAP(int, rename, (const char *source, const char *target), (source, target))
WRAP(int, renameat2, (int from, const char *source, int to, const char *target, unsigned flags),
  (from, source, to, target, flags))
WRAP(int, rmdir, (const char *path), (path))
WRAP(int, stat, (const char *path, struct stat *status), (path, status))
WRAP(int, unlink, (const char *path), (path))
WRAP(ssize_t, write, (int file, const void *bytes, size_t count), (file, bytes, count))

int open(const char *path, int flags, ...) {
  mode_t mode = 0;
  if (flags & (O_CREAT | O_TMPFILE)) {
    va_list list;
    va_start(list, flags);
    mode = va_arg(list, mode_t);
    va_end(list);
  }
  return fails(f_open) ? -1 : ORIGINAL(open)(path, flags, mode);
}

// The file is closed in any case, as Linux does it.
int close(int file) {
  int fault = fails(f_close) ? errno : 0;
  int result = ORIGINAL(close)(file);
  if (!fault) return result;
  errno = fault;
  return -1;
}

int closedir(DIR *folder) {
  int fault = fails(f_closedir) ? errno : 0;
  int result = ORIGINAL(closedir)(folder);
  if (!fault) return result;
  errno = fault;
  return -1;
}

DIR *opendir(const char *path) { return fails(f_opendir) ? NULL : ORIGINAL(opendir)(path); }

struct dirent *readdir(DIR *folder) { return fails(f_readdir) ? NULL : ORIGINAL(readdir)(folder); }

char *realpath(const char *path, char *resolved) {
  return fails(f_realpath) ? NULL : ORIGINAL(realpath)(path, resolved);
}

// Says what is wrong by its result.
int pthread_create(
  pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
  return fails(f_pthread_create) ? failing_errno : ORIGINAL(pthread_create)(thread, attributes, start, argument);
}

// The C library's own names, because finding another one asks for memory.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);

void *malloc(size_t size) { return memory_fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size); }

void *calloc(size_t count, size_t size) {
  return memory_fails(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
  return memory_fails(__builtin_return_address(0)) ? NULL : __libc_realloc(memory, size);
}
