/* pmi_client.c — a launcher that sends any bytes to the PMI client, a line at a time: what is there
 * before it is asked for is an error. A byte 1 cuts a line in two. */
#include <stdbool.h>
#include <sys/socket.h>
#include <unistd.h>
#include "fuzz.h"
#include "pm/pmi/pmi_impl.h"

/* Two spawns at once. */
static void start(bool again)
{
    const struct pmi_spawn_program program = { .command = "prog", .count = 3 };
    const struct pmi_spawn_request r = { .program = &program, .programs = 1 };
    struct pmi_spawn *s;
    char value[PMI_VALUE_MAX];
    int codes[3];

    if (pmi_spawn_start(&r, &s))
        return;
    if (again)
        start(false);
    (void) pmi_get(0, "card", value, sizeof value);
    if (pmi_spawn_lost(s)) {
        MUST(*pmi_error_text());
        pmi_spawn_abandon(s);
    } else if (pmi_spawn_finish(s, codes)) {
        MUST(*pmi_error_text());
    }
}

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
    start(true);
    if (!pmi_barrier_start())
        (void) pmi_barrier_finish();
    (void) pmi_get(0, "other", value, 8);
    MUST(pmi_memory(1, &fd)); /* nothing passes a descriptor here */
    (void) pmi_finalize();
}

/* As much as the socket holds. */
static void send_pieces(int fd, const uint8_t *data, size_t len)
{
    ssize_t sent = 1;

    for (size_t i = 0, from = 0; i < len && sent >= 0; i++) {
        bool cut = data[i] == 1;
        if (!cut && data[i] != '\n' && i + 1 < len)
            continue;
        if (i + !cut > from)
            sent = send(fd, data + from, i + !cut - from, MSG_DONTWAIT);
        from = i + 1;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    int fd[2];
    char number[16];

    MUST(!socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fd)); /* packets: each is received alone */
    send_pieces(fd[1], data, len);
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
