/* os.h — what the layers above need of the operating system. Knows nothing of MPI.
 *
 * Functions return 0 (or what they make) and a negative errno on failure, unless said otherwise.
 * Times are CLOCK_MONOTONIC. Every descriptor made here is close-on-exec. */
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

/* clock.c */
uint64_t os_time_ns(void);
double os_wtime(void);          /* seconds */
extern int64_t os_wtime_offset; /* ns, which it adds */
double os_wtick(void);
uint64_t os_clock_id(void); /* processes of one kernel with the same id have the same clock */
void os_sleep_ns(uint64_t ns);

/* cpu.c — the processor and the cores we may use. */
enum { OS_CPUS = 1024 };
struct os_cpus { /* a set of cores */
    uint64_t bits[OS_CPUS / 64];
};
void os_relax(void); /* inside a spin loop: about 25 ns on x86 */
void os_yield(void); /* lets another process run on this core */
int os_cpu(void);    /* the core we are on now */
/* Moves the calling thread to a core and does not bind it there: it may use the same cores as
 * before. False when it may not use that one. */
bool os_cpu_move(int cpu);
void os_cpus_allowed(struct os_cpus *set);
void os_cpus_join(struct os_cpus *set, const struct os_cpus *other);
int os_cpus_count(const struct os_cpus *set);

/* place.c — the parts of the machine, the largest first; numbered alike in all its processes. */
enum os_level { OS_PACKAGE, OS_NUMA, OS_L3, OS_L2, OS_CORE, OS_PU, OS_LEVELS };
/* Sets at[level] to the part that all these cores are in, -1 where that is not one; false when
 * nothing is known of this machine. */
bool os_place(const struct os_cpus *cpus, int at[OS_LEVELS]);
void os_place_end(void); /* frees what that has learned */

/* A hint that this line will be written soon: another core may have it now. Any address will do. */
static inline void os_will_write(const void *line)
{
#ifdef __x86_64__ /* which the compiler would only use for processors that surely have it */
    __asm__ volatile("prefetchw %0" ::"m"(*(const char *) line));
#else
    __builtin_prefetch(line, 1);
#endif
}

/* copy.c — past the cache, where the processor can: what others do next finds all of it written. */
bool os_can_stream(void);
void os_stream(void *to, const void *from, size_t len);

/* membarrier.c — the sleeper's side of a store-load race pays, so that senders need no fence. */
bool os_membarrier_init(void); /* false: the kernel has none, each sender must fence */
void os_membarrier(void);      /* orders memory of every process that called the above */

/* counted.c — memory of the library that nobody has freed yet, when it was built to count it: calls
 * tell for each source file that has some. */
void os_counted(void (*tell)(const char *file, size_t blocks, size_t bytes));
void os_counted_ignore(
    const void *block); /* it is kept for the life of the process, and not told of */

/* futex.c — in shared memory. */
enum { OS_WAKE_ALL = INT32_MAX };
int os_futex_wait(_Atomic uint32_t *word, uint32_t expect, uint64_t timeout_ns); /* -ETIMEDOUT */
void os_futex_wake(_Atomic uint32_t *word, int count);

/* thread.c — between the threads of this process; all zero is a free one. */
struct os_lock {
    _Atomic uint32_t state;
};
void os_lock_take(struct os_lock *l);
void os_lock_drop(struct os_lock *l);

/* shared.c — memory without a name, its hand-out, and a lock that the kernel drops at death. */
int os_memfd(const char *name, size_t len); /* descriptor of a sparse segment */
void *os_map(int fd, size_t len);           /* NULL on failure; fd < 0: private memory */
void os_unmap(void *mem, size_t len);
int os_reserve(int fd, size_t offset, size_t len);  /* -ENOMEM or -ENOSPC instead of SIGBUS later */
void os_release(int fd, size_t offset, size_t len); /* whole pages: reserved no more, and zero */
void os_populate(void *mem, size_t len);            /* page faults now, together; whole pages */
int os_lock_byte(int fd, size_t offset);            /* held until this process ends */
bool os_byte_locked(int fd, size_t offset);         /* by another process */

/* local.c — abstract UNIX sockets: they have no file and end with their process. */
struct os_cred {
    pid_t pid;
    uid_t uid;
};
int os_abstract_listen(const char *name);  /* -EADDRINUSE: another process has the name */
int os_abstract_connect(const char *name); /* waits up to 10 s for a listener that is starting */
int os_abstract_datagram(const char *name, uint64_t word); /* takes only pokes with this word */
void os_abstract_poke(int socket, const char *name, uint64_t word); /* a datagram; never waits */
int os_accept(int listener);                                        /* -EAGAIN when nobody asks */
int os_peer_cred(int socket, struct os_cred *cred);
int os_fd_send(int socket, int fd);
int os_fd_receive(int socket); /* waits at most 10 s */

/* mapped.c */
size_t os_page(void); /* bytes */
/* The first of n addresses, step bytes apart, at which this process has no memory to read; NULL
 * when there is none, or when the kernel does not say. */
const void *os_unmapped(const void *first, ptrdiff_t step, size_t n);

/* beside.c */
enum { OS_PATH = 4096 };
/* The path of a file that is named relative to the directory of the library or program that holds
 * the address code, or absolutely. path has OS_PATH bytes; the file need not be there. False when
 * that directory is unknown or the path too long. */
bool os_beside(const void *code, const char *file, char *path);

/* process.c */
/* A descriptor just made, moved if it has the number of standard input, output or error, which the
 * program may have closed. A negative one becomes -errno. */
int os_new_fd(int fd);
int os_cma_read(pid_t pid, void *local, const void *remote, size_t len); /* all of len, or <0 */
struct os_iov {
    struct iovec *v;
    int n;
};
/* From so many places into so many, as many bytes in all; both are used up. */
int os_cma_readv(pid_t pid, struct os_iov to, struct os_iov from);
int os_random(void *buf, size_t len);
void os_hostname(char *name, size_t len);       /* always terminated */
bool os_machine(char *name, size_t len);        /* see adi3_machine() */
size_t os_command_line(char *text, size_t len); /* see adi3_command_line() */
void os_die_with_parent(void);
void os_in_children(void (*run)(void)); /* in each that fork() makes, before it returns there */
uint64_t os_thread_id(void);
struct os_thread {
    pthread_t id;
};
int os_thread_start(struct os_thread *t, void *(*run)(void *) ); /* it gets no signals */
void os_thread_join(struct os_thread *t);
bool os_is_open_socket(int fd);
uint64_t os_memory_room(void); /* bytes left to this cgroup; UINT64_MAX when there is no limit */
int os_set_nonblocking(int fd);
int os_epoll(void);
int os_epoll_set(int epoll, int fd, bool readable, bool writable, void *data); /* adds or changes */
void os_epoll_drop(int epoll, int fd);
int os_epoll_wait(int epoll, void **data, int max, int timeout_ms); /* events; 0: time is up */

#endif /* OS_H */
