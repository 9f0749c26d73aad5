/* request.h — requests: what all kinds of operations under way have in common.
 *
 * Uses base, datatype, proc, match and progress; used by p2p and the rooms above it. MPICH's
 * MPIR_Request, with UCX's ucp_request. A kind of operations is a row of functions for what is
 * rare. The path of a message is inline here, and tests one word of flags. */
#ifndef REQUEST_H
#define REQUEST_H

#include "adi3/datatype/datatype.h"
#include "adi3/adi3_request.h"
#include "adi3/match/match.h"
#include "adi3/progress/progress.h"

/* The life of a request: INIT -start-> STARTED -first byte or match-> ACTIVE -all completions->
 * DONE. A persistent request is in INIT while it is inactive. Other requests begin as STARTED. */
enum adi3_state { ADI3_INIT, ADI3_STARTED, ADI3_ACTIVE, ADI3_DONE };

/* ADI3_MESSAGE: a message that a matched probe has taken, for MPI_Mrecv; its handle is an
 * MPI_Message. The last numbers are for tests. */
enum adi3_kind {
    ADI3_SEND,
    ADI3_RECV,
    ADI3_MESSAGE,
    ADI3_GENERALIZED,
    ADI3_SCHEDULE,
    ADI3_ONE_SIDED,
    ADI3_FILE_ACCESS,
    ADI3_KIND_TEST,
    ADI3_KINDS = ADI3_KIND_TEST + 3
};

struct request_kind { /* members may be NULL: the comment says what happens then */
    const char *name; /* for reports of calls that wait: "a send" */
    /* Starts a persistent request; returns an MPI error. NULL: no request of this kind persists. */
    int (*start)(struct adi3_request *r);
    int (*cancel)(struct adi3_request *r); /* MPI_Cancel. NULL: nothing happens */
    /* adi3_request_finish() of a request with flags. NULL: the status is made of envelope and
     * length. */
    int (*finish)(struct adi3_request *r, MPI_Status *status);
    /* adi3_request_peek() likewise. */
    int (*peek)(const struct adi3_request *r, MPI_Status *status);
    /* Frees a request that is done or inactive and whose handle the user has dropped. NULL:
     * request_free() does. */
    int (*release)(struct adi3_request *r);
    void (*end)(struct adi3_request *r); /* frees what a request with flags owns, before it */
    bool must_complete;                  /* MPI_Request_free is an error while it is active */
};

extern const struct request_kind *request_kinds[ADI3_KINDS];
/* Adds a row; does nothing when the row is there already.
 * Errors: MPI_ERR_INTERN when another row has this number or this name. */
int request_kind_add(enum adi3_kind kind, const struct request_kind *row);

enum request_flags { /* rare properties: one test finds that a request has no flag */
                     REQUEST_PERSISTENT = 1,
                     REQUEST_CANCELLED = 2,
                     REQUEST_BUFFERED = 4,   /* its bytes are in the buffer of MPI_Bsend */
                     REQUEST_SPECIAL = 8,    /* its kind has a finish() or end() */
                     REQUEST_RELEASED = 16,  /* the user has no handle: freed when done */
                     REQUEST_WATCHED = 32,   /* a call waits for one of many requests: see any.c */
                     REQUEST_OWNED = 64,     /* of a larger operation: see request_owner */
                     REQUEST_SCHEDULE = 128, /* the user's request of a schedule */
                     REQUEST_ENDS = 256,     /* it has `ends` */
};

/* A larger operation, such as a schedule, that owns requests. */
struct request_owner {
    /* Called when r is done: takes its result and frees it by adi3_request_finish(). */
    void (*owned_done)(struct request_owner *owner, struct adi3_request *r);
    struct adi3_request *whole; /* stands for the operation; NULL until it has one */
};

struct adi3_request {
    MPI_Request handle;       /* also its cookie on the wire */
    uint8_t state;            /* enum adi3_state */
    uint8_t awaits;           /* the packet type that may name the request now; 0: no type may */
    uint8_t completion_count; /* of a send: completions that are still to come; DONE at 0 */
    uint8_t kind;
    uint16_t flags;        /* request_flags: the one test of hot paths */
    bool recalled;         /* the receiver has been asked to cancel, and has not answered yet */
    bool scattered;        /* its bytes are not one range: data and memory are set, not bytes */
    struct dev_peer *peer; /* the only peer whose packets may name it; NULL before a match */
    struct adi3_comm *comm;
    struct adi3_queues *queue; /* of a receive: where it is posted */
    struct match_entry posted; /* the envelope: asked for, and of a matched receive the message's */
    char *bytes;               /* the user's memory, when it is one range */
    size_t len, got;           /* bytes of that memory; of a receive the bytes of its message */
    int error;                 /* the MPI error it ends with */
    int index;                 /* when watched: the index for adi3_any */
    struct adi3_data data;     /* when scattered: where its bytes are, ... */
    struct dev_memory memory;  /* ... and how devices reach them */
    struct dev_send op;        /* its data packet */
    union {
        struct dev_get get; /* of a receive: its read; op holds the RTS meanwhile */
        struct dev_put put; /* of a one-sided operation, as is get */
    };
    union {
        void *exposed; /* of a send that awaits CTS: the device's registration; NULL: none */
        const struct dev_memory *there; /* of a read: the layout in the sender; NULL: one range */
    };
    union {
        uint64_t watch;              /* when watched: adi3_any.watch of the call */
        struct request_owner *owner; /* of an owned one */
    };
    union {
        struct adi3_start *start;      /* of a persistent request: what is started */
        struct match_message *message; /* of ADI3_MESSAGE; NULL when it was lost */
        struct adi3_callbacks *users;  /* of a generalized request */
        struct adi3_sched *schedule;   /* of a request of a schedule */
        void *own;                     /* of kinds that other rooms add */
    };
    struct request_end *ends; /* what adi3_request_at_end() has added */
};

/* As request_new(), where the pool is known to have a free one. */
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
    r->completion_count = 1;
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

/* Gives the user the request's handle. */
static inline MPI_Request request_user_acquire(struct adi3_request *r)
{
    adi3_set_creator(r);
    return r->handle;
}

/* The request that the call under way cannot return without; NULL: none, or it is not known, as
 * where there are threads. Of receives only one that the call waits for alone. */
extern const struct adi3_request *request_awaited;

int request_init(void);
/* Makes a request with a reference to c. NULL without memory: the error is MPI_ERR_NO_MEM. */
struct adi3_request *request_new(enum adi3_kind kind, struct adi3_comm *c, int rank, int tag);
void request_free(struct adi3_request *r);
/* Makes r DONE: all its completions have come. r may be freed when this returns: the user or a
 * larger operation may have released it. */
void request_done(struct adi3_request *r);
/* Sets the memory of r: len, and bytes or data. */
void request_data(struct adi3_request *r, const struct adi3_data *d);
void request_drop_data(struct adi3_request *r); /* releases the datatype of noncontiguous memory */
/* Copies the first r->got bytes of a message into the memory of r. */
void request_deliver(const struct adi3_request *r, const void *payload);
void request_status(MPI_Status *status, int source, int tag, size_t len);
void request_look(struct adi3_wait *w); /* adi3_wait.look of a wait for a request */

#endif /* REQUEST_H */
