/* pmi.h — this process talks to its launcher: by PMI-1 over PMI_FD or PMI_PORT, else, when the
 * environment has PMIX_NAMESPACE, by PMIx.
 *
 * A request waits for its reply, but those in two halves. Nothing here is thread safe. Functions
 * return 0 or a negative errno; after an error pmi_error_text() describes it and names the
 * launcher. */
#ifndef PMI_H
#define PMI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PMI_NAME_MAX = 256, PMI_VALUE_MAX = 1024 };

struct pmi_job {
    int rank, size;
    bool singleton;          /* started without a launcher: rank 0 of 1 */
    char name[PMI_NAME_MAX]; /* of the key-value store, unique for each job of this launcher */
};

/* Joins the job. Removes PMI_FD, PMI_PORT, PMI_ID, PMIX_NAMESPACE and PMIX_RANK from the
 * environment and makes the socket close-on-exec: a program that a rank starts is not that rank.
 * When the environment shows a launcher of several processes that cannot be joined, the result is
 * an error whose text names it and says what to do, never a singleton. */
int pmi_init(struct pmi_job *job);
/* Every call below fails for a singleton, until this has started a launcher for it: the mpiexec
 * beside the library, which ends when the singleton and all that it has spawned have ended.
 * Another call does nothing. */
int pmi_attach(void);
void pmi_detach(void); /* a singleton calls it, attached or not, instead of pmi_finalize() */
/* The rank and size according to the environment, before pmi_init; 0 of 1 when it does not show
 * both. */
void pmi_job_from_environment(struct pmi_job *job);

/* Whether Open MPI's mpirun started this process, or one that it descends from and no mpiexec of
 * this library is in between. */
bool pmi_is_below_open_mpi(void);

/* Stores a value for the other processes, which can get it after a barrier. It is printable ASCII
 * without blanks, backslash and ';', of any length. */
int pmi_put(const char *key, const char *value);
/* Gets what the process with this rank has put: -ENOENT when it has not. No two processes of a
 * job put the same key. */
int pmi_get(int rank, const char *key, char *value, size_t len);

/* Requests in two halves: the caller makes progress between them, and other requests may be made.
 * pmi_fd() is readable when something has come, which `over` looks at; then `finish` does not
 * wait. `over` is true after an error as well, which `finish` returns. With several threads, the
 * one that looks may take what another one waits for. */
int pmi_fd(void);

int pmi_barrier_start(void);
bool pmi_barrier_over(void);
int pmi_barrier_finish(void);

struct pmi_pair {
    const char *key, *value;
};
struct pmi_spawn_program {
    const char *command;
    char *const *argv; /* the arguments behind the command, and NULL; NULL: none */
    int count;         /* processes */
    const struct pmi_pair *info;
    int infos;
};
struct pmi_spawn_request { /* of one job */
    const struct pmi_spawn_program *program;
    int programs;
    const struct pmi_pair *preput; /* what each of its processes gets by pmi_preput() */
    int preputs;
};
struct pmi_spawn;
/* Asks the launcher to start processes; pmi_spawn_finish() or pmi_spawn_abandon() must follow if
 * this succeeds. The
 * request may be freed. Errors: -EINVAL and -EMSGSIZE for what a launcher cannot be told. */
int pmi_spawn_start(const struct pmi_spawn_request *r, struct pmi_spawn **spawn);
bool pmi_spawn_over(struct pmi_spawn *spawn);
/* Frees the spawn, and writes an error code for each process, in order; 0: it was started. Errors:
 * -ECANCELED when the launcher has started nothing; -EINVAL when that is because it has refused the
 * value of an info key. */
int pmi_spawn_finish(struct pmi_spawn *spawn, int *codes);
/* Once the spawn is over and until pmi_spawn_finish(): the error of that, or -ECANCELED when a
 * process of the new job has ended before it called MPI_Init, or the job has failed otherwise.
 * pmi_error_text() says what, and its exit code or signal. Other launchers tell only what they have
 * not started. */
int pmi_spawn_lost(struct pmi_spawn *spawn);
/* Instead of pmi_spawn_finish(), at any time: kills what was started, as far as the launcher can,
 * and frees the spawn. */
void pmi_spawn_abandon(struct pmi_spawn *spawn);
/* A launcher that answers a spawn only when it has started the processes gets no other request so
 * long. The hook is called to wait for that answer: it returns when fd may be readable, and may let
 * other threads call functions of this header meanwhile; since one of these may read the answer, it
 * returns after some milliseconds, too. NULL: waits in poll. */
extern void (*pmi_wait_hook)(int fd);
/* Takes what a spawn had for this process: -ENOENT when no spawn has started it, or had no such
 * key. */
int pmi_preput(const char *key, char *value, size_t len);

/* Tells the program that a shell runs next as this rank, in the same job, that all ranks are on one
 * node; the others tell theirs, too. Before pmi_finalize(). Only PMIx can do that; with other
 * launchers nothing is told. */
int pmi_tell_next(void);
bool pmi_was_told(void); /* by an earlier program: see above */

/* Where names are known, if not to the jobs of the launcher: the file of a server of names, which
 * is that of mpiexec --serve-names, or its line. Empty: there is none. The text stays the
 * caller's. */
void pmi_name_server(const char *where);
void pmi_name_server_leave(void); /* what this process has published there is no longer known */

/* The port of a service, for other jobs, until the job of this process ends. Needs the launcher or
 * a server of names. Other errors than these say what cannot be reached or carried. */
int pmi_publish(const char *service, const char *port); /* -EEXIST: published already */
int pmi_unpublish(const char *service);                 /* -ENOENT: not published by this job */
int pmi_lookup(const char *service, char *port, size_t len); /* -ENOENT */

int pmi_appnum(int *appnum);          /* -ENOENT when the launcher does not know it */
int pmi_universe_size(int *universe); /* likewise */

/* The settings of mpiexec -set, as "A=1\nB=2" for setting_load(); may be empty. -ENOENT: the
 * launcher is not Starling's mpiexec. */
int pmi_settings(char *text, size_t len);

/* The arguments of mpiexec about the program of this process, as "maxprocs=4\nhost=a"; likewise. */
int pmi_program(char *text, size_t len);

/* The values of all keys with the prefix, a ';' behind each value, in *text, which the caller
 * frees. -ENOENT: as pmi_settings(). */
int pmi_all(const char *prefix, char **text);

/* Gets memory that the launcher has made for those processes of the job that name the same node:
 * *fd, which the caller closes. The launcher does not use it; it is empty, of os_memfd_empty(),
 * until one of the processes changes that. -ENOENT: this launcher makes none, or its connection
 * passes no descriptors. Only after pmi_settings(), which finds out whose launcher it is. A second
 * call gets another descriptor of the same memory, and closing that drops this process's locks on
 * the memory. */
int pmi_memory(uint64_t node, int *fd);

/* Takes the descriptor of this process's memory of pmi_calls.h, which the caller closes. -ENOENT:
 * the launcher is not Starling's mpiexec, or it has been taken. */
int pmi_calls_take(void);

/* Ends the whole job with this exit code: the launcher kills this process, too. Returns only when
 * the request cannot be sent, or when the launcher has not acted within 10 s. Starling's mpiexec
 * shows why (may be NULL) in its last line. */
void pmi_abort(int exit_code, const char *why);
int pmi_finalize(void);

const char *pmi_error_text(void);

#endif /* PMI_H */
