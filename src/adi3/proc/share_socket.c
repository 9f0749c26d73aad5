/* share_socket.c — passes descriptors of shared memory to other processes of this node.
 *
 * A process that has something to share listens at its door, an abstract socket with a random name.
 * A process that wants it connects, sends the number of the offer, which is random as well, and
 * gets the descriptor. Only processes of the same user get one. The name of the door and the number
 * are told by messages, or are in the business card. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "adi3/proc/proc_impl.h"

enum { CALLERS = 16 }; /* that have connected, and whose number has not come yet */

struct offer {
    struct offer *next;
    uint64_t number;
    int fd;
};

static struct offer *offers;
static int listener = -1, epoll = -1;
static int caller[CALLERS]; /* sockets, the oldest first */
static int ncallers;
static uint64_t name_of_ours;

static void door_text(char name[NODE_NAME], uint64_t door)
{
    static const char prefix[] = "starling-door-";

    memcpy(name, prefix, sizeof prefix);
    node_write_hex(name + sizeof prefix - 1, door);
}

uint64_t door_name(void) { return name_of_ours; }
int door_fd(void) { return epoll; }

static int open_door(void)
{
    char name[NODE_NAME];
    int err = os_random(&name_of_ours, sizeof name_of_ours);

    door_text(name, name_of_ours);
    if (!err)
        err = epoll = os_epoll();
    if (err >= 0)
        err = listener = os_abstract_listen(name);
    if (err >= 0)
        err = os_epoll_set(epoll, listener, true, false, &listener);
    return err < 0 ? err : 0;
}

int door_offer(int fd, uint64_t *number)
{
    struct offer *o = malloc(sizeof *o);
    int err = o ? os_random(number, sizeof *number) : -ENOMEM;

    assert(adi3_lock_held());
    if (!err && epoll < 0) {
        err = open_door();
        if (err)
            door_close();
    }
    if (err) {
        free(o);
        return err;
    }
    *o = (struct offer) { .next = offers, .number = *number, .fd = fd };
    offers = o;
    return 0;
}

static void shared_fd_forget(uint64_t number)
{
    for (struct offer **at = &offers; *at; at = &(*at)->next) {
        struct offer *o = *at;
        if (o->number != number)
            continue;
        *at = o->next;
        free(o);
        return;
    }
}

/* A door costs a look in each poll, and a sleep in epoll: so it is closed with the last offer. */
void door_withdraw(uint64_t number)
{
    shared_fd_forget(number);
    if (!offers)
        door_close();
}

void door_close(void)
{
    while (offers)
        shared_fd_forget(offers->number);
    while (ncallers)
        (void) close(caller[--ncallers]);
    if (listener >= 0)
        (void) close(listener);
    if (epoll >= 0)
        (void) close(epoll);
    listener = epoll = -1;
    name_of_ours = 0;
}

/* ---- callers --------------------------------------------------------------------------------- */

static void caller_close(int i)
{
    (void) close(caller[i]);
    ncallers--;
    memmove(&caller[i], &caller[i + 1], (size_t) (ncallers - i) * sizeof *caller);
}

/* Whether the caller has been served, or has gone. */
static bool is_caller_served(int s)
{
    const struct offer *o = offers;
    uint64_t number;
    int err = os_word_take(s, &number);

    if (err == -EAGAIN)
        return false;
    while (!err && o && o->number != number)
        o = o->next;
    if (!err && o)
        (void) os_fd_send(s, o->fd); /* the receiver reports a failure */
    return true;
}

/* Most callers have sent their number already, however many come at once. Of the others the oldest
 * leaves when there are too many: one that sends no number keeps nobody out. */
static bool let_in(void)
{
    struct os_cred cred = { 0, 0 };
    int s = os_accept(listener);

    if (s < 0)
        return false;
    if (os_peer_cred(s, &cred) || cred.uid != geteuid() || is_caller_served(s)
        || os_epoll_set(epoll, s, true, false, &listener)) {
        (void) close(s);
        return true;
    }
    if (ncallers == CALLERS)
        caller_close(0);
    caller[ncallers++] = s;
    return true;
}

bool door_poll(void)
{
    bool moved = false;

    assert(adi3_lock_held());
    if (epoll < 0)
        return false;
    while (let_in())
        moved = true;
    for (int i = ncallers; i-- > 0;)
        if (is_caller_served(caller[i])) {
            caller_close(i);
            moved = true;
        }
    return moved;
}

/* ---- calling --------------------------------------------------------------------------------- */

int door_ask(uint64_t door, uint64_t number)
{
    struct os_cred cred = { 0, 0 };
    char name[NODE_NAME];

    door_text(name, door);
    int s = os_abstract_try(name);
    if (s < 0)
        return s;
    int err = os_peer_cred(s, &cred);
    if (!err && cred.uid != geteuid())
        err = -EACCES;
    if (!err)
        err = os_word_send(s, number);
    if (!err)
        return s;
    (void) close(s);
    return err;
}

int door_answer(int s)
{
    int fd = os_fd_take(s);

    if (fd != -EAGAIN)
        (void) close(s);
    return fd;
}
