/* recording.c — steps in a few bytes each: a million ranks have a hundred million. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "recording.h"

/* A step begins with a byte: its kind, whether it is awaited, and how many bytes its length takes,
 * which follow those of the peer. */
enum { KIND = 7, AWAITED = 8, LENGTH_SHIFT = 4, LONGEST = 16, REMEMBERED = 8 };

static size_t begun[REMEMBERED]; /* where the last steps of the rank begin, modulo REMEMBERED */
static uint64_t begun_steps;     /* how many have begun */

static void *grow_memory(void *old, size_t len)
{
    void *grown = realloc(old, len);

    if (!grown) {
        (void) fprintf(stderr, "no memory for %zu bytes of steps\n", len);
        exit(1);
    }
    return grown;
}

void recording_open(struct recording *r, int ranks)
{
    *r = (struct recording) { 0 };
    r->first = grow_memory(NULL, ((size_t) ranks + 1) * sizeof *r->first);
    r->first[0] = 0;
}

void recording_close(struct recording *r)
{
    free(r->first);
    free(r->code);
    *r = (struct recording) { 0 };
}

void recording_begin_rank(struct recording *r)
{
    (void) r;
    begun_steps = 0;
}

void recording_end_rank(struct recording *r)
{
    r->steps += begun_steps;
    if (begun_steps > r->most_steps)
        r->most_steps = begun_steps;
    r->first[++r->ranks] = r->used;
}

static bool has_peer(enum step_kind kind) { return kind == STEP_SEND || kind == STEP_RECV; }

static void step_write(struct recording *r, struct step step)
{
    unsigned char *at = r->code + r->used, *head = at++;
    unsigned bytes = 0;

    if (has_peer(step.kind)) {
        memcpy(at, &step.peer, sizeof step.peer);
        at += sizeof step.peer;
    }
    for (uint64_t left = step.len; left > 0; left >>= 8, bytes++)
        *at++ = (unsigned char) left;
    *head = (unsigned char) (step.kind | (step.awaited ? AWAITED : 0) | bytes << LENGTH_SHIFT);
    r->used = (size_t) (at - r->code);
}

void recording_add(struct recording *r, struct step step)
{
    if (r->room - r->used < LONGEST) {
        r->room = r->room ? 2 * r->room : 1 << 16;
        r->code = grow_memory(r->code, r->room);
    }
    r->sends += step.kind == STEP_SEND;
    size_t last = begun[(begun_steps - 1) % REMEMBERED], at = last;
    if (step.kind == STEP_WORK && begun_steps > 0 && (r->code[last] & KIND) == STEP_WORK) {
        step.len += recording_step(r, &at).len;
        r->used = last;
    }
    begun[begun_steps++ % REMEMBERED] = r->used;
    step_write(r, step);
}

void recording_await(struct recording *r, unsigned n)
{
    assert(n < REMEMBERED);
    for (unsigned i = 1; i <= n && i <= begun_steps; i++)
        r->code[begun[(begun_steps - i) % REMEMBERED]] |= AWAITED;
    recording_add(r, (struct step) { .kind = STEP_AWAIT });
}

struct step recording_step(const struct recording *r, size_t *at)
{
    const unsigned char *p = r->code + *at;
    struct step step = { .kind = *p & KIND, .awaited = (*p & AWAITED) != 0 };
    unsigned bytes = *p++ >> LENGTH_SHIFT;

    if (has_peer(step.kind)) {
        memcpy(&step.peer, p, sizeof step.peer);
        p += sizeof step.peer;
    }
    for (unsigned i = 0; i < bytes; i++)
        step.len |= (uint64_t) p[i] << 8 * i;
    *at = (size_t) (p + bytes - r->code);
    return step;
}
