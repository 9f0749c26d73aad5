/* calls.c — any bytes at the port where mpiexec waits for the proxies of srun, in pieces whose
 * lengths are part of them. With the secret of the job, they are sealed. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>
#include "fuzz.h"
#include "pm/node/log.h"
#include "pm/node/loop.h"
#include "pm/channel/pm_answer.h"

static unsigned char secret[PM_SECRET];
static struct pm_answers *answers;
static int port, calls;

static void drop_line(const char *line, size_t len) { MUST(len > 0 && line[len - 1] == '\n'); }

/* Calls of half of the names are refused. */
static int called(void *owner, const char *host, int fd, struct pm_seal *seal)
{
    (void) owner;
    MUST(*host && strlen(host) < PM_CALL_NAME && !calls++);
    if (*host & 1)
        return -ENOENT;
    pm_seal_free(seal);
    MUST(!close(fd));
    return 0;
}

static void close_port(void) { pm_answers_close(answers); }

static void open_port(void)
{
    static const struct pm_ports any = { 0 };
    char line[PM_CALL_LINE], hex[2 * PM_SECRET + 1];

    pm_log_to(drop_line);
    MUST(!pm_loop_open());
    answers = pm_answers_open(&(struct pm_answer_events) { NULL, called }, &any, line, sizeof line);
    MUST(answers && !atexit(close_port));
    MUST(sscanf(line, "starling %64s %d", hex, &port) == 2);
    for (size_t i = 0; i < PM_SECRET; i++) {
        unsigned byte;
        MUST(sscanf(hex + 2 * i, "%2x", &byte) == 1);
        secret[i] = (unsigned char) byte;
    }
}

/* Each call goes to the next of 250 addresses of this host: an address and the port of a caller
 * cannot be used together again for a minute after an end in order, and there are 28,000 ports. */
static int call(void)
{
    enum { ADDRESSES = 250 };
    static unsigned next;
    const struct linger at_once = { .l_onoff = 1 };
    struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons((uint16_t) port) };
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK + next++ % ADDRESSES);
    MUST(fd >= 0 && !connect(fd, (struct sockaddr *) &a, sizeof a));
    MUST(!setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once));
    return fd;
}

/* Whether mpiexec must hear of a proxy on this host: a line. */
static bool is_name(const uint8_t *name, size_t n)
{
    return n > 1 && n <= PM_CALL_NAME && name[n - 1] == '\n' && !memchr(name, '\0', n);
}

/* Sends what a proxy does first; the name is up to the input. */
static bool introduce(int fd, struct feed *f)
{
    unsigned char of_owner[PM_CHALLENGE], own[PM_CHALLENGE] = { 1 };
    struct pm_bytes q = { .bytes = NULL };
    const uint8_t *name;
    size_t n = feed_bytes(f, 2 * feed_byte(f), &name);

    while (recv(fd, of_owner, sizeof of_owner, MSG_PEEK | MSG_DONTWAIT) != sizeof of_owner)
        pm_loop_once(false);
    struct pm_seal *s = pm_seal_create(secret, of_owner, own, true);
    MUST(s && !pm_bytes_add(&q, own, sizeof own));
    MUST(!pm_seal_put(s, (const char *) name, n, &q));
    (void) send(fd, q.bytes + q.head, q.len, MSG_NOSIGNAL);
    pm_seal_free(s);
    pm_bytes_free(&q);
    return is_name(name, n);
}

/* Ends the connection by a reset, or first in one direction. */
static void hang_up(int fd, bool politely)
{
    pm_loop_once(false);
    if (politely)
        (void) shutdown(fd, SHUT_WR);
    pm_loop_once(false);
    (void) close(fd);
}

/* Until mpiexec has closed all that it has opened. */
static void wait_for_end(int first)
{
    for (int fd = -1; fd != first;) {
        pm_loop_once(false);
        MUST((fd = fcntl(STDERR_FILENO, F_DUPFD, 0)) >= 0);
        (void) close(fd);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct feed f = { data, len };
    int how = feed_byte(&f);
    bool knows = how % 2, must_call = false;
    const uint8_t *bytes;

    if (!port)
        open_port();
    calls = 0;
    int fd = call();
    if (knows)
        must_call = introduce(fd, &f);
    while (f.left) {
        size_t n = feed_bytes(&f, 1 + feed_byte(&f), &bytes);
        if (send(fd, bytes, n, MSG_NOSIGNAL) < 0)
            break;
        pm_loop_once(false);
    }
    while (must_call && !calls)
        pm_loop_once(false);
    hang_up(fd, how / 2 == 42);
    wait_for_end(fd);
    MUST(calls == must_call);
    return 0;
}
