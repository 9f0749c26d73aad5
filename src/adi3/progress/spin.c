/* spin.c — how long a process with a core of its own spins before it sleeps.
 *
 * After a wait for which a little more spinning would have been enough the next ones spin longer.
 * So ranks whose work is not quite balanced do not pay for wake-ups. Where most waits are long,
 * they spin less. A single long wait says nothing: beside other load the process waited for may
 * have lost its core once. */
#include "adi3/progress/progress_impl.h"

enum {
    SPIN_NS = 20000,
    LONGEST_SPIN_NS = 160000,
    MOST_SPIN_NS = 1000000,
    BYTES_PER_NS = 8, /* of a copy: spins that much longer for a large message */
    WAITS = 8,        /* decide together, ... */
    LONG_WAITS = 5,   /* ... when so many of them were long, that the next ones spin less */
};

static unsigned spin_ns = SPIN_NS, waits, long_waits;
static uint64_t expected_ns;

void adi3_expect_wait(uint64_t ns) { expected_ns = ns; }

void spin_begins(void)
{
    if (++waits < WAITS)
        return;
    if (long_waits >= LONG_WAITS)
        spin_ns = spin_ns > SPIN_NS ? spin_ns / 2 : SPIN_NS;
    waits = long_waits = 0;
}

void spin_note_wait(uint64_t waited)
{
    if (waited >= LONGEST_SPIN_NS)
        long_waits++;
    else
        spin_ns = spin_ns < LONGEST_SPIN_NS ? 2 * spin_ns : LONGEST_SPIN_NS;
}

uint64_t spin_time(const struct adi3_wait *w)
{
    uint64_t busy = w->bytes / BYTES_PER_NS + expected_ns;

    return spin_ns + (busy < MOST_SPIN_NS ? busy : MOST_SPIN_NS);
}
