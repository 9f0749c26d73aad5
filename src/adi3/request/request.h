/* request.h — requests: what all kinds of operations under way have in common. For the rooms above.
 *
 * A kind of operations is a row of functions for what is rare; what every message passes is inline
 * here or looks at flags alone. */
#ifndef REQUEST_H
#define REQUEST_H

#include "adi3_datatype.h"
#include "adi3_request.h"
#include "match.h"
#include "progress.h"

/* The life of a request: INIT -start-> STARTED -first byte or match-> ACTIVE -all parts-> DONE.
 * A persistent request is in INIT while it is inactive. */
enum adi3_state { ADI3_INIT, ADI3_STARTED, ADI3_ACTIVE, ADI3_DONE };

/* ADI3_MESSAGE: one that a matched probe has taken, for MPI_Mrecv; no request, to the user. Behind
 * the last one there is room for kinds of tests. */
enum adi3_kind {
    ADI3_SEND,
    ADI3_RECV,
    ADI3_MESSAGE,
    ADI3_GENERALIZED,
    ADI3_SCHEDULE,
    ADI3_KIND_SPARE,
    ADI3_KINDS = ADI3_KIND_SPARE + 3
};

struct request_kind { /* members may be NULL: then what is said here happens */
    const char *name; /* in words, for those that wait: "a send" */
    /* Starts a persistent request again; an MPI error. NULL: there are none. */
    int (*start)(struct adi3_request *r);
    int (*cancel)(struct adi3_request *r); /* MPI_Cancel. NULL: nothing happens */
    /* Takes the result of one that is done and has flags, and frees it. NULL: its status is made
     * of envelope and length. */
    int (*finish)(struct adi3_request *r, MPI_Status *status);
    int (*peek)(const struct adi3_request *r, MPI_Status *status); /* likewise, and keeps it */
    /* The user gave up the handle of one that is done or inactive: frees it. NULL: just that. */
    int (*release)(struct adi3_request *r);
    void (*end)(struct adi3_request *r); /* before one with flags is freed: what hangs on it */
    bool must_complete;                  /* MPI_Request_free is an error while it is active */
};

extern const struct request_kind *request_kinds[ADI3_KINDS];
/* Adds a row; a row that is there already is not added again.
 * Errors: MPI_ERR_INTERN when this number or this name has another row. */
int request_kind_add(enum adi3_kind kind, const struct request_kind *row);

enum request_flags { /* what few requests are, so that the others need not look for it */
                     REQUEST_PERSISTENT = 1,
                     REQUEST_CANCELLED = 2,
                     REQUEST_BUFFERED = 4,   /* its bytes are in the user's buffer: see bsend.c */
                     REQUEST_SPECIAL = 8,    /* of a kind with a finish() of its own */
                     REQUEST_RELEASED = 16,  /* the user has no handle: freed when done */
                     REQUEST_WATCHED = 32,   /* one of many that a call waits for: see any.c */
                     REQUEST_PART = 64,      /* of a larger operation: see request_owner */
                     REQUEST_SCHEDULE = 128, /* stands for a schedule */
};

/* A larger operation that has this request as a part. */
struct request_owner {
    /* r is done: takes its result and frees it by adi3_request_finish(). */
    void (*part_done)(struct request_owner *owner, struct adi3_request *r);
};

struct adi3_request {
    MPI_Request handle; /* also its cookie on the wire */
    uint8_t state;
    uint8_t awaits; /* the packet type it may be named by, 0 when none ... */
    uint8_t parts;  /* of a send, not over yet: DONE when it falls to 0 */
    uint8_t kind;
    uint16_t flags;        /* request_flags: the one test of hot paths */
    bool recalled;         /* a cancel has been asked for, and not been answered yet */
    bool scattered;        /* its bytes are not one range: data and memory are set, not bytes */
    struct dev_peer *peer; /* ... and by which peer; of a receive once it has matched */
    struct adi3_comm *comm;
    struct adi3_queues *queue; /* where it is posted */
    struct match_entry posted; /* envelope asked for; for receives then the one matched */
    char *bytes;               /* the user's, where they are one range */
    size_t len, got;
    int error;
    int index;                /* when watched: what the call that watches calls this one */
    struct adi3_data data;    /* when scattered: where its bytes are, ... */
    struct dev_memory memory; /* ... and how devices reach them */
    struct dev_send op;       /* its data packet */
    struct dev_get get;       /* of a receive: its read, while the RTS stays in op */
    union {
        void *exposed; /* of a send that awaits CTS: the device's, NULL when there is none */
        const struct dev_memory *there; /* of a read: the layout in the sender, or NULL */
    };
    union {
        uint64_t watch;              /* when watched: by which call */
        struct request_owner *owner; /* of a part */
    };
    union {
        struct adi3_start *start;      /* of a persistent one: what is started */
        struct match_message *message; /* of a message; NULL when it was lost */
        struct adi3_callbacks *users;  /* of a generalized one */
        struct adi3_sched *schedule;   /* of one that stands for a schedule */
        void *own;                     /* of another kind */
    };
};

/* When it is known that the pool has one. */
static inline struct adi3_request *request_take(enum adi3_kind kind, struct adi3_comm *c, int rank,
                                                int tag)
{
    MPI_Request handle;
    struct adi3_request *r = adi3_take(&adi3_requests, &handle);

    assert(adi3_lock_held() && !r->posted.all.next);
    c->refs++;
    r->handle = handle;
    r->state = ADI3_STARTED;
    r->awaits = 0;
    r->parts = 1;
    r->kind = (uint8_t) kind;
    r->flags = 0;
    r->recalled = false;
    r->peer = NULL;
    r->comm = c;
    r->posted.rank = rank;
    r->posted.tag = tag;
    r->got = 0;
    r->error = MPI_SUCCESS;
    r->scattered = false;
    return r;
}

/* Its handle is the user's from now on. */
static inline MPI_Request request_user_acquire(struct adi3_request *r)
{
    adi3_set_creator(r);
    return r->handle;
}

/* The request that a call waits for alone; NULL: there is none, or it waits for several. */
extern const struct adi3_request *request_awaited;

int request_init(void);
/* NULL without memory; request_no_memory() is the error. */
struct adi3_request *request_new(enum adi3_kind kind, struct adi3_comm *c, int rank, int tag);
int request_no_memory(void);
void request_free(struct adi3_request *r);
/* All parts are over. Only the pool may hold r afterwards if the user has released it. */
void request_done(struct adi3_request *r);
void request_data(struct adi3_request *r, const struct adi3_data *d); /* its bytes, and no more */
void request_drop_data(struct adi3_request *r);
/* Puts the first r->got bytes where they belong. */
void request_deliver(const struct adi3_request *r, const void *payload);
void request_status(MPI_Status *status, int source, int tag, size_t len);
void request_look(struct adi3_wait *w); /* of a wait for a request: adi3_wait.look */

#endif /* REQUEST_H */
