/* share_socket.c — passes descriptors of shared memory to other processes of this node.
 *
 * A process that has something to share listens at its share socket, an abstract socket with a
 * random name. A process that wants it connects, sends the number of the descriptor, which is
 * random as well, and gets the descriptor. Only processes of the same user get one. The name of the
 * share socket and the number are told by messages, or are in the business card. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "adi3/proc/proc_impl.h"

enum { CALLERS = 16 }; /* that have connected, and whose number has not come yet */

struct shared_fd {
    struct shared_fd *next;
    uint64_t number;
    int fd;
};

static struct shared_fd *shared_fds;
static int listener = -1, epoll = -1;
static int spare = -1;      /* is closed while a caller is let in that has no other descriptor */
static int caller[CALLERS]; /* sockets, the oldest first */
static int ncallers;
static uint64_t name_of_ours;

static void share_socket_text(char name[NODE_NAME], uint64_t share_socket)
{
    static const char prefix[] = "starling-share-";

    memcpy(name, prefix, sizeof prefix);
    node_write_hex(name + sizeof prefix - 1, share_socket);
}

uint64_t share_socket_name(void) { return name_of_ours; }
int share_socket_fd(void) { return epoll; }

static int share_socket_open(void)
{
    char name[NODE_NAME];
    int err = os_random(&name_of_ours, sizeof name_of_ours);

    share_socket_text(name, name_of_ours);
    if (!err)
        err = epoll = os_epoll();
    if (err >= 0)
        err = listener = os_abstract_listen(name);
    if (err >= 0)
        err = os_epoll_set(epoll, listener, true, false, &listener);
    if (err >= 0)
        err = spare = os_epoll();
    return err < 0 ? err : 0;
}

int share_socket_add(int fd, uint64_t *number)
{
    struct shared_fd *o = malloc(sizeof *o);
    int err = o ? os_random(number, sizeof *number) : -ENOMEM;

    assert(adi3_lock_held());
    if (!err && epoll < 0) {
        err = share_socket_open();
        if (err)
            share_socket_close();
    }
    if (err) {
        free(o);
        return err;
    }
    *o = (struct shared_fd) { .next = shared_fds, .number = *number, .fd = fd };
    shared_fds = o;
    return 0;
}

static void shared_fd_forget(uint64_t number)
{
    for (struct shared_fd **at = &shared_fds; *at; at = &(*at)->next) {
        struct shared_fd *o = *at;
        if (o->number != number)
            continue;
        *at = o->next;
        free(o);
        return;
    }
}

/* A share socket costs a look in each poll, and a sleep in epoll: so it is closed with the last
 * descriptor. */
void share_socket_remove(uint64_t number)
{
    shared_fd_forget(number);
    if (!shared_fds)
        share_socket_close();
}

void share_socket_close(void)
{
    while (shared_fds)
        shared_fd_forget(shared_fds->number);
    while (ncallers)
        (void) close(caller[--ncallers]);
    if (listener >= 0)
        (void) close(listener);
    if (epoll >= 0)
        (void) close(epoll);
    if (spare >= 0)
        (void) close(spare);
    listener = epoll = spare = -1;
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
    const struct shared_fd *o = shared_fds;
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

/* Most callers have sent their number already, however many come at once. When too many callers
 * have sent none, the oldest is closed: a silent caller keeps no other process out. */
static void caller_serve(int s, bool may_stay)
{
    struct os_cred cred = { 0, 0 };

    if (os_peer_cred(s, &cred) || cred.uid != geteuid() || is_caller_served(s) || !may_stay
        || os_epoll_set(epoll, s, true, false, &listener)) {
        (void) close(s);
        return;
    }
    if (ncallers == CALLERS)
        caller_close(0);
    caller[ncallers++] = s;
}

/* Where this process has no descriptor left, a caller gets the spare one, for one look: else it
 * would wait for an answer, and this process would find the listener readable for ever. */
static bool let_in(void)
{
    int s = os_accept(listener);
    bool none_left = (s == -EMFILE || s == -ENFILE) && spare >= 0;

    if (none_left) {
        (void) close(spare);
        s = os_accept(listener);
    }
    if (s >= 0)
        caller_serve(s, !none_left);
    if (none_left)
        spare = os_epoll();
    return s >= 0;
}

bool share_socket_poll(void)
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

int share_socket_request(uint64_t share_socket, uint64_t number)
{
    struct os_cred cred = { 0, 0 };
    char name[NODE_NAME];

    share_socket_text(name, share_socket);
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

int share_socket_receive(int s)
{
    int fd = os_fd_take(s);

    if (fd != -EAGAIN)
        (void) close(s);
    return fd;
}
