/* local.c — abstract UNIX sockets.
 *
 * Their names are visible in this network namespace only and vanish with their process. The kernel
 * provides the credentials of the peer, and descriptors can be sent. */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/filter.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include "platform/os.h"

enum { TIMEOUT_MS = 10000, RETRY_US = 200 };

static socklen_t abstract_address(struct sockaddr_un *a, const char *name)
{
    size_t len = strlen(name), room = sizeof a->sun_path - 1;

    len = len < room ? len : room;
    memset(a, 0, sizeof *a);
    a->sun_family = AF_UNIX;
    memcpy(a->sun_path + 1, name, len); /* the leading zero makes it abstract */
    return (socklen_t) (offsetof(struct sockaddr_un, sun_path) + 1 + len);
}

int os_abstract_listen(const char *name)
{
    struct sockaddr_un a;
    socklen_t len = abstract_address(&a, name);
    int fd = os_new_fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));

    if (fd < 0)
        return fd;
    if (bind(fd, (struct sockaddr *) &a, len) || listen(fd, 1024)) {
        int err = -errno;
        (void) close(fd);
        return err;
    }
    return fd;
}

int os_abstract_try(const char *name)
{
    struct sockaddr_un a;
    socklen_t len = abstract_address(&a, name);
    int fd = os_new_fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));

    if (fd >= 0 && connect(fd, (struct sockaddr *) &a, len)) {
        int err = -errno;
        (void) close(fd);
        return err;
    }
    return fd;
}

int os_abstract_connect(const char *name)
{
    const struct timeval timeout = { .tv_sec = TIMEOUT_MS / 1000 };
    struct sockaddr_un a;
    socklen_t len = abstract_address(&a, name);
    int fd = os_new_fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));

    if (fd < 0)
        return fd;
    /* connect() blocks while the queue of the listener is full. */
    (void) setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof timeout);
    for (uint64_t end = os_time_ns() + TIMEOUT_MS * 1000000ull;;) {
        if (!connect(fd, (struct sockaddr *) &a, len))
            return fd;
        bool later = errno == ECONNREFUSED || errno == EAGAIN || errno == EINTR;
        if (!later || os_time_ns() > end) {
            int err = errno == EAGAIN ? -ETIMEDOUT : -errno;
            (void) close(fd);
            return err;
        }
        os_sleep_ns(RETRY_US * 1000);
    }
}

/* Makes the kernel drop each datagram whose contents are not word, before the receiver wakes up:
 * the names are visible to all users. On a kernel without filters such a datagram wakes the
 * receiver. */
static void accept_only(int fd, uint64_t word)
{
    uint32_t half[2];

    memcpy(half, &word, sizeof word);
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_LEN, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, sizeof word, 0, 5),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0), /* filters load big-endian numbers */
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ntohl(half[0]), 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 4),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ntohl(half[1]), 0, 1),
        BPF_STMT(BPF_RET | BPF_K, sizeof word),
        BPF_STMT(BPF_RET | BPF_K, 0),
    };
    struct sock_fprog program = { sizeof filter / sizeof *filter, filter };

    (void) setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program);
}

int os_abstract_datagram(const char *name, uint64_t word)
{
    struct sockaddr_un a;
    socklen_t len = abstract_address(&a, name);
    int fd = os_new_fd(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));

    if (fd < 0)
        return fd;
    accept_only(fd, word);
    if (bind(fd, (struct sockaddr *) &a, len)) {
        int err = -errno;
        (void) close(fd);
        return err;
    }
    return fd;
}

void os_abstract_poke(int socket, const char *name, uint64_t word)
{
    struct sockaddr_un a;
    socklen_t len = abstract_address(&a, name);

    /* When the queue is full, the receiver is being woken already; when it is missing, it has
     * ended. */
    (void) sendto(socket, &word, sizeof word, MSG_DONTWAIT | MSG_NOSIGNAL, (struct sockaddr *) &a,
                  len);
}

int os_accept(int listener) { return os_new_fd(accept4(listener, NULL, NULL, SOCK_CLOEXEC)); }

int os_peer_cred(int socket, struct os_cred *cred)
{
    struct ucred c;
    socklen_t len = sizeof c;

    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &c, &len))
        return -errno;
    *cred = (struct os_cred) { .pid = c.pid, .uid = c.uid };
    return 0;
}

union control {
    char space[CMSG_SPACE(sizeof(int))];
    struct cmsghdr align;
};

/* sendmsg() with a descriptor. */
static ssize_t send_passing(int socket, const void *data, size_t len, int fd, int flags)
{
    struct iovec v = { (void *) (uintptr_t) data, len };
    union control u = { .space = { 0 } };
    struct msghdr m = {
        .msg_iov = &v, .msg_iovlen = 1, .msg_control = u.space, .msg_controllen = sizeof u.space
    };
    struct cmsghdr *c = CMSG_FIRSTHDR(&m);

    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof fd);
    memcpy(CMSG_DATA(c), &fd, sizeof fd);
    return sendmsg(socket, &m, MSG_NOSIGNAL | flags);
}

/* recvmsg() without waiting. Sets *fd, which is -1, to the first descriptor that comes with the
 * bytes, or to the error of having it; closes others. */
static ssize_t receive_passed(int socket, void *data, size_t len, int *fd)
{
    struct iovec v = { data, len };
    union control u;
    struct msghdr m = {
        .msg_iov = &v, .msg_iovlen = 1, .msg_control = u.space, .msg_controllen = sizeof u.space
    };
    ssize_t n = recvmsg(socket, &m, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    const struct cmsghdr *c = n > 0 ? CMSG_FIRSTHDR(&m) : NULL;

    if (n > 0 && m.msg_flags & MSG_CTRUNC && *fd == -1)
        *fd = -EMFILE; /* the kernel drops a descriptor that this process cannot have */
    if (!c || c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
        return n;
    for (size_t at = CMSG_LEN(0); at + sizeof(int) <= c->cmsg_len; at += sizeof(int)) {
        int got;
        memcpy(&got, (const char *) c + at, sizeof got);
        if (*fd == -1)
            *fd = os_new_fd(got);
        else
            (void) close(got);
    }
    return n;
}

int os_fd_send(int socket, int fd)
{
    while (send_passing(socket, "", 1, fd, 0) < 0)
        if (errno != EINTR)
            return -errno;
    return 0;
}

int os_fd_take(int socket)
{
    char byte;
    int fd = -1;
    ssize_t n;

    while ((n = receive_passed(socket, &byte, 1, &fd)) < 0 && errno == EINTR)
        ;
    return n < 0 ? -errno : fd == -1 ? -ECONNRESET : fd;
}

int os_fd_receive(int socket)
{
    struct pollfd p = { .fd = socket, .events = POLLIN };

    errno = 0;
    for (uint64_t end = os_time_ns() + TIMEOUT_MS * 1000000ull; poll(&p, 1, TIMEOUT_MS) <= 0;)
        if (errno != EINTR || os_time_ns() > end)
            return -ETIMEDOUT;
    return os_fd_take(socket);
}

int os_word_send(int socket, uint64_t word)
{
    ssize_t n = send(socket, &word, sizeof word, MSG_NOSIGNAL | MSG_DONTWAIT);

    return n == sizeof word ? 0 : n < 0 ? -errno : -ECONNRESET;
}

int os_word_take(int socket, uint64_t *word)
{
    ssize_t n = recv(socket, word, sizeof *word, MSG_DONTWAIT);

    return n == sizeof *word                              ? 0
           : n < 0 && (errno == EAGAIN || errno == EINTR) ? -EAGAIN
                                                          : -ECONNRESET;
}

/* What a system call on a nonblocking socket means: bytes, or a negative errno; 0: try again. */
static ssize_t transfer_result(ssize_t n)
{
    return n >= 0 ? n : errno == EAGAIN || errno == EINTR ? 0 : -errno;
}

ssize_t os_send_some(int socket, const void *data, size_t len)
{
    return len ? transfer_result(send(socket, data, len, MSG_DONTWAIT | MSG_NOSIGNAL)) : 0;
}

ssize_t os_receive_some(int socket, void *data, size_t len)
{
    ssize_t n = len ? recv(socket, data, len, MSG_DONTWAIT) : 0;

    return len && n == 0 ? -ECONNRESET : transfer_result(n);
}

ssize_t os_send_passing(int socket, const void *data, size_t len, int fd)
{
    return transfer_result(send_passing(socket, data, len, fd, MSG_DONTWAIT));
}

ssize_t os_receive_passed(int socket, void *data, size_t len, int *fd)
{
    ssize_t n = receive_passed(socket, data, len, fd);

    return n == 0 ? -ECONNRESET : transfer_result(n);
}
