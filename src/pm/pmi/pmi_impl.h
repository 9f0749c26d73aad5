/* pmi_impl.h — what the files of the PMI client share. */
#ifndef PMI_IMPL_H
#define PMI_IMPL_H

#include "pm/pmi/pmi.h"
#include "pm/pmi/pmi_line.h"

enum {
    PMI_REQUEST_MAX = 1023, /* bytes of a request with its newline; Slurm loses longer ones */
    PMI_SEGMENT_MAX =
        900, /* bytes of a value on one line; old clients cannot read longer replies */
    PMI_FIRST_REPLY_MS =
        60000 /* limit for the first replies: PMI_FD may be a socket of another program */
};

enum pmi_state { PMI_NOT_JOINED, PMI_SINGLETON, PMI_JOINED, PMI_FINALIZED };

struct pmi_client {
    enum pmi_state state;
    int fd;
    int broken;           /* the error that ended the connection for good; 0 while it works */
    int reply_timeout_ms; /* -1: no limit */
    bool pmix;            /* the launcher speaks PMIx; fd is an eventfd */
    bool starling;        /* the server is that of Starling's mpiexec */
    int calls;            /* the memory of pmi_calls.h; negative: none */
    int *passed;          /* where a descriptor goes that comes with the reply; NULL: none should */
    char launcher[320];   /* how the environment names it: "PMI_FD=10" */
    char kvs[PMI_NAME_MAX];
    bool has_settings; /* they came with the reply to init: percent-encoded, in settings */
    char settings[PMI_SETTINGS_SHORT];
    char in[PMI_LINE_MAX]; /* received bytes; [used, len) are not read yet */
    size_t used, len;
};

extern struct pmi_client pmi_client;

/* Sets pmi_error_text() and returns err. */
int pmi_fail(int err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* wire.c. An error of these functions is final: all later requests fail with it.
 * A reply ends in NUL, without its newline, and is valid until the next one is read. */
int pmi_send(const char *line, size_t len);

/* Sends a request, fmt without its newline, and reads the reply, whose cmd must be answer. */
int pmi_request(char **reply, const char *answer, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
int pmi_read_reply(char **reply, const char *answer); /* reads only */
int pmi_check_joined(void);                           /* 0, or an error outside init and finalize */

/* The field rc of a reply; 0 without one, because some servers omit it on success. */
int pmi_rc(const char *reply);

/* launcher.c: how many processes the environment shows of the job; 0: it does not say. */
int pmi_shown_size(void);

/* launcher.c: 0 when no launcher started this process, or started only this one. Otherwise
 * -ENOTSUP, and the error text names the launcher and what to do. */
int pmi_check_singleton(void);

/* connect.c */
int pmi_connect(const char *address); /* host:port; returns a connected, close-on-exec socket */

#endif /* PMI_IMPL_H */
