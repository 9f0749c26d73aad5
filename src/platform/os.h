/* os.h — the operating system, as the layers above need it. It knows nothing of MPI.
 *
 * Functions return 0, or a descriptor that they make, and a negative errno on failure, unless a
 * comment says otherwise. Times are CLOCK_MONOTONIC. All descriptors made here are
 * close-on-exec. */
#ifndef OS_H
#define OS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

enum { OS_LINE = 64 }; /* bytes of a cache line */

#define OS_ALIGNED                  _Alignas(OS_LINE)
#define OS_OWNER(ptr, type, member) ((type *) (void *) ((char *) (ptr) -offsetof(type, member)))

/* clock.c — clocks and sleeping. */
uint64_t os_time_ns(void);
double os_wtime(void);          /* seconds */
extern int64_t os_wtime_offset; /* added to os_wtime(), ns */
double os_wtick(void);
uint64_t os_processor_ns(int pid); /* processor time of a process, ns; 0: there is none */
uint64_t os_clock_id(void);        /* processes on one kernel with equal ids have the same clock */
void os_sleep_ns(uint64_t ns);

/* cpu.c — spinning, and the cores that this process may use. */
enum { OS_CPUS = 1024 };
struct os_cpus { /* a set of cores */
    uint64_t bits[OS_CPUS / 64];
};
void os_relax(void); /* for spin loops; takes about 25 ns on x86 */
void os_yield(void); /* lets another process run on this core */
int os_cpu(void);    /* the core that the calling thread is on */
/* Moves the calling thread to a core without binding it: the thread may use the same cores as
 * before. False when it may not use this core. */
bool os_cpu_move(int cpu);
void os_cpus_allowed(struct os_cpus *set);
void os_cpus_join(struct os_cpus *set, const struct os_cpus *other);
int os_cpus_count(const struct os_cpus *set);

/* place.c — the parts of the machine, the largest first. All processes number them alike. */
enum os_level { OS_PACKAGE, OS_NUMA, OS_L3, OS_L2, OS_CORE, OS_PU, OS_LEVELS };
/* Sets at[level] to the number of the part that has all these cores, or to -1 when they are in
 * several. False when the machine is not known. */
bool os_place(const struct os_cpus *cpus, int at[OS_LEVELS]);
void os_place_end(void); /* frees the memory of os_place() */

/* Hints that a cache line, perhaps owned by another core, will be written soon. Any address is
 * allowed. */
static inline void os_will_write(const void *line)
{
#ifdef __x86_64__ /* __builtin_prefetch uses it only when -march has it */
    __asm__ volatile("prefetchw %0" ::"m"(*(const char *) line));
#else
    __builtin_prefetch(line, 1);
#endif
}

/* copy.c — memcpy with non-temporal stores, which do not fill the cache, where the processor has
 * them. All bytes are visible to other cores before any later store. */
bool os_can_stream(void);
void os_stream(void *to, const void *from, size_t len);

/* membarrier.c — a memory barrier in all processes. A receiver calls it before it sleeps, so
 * that a sender needs no fence between its store and its look at whether the receiver sleeps. */
bool os_membarrier_init(void); /* false: not supported, each sender needs a fence */
void os_membarrier(void);      /* for all processes that have called os_membarrier_init() */

/* counted.c — memory that the library has not freed, in builds that count it. Calls report for each
 * source file with such blocks. */
void os_counted(void (*report)(const char *file, size_t blocks, size_t bytes));
void os_counted_ignore(const void *block); /* never freed on purpose: not reported */

/* futex.c — sleeps on a word of shared memory. */
enum { OS_WAKE_ALL = INT32_MAX };
int os_futex_wait(_Atomic uint32_t *word, uint32_t expect, uint64_t timeout_ns); /* -ETIMEDOUT */
void os_futex_wake(_Atomic uint32_t *word, int count);

/* thread.c — a lock between threads of this process. A zeroed struct is a free lock. */
struct os_lock {
    _Atomic uint32_t state;
};
void os_lock_take(struct os_lock *l);
void os_lock_drop(struct os_lock *l);
bool os_lock_is_held(const struct os_lock *l); /* by any thread */

/* shared.c — shared memory without a name, and locks that the kernel releases at the death of their
 * owner. */
int os_memfd(const char *name, size_t len); /* sparse memory of len bytes, for good */
int os_memfd_empty(const char *name);       /* of no bytes; os_memfd_seal() is still to come */
/* Sets the length for good. An error, and no change, for what os_memfd_empty() has not made. */
int os_memfd_seal(int fd, size_t len);
/* The length of what os_memfd() made, here or elsewhere; 0: fd is something else, or memory that
 * can be made shorter, so that its use might end in a signal. */
size_t os_sealed_len(int fd);
/* The number of what a descriptor is of, on its file system; 0 on failure. */
uint64_t os_file_number(int fd);
/* Opens what another process has open, if it has that number: a descriptor or a negative errno.
 * Where processes may not look into each other, or have other process ids, that fails. */
int os_open_of(pid_t pid, int fd, uint64_t number);
/* Allocated bytes of the file that os_open_of() would open; 0: none, or not visible. */
uint64_t os_file_bytes(pid_t pid, int fd, uint64_t number);
void *os_map(int fd, size_t len); /* NULL on failure; fd < 0: private memory */
/* Private memory of zeros, of which few pages will be used. */
void *os_map_sparse(size_t len);
/* The same as os_map() at a multiple of align, a power of two; both are whole pages. */
void *os_map_aligned(int fd, size_t len, size_t align);
/* Replaces pages of this process by memory of the file, or by private memory of zeros: fd < 0. */
int os_map_over(void *mem, size_t len, int fd);
void os_unmap(void *mem, size_t len);
/* Allocates memory: -ENOMEM or -ENOSPC now instead of SIGBUS later. */
int os_reserve(int fd, size_t offset, size_t len);
void os_release(int fd, size_t offset, size_t len); /* whole pages, which then read as zero */
void os_populate(void *mem, size_t len);            /* takes all page faults now; whole pages */
/* Locks on a byte, which need not exist. A lock ends when its process ends, unlocks the byte, or
 * closes any descriptor of the memory. */
int os_lock_byte(int fd, size_t offset); /* an error when another process holds it */
int os_lock_byte_wait(int fd,
                      size_t offset); /* waits until the other process gives it up or ends */
void os_unlock_byte(int fd, size_t offset);
bool os_byte_locked(int fd, size_t offset); /* by another process */

/* huge.c — transparent huge pages. */
size_t os_huge_page(void); /* bytes, a power of two; 1: the kernel has none */
/* Private memory that is used later will have them where it can: whole pages. -EPERM: the kernel is
 * set to have none. */
int os_huge_advise(void *mem, size_t len);
/* Moves memory that has been reserved to huge pages: whole ones. It need not be advised, and
 * shmem_enabled, the kernel's setting for shared memory, need not allow them. */
int os_huge_collapse(void *mem, size_t len);

/* local.c — abstract UNIX sockets, which have no file and vanish with their process. */
struct os_cred {
    pid_t pid;
    uid_t uid;
};
int os_abstract_listen(const char *name);  /* -EADDRINUSE: the name is in use */
int os_abstract_connect(const char *name); /* waits up to 10 s for a listener that is starting */
int os_abstract_datagram(const char *name, uint64_t word); /* receives only pokes with this word */
void os_abstract_poke(int socket, const char *name, uint64_t word); /* sends word; never waits */
int os_accept(int listener); /* -EAGAIN: no connection waits */
int os_peer_cred(int socket, struct os_cred *cred);
int os_fd_send(int socket, int fd);
int os_fd_receive(int socket);         /* waits at most 10 s */
int os_fd_take(int socket);            /* -EAGAIN: it has not come yet */
int os_abstract_try(const char *name); /* -ECONNREFUSED: no process listens; -EAGAIN: try again */
/* Sends or receives what can be moved without waiting: bytes, or a negative errno. */
ssize_t os_send_some(int socket, const void *data, size_t len);
ssize_t os_receive_some(int socket, void *data, size_t len); /* -ECONNRESET: closed */
/* The same, with a descriptor that goes with the first of the bytes. *fd must be -1; it becomes the
 * descriptor that has come, or a negative errno. len is not 0. */
ssize_t os_send_passing(int socket, const void *data, size_t len, int fd);
ssize_t os_receive_passed(int socket, void *data, size_t len, int *fd);
int os_word_send(int socket, uint64_t word);
int os_word_take(int socket, uint64_t *word); /* -EAGAIN: it has not come yet */

/* file.c — files of the program. */
int os_file_open(const char *path, int flags, unsigned mode); /* flags: as those of open() */
int os_file_close(int fd);                                    /* the last error of writing */
int os_file_delete(const char *path);
struct os_iov; /* a list of buffers: below */
/* Move bytes to or from a list of buffers by one call of the kernel. Return how many, which may be
 * fewer than asked for and is 0 at the end of the file, or a negative errno. */
int64_t os_file_read(int fd, struct os_iov v, uint64_t at);
int64_t os_file_write(int fd, struct os_iov v, uint64_t at);
int os_file_size(int fd, uint64_t *size);
bool os_file_is_folder(int fd);
int os_file_resize(int fd, uint64_t size);
int os_file_allocate(int fd, uint64_t size); /* of bytes up to there; the size may grow */
int os_file_sync(int fd);                    /* data survives a crash of the machine from now on */
int os_file_sync_folder(const char *path);   /* and the file itself, when it is new */
/* Waits until no other open file has a lock on one of these bytes, or only readers do; len is not
 * 0. */
int os_file_lock(int fd, bool writes, uint64_t at, uint64_t len);
void os_file_unlock(int fd, uint64_t at, uint64_t len);
/* Calls each with the lines of a text file, without their ends. */
int os_file_lines(const char *path, void (*each)(void *arg, char *line), void *arg);
uint64_t os_file_system(int fd); /* the magic number of its kind; 0: not known */
uint64_t os_boot_number(void);   /* of the running kernel, so of this host; 0: not known */
uint64_t os_folder_system(const char *path); /* of the folder that the path is in */

/* mapped.c — tests whether addresses are readable. */
size_t os_page(void); /* bytes */
/* The first of n addresses, step bytes apart, that this process cannot read. NULL when it can
 * read all, or when the kernel does not support the test. */
const void *os_unmapped(const void *first, ptrdiff_t step, size_t n);

/* crash.c — from now on a signal that ends this process because of a fault, or SIGABRT, first
 * prints where that is, if the process has no handler for it: lines with this before each. */
void os_report_crashes(const char *before);

/* beside.c — paths relative to the library or program itself. */
enum { OS_PATH = 4096 };
/* Makes the path of file, which is relative to the directory of the library or program that has
 * the address code, or absolute. path has OS_PATH bytes. The file need not exist. False when the
 * directory is unknown or the path is too long. */
bool os_beside(const void *code, const char *file, char *path);

/* apart.c — starts a program that is no child of this process. It gets the environment, directory,
 * standard output and error of this one, as its standard input that descriptor, which is above 2,
 * and no others. A negative errno. */
int os_start_apart(const char *path, char *const argv[], int input);

/* ring.c — reads and writes that the kernel does many at a time (io_uring). A ring is of one
 * thread. */
struct os_ring_op {
    int fd;
    bool writes;
    void *buf;
    uint32_t len; /* bytes */
    uint64_t at;
};
struct os_ring *os_ring_open(unsigned room); /* a power of 2; NULL: the kernel does not let it */
void os_ring_close(struct os_ring *r);       /* with nothing under way */
/* Adds an operation, of at most `room` that have no result yet. arg is not NULL. */
void os_ring_push(struct os_ring *r, const struct os_ring_op *op, void *arg);
/* Gives the operations to the kernel and waits for a result. A negative errno: some may not be
 * given. */
int os_ring_go(struct os_ring *r);
void *os_ring_take_back(struct os_ring *r); /* arg of an operation not given; NULL: none left */
/* The arg of an operation that has ended; *result: the bytes moved or a negative errno. NULL: none
 * has ended. */
void *os_ring_pop(struct os_ring *r, int64_t *result);

/* process.c — memory of other processes, properties of this process and host, descriptors. */
/* Returns fd, which was just made, or a duplicate when it has the number of standard input,
 * output or error, which the program may have closed. A negative fd returns -errno. */
int os_new_fd(int fd);
/* Read and write all of len bytes or fail. */
int os_cma_read(pid_t pid, void *local, const void *remote, size_t len);
int os_cma_write(pid_t pid, const void *local, void *remote, size_t len);
struct os_iov { /* a list of buffers */
    struct iovec *v;
    int n;
};
/* Copies between two lists of buffers, until the shorter list ends. Changes both lists. */
int os_cma_readv(pid_t pid, struct os_iov to, struct os_iov from);
int os_cma_writev(pid_t pid, struct os_iov from, struct os_iov to); /* from: of this process */
int os_random(void *buf, size_t len);
void os_hostname(char *name, size_t len); /* always ends in NUL */
bool os_machine(char *name, size_t len);  /* "x86_64"; false when it does not fit */
uint64_t os_pid_namespace(void);          /* its number; 0: not known */
uint32_t os_network(void); /* the number of this process's network namespace; 0: not known */
size_t os_command_line(char *text, size_t len); /* arguments, each ends in NUL; returns bytes */
void os_die_with_parent(void);
void os_in_children(void (*run)(void)); /* calls run in each child of fork() */
uint64_t os_thread_id(void);
struct os_thread {
    pthread_t id;
};
int os_thread_start(struct os_thread *t, void *(*run)(void *) ); /* with all signals blocked */
void os_thread_join(struct os_thread *t);
bool os_is_open_socket(int fd);
uint64_t os_memory_free(void);  /* bytes that the machine has left; UINT64_MAX: not known */
bool os_memory_is_strict(void); /* vm.overcommit_memory is 2: what is not reserved may be missing */
uint64_t os_memory_room(void);  /* cgroup.c: bytes that this cgroup leaves; UINT64_MAX: no limit */
void os_read_text(const char *path, char *text, size_t len); /* a small file; "" on failure */
int os_set_nonblocking(int fd);
int os_epoll(void);
/* Adds fd or changes what it is watched for. */
int os_epoll_set(int epoll, int fd, bool readable, bool writable, void *data);
void os_epoll_drop(int epoll, int fd);
/* The number of events, with their data; 0: timeout. */
int os_epoll_wait(int epoll, void **data, int max, int timeout_ms);
/* A descriptor that is readable from a time on, of os_time_ns(); UINT64_MAX: never. */
int os_timer(void);
void os_timer_set(int timer, uint64_t at);

#endif /* OS_H */
