/* pmi_impl.h — what the files of the PMI client share. */
#ifndef PMI_IMPL_H
#define PMI_IMPL_H

#include <stdatomic.h>
#include "pm/pmi/pmi.h"
#include "pm/pmi/pmi_line.h"

enum {
    PMI_REQUEST_MAX = 1023, /* bytes of a request with its newline; Slurm loses longer ones */
    PMI_SEGMENT_MAX =
        900, /* bytes of a value on one line; old clients cannot read longer replies */
    PMI_FIRST_REPLY_MS =
        60000 /* limit for the first replies: PMI_FD may be a socket of another program */
};

enum {
    PMI_VALUE_LINE = 1 << 15, /* less than so many bytes of a text that has a line of its own */
    PMI_SPAWN_MOST = 1 << 14, /* processes at once: their error codes are one line */
    PMI_REASON = 200          /* bytes of a launcher's text */
};

enum pmi_state { PMI_NOT_JOINED, PMI_SINGLETON, PMI_JOINED, PMI_FINALIZED };
enum pmi_barrier { PMI_BARRIER_NONE, PMI_BARRIER_ASKED, PMI_BARRIER_OVER, PMI_BARRIER_REFUSED };

struct pmi_spawn {
    struct pmi_spawn *next;
    int number;                /* of the launcher; 0: none */
    bool abandoned;            /* it is freed when its answer has come */
    atomic_bool over;          /* set last, and with PMIx by its thread; then: */
    int err;                   /* nothing has been started, */
    bool lost;                 /* or the job has failed before it was connected, ... */
    char why[PMI_REASON];      /* ... says the launcher */
    struct pmix_abi_app *apps; /* of PMIx: */
    int programs;
    int processes;
    int code[]; /* of each process */
};

struct pmi_client {
    enum pmi_state state;
    int fd;
    int broken;           /* the error that ended the connection for good; 0 while it works */
    int reply_timeout_ms; /* -1: no limit */
    bool pmix;            /* the launcher speaks PMIx; fd is an eventfd */
    bool starling;        /* the server is that of Starling's mpiexec */
    int calls;            /* the memory of pmi_calls.h; negative: none */
    enum pmi_barrier barrier;
    struct pmi_spawn *asked;  /* the spawn whose answer has to come before all others; NULL: none */
    struct pmi_spawn *spawns; /* those of which lines may come, and which are not finished */
    int spawned;              /* the last number of a spawn */
    int *passed;        /* where a descriptor goes that comes with the reply; NULL: none should */
    char launcher[320]; /* how the environment names it: "PMI_FD=10" */
    char kvs[PMI_NAME_MAX];
    bool has_settings; /* they came with the reply to init: percent-encoded, in settings */
    char settings[PMI_SETTINGS_SHORT];
    char in[PMI_LINE_MAX]; /* received bytes; [used, len) are not read yet */
    size_t used, len;
};

extern struct pmi_client pmi_client;

/* Sets pmi_error_text() and returns err. */
int pmi_fail(int err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* As pmi_fail, and all later requests fail with the same error. */
#define PMI_BREAK(err, ...) (pmi_client.broken = pmi_fail((err), __VA_ARGS__))

/* wire.c. An error of these functions is final: all later requests fail with it. */
int pmi_send(const char *line, size_t len);
int pmi_receive(void); /* appends what has come to in: 1, 0 when nothing has, or an error */
int pmi_wait(void);    /* until something may have come */
/* Takes a line that has been received, from the byte `scanned` on: 1, 0 when its end is missing, or
 * an error. The line ends in NUL, without its newline, and is valid until the next one is read. */
int pmi_next_line(char **line, size_t scanned);
int pmi_read_line(char **line); /* waits for a line: 0, or an error */
int pmi_check_joined(void);     /* 0, or an error outside init and finalize */
/* The beginning of text for an error message, with '?' for what is not printable; valid until the
 * next call. */
const char *pmi_printable(const char *text, size_t len);

/* request.c: errors are final as well. */
/* Sends a request, fmt without its newline, and reads the reply, whose cmd must be answer; it is
 * valid until the next one is read. */
int pmi_request(char **reply, const char *answer, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
int pmi_read_reply(char **reply, const char *answer); /* reads only */
/* Waits for the answer to a spawn that must come before all others: see pmi_wait_hook. */
int pmi_turn(void);
int pmi_look(void); /* takes what has come for requests in two halves, without waiting */

/* spawn_result.c: whether the line belongs to a spawn: 1 when it has been taken, 0, or -EPROTO. */
int pmi_spawn_line(const char *line);
void pmi_spawn_forget(const struct pmi_spawn *s); /* takes it out of the lists */

/* kvs.c: 0, or an error when servers do not store such a key and value. */
int pmi_check_pair(const char *key, const char *value);

/* The field rc of a reply; 0 without one, because some servers omit it on success. */
int pmi_rc(const char *reply);

/* name_server.c: the line is without its newline. The reply is valid until the next one. */
bool pmi_name_server_is_set(void);
const char *pmi_name_server_title(void); /* for texts */
int pmi_name_server_request(char **reply, const char *answer, const char *line);

/* launcher.c: how many processes the environment shows of the job; 0: it does not say. */
int pmi_shown_size(void);

/* launcher.c: 0 when no launcher started this process, or started only this one. Otherwise
 * -ENOTSUP, and the error text names the launcher and what to do. */
int pmi_check_singleton(void);

/* init.c: begins to speak PMI-1 with the launcher, and gets the name of the job. */
int pmi_negotiate(struct pmi_job *job);

/* connect.c */
int pmi_connect(const char *address); /* host:port; returns a connected, close-on-exec socket */

#endif /* PMI_IMPL_H */
