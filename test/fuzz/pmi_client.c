/* pmi_client.c — a launcher that sends any bytes to the PMI client. */
#include <sys/socket.h>
#include <unistd.h>
#include "fuzz.h"
#include "pm/pmi/pmi_impl.h"

enum { MOST = 150000 }; /* bytes that a socket holds */

static void use(void)
{
    struct pmi_job job;
    char value[PMI_VALUE_MAX], settings[8192], *all;
    int n, fd;

    if (pmi_init(&job))
        return;
    MUST(job.rank >= 0 && job.rank < job.size && strlen(job.name) < PMI_NAME_MAX);
    (void) pmi_put("key", "value");
    if (!pmi_get(0, "key", value, sizeof value))
        MUST(strlen(value) < sizeof value);
    if (!pmi_settings(settings, sizeof settings) && !pmi_all("node-", &all)) {
        MUST(all);
        free(all);
    }
    (void) pmi_appnum(&n);
    (void) pmi_universe_size(&n);
    if (!pmi_barrier_start())
        (void) pmi_barrier_finish();
    (void) pmi_get(0, "other", value, 8);
    MUST(pmi_memory(1, &fd)); /* nothing passes a descriptor here */
    (void) pmi_finalize();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    int fd[2];
    char number[16];

    MUST(!socketpair(AF_UNIX, SOCK_STREAM, 0, fd));
    MUST(len > MOST || send(fd[1], data, len, MSG_DONTWAIT) == (ssize_t) len);
    MUST(!shutdown(fd[1], SHUT_WR)); /* so that the client does not wait for more */
    (void) snprintf(number, sizeof number, "%d", fd[0]);
    (void) setenv("PMI_FD", number, 1);
    (void) setenv("PMI_RANK", "1", 1);
    (void) setenv("PMI_SIZE", "4", 1);
    use();
    if (pmi_client.state != PMI_FINALIZED)
        (void) close(fd[0]);
    pmi_client = (struct pmi_client) { .fd = -1 };
    (void) close(fd[1]);
    return 0;
}
