/* connect.c — the leader of another job is a mirror: it sends back what it gets, some bits of it
 * changed, and may end early. With the key of the connection its proof is right. */
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <unistd.h>
#include "fuzz.h"
#include "mpi/comm/hello.h"
#include "mpi/errhan/errhan.h"

enum { CHANGES = 16, QUIET_MS = 50, MEMBERS = 64, HELLO = sizeof(struct mpir_hello) };

static const unsigned char key[ADI3_KEY] = { 5 };

static struct mirror {
    int link;
    bool has_key;
    size_t cut; /* its end */
    struct change {
        size_t at;
        uint8_t bits;
    } change[CHANGES];
    int changes;
    size_t at; /* bytes sent so far */
    struct mpir_hello got;
} mirror;

static void send_all(const void *data, size_t len)
{
    if (mirror.at + len > mirror.cut)
        len = mirror.at < mirror.cut ? mirror.cut - mirror.at : 0;
    if (len)
        (void) !send(mirror.link, data, len, MSG_NOSIGNAL);
    mirror.at += len;
    if (mirror.at == mirror.cut)
        (void) shutdown(mirror.link, SHUT_WR);
}

static void change_all(char *data, size_t len)
{
    for (int i = 0; i < mirror.changes; i++) {
        const struct change *c = &mirror.change[i];
        if (c->at >= mirror.at && c->at < mirror.at + len)
            data[c->at - mirror.at] = (char) (data[c->at - mirror.at] ^ c->bits);
    }
}

/* The first message, and the proof that belongs to it. More members are only more memory. */
static void answer_hello(void)
{
    struct mpir_hello hello;
    unsigned char proof[ADI3_KEY];

    if (recv(mirror.link, &mirror.got, HELLO, MSG_WAITALL) != HELLO)
        return;
    hello = mirror.got;
    hello.nonce[0] ^= 1;
    hello.job[0].id ^= 1;
    change_all((char *) &hello, HELLO);
    if (hello.members > MEMBERS)
        hello.members = MEMBERS;
    send_all(&hello, HELLO);
    if (recv(mirror.link, proof, sizeof proof, MSG_WAITALL) != sizeof proof)
        return;
    if (mirror.has_key)
        adi3_proof_make(&(struct adi3_proof_of) { key, &hello, &mirror.got, HELLO }, proof);
    change_all((char *) proof, sizeof proof);
    send_all(proof, sizeof proof);
}

static void *reflect(void *unused)
{
    struct pollfd p = { .fd = mirror.link, .events = POLLIN };
    char data[4096];
    ssize_t n = 1;

    answer_hello();
    while (mirror.at < mirror.cut && poll(&p, 1, QUIET_MS) > 0
           && (n = recv(mirror.link, data, sizeof data, 0)) > 0) {
        change_all(data, (size_t) n);
        send_all(data, (size_t) n);
    }
    (void) close(mirror.link);
    return unused;
}

static void read_mirror(struct feed *f)
{
    int how = feed_byte(f);

    mirror = (struct mirror) { .has_key = how & 1, .cut = SIZE_MAX };
    if (how & 2)
        mirror.cut = (size_t) feed_byte(f) << 8 | feed_byte(f);
    while (f->left && mirror.changes < CHANGES) {
        struct change *c = &mirror.change[mirror.changes++];
        c->at = (size_t) feed_byte(f) << 8 | feed_byte(f);
        c->bits = feed_byte(f);
    }
}

static void join(void)
{
    static const char name[] = "STARLING_DEVICES";

    MUST(!setenv(name, "self", 1) && !MPI_Init(NULL, NULL));
    MUST(adi3_has_keys());
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    static bool joined;
    struct feed f = { data, len };
    struct adi3_comm *self, *made = NULL;
    struct mpir_call call = { .name = NULL };
    pthread_t thread;
    int ends[2];

    if (!joined)
        join();
    joined = true;
    read_mirror(&f);
    MUST(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends));
    mirror.link = ends[1];
    MUST(!pthread_create(&thread, NULL, reflect, NULL));
    MUST(!mpir_comm_arg(&call, MPI_COMM_SELF, &self));
    int err = mpir_connect(self, 0, ends[0], key, &made);
    (void) close(ends[0]);
    MUST(!pthread_join(thread, NULL));
    MUST(err && *mpir_error_cause(err));
    return 0;
}
