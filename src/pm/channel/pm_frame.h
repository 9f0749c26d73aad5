/* pm_frame.h — frames: the commands and events of pm_node.h as bytes.
 *
 * A frame has 16 bytes, all numbers little endian, and then its payload:
 *
 *     0        4       6        8        12       16
 *     | length | kind  | stream | number | value  | length bytes ...
 */
#ifndef PM_FRAME_H
#define PM_FRAME_H

#include "pm/seal/pm_bytes.h"
#include "pm/node/pm_node.h"

enum {
    PM_FRAME_HEAD = 16,
    PM_CHANNEL_VERSION = 7,
};

/* How many bytes of output of a sink may be under way from a node that has so many sinks. All of
 * them together have a limit, but none waits for another. */
int pm_window(int sinks);

/* What a frame says, with its number, value and payload. A job, process, sink or memory has the
 * number that it has in pm_node.h. */
enum pm_frame_kind {
    PM_FRAME_BEAT = 1, /* this side lives; number 1: answer at once */

    /* To a proxy. The first is HELLO. */
    PM_FRAME_HELLO,   /* version; milliseconds without frames after which the other side is lost;
                         the working directory */
    PM_FRAME_PREPARE, /* the plan: pm_serialize.h */
    PM_FRAME_START,   /* pm_serialize.h */
    PM_FRAME_RESIZE,  /* rows, columns */
    PM_FRAME_CREDIT,  /* sink; bytes of its output that have been taken */
    PM_FRAME_JOB,     /* job: its ranks, before its PREPARE: pm_serialize.h */
    PM_FRAME_NOTE,    /* job: of its root to its hub on the node: pm_serialize.h. Also from it */
    PM_FRAME_INPUT,   /* process; bytes, none: the end */
    PM_FRAME_SIGNAL,  /* signal, job */
    PM_FRAME_FIND_EXITING,
    PM_FRAME_FINISH,
    PM_FRAME_END, /* signal; milliseconds until SIGKILL */
    PM_FRAME_KILL,
    PM_FRAME_DROP_OUTPUT,

    /* To a relay, which also knows HELLO and FINISH. Numbers are those of children. */
    PM_FRAME_CHILD,     /* number; the words of a command to start: pm_serialize.h */
    PM_FRAME_CHILD_END, /* number, a signal to send or 0: its end is expected */
    PM_FRAME_RELAY,     /* number; bytes of the channel of the child, none: its end. Also from it */

    /* From a proxy. */
    PM_FRAME_READY,        /* job: pm_serialize.h */
    PM_FRAME_REFUSED,      /* job: pm_serialize.h */
    PM_FRAME_STARTED,      /* process, pid; the file */
    PM_FRAME_NOT_STARTED,  /* process, errno; what failed */
    PM_FRAME_OUTPUT,       /* process, 1: more will follow; bytes of the stream */
    PM_FRAME_OUTPUT_ENDED, /* process; and the stream */
    PM_FRAME_PMI_ENDED,    /* process, which has joined and not finalized */
    PM_FRAME_PMI_STUCK,    /* process */
    PM_FRAME_INPUT_TAKEN,  /* process */
    PM_FRAME_INPUT_ENDED,  /* process */
    PM_FRAME_EXITING,      /* process */
    PM_FRAME_EXITED,       /* process, wait status; its last MPI call */
    PM_FRAME_LOG,          /* a log line of the node */
    PM_FRAME_FAILED,       /* why the proxy ends before its node */
    PM_FRAME_EXITING_FOUND,
    PM_FRAME_SIGNALED, /* the signal that the proxy has received */
    PM_FRAME_ENDED,

    /* From a relay. */
    PM_FRAME_CHILD_LINE,   /* number; a line of its standard error */
    PM_FRAME_CHILD_EXITED, /* number, wait status */

    PM_FRAME_FORGET,    /* to a proxy: job, which has ended */
    PM_FRAME_FORGOTTEN, /* from a proxy: job, of which nothing more will come */
    PM_FRAME_KINDS
};

struct pm_frame {
    enum pm_frame_kind kind;
    int stream; /* PM_OUT or PM_ERR */
    int number, value;
    const char *bytes;
    size_t len;
};

/* Adds a frame to a queue; -ENOMEM. */
int pm_frame_put(struct pm_bytes *q, const struct pm_frame *f);

/* Reads the first frame of a queue. Returns the bytes that it takes there, which pm_bytes_take()
 * removes when the payload is needed no more; 0: its end is missing; or -EBADMSG: the queue has
 * something else. from_proxy: which frames may come. */
ssize_t pm_frame_get(const struct pm_bytes *q, bool from_proxy, struct pm_frame *f);

#endif /* PM_FRAME_H */
