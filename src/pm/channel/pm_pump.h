/* pm_pump.h — a stream of bytes that another channel carries: what comes from a descriptor goes
 * into RELAY frames with its number, and the bytes of such frames go to the descriptor. */
#ifndef PM_PUMP_H
#define PM_PUMP_H

#include "pm/node/loop.h"
#include "pm/channel/pm_channel.h"

struct pm_pump {
    struct pm_channel *(*channel)(void *owner); /* that carries the bytes; NULL: not open */
    void (*send)(void *owner, const struct pm_frame *f);
    void *owner;
    int number, fd; /* fd is -1: closed */
    struct pm_source ready;
    struct pm_timer resume_timer; /* reads again when the channel has sent */
    struct pm_bytes queue;        /* for fd */
    bool ends;                    /* fd gets its end after the queue */
    bool reads;
};

/* owner, channel, send and number are set. fd becomes non-blocking and is closed with the pump.
 * -errno. */
int pm_pump_open(struct pm_pump *p, int fd);
void pm_pump_close(struct pm_pump *p);

/* Takes the bytes of a frame; none: the end. -ENOMEM. */
int pm_pump_take(struct pm_pump *p, const char *bytes, size_t len);

#endif /* PM_PUMP_H */
