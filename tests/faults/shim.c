/* Loaded before the C library (LD_PRELOAD) by scripts/faults. It makes chosen calls fail, or keeps a log of what is
 * written, so that the state of a disk after a power cut can be made from it.
 *
 * FAULT_CALL=write|fsync|open|mmap  FAULT_NTH=n  FAULT_ERROR=errno  FAULT_STAYS=0|1
 *   The n-th call fails; with FAULT_STAYS=1 all calls after it fail as well. Of mmap only those that map a file count: a
 *   program without memory cannot go on. FAULT_COUNT=FILE gets the number of calls.
 * WRITE_LOG=FILE  WRITE_LOG_PREFIX=PATH
 *   Writes, cuts, flushes and changes of names of files whose path begins with PATH, one record each:
 *   kind (1 byte), length of the path (u32), length of the data (u32), offset (u64), path, data. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *fault_call, *count_file, *log_prefix;
static long fault_nth, fault_error, fault_stays, calls;
static int log_fd = -1;
static char *paths[4096];

#define REAL(name) ({ static __typeof__(&name) real_; if (!real_) real_ = (__typeof__(&name))dlsym(RTLD_NEXT, #name); real_; })

__attribute__((constructor)) static void start(void) {
    fault_call = getenv("FAULT_CALL");
    fault_nth = getenv("FAULT_NTH") ? atol(getenv("FAULT_NTH")) : 0;
    fault_error = getenv("FAULT_ERROR") ? atol(getenv("FAULT_ERROR")) : EIO;
    fault_stays = getenv("FAULT_STAYS") ? atol(getenv("FAULT_STAYS")) : 0;
    count_file = getenv("FAULT_COUNT");
    log_prefix = getenv("WRITE_LOG_PREFIX");
    if (getenv("WRITE_LOG"))
        log_fd = REAL(open64)(getenv("WRITE_LOG"), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644);
    unsetenv("LD_PRELOAD");
}

__attribute__((destructor)) static void end(void) {
    if (!count_file) return;
    int fd = REAL(open64)(count_file, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    char text[32];
    int length = snprintf(text, sizeof text, "%ld\n", calls);
    if (fd >= 0) { REAL(write)(fd, text, length); close(fd); }
}

/* True if this call is to fail; errno is set. */
static int fails(const char *name) {
    if (!fault_call || strcmp(fault_call, name)) return 0;
    pthread_mutex_lock(&lock);
    long number = ++calls;
    pthread_mutex_unlock(&lock);
    int now = fault_nth > 0 && (number == fault_nth || (fault_stays && number > fault_nth));
    if (now) errno = (int)fault_error;
    return now;
}

static void record(char kind, const char *path, uint64_t offset, const void *data, uint32_t length) {
    uint32_t path_length = (uint32_t)strlen(path);
    char head[17];
    head[0] = kind;
    memcpy(head + 1, &path_length, 4);
    memcpy(head + 5, &length, 4);
    memcpy(head + 9, &offset, 8);
    pthread_mutex_lock(&lock);
    REAL(write)(log_fd, head, 17);
    REAL(write)(log_fd, path, path_length);
    if (length) REAL(write)(log_fd, data, length);
    pthread_mutex_unlock(&lock);
}

static int is_logged(const char *path) {
    return log_fd >= 0 && log_prefix && !strncmp(path, log_prefix, strlen(log_prefix));
}

static const char *path_of(int fd) {
    return log_fd >= 0 && fd >= 0 && fd < 4096 ? paths[fd] : NULL;
}

static int opened(int fd, const char *path, int flags) {
    if (log_fd < 0 || fd < 0 || fd >= 4096) return fd;
    free(paths[fd]);
    paths[fd] = is_logged(path) ? strdup(path) : NULL;
    if (paths[fd] && flags & O_CREAT) record('c', path, 0, NULL, 0);
    if (paths[fd] && flags & O_TRUNC) record('t', path, 0, NULL, 0);
    return fd;
}

#define OPENING(name)                                              \
    int name(const char *path, int flags, ...) {                   \
        va_list rest;                                              \
        va_start(rest, flags);                                     \
        int mode = va_arg(rest, int);                              \
        va_end(rest);                                              \
        if (fails("open")) return -1;                              \
        return opened(REAL(name)(path, flags, mode), path, flags); \
    }
OPENING(open)
OPENING(open64)

#define OPENING_AT(name)                                                    \
    int name(int at, const char *path, int flags, ...) {                    \
        va_list rest;                                                       \
        va_start(rest, flags);                                              \
        int mode = va_arg(rest, int);                                       \
        va_end(rest);                                                       \
        if (fails("open")) return -1;                                       \
        return opened(REAL(name)(at, path, flags, mode), path, flags);      \
    }
OPENING_AT(openat)
OPENING_AT(openat64)

int close(int fd) {
    if (fd >= 0 && fd < 4096 && fd != log_fd && paths[fd]) { free(paths[fd]); paths[fd] = NULL; }
    return REAL(close)(fd);
}

ssize_t write(int fd, const void *data, size_t length) {
    if (fd > 2 && fails("write")) return -1;
    const char *path = path_of(fd);
    off64_t offset = path ? lseek64(fd, 0, SEEK_CUR) : 0;
    ssize_t written = REAL(write)(fd, data, length);
    if (path && written > 0) record('w', path, (uint64_t)offset, data, (uint32_t)written);
    return written;
}

#define WRITING(name, offset_type)                                                              \
    ssize_t name(int fd, const void *data, size_t length, offset_type offset) {                 \
        if (fails("write")) return -1;                                                          \
        ssize_t written = REAL(name)(fd, data, length, offset);                                 \
        const char *path = path_of(fd);                                                         \
        if (path && written > 0) record('w', path, (uint64_t)offset, data, (uint32_t)written);  \
        return written;                                                                         \
    }
WRITING(pwrite, off_t)
WRITING(pwrite64, off64_t)

#define FLUSHING(name)                                  \
    int name(int fd) {                                  \
        if (fails("fsync")) return -1;                  \
        int result = REAL(name)(fd);                    \
        if (path_of(fd)) record('f', paths[fd], 0, NULL, 0); \
        return result;                                  \
    }
FLUSHING(fsync)
FLUSHING(fdatasync)

#define CUTTING(name, offset_type)                                                       \
    int name(int fd, offset_type length) {                                               \
        if (fails("write")) return -1;                                                   \
        int result = REAL(name)(fd, length);                                             \
        if (!result && path_of(fd)) record('t', paths[fd], (uint64_t)length, NULL, 0);   \
        return result;                                                                   \
    }
CUTTING(ftruncate, off_t)
CUTTING(ftruncate64, off64_t)

int unlink(const char *path) {
    int result = REAL(unlink)(path);
    if (!result && is_logged(path)) record('u', path, 0, NULL, 0);
    return result;
}

int rename(const char *from, const char *to) {
    int result = REAL(rename)(from, to);
    if (!result && is_logged(to)) record('r', to, 0, from, (uint32_t)strlen(from));
    return result;
}

#define MAPPING(name, offset_type)                                                                \
    void *name(void *at, size_t length, int protection, int flags, int fd, offset_type offset) {  \
        if (fd >= 0 && fails("mmap")) return MAP_FAILED;                                          \
        return REAL(name)(at, length, protection, flags, fd, offset);                             \
    }
MAPPING(mmap, off_t)
MAPPING(mmap64, off64_t)
