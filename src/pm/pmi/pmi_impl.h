/* pmi_impl.h — what the files of the PMI client share. */
#ifndef PMI_IMPL_H
#define PMI_IMPL_H

#include "pmi.h"
#include "pmi_line.h"

enum {
    PMI_REQUEST_MAX = 1023, /* bytes of a request with its newline: Slurm loses longer ones */
    PMI_SEGMENT_MAX = 900,  /* bytes of a value on one line, so that old readers take the reply */
    PMI_FIRST_REPLY_MS = 60000 /* for the first answer: the descriptor may be somebody else's */
};

enum pmi_state { PMI_NOT_JOINED, PMI_SINGLETON, PMI_JOINED, PMI_FINALIZED };

struct pmi_client {
    enum pmi_state state;
    int fd;
    int broken;           /* the error after which the conversation cannot go on; 0 while it can */
    int reply_timeout_ms; /* how long to wait for a reply; -1: as long as it takes */
    bool starling;        /* the server has answered what only ours knows */
    char launcher[320];   /* the other end, in the words of the environment: "PMI_FD=10" */
    char kvs[PMI_NAME_MAX];
    char in[PMI_LINE_MAX]; /* received bytes; [used, len) have not been looked at */
    size_t used, len;
};

extern struct pmi_client pmi_client;

/* Sets pmi_error_text() and returns err. */
int pmi_fail(int err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* wire.c. Their errors are final: the conversation cannot be resumed after them.
 * A line that was read is terminated, without its newline, and lives until the next read. */
int pmi_send(const char *line, size_t len);
int pmi_read(char **line);

/* Sends a request, fmt without its newline, and reads the reply, which must be called answer. */
int pmi_request(char **reply, const char *answer, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
int pmi_read_reply(char **reply, const char *answer); /* the second half of pmi_request */
int pmi_check_joined(void);                           /* 0 when joined and not broken */

/* rc= of a reply; some servers leave it out of a success. */
int pmi_rc(const char *reply);

/* launcher.c: 0 when nothing launched this process, or launched it alone; otherwise -ENOTSUP and a
 * text that names the launcher and what to do. */
int pmi_check_singleton(void);

/* connect.c */
int pmi_connect(const char *address); /* host:port; a connected, close-on-exec socket */

#endif /* PMI_IMPL_H */
