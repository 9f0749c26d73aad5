/* query_socket.c — any bytes at the query socket of a job, in pieces whose lengths are part of
 * them. */
#include <errno.h>
#include <stddef.h>
#include <sys/socket.h>
#include <unistd.h>
#include "pm/mpiexec/job/query_socket.h"
#include "fuzz.h"
#include "pm/mpiexec/job/mpiexec_job.h"
#include "platform/os.h"

enum { REQUEST = 64, ANSWER = 4096 };

static char name[] = "mpiexec";
static char *command[] = { name, NULL };
static struct pm_spec spec = { .command = command, .version = "0" };
static struct pm_outcome outcome;
static struct pm_job job;
static struct pm_run run = { .spec = &spec, .job = &job, .outcome = &outcome };

static int visit(void)
{
    char where[PM_QUERY_SOCKET_NAME];

    pm_query_socket_name(where, geteuid(), getppid());
    int fd = os_abstract_connect(where);
    MUST(fd >= 0);
    return fd;
}

/* Reads until the end of the connection: a request without a newline has no answer. */
static void read_answer(int fd, char text[ANSWER])
{
    size_t n = 0;
    ssize_t got;

    do {
        pm_loop_once(false);
        got = recv(fd, text + n, ANSWER - 1 - n, MSG_DONTWAIT);
        n += got > 0 ? (size_t) got : 0;
    } while (got > 0 || (got < 0 && errno == EAGAIN));
    text[n] = '\0';
}

static void check(const char *request, size_t len, const char *answer)
{
    size_t most = len < REQUEST ? len : REQUEST;
    const char *end = memchr(request, '\n', most), *begin = "unknown request";
    char line[REQUEST] = "";

    if (!end) {
        MUST(!*answer);
        return;
    }
    memcpy(line, request, (size_t) (end - request));
    if (!strcmp(line, "report"))
        begin = "{\n  \"format\"";
    else if (!strcmp(line, "line"))
        begin = "";
    MUST(*answer && !strncmp(answer, begin, strlen(begin)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct feed f = { data, len };
    static char request[1 << 16], answer[ANSWER];
    size_t n = 0;

    if (!job.size) {
        job.size = 1;
        MUST(!pm_loop_open());
        pm_query_socket_open(&run);
    }
    int fd = visit();
    while (f.left && n < sizeof request / 2) {
        const uint8_t *bytes;
        size_t got = feed_bytes(&f, 1 + feed_byte(&f), &bytes);
        memcpy(request + n, bytes, got);
        n += got;
        if (send(fd, bytes, got, MSG_NOSIGNAL) < 0)
            break; /* it has been answered */
        pm_loop_once(false);
    }
    (void) shutdown(fd, SHUT_WR);
    read_answer(fd, answer);
    check(request, n, answer);
    (void) close(fd);
    return 0;
}
