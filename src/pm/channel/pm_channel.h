/* pm_channel.h — a channel: frames between mpiexec and a proxy, over two descriptors.
 *
 * A proxy first writes a greeting, a line that begins with a magic word. What comes before it is no
 * frame: the login scripts of a host may print. mpiexec sends nothing until it has the greeting. */
#ifndef PM_CHANNEL_H
#define PM_CHANNEL_H

#include "pm/channel/pm_frame.h"
#include "pm/seal/pm_seal.h"

struct pm_channel_events {
    void *owner;
    void (*greeted)(void *owner); /* for mpiexec: the proxy is there */
    /* For mpiexec: a line that came before the greeting, without its end. */
    void (*noise)(void *owner, const char *line, size_t len);
    void (*frame)(void *owner, const struct pm_frame *f);
    /* There will be no more events. why completes the sentence "its proxy ..."; NULL: the other
     * side has closed the channel. */
    void (*ended)(void *owner, const char *why);
};

struct pm_channel;

/* version: of Starling, for the greeting. The descriptors become non-blocking and are closed with
 * the channel; they may be the same. seal: NULL where no other user can reach them; it is freed
 * with the channel. NULL with errno. */
struct pm_channel *pm_channel_to_proxy(int in, int out, struct pm_seal *seal,
                                       const struct pm_channel_events *events);
struct pm_channel *pm_channel_to_owner(int in, int out, struct pm_seal *seal, const char *version,
                                       const struct pm_channel_events *events);

/* Queues a frame. It is sent at the end of this turn of the loop, or later. */
void pm_channel_send(struct pm_channel *c, const struct pm_frame *f);
bool pm_channel_is_open(const struct pm_channel *c);  /* false when it has ended or been closed */
size_t pm_channel_queued(const struct pm_channel *c); /* bytes */
bool pm_channel_sent_all(const struct pm_channel *c); /* true also when it has ended */

/* From now on sends a BEAT four times in timeout_ms, and ends when nothing comes for that long.
 * 0: never. Until this is called, the time is 10 s for a channel to the owner, whose first frame is
 * due at once, and not limited for one to a proxy: the owner limits the start. */
void pm_channel_beat(struct pm_channel *c, int timeout_ms);
uint64_t pm_channel_heard(const struct pm_channel *c); /* frames that have come */

void pm_channel_close(struct pm_channel *c); /* without an event; what is queued is lost */
void pm_channel_free(struct pm_channel *c);  /* not in an event of its own */

#endif /* PM_CHANNEL_H */
