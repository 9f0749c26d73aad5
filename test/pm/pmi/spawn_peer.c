/* spawn_peer.c — the functions of spawn_peer.h. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <cmocka.h>
#include "spawn_peer.h"

#define INIT  "cmd=init pmi_version=1 pmi_subversion=1\n"
#define HELLO "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0 kvsname=kvs_1"

const struct pmi_spawn_program one = { .command = "prog", .count = 2 };
int server; /* its end of the connection */

void say(const char *text)
{
    assert_int_equal(send(server, text, strlen(text), MSG_NOSIGNAL), (int) strlen(text));
}

/* All that the client has sent. */
void hear(const char *expected)
{
    static char heard[4096];
    ssize_t n = recv(server, heard, sizeof heard - 1, MSG_DONTWAIT);

    heard[n > 0 ? n : 0] = '\0';
    assert_string_equal(heard, expected);
}

/* Joins a server: that of Starling's mpiexec, or another one. */
void join(bool starling)
{
    char number[16], text[8];
    struct pmi_job job;
    int fd[2];

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
    server = fd[0];
    (void) snprintf(number, sizeof number, "%d", fd[1]);
    setenv("PMI_FD", number, 1);
    setenv("PMI_RANK", "0", 1);
    setenv("PMI_SIZE", "1", 1);
    say(starling ? HELLO " STARLING_settings=\n" : HELLO "\n");
    assert_int_equal(pmi_init(&job), 0);
    if (starling)
        assert_int_equal(pmi_settings(text, sizeof text), 0);
    hear(INIT);
}

int leave(void **state)
{
    (void) state;
    if (pmi_client.fd >= 0)
        close(pmi_client.fd);
    close(server);
    pmi_client = (struct pmi_client) { .fd = -1 };
    pmi_wait_hook = NULL;
    return 0;
}

struct pmi_spawn *start(void)
{
    const struct pmi_spawn_request r = { .program = &one, .programs = 1 };
    struct pmi_spawn *s;
    char waste[4096];

    assert_int_equal(pmi_spawn_start(&r, &s), 0);
    assert_true(recv(server, waste, sizeof waste, MSG_DONTWAIT) > 0);
    return s;
}

/* A server that has given the spawn a number is told that it is connected. */
void succeeds(struct pmi_spawn *s, int first, int second)
{
    int codes[2] = { -1, -1 };
    char told[64] = "";

    assert_true(pmi_spawn_over(s));
    int number = s->number;
    assert_int_equal(pmi_spawn_finish(s, codes), 0);
    if (number)
        (void) snprintf(told, sizeof told, "cmd=spawn_connected spawn=%d\n", number);
    hear(told);
    assert_int_equal(codes[0], first);
    assert_int_equal(codes[1], second);
}

void fails(struct pmi_spawn *s, int err, const char *why)
{
    int codes[2];

    assert_true(pmi_spawn_over(s) || pmi_spawn_over(s)); /* the end may come behind a line */
    assert_int_equal(pmi_spawn_finish(s, codes), err);
    assert_non_null(strstr(pmi_error_text(), why));
}

void get(void)
{
    char value[8];

    assert_int_equal(pmi_get(0, "card", value, sizeof value), 0);
    assert_string_equal(value, "v");
    hear(GET);
}
