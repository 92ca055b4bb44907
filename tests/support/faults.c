/*
 * Makes reads, writes and flushes of SQLite files fail with EIO, writes with ENOSPC or after a part, some of them, for a
 * process that it is preloaded into: FAULT_SEED, and in calls of 100,000 FAULT_READ, FAULT_WRITE, FAULT_SYNC, FAULT_FULL,
 * FAULT_SHORT. FAULT_LOG counts the failed calls by growing.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static __thread int inside;

static int is_database(int fd) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  const char *end = strstr(path, ".faulty.db");
  return end != NULL;
}

static uint64_t state;

static int fails(const char *name, int fd) {
  const char *rate = getenv(name);
  if (rate == NULL || inside) return 0;
  inside = 1;
  int failed = 0;
  if (is_database(fd)) {
    if (state == 0) {
      const char *seed = getenv("FAULT_SEED");
      state = (seed == NULL ? 1 : strtoull(seed, NULL, 10)) * 0x9e3779b97f4a7c15u + 1;
    }
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    failed = (int)(state % 100000) < atoi(rate);
    const char *log = getenv("FAULT_LOG");
    if (failed && log != NULL) {
      int out = open(log, O_WRONLY | O_APPEND | O_CREAT, 0600);
      if (out >= 0) {
        if (write(out, ".", 1) != 1) abort();
        close(out);
      }
    }
  }
  inside = 0;
  if (failed) errno = EIO;
  return failed;
}

#define WRAP(RESULT, NAME, PARAMETERS, ARGUMENTS, RATE)                        \
  RESULT NAME PARAMETERS {                                                     \
    static RESULT(*real) PARAMETERS;                                           \
    if (real == NULL) real = (RESULT(*) PARAMETERS)dlsym(RTLD_NEXT, #NAME);    \
    if (fails(RATE, fd)) return -1;                                            \
    return real ARGUMENTS;                                                     \
  }

WRAP(ssize_t, read, (int fd, void *to, size_t size), (fd, to, size), "FAULT_READ")
WRAP(ssize_t, pread, (int fd, void *to, size_t size, off_t at), (fd, to, size, at), "FAULT_READ")
WRAP(ssize_t, pread64, (int fd, void *to, size_t size, off64_t at), (fd, to, size, at), "FAULT_READ")
#define WRAP_WRITE(NAME, PARAMETERS, ARGUMENTS)                                \
  ssize_t NAME PARAMETERS {                                                    \
    static ssize_t(*real) PARAMETERS;                                          \
    if (real == NULL) real = (ssize_t(*) PARAMETERS)dlsym(RTLD_NEXT, #NAME);   \
    if (fails("FAULT_WRITE", fd)) return -1;                                   \
    if (fails("FAULT_FULL", fd)) {                                             \
      errno = ENOSPC;                                                          \
      return -1;                                                               \
    }                                                                          \
    if (size > 1 && fails("FAULT_SHORT", fd)) size /= 2;                       \
    return real ARGUMENTS;                                                     \
  }

WRAP_WRITE(write, (int fd, const void *from, size_t size), (fd, from, size))
WRAP_WRITE(pwrite, (int fd, const void *from, size_t size, off_t at), (fd, from, size, at))
WRAP_WRITE(pwrite64, (int fd, const void *from, size_t size, off64_t at), (fd, from, size, at))
WRAP(int, fsync, (int fd), (fd), "FAULT_SYNC")
WRAP(int, fdatasync, (int fd), (fd), "FAULT_SYNC")
