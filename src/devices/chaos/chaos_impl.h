/* chaos_impl.h — shared between the files of the chaos device, and its tests. */
#ifndef CHAOS_IMPL_H
#define CHAOS_IMPL_H

#include "device.h"

enum {
    CHAOS_GONE = 0xff
}; /* type of this device's own packet: the sender has cut off the receiver */

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
    struct dev_send *out, **out_end;       /* not handed to the inner device yet */
    unsigned backlog;                      /* packets in `in` */
    unsigned in_stall, out_stall, refusal; /* polls that they still last */
    unsigned long heard;                   /* packets that have come */
    bool dropping; /* to be cut off as soon as inject() takes the packet that says so */
    int refused;   /* the error by which ADI3 refused a packet; 0: none */
    int lost;  /* why it can no longer be reached; what has come is handed on first; 0: it can */
    bool over; /* ADI3 knows that it is lost, or has deleted it */
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

/* chance.c */

/* How often each disturbance happened: tests check that it did. */
struct chaos_counts {
    unsigned long refused, held_in, held_out, torn, not_got, reordered, dropped;
};
extern struct chaos_counts chaos_counts;

/* Settings. In percent, except the seed, the rank and the number of packets. */
extern int chaos_seed, chaos_delay, chaos_again, chaos_tear, chaos_no_get, chaos_drop_peer,
    chaos_drop_after;

void chaos_begin(
    int world_rank); /* starts the random numbers anew, different ones in each process */
unsigned chaos_random(unsigned below);
bool chaos_happens(int percent);
bool chaos_stalls(struct chaos_peer *p, unsigned *polls, unsigned long *count);

/* in.c */
int chaos_recv(struct dev_peer *from, const struct dev_pkt *pkt, const void *payload);
int chaos_recv_begin(struct dev_peer *from, const struct dev_pkt *pkt, struct dev_target *target);
void chaos_recv_end(struct dev_target *target, int err);
bool chaos_hand_on(struct chaos_peer *p); /* true if anything moved */
bool chaos_holds_arrivals(const struct chaos_peer *p);
void chaos_end_arrivals(struct chaos_peer *p, int err);

/* out.c */
int chaos_inject(struct dev_peer *to, const struct dev_pkt *pkt, const void *data);
int chaos_inject_plain(struct dev_peer *to, uint32_t ctx, int32_t rank, int32_t tag,
                       const void *data, size_t len);
void chaos_send(struct dev_peer *to, struct dev_send *op);
bool chaos_push(struct chaos_peer *p); /* true if anything moved */
void chaos_end_sends(struct chaos_peer *p, int err);

#endif /* CHAOS_IMPL_H */
