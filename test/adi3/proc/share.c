/* share.c — memory that some processes of a node share: made by one, mapped by others that ask at
 * its share socket; nothing wrong is mapped; and a process that is killed at any moment leaves the
 * memory valid for the other one and nothing behind. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include "fake.h"
#include "held.h"

enum { LEN = 3 * 4096 + 5, KILLS = 400, STEPS = 60, ROUND_NS = 30000000 };
/* Makes shared memory and exposes it at the share socket. */
static int make(size_t len, size_t now, struct node_share *s)
{
    int err = node_share_create(len, len, now, s);

    if (!err && (err = node_share_expose(s)))
        node_share_drop(s);
    return err;
}

static const char maps_name[] = "starling-share";

static int before;

static int setup(void **state)
{
    (void) state;
    before = held_fds();
    return 0;
}

static int teardown(void **state)
{
    (void) state;
    share_socket_close();
    assert_int_equal(held_maps(maps_name), 0);
    assert_int_equal(held_fds(), before);
    return 0;
}

static bool says(int err, int errclass, const char *part)
{
    return fake_class(err) == errclass && strstr(adi3_error_text(err), part);
}

static bool is_all(const char *at, size_t len, char c)
{
    size_t i = 0;

    while (i < len && at[i] == c)
        i++;
    return i == len;
}

/* ---- two processes --------------------------------------------------------------------------- */

struct told { /* what a message would tell, in memory that two processes share */
    _Atomic uint64_t share_socket, number, len;
    _Atomic int step;
    _Atomic int errors;
};

static struct told *told; /* by the test and by its child */

static int make_told(void)
{
    told = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return told == MAP_FAILED;
}

static int join(void **state) { return make_told() || fake_setup(state); }

static void tell(struct told *t, const struct node_share *s)
{
    t->number = s->number;
    t->len = s->len;
    t->share_socket = share_socket_name();
}

static int ask_and_wait(const struct told *t)
{
    int s, fd = -EAGAIN;

    while ((s = share_socket_request(t->share_socket, t->number)) == -EAGAIN)
        os_yield();
    while (s >= 0 && (fd = share_socket_receive(s)) == -EAGAIN)
        if (!share_socket_poll())
            os_yield();
    return s < 0 ? s : fd;
}

static void maps_it(void *arg)
{
    struct node_share s;

    (void) arg;
    share_socket_close(); /* the maker's */
    CHECK(!node_share_map(ask_and_wait(told), LEN, &s));
    CHECK(s.len == LEN && s.number == 0 && is_all(s.at, LEN, 'm'));
    memset(s.at, 'c', LEN);
    told->step = 1;
    while (told->step < 2) /* the maker drops it */
        os_yield();
    CHECK(is_all(s.at, LEN, 'd'));
    CHECK(ask_and_wait(told) < 0);
    CHECK(held_maps(maps_name) == 2); /* one is inherited from the maker */
    node_share_drop(&s);
    CHECK(held_maps(maps_name) == 1);
}

static void made_and_mapped(void **state)
{
    struct node_share s;

    (void) state;
    told->step = 0;
    assert_int_equal(make(LEN, LEN, &s), MPI_SUCCESS);
    assert_true(s.len == LEN && s.number && s.fd >= 0 && is_all(s.at, LEN, 0));
    memset(s.at, 'm', LEN);
    tell(told, &s);
    pid_t child = unit_fork(maps_it, NULL);
    while (told->step < 1)
        if (!share_socket_poll())
            os_yield();
    assert_true(is_all(s.at, LEN, 'c'));
    memset(s.at, 'd', LEN);
    node_share_drop(&s);
    assert_true(!s.at && !s.number && s.fd == -1);
    node_share_drop(&s); /* of nothing */
    told->step = 2;
    int status = -1;
    while (waitpid(child, &status, WNOHANG) == 0)
        if (!share_socket_poll())
            os_yield();
    assert_int_equal(status, 0);
}

/* ---- parts ----------------------------------------------------------------------------------- */

enum { PART = 4 << 20, PARTS = 4 };

static size_t taken(int fd)
{
    struct stat st;

    CHECK(!fstat(fd, &st));
    return (size_t) st.st_blocks * 512;
}

static void reserves_its_own(void *arg)
{
    struct node_share s;

    (void) arg;
    share_socket_close(); /* the maker's */
    CHECK(!node_share_map(ask_and_wait(told), PARTS * PART, &s));
    CHECK(!node_share_reserve(&s, (size_t) 3 * PART, PART));
    CHECK(!node_share_reserve(&s, PART, 0));
    memset((char *) s.at + (size_t) 3 * PART, 'c', PART);
}

/* Huge pages may take a little more than was asked for. */
static void reserved_in_parts(void **state)
{
    struct node_share s;

    (void) state;
    assert_int_equal(make(PARTS * PART, 4096, &s), MPI_SUCCESS);
    assert_true(taken(s.fd) >= 4096 && taken(s.fd) <= PART / 2);
    size_t first = taken(s.fd);
    assert_int_equal(node_share_reserve(&s, PART, PART), MPI_SUCCESS);
    assert_int_equal(taken(s.fd), first + PART);
    tell(told, &s);
    pid_t child = unit_fork(reserves_its_own, NULL);
    int status = -1;
    while (waitpid(child, &status, WNOHANG) == 0)
        if (!share_socket_poll())
            os_yield();
    assert_int_equal(status, 0);
    assert_int_equal(taken(s.fd), first + 2 * PART);
    assert_true(is_all((char *) s.at + (size_t) 3 * PART, PART, 'c'));
    assert_int_equal(node_share_reserve(&s, 0, PARTS * PART), MPI_SUCCESS);
    assert_int_equal(taken(s.fd), PARTS * PART);
    assert_true(is_all((char *) s.at + (size_t) 3 * PART, PART, 'c')); /* kept */
    node_share_drop(&s);
}

/* ---- what is not mapped ---------------------------------------------------------------------- */

static void refused(int fd, size_t len, const char *part)
{
    struct node_share s;
    int fds = held_fds(), maps = held_lines("/proc/self/maps", "-");

    assert_true(fd >= 0);
    int err = node_share_map(fd, len, &s);
    assert_true(says(err, MPI_ERR_OTHER, part));
    assert_true(!s.at && s.fd == -1);
    assert_int_equal(held_lines("/proc/self/maps", "-"), maps);
    assert_int_equal(held_fds(), fds - 1); /* taken over, and closed */
}

static void of_another_length(void **state)
{
    static const size_t wrong[] = { 0, 1, LEN - 1, LEN + 1, 2 * LEN, SIZE_MAX };
    struct node_share s;
    char text[100];

    (void) state;
    assert_int_equal(make(LEN, LEN, &s), MPI_SUCCESS);
    for (int i = 0; i < 6; i++) {
        (void) snprintf(text, sizeof text, "%d bytes instead of %zu", LEN, wrong[i]);
        refused(dup(s.fd), wrong[i], text);
    }
    node_share_drop(&s);
}

static int temporary(void)
{
    char name[] = "/tmp/starling-share-XXXXXX";
    int fd = mkstemp(name);

    assert_int_equal(unlink(name), 0);
    assert_int_equal(ftruncate(fd, LEN), 0);
    return fd;
}

static int unsealed(unsigned seals)
{
    int fd = memfd_create("unit-unsealed", MFD_CLOEXEC | MFD_ALLOW_SEALING);

    assert_int_equal(ftruncate(fd, LEN), 0);
    assert_int_equal(fcntl(fd, F_ADD_SEALS, seals), 0);
    return fd;
}

static void no_memory_or_not_for_good(void **state)
{
    char text[100];
    int p[2];

    (void) state;
    (void) snprintf(text, sizeof text, "(0 of %d bytes)", LEN);
    assert_int_equal(pipe2(p, O_CLOEXEC), 0);
    refused(p[0], LEN, text);
    refused(p[1], LEN, text);
    refused(open("/dev/null", O_RDWR | O_CLOEXEC), LEN, text);
    refused(open("/dev/zero", O_RDWR | O_CLOEXEC), LEN, text);
    refused(open("/", O_RDONLY | O_CLOEXEC), LEN, text);
    refused(temporary(), LEN, text);
    refused(unsealed(0), LEN, text);
    refused(unsealed(F_SEAL_GROW), LEN, text); /* it could be made shorter */
}

/* Memory that nobody may write is none to share; and so much there is not. */
static void no_mapping(void **state)
{
    struct node_share s;
    int fds = held_fds();

    (void) state;
    int err = node_share_map(unsealed(F_SEAL_SHRINK | F_SEAL_WRITE), LEN, &s);
    assert_true(err && !s.at && s.fd == -1);
    err = make(SIZE_MAX / 2 - 4096, 4096, &s);
    assert_true(err && !s.at && s.fd == -1);
    assert_non_null(strstr(adi3_error_text(err), "9223372036854771711 bytes"));
    err = make(SIZE_MAX, 4096, &s);
    assert_true(err && !s.at && s.fd == -1);
    assert_non_null(strstr(adi3_error_text(err), "18446744073709551615 bytes"));
    share_socket_close();
    assert_int_equal(held_fds(), fds);
}

/* ---- the cgroup's limit ---------------------------------------------------------------------- */

static void put(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

    CHECK(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t) strlen(text));
    (void) close(fd);
}

/* A group made of ordinary files, in a mount namespace of its own; exits with 77 when that is
 * forbidden. It leaves 20 MB. */
static void in_a_group(void *arg)
{
    char path[64];
    struct node_share s, t;

    (void) arg;
    if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL)
        || mount("none", "/sys/fs/cgroup", "tmpfs", 0, NULL))
        _exit(77);
    put("/sys/fs/cgroup/memory.max", "100000000\n");
    put("/sys/fs/cgroup/memory.current", "80000000\n");
    put("/sys/fs/cgroup/mine", "0::/\n");
    (void) snprintf(path, sizeof path, "/proc/%d/cgroup", (int) getpid());
    if (mount("/sys/fs/cgroup/mine", path, NULL, MS_BIND, NULL))
        _exit(77);
    int fds = held_fds();
    int err = make(10000000, 10000000, &s); /* some is left for other things */
    CHECK(says(err, MPI_ERR_NO_MEM, "no 10000000 bytes of shared memory"));
    CHECK(says(err, MPI_ERR_NO_MEM, "the memory limit of this cgroup has 20000000 left"));
    CHECK(!s.at && s.fd == -1 && held_fds() == fds && held_maps(maps_name) == 0);
    err = make(10000000, 4096, &s); /* parts count, too, that come later */
    CHECK(says(err, MPI_ERR_NO_MEM, "no 10000000 bytes of shared memory"));
    CHECK(!make(3000000, 4096, &s));
    node_share_drop(&s);
    CHECK(!node_share_promise(2000000, 2000000, 4096, &t) && t.promised > 0);
    err = make(2000000, 4096, &s); /* what others have promised counts, too */
    CHECK(says(err, MPI_ERR_NO_MEM, "20000000 left, of which other windows may use 1995904"));
    err = node_share_promise(2000000, 2000000, 4096, &s);
    CHECK(says(err, MPI_ERR_NO_MEM, "20000000 left, of which other windows may use 1995904"));
    CHECK(!node_share_reserve(&t, 4096, 1500000));
    put("/sys/fs/cgroup/memory.current", "99000000\n");
    err = node_share_reserve(&t, 4096, 1500000); /* a process in another group than the maker */
    CHECK(says(err, MPI_ERR_NO_MEM, "no 1500000 bytes of shared memory"));
    put("/sys/fs/cgroup/memory.current", "80000000\n");
    node_share_drop(&t);
    CHECK(!make(3000000, 4096, &s));
    put("/sys/fs/cgroup/memory.current", "99000000\n");
    err = node_share_reserve(&s, 4096, 2000000);
    CHECK(says(err, MPI_ERR_NO_MEM, "no 2000000 bytes of shared memory"));
    CHECK(says(err, MPI_ERR_NO_MEM, "the memory limit of this cgroup has 1000000 left"));
    CHECK(taken(s.fd) <= PART / 2);
    node_share_drop(&s);
    err = MPI_SUCCESS;
    for (int i = 0; i < 20 && !err; i++) /* small amounts add up */
        err = node_room(100000);
    CHECK(says(err, MPI_ERR_NO_MEM, "no 100000 bytes of shared memory"));
}

static void limit_of_the_cgroup(void **state)
{
    int status = unit_wait(unit_fork(in_a_group, NULL));

    (void) state;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
        skip();
    assert_int_equal(status, 0);
}

/* ---- kills ----------------------------------------------------------------------------------- */

/* One process of two that make memory, ask for the other's, use both and drop them. All that waits
 * can be left at any time. */
struct side {
    struct told *mine, *theirs;
    struct node_share made, mapped;
    int asked; /* a socket; -1 */
    unsigned rounds, mappings, failures;
};

static void drop_both(struct side *x)
{
    node_share_drop(&x->made);
    node_share_drop(&x->mapped);
}

static void begin_round(struct side *x)
{
    size_t len = 4096 + unit_random(5) * 5000;

    drop_both(x);
    CHECK(!make(len, len, &x->made));
    memset(x->made.at, 'm', len);
    tell(x->mine, &x->made);
    x->rounds++;
}

/* The three numbers of the other side may be of two rounds. */
static void map_answer(struct side *x, int fd)
{
    x->asked = -1;
    if (fd < 0 || node_share_map(fd, x->theirs->len, &x->mapped)) {
        x->failures++;
        return;
    }
    memset(x->mapped.at, 'u', x->mapped.len);
    x->mappings++;
}

static void turn(struct side *x)
{
    x->mine->step++;
    (void) share_socket_poll();
    if (x->asked >= 0) {
        int fd = share_socket_receive(x->asked);
        if (fd != -EAGAIN)
            map_answer(x, fd);
    } else if (x->mapped.at || unit_random(4) == 0) {
        begin_round(x);
    } else if (x->theirs->share_socket) {
        int s = share_socket_request(x->theirs->share_socket, x->theirs->number);
        x->failures += s < 0;
        x->asked = s < 0 ? -1 : s;
    }
}

static struct side side_of(int me)
{
    return (struct side) { .mine = &told[me],
                           .theirs = &told[!me],
                           .made = { .fd = -1 },
                           .mapped = { .fd = -1 },
                           .asked = -1 };
}

static void goes_on_for_ever(void *arg)
{
    struct side x = side_of(1);

    for (uint32_t i = *(uint32_t *) arg; i > 0; i--)
        (void) unit_random(2);
    share_socket_close(); /* the parent's */
    for (;;) {
        turn(&x);
        os_yield();
    }
}

/* The memory of a dead process can be used, and a question to it gets an answer. */
static void outlives(struct side *x)
{
    uint64_t end = os_time_ns() + 5000000000;

    while (x->asked >= 0 && os_time_ns() < end) {
        int fd = share_socket_receive(x->asked);
        if (fd != -EAGAIN)
            map_answer(x, fd);
    }
    assert_true(x->asked < 0);
    if (x->mapped.at) {
        memset(x->mapped.at, 'o', x->mapped.len);
        assert_true(is_all(x->mapped.at, x->mapped.len, 'o'));
    }
}

static void gone(uint64_t share_socket)
{
    char name[NODE_NAME] = "starling-share-";

    node_write_hex(name + strlen(name), share_socket);
    assert_int_equal(held_names(name), 0);
}

static void killed_at_random_moments(void **state)
{
    struct side x = side_of(0);
    int nothing = held_fds(), kills = 0;

    (void) state;
    for (uint32_t i = 0; i < KILLS; i++) {
        memset(&told[1], 0, sizeof told[1]);
        int steps = (int) unit_random(STEPS);
        pid_t child = unit_fork(goes_on_for_ever, &i);
        for (uint64_t end = os_time_ns() + ROUND_NS; told[1].step < steps && os_time_ns() < end;) {
            turn(&x);
            if (unit_random(8) == 0)
                os_yield();
        }
        os_sleep_ns(unit_random(50000));
        unit_kill(child);
        kills++;
        outlives(&x);
        gone(told[1].share_socket);
    }
    drop_both(&x);
    while (share_socket_poll()) /* those that were killed while they asked */
        ;
    assert_int_equal(held_fds(), nothing); /* the share socket is closed */
    assert_int_equal(held_maps(maps_name), 0);
    assert_true(kills == KILLS && x.mappings > KILLS / 2 && x.failures > 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(made_and_mapped),           TEST(reserved_in_parts), TEST(of_another_length),
        TEST(no_memory_or_not_for_good), TEST(no_mapping),        TEST(limit_of_the_cgroup),
        TEST(killed_at_random_moments),
    };

    return UNIT_RUN_BETWEEN(tests, join, fake_teardown);
}
