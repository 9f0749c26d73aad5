/* record.h — what the chaos device keeps of a packet, of a peer, and of a device it surrounds. */
#ifndef RECORD_H
#define RECORD_H

#include "devices/device.h"

/* Type of this device's own packet: its sender has cut off the receiver. */
enum { CHAOS_GONE = 0xff };

struct chaos_packet { /* one that has come and is not handed on to ADI3 in full */
    struct chaos_packet *next;
    struct dev_pkt pkt;
    bool whole;   /* the inner device has written all of the payload, or ended it */
    bool begun;   /* recv_begin() was called for it */
    bool dropped; /* to be freed when it is whole */
    int err;
    uint64_t given; /* bytes handed on */
    struct dev_target target;
    char *payload; /* at a random address: about half are odd */
    char room[];
};

struct chaos_peer {
    struct dev_peer inner; /* as the inner device sees it */
    struct dev_peer *outer;
    struct chaos *device;
    struct chaos_peer *next;
    struct chaos_packet *in, **in_end;
    struct dev_send *out, **out_end; /* not handed to the inner device yet */
    struct dev_put *puts;            /* likewise, in any order */
    struct dev_atomic *atomics;      /* likewise */
    unsigned backlog;                /* packets in `in` */
    unsigned in_stall, out_stall, put_stall, atomic_stall, refusal; /* polls that they still last */
    unsigned long heard;                                            /* packets that have come */
    bool dropping; /* to be cut off as soon as inject() takes the packet that says so */
    int refused;   /* the error by which ADI3 refused a packet; 0: none */
    int lost;  /* why it can no longer be reached; what has come is handed on first; 0: it can */
    bool over; /* ADI3 knows that the peer is lost, or has deleted the peer */
};

struct chaos { /* what surrounds one device */
    const struct dev_ops *inner;
    struct dev_ops ops; /* of this device, for ADI3 */
    struct dev_upcalls up;
    char name[32];
    const struct dev_env *env; /* ADI3's; NULL while closed */
    struct dev_env inner_env;
    struct chaos_peer *peers;
    unsigned npeers;
};

#endif /* RECORD_H */
