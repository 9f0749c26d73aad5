/* pmi.h — this process as a client of whatever launched it (PMI-1, by PMI_FD or PMI_PORT).
 *
 * One request is outstanding at a time; nothing here is thread safe. Functions return 0 or a
 * negative errno, and then pmi_error_text() says what happened and with whom. */
#ifndef PMI_H
#define PMI_H

#include <stdbool.h>
#include <stddef.h>

enum { PMI_NAME_MAX = 256, PMI_VALUE_MAX = 1024 };

struct pmi_job {
    int rank, size;
    bool singleton;          /* nothing launched us: rank 0 of 1, and every call below fails */
    char name[PMI_NAME_MAX]; /* the kvs name, unique for each job of this launcher */
};

/* Joins the job. Afterwards PMI_FD, PMI_PORT and PMI_ID are gone from the environment and the
 * socket is close-on-exec: a program that a rank starts is not that rank. An environment that
 * shows a launcher which cannot be joined is an error that names it and what to do: never a
 * singleton. */
int pmi_init(struct pmi_job *job);
/* The rank and size that the environment tells before; 0 of 1 when it does not. */
void pmi_job_from_environment(struct pmi_job *job);

/* Stores value (printable ASCII without blanks, backslash and ';') for the other processes; it
 * is seen after a barrier. Values too long for a line of the protocol are split over several
 * keys. */
int pmi_put(const char *key, const char *value);
int pmi_get(const char *key, char *value, size_t len); /* -ENOENT when nobody has put it */

/* A barrier in two halves, so that the caller can serve others meanwhile: pmi_fd() becomes readable
 * when pmi_barrier_finish would not wait. */
int pmi_barrier_start(void);
int pmi_barrier_finish(void);
int pmi_fd(void);

int pmi_appnum(int *appnum);          /* -ENOENT when the launcher does not say */
int pmi_universe_size(int *universe); /* likewise */

/* The settings given to mpiexec by -set, as "A=1\nB=2" for setting_load(); empty when there were
 * none. -ENOENT: the launcher is not ours. */
int pmi_settings(char *text, size_t len);

/* What mpiexec was told of this process's program, as "maxprocs=4\nhost=a"; likewise. */
int pmi_program(char *text, size_t len);

/* Ends the whole job with this exit code. The launcher kills us; returns only if it cannot be
 * told, or has done nothing for ten seconds. why (may be NULL) is shown by our own mpiexec in
 * its last line. */
void pmi_abort(int exit_code, const char *why);
int pmi_finalize(void);

const char *pmi_error_text(void);

#endif /* PMI_H */
