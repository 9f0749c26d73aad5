/* os_memory.c — memory without a name: sharing, locks, reservation; and the memory that a cgroup
 * leaves. */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include "platform/os.h"
#include "unit.h"

enum { LEN = 1 << 20 };

/* ---- segments -------------------------------------------------------------------------------- */

static void one_fills(void *mem) { memset(mem, 7, LEN); }

static void shared_with_a_child(void **state)
{
    int fd = os_memfd("unit", LEN);
    char *mem = os_map(fd, LEN), *again = os_map(fd, LEN), *own = os_map(-1, LEN);

    (void) state;
    assert_true(fd >= 0 && mem && again && own);
    assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
    assert_true(mem[0] == 0 && mem[LEN - 1] == 0);
    assert_true(unit_ended_well(unit_fork(one_fills, mem)));
    assert_true(mem[0] == 7 && mem[LEN - 1] == 7 && again[LEN / 2] == 7);
    assert_true(unit_ended_well(unit_fork(one_fills, own)));
    assert_true(own[0] == 0); /* private memory is zeroed */
    os_unmap(mem, LEN), os_unmap(again, LEN), os_unmap(own, LEN);
    (void) close(fd);
}

static void sparse_until_reserved(void **state)
{
    const size_t huge = (size_t) 1 << 34;
    int fd = os_memfd("unit", huge);
    struct stat st;

    (void) state;
    assert_true(fd >= 0 && !fstat(fd, &st));
    assert_int_equal(st.st_size, huge);
    assert_int_equal(st.st_blocks, 0);
    assert_int_equal(os_reserve(fd, huge / 2, 10000), 0);
    assert_true(!fstat(fd, &st) && st.st_blocks > 0);
    assert_int_equal(st.st_size, huge);
    (void) close(fd);
    assert_int_equal(os_reserve(fd, 0, 4096), -EBADF);
}

/* More memory than there is: an error at once, no signal later. */
static void reserves_too_much(void *arg)
{
    const struct rlimit little = { LEN, LEN };
    int fd = os_memfd("unit", LEN), err;

    (void) arg;
    (void) signal(SIGXFSZ, SIG_IGN);
    CHECK(fd >= 0 && !setrlimit(RLIMIT_FSIZE, &little));
    CHECK(!os_reserve(fd, 0, LEN));
    err = os_reserve(fd, 0, 2 * LEN);
    CHECK(err == -EFBIG || err == -ENOSPC || err == -ENOMEM);
    CHECK(os_memfd("unit", 2 * LEN) == -EFBIG);
}

static void shortage_is_an_error(void **state)
{
    (void) state;
    assert_true(unit_ended_well(unit_fork(reserves_too_much, NULL)));
    assert_null(os_map(-1, (size_t) 1 << 60));
}

/* Some versions of Linux undo a whole call that a signal interrupts. A call that takes longer
 * than the time between two signals would never succeed. */
static bool large_calls_are_interrupted(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_fallocate, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[3])),
        BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, LEN, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINTR),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = { sizeof code / sizeof *code, code };

    return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
           && !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

enum { MUCH = 5 * LEN + 4096, NO_FILTER = 2 };

static void reserves_much(void *arg)
{
    int fd = os_memfd("unit", MUCH);
    struct stat st;

    (void) arg;
    if (!large_calls_are_interrupted())
        _exit(NO_FILTER);
    (void) alarm(10);
    CHECK(fd >= 0 && !os_reserve(fd, 0, MUCH));
    CHECK(!fstat(fd, &st) && st.st_blocks == MUCH / 512);
}

static void signals_do_not_keep_it_from_reserving(void **state)
{
    int status = unit_wait(unit_fork(reserves_much, NULL));

    (void) state;
    if (WIFEXITED(status) && WEXITSTATUS(status) == NO_FILTER)
        skip();
    assert_int_equal(status, 0);
}

/* ---- locks ----------------------------------------------------------------------------------- */

static int locked_fd, ready[2];

static void holds(void *byte)
{
    int fd = locked_fd;

    CHECK(!os_lock_byte(fd, *(size_t *) byte));
    CHECK(!os_byte_locked(fd, *(size_t *) byte)); /* the lock of this process does not count */
    CHECK(write(ready[1], "", 1) == 1);
    for (;;)
        (void) pause();
}

/* Ranks detect the death of a peer this way: the kernel releases the lock in any case. */
static void freed_at_death(void **state)
{
    size_t byte[3] = { 0, 7, 4095 };
    pid_t child[3];
    char c;

    (void) state;
    locked_fd = os_memfd("unit", LEN);
    assert_true(locked_fd >= 0 && !pipe(ready));
    for (int i = 0; i < 3; i++) {
        assert_false(os_byte_locked(locked_fd, byte[i]));
        child[i] = unit_fork(holds, &byte[i]);
        assert_int_equal(read(ready[0], &c, 1), 1);
        assert_true(os_byte_locked(locked_fd, byte[i]));
        assert_false(os_byte_locked(locked_fd, byte[i] + 1));
        assert_int_equal(os_lock_byte(locked_fd, byte[i]), -EAGAIN);
    }
    for (int i = 0; i < 3; i++) {
        unit_kill(child[i]);
        assert_false(os_byte_locked(locked_fd, byte[i]));
        assert_true(i == 2 || os_byte_locked(locked_fd, byte[i + 1]));
    }
    assert_int_equal(os_lock_byte(locked_fd, 7), 0);
    (void) close(locked_fd), (void) close(ready[0]), (void) close(ready[1]);
}

/* A forked child does not own the locks of its parent: its end releases none. */
static void looks(void *fd)
{
    CHECK(os_byte_locked(*(int *) fd, 3));
    CHECK(os_lock_byte(*(int *) fd, 3) == -EAGAIN);
}

static void kept_when_a_child_ends(void **state)
{
    int fd = os_memfd("unit", LEN);

    (void) state;
    assert_int_equal(os_lock_byte(fd, 3), 0);
    for (int i = 0; i < 2; i++)
        assert_true(unit_ended_well(unit_fork(looks, &fd)));
    (void) close(fd);
}

/* A process that waits for a byte gets it when its owner unlocks it, and when that is killed. */
static void takes_over(void *fd) { CHECK(!os_lock_byte_wait(*(int *) fd, 9)); }

static void waits_for_a_byte(void **state)
{
    int fd = locked_fd = os_memfd_empty("unit"); /* the byte does not exist */
    size_t byte = 9;
    char c;

    (void) state;
    assert_int_equal(os_lock_byte_wait(fd, byte), 0);
    pid_t child = unit_fork(takes_over, &fd);
    os_sleep_ns(10000000);
    os_unlock_byte(fd, byte);
    assert_true(unit_ended_well(child));
    assert_false(os_byte_locked(fd, byte));
    assert_true(!pipe(ready));
    child = unit_fork(holds, &byte);
    assert_int_equal(read(ready[0], &c, 1), 1);
    pid_t waits = unit_fork(takes_over, &fd);
    os_sleep_ns(10000000);
    unit_kill(child);
    assert_true(unit_ended_well(waits));
    (void) close(fd), (void) close(ready[0]), (void) close(ready[1]);
    assert_int_equal(os_lock_byte_wait(fd, byte), -EBADF);
}

static void length_is_set_once(void **state)
{
    int fd = os_memfd_empty("unit"), file = open("/dev/shm", O_TMPFILE | O_RDWR, 0600), ends[2];
    struct stat st;

    (void) state;
    assert_true(fd >= 0 && !pipe(ends));
    assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
    assert_int_equal(os_sealed_len(fd), 0);
    assert_int_equal(os_memfd_seal(fd, LEN), 0);
    assert_int_equal(os_sealed_len(fd), LEN);
    assert_int_equal(os_memfd_seal(fd, LEN / 2), -EPERM);
    assert_int_equal(os_sealed_len(fd), LEN);
    assert_int_equal(os_memfd_seal(ends[0], LEN), -EINVAL);
    if (file >= 0) { /* a file keeps its contents */
        assert_int_equal(write(file, "text", 4), 4);
        assert_true(os_memfd_seal(file, LEN) < 0);
        assert_true(!fstat(file, &st) && st.st_size == 4);
        (void) close(file);
    }
    (void) close(fd), (void) close(ends[0]), (void) close(ends[1]);
}

static void lives(void *nothing)
{
    (void) nothing;
    for (;;)
        (void) pause();
}

/* A descriptor of another process, by its number: the same memory, or nothing. */
static void descriptors_of_others(void **state)
{
    int fd = os_memfd("unit", LEN), last = os_memfd("other", LEN);
    uint64_t number = os_file_number(fd);

    (void) state;
    assert_true(number && number != os_file_number(last) && os_file_number(-1) == 0);
    pid_t child = unit_fork(lives, NULL);
    int same = os_open_of(child, fd, number);
    assert_true(same >= 0 && same != fd);
    assert_int_equal(os_file_number(same), number);
    assert_int_equal(fcntl(same, F_GETFD), FD_CLOEXEC);
    assert_int_equal(os_sealed_len(same), LEN);
    assert_int_equal(os_open_of(child, last, number), -ENOENT);
    assert_int_equal(os_open_of(child, 100000, number), -ENOENT);
    unit_kill(child);
    assert_true(os_open_of(child, fd, number) < 0);
    (void) close(fd), (void) close(last), (void) close(same);
}

/* ---- the cgroup's limit ---------------------------------------------------------------------- */

static void put(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);

    CHECK(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t) strlen(text));
    (void) close(fd);
}

static void put_group(const char *group, const char *max, const char *current)
{
    char path[200];

    (void) snprintf(path, sizeof path, "/sys/fs/cgroup%s", group);
    (void) mkdir(path, 0755);
    (void) snprintf(path, sizeof path, "/sys/fs/cgroup%s/memory.max", group);
    put(path, max);
    (void) snprintf(path, sizeof path, "/sys/fs/cgroup%s/memory.current", group);
    put(path, current);
}

static const char fake[] = "/sys/fs/cgroup/of-this-process";

static void be_in(const char *text)
{
    char path[64];

    put(fake, text);
    (void) snprintf(path, sizeof path, "/proc/%d/cgroup", (int) getpid());
    CHECK(!mount(fake, path, NULL, MS_BIND, NULL));
}

/* Cgroups made of ordinary files, in a new mount namespace. */
static void sees_limits(void *arg)
{
    (void) arg;
    CHECK(!mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL));
    CHECK(!mount("none", "/sys/fs/cgroup", "tmpfs", 0, NULL));
    be_in("4:memory:/elsewhere\n0::/job/rank\n");
    CHECK(os_memory_room() == UINT64_MAX); /* without such files the limits are unknown */
    put_group("/job", "max\n", "5\n");
    put_group("/job/rank", "max\n", "5\n");
    CHECK(os_memory_room() == UINT64_MAX);
    put_group("/job/rank", "1000000000\n", "400000000\n");
    CHECK(os_memory_room() == 600000000);
    put_group("/job", "700000000\n", "500000000\n"); /* the group above has less left */
    CHECK(os_memory_room() == 200000000);
    put_group("/job", "700000000\n", "800000000\n");
    CHECK(os_memory_room() == 0);
    put_group("/job", "max\n", "800000000\n");
    put_group("", "500000000\n", "100000000\n"); /* the root of a container may have a limit */
    CHECK(os_memory_room() == 400000000);
    be_in("0::/\n");
    CHECK(os_memory_room() == 400000000);
    be_in("4:memory:/job\n");
    CHECK(os_memory_room() == UINT64_MAX);
}

/* The same for version 1, whose memory controller has its own tree. */
static void sees_limits_of_version_1(void *arg)
{
    (void) arg;
    CHECK(!mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL));
    CHECK(!mount("none", "/sys/fs/cgroup", "tmpfs", 0, NULL));
    CHECK(!mkdir("/sys/fs/cgroup/memory", 0755) && !mkdir("/sys/fs/cgroup/memory/job", 0755));
    be_in("5:cpu,memory:/job/rank\n1:memoryless:/other\n0::/\n");
    CHECK(os_memory_room() == UINT64_MAX);
    put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    put("/sys/fs/cgroup/memory/memory.usage_in_bytes", "1000000000\n");
    CHECK(os_memory_room() == UINT64_MAX);
    put("/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "1000000000\n");
    put("/sys/fs/cgroup/memory/job/memory.usage_in_bytes", "900000000\n");
    CHECK(os_memory_room() == 100000000);
    put("/sys/fs/cgroup/memory/job/memory.stat",
        "cache 800000000\ninactive_file 5\ntotal_inactive_file 300000000\n"
        "total_active_file 100000000\n");
    CHECK(os_memory_room() == 500000000);
    be_in("5:memoryless:/job\n");
    CHECK(os_memory_room() == UINT64_MAX);
}

/* Cached files count as free, since the kernel drops them when memory is needed: a group that
 * has read many files would look full otherwise. */
static void does_not_count_cache(void *arg)
{
    (void) arg;
    CHECK(!mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL));
    CHECK(!mount("none", "/sys/fs/cgroup", "tmpfs", 0, NULL));
    be_in("0::/job\n");
    put_group("/job", "1000000000\n", "999000000\n");
    put("/sys/fs/cgroup/job/memory.stat",
        "anon 99000000\nfile 900000000\nshmem 0\ninactive_anon 0\nactive_anon 99000000\n"
        "inactive_file 800000000\nactive_file 100000000\n");
    CHECK(os_memory_room() >= 800000000);
}

static void can_mount(void *arg)
{
    (void) arg;
    if (unshare(CLONE_NEWNS))
        _exit(2);
}

static bool may_unshare(void) { return unit_ended_well(unit_fork(can_mount, NULL)); }

static void in_namespace(void *body)
{
    CHECK(!unshare(CLONE_NEWNS));
    (*(void (**)(void *)) body)(NULL);
}

static void within(void (*body)(void *))
{
    if (!may_unshare()) {
        (void) fprintf(stderr, "skipped: no permission for a mount namespace\n");
        skip();
    }
    assert_true(unit_ended_well(unit_fork(in_namespace, &body)));
}

static void nearest_limit_decides(void **state)
{
    (void) state;
    within(sees_limits);
}

static void version_1_too(void **state)
{
    (void) state;
    within(sees_limits_of_version_1);
}

static void cache_is_room(void **state)
{
    (void) state;
    within(does_not_count_cache);
}

static void sane_here(void **state)
{
    uint64_t room = os_memory_room();

    (void) state;
    assert_true(room == UINT64_MAX || room < (uint64_t) 1 << 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shared_with_a_child),
        cmocka_unit_test(sparse_until_reserved),
        cmocka_unit_test(shortage_is_an_error),
        cmocka_unit_test(signals_do_not_keep_it_from_reserving),
        cmocka_unit_test(freed_at_death),
        cmocka_unit_test(kept_when_a_child_ends),
        cmocka_unit_test(waits_for_a_byte),
        cmocka_unit_test(length_is_set_once),
        cmocka_unit_test(descriptors_of_others),
        cmocka_unit_test(nearest_limit_decides),
        cmocka_unit_test(version_1_too),
        cmocka_unit_test(cache_is_room),
        cmocka_unit_test(sane_here),
    };

    return UNIT_RUN(tests);
}
