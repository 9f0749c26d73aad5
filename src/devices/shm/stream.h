/* stream.h — the way in which a writer writes long messages: through the cache, or past it. */
#ifndef STREAM_H
#define STREAM_H

#include "platform/os.h"

struct shm_pace { /* costs of the two ways to write a long message: see stream.c */
    unsigned turns;
    uint32_t cost[2]; /* ps per line, running averages: through the cache, past it; 0: not known */
};

bool shm_pace_streams(const struct shm_pace *p); /* writing past the cache is the cheaper way */
bool shm_pace_choose(struct shm_pace *p);        /* the way for the next message; true: past it */
void shm_pace_note(struct shm_pace *p, bool stream, unsigned lines, uint64_t ns);
void shm_stream(const void *entry, char *to, const char *from, size_t len);

#endif /* STREAM_H */
